"""Runs that do not come to rest within one input."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.analysis.explore import Edge, run_lines
from interpreter.analysis.survey import Finding, Survey, shown


def find(survey: Survey) -> Iterator[Finding]:
    """One finding for each place in which an input goes over the budget of microsteps."""
    told: set[tuple[str, ...]] = set()
    for one in survey.explorations:
        first = one.stops[0] if one.stops else None
        if first is not None and "microsteps" in first.snapshot.limits_hit:
            yield _finding(survey, first.snapshot.active, (), ())
            continue
        for edge in sorted(one.edges(), key=lambda edge: edge.cost):
            before = edge.source.snapshot.limits_hit
            if "microsteps" in edge.hit and "microsteps" not in before:
                where = _loop(survey, edge)
                if where not in told:
                    told.add(where)
                    yield _finding(survey, edge.source.snapshot.active, edge.script(), where)


def _loop(survey: Survey, edge: Edge) -> tuple[str, ...]:
    """The transition that was taken last, as the machine says it."""
    steps, _ = run_lines(survey.machine, edge.source.snapshot, edge.source.now, edge.lines)
    return tuple(
        record.data["transition"]
        for taken in steps
        for record in taken.records
        if record.type == "machine.limit_reached" and record.data.get("transition")
    )[:1]


def _finding(
    survey: Survey, active: tuple[str, ...], script: object, where: tuple[str, ...]
) -> Finding:
    lines = script if isinstance(script, list) else []
    by = f", by '{where[0]}'" if where else ""
    path = survey.machine.transition_keys[where[0]].path if where else ()
    return Finding(
        "cycle.endless",
        "warning",
        "certain",
        path or survey.machine.states[active[0]].path,
        f"a step from {', '.join(active)} does not come to rest within 100 microsteps{by}",
        "Give an 'always' a guard that its own effects turn false.",
        shown(lines, record="machine.limit_reached"),
    )
