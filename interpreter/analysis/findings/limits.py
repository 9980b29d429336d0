"""A limits target to which no limit leads."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.analysis.cycles import all_cycles
from interpreter.analysis.survey import Finding, Survey


def find(survey: Survey) -> Iterator[Finding]:
    """A target without limits, or whose limits no run can use up."""
    limits, target = survey.machine.limits, survey.machine.limit_target
    if target is None:
        return
    counted = {
        name: number
        for name in ("turns", "transitions", "visits", "refusals", "seconds")
        if (number := getattr(limits, name)) is not None
    }
    if not counted:
        blocked = "nothing is counted: no turns, transitions, visits, refusals or seconds"
    elif set(counted) <= {"transitions", "visits"} and _too_many(survey, counted):
        named = ", ".join(f"{name} {number}" for name, number in counted.items())
        blocked = f"no loop lets a run use up its limits ({named})"
    else:
        return
    yield Finding(
        "limit.unreachable",
        "info",
        "certain",
        ("limits", "target"),
        f"no limit can lead to '{target.key}'",
        "Set a limit that a run can hit, or remove the target.",
        None,
        (blocked,),
    )


def _too_many(survey: Survey, counted: dict[str, int]) -> bool:
    transitions = survey.machine.transitions
    if any(t.target is None for t in transitions) or all_cycles(survey.index):
        return False
    return min(counted.values()) > len(transitions)
