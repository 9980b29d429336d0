"""Guards that are never true."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from interpreter.analysis.survey import Finding, Survey, shown


def find(survey: Survey) -> Iterator[Finding]:
    """Guards that no values make true, where their source can be reached."""
    for transition in survey.machine.transitions:
        if transition.guard is None or survey.possible.barred(transition) is not None:
            continue
        if survey.possible.holds(transition) != "never":
            continue
        stop = next(iter(survey.stops(transition.source)), None)
        if stop is None:
            continue
        source = transition.source
        expected: dict[str, Any] = {"active": source.key} if source.is_state else {"ended": False}
        yield Finding(
            "guard.never",
            "warning",
            "certain",
            (*transition.path, "guard"),
            f"the guard of '{transition.key}' of '{transition.source.key}' is never true: "
            f"{transition.doc.guard}",
            "Change the guard, or remove the transition.",
            shown(stop.script(), **expected),
        )
