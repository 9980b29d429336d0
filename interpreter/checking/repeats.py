"""An 'always' that stays where it is must turn its own guard false."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.analysis import TransitionPlace
from interpreter.document import ClearEffect, SetEffect, TransitionDoc

from .chart import Chart
from .rule import Code, Found, Rule


def find(chart: Chart) -> Iterator[Found]:
    """'always' transitions without a target that would be taken again and again."""
    always = [place for place in chart.index.transitions if place.kind == "always"]
    written = {f"slots.{key}" for place in always for key in _writes(place.doc)}
    for place in always:
        if place.doc.target is not None or place.doc.max_takes is not None:
            continue
        if _can_end(chart, place, written):
            continue
        message = (
            f"'{place.name}' of '{place.source.key}' is an 'always' that goes nowhere, and "
            "nothing that it does turns its guard false"
        )
        hint = "Give it a target, or a guard that its own effects turn false."
        yield Found("always.repeats", place.path, message, hint)


def _writes(doc: TransitionDoc) -> Iterator[str]:
    for effect in doc.effects:
        if isinstance(effect, SetEffect):
            yield effect.set
        elif isinstance(effect, ClearEffect):
            yield effect.clear


def _can_end(chart: Chart, place: TransitionPlace, written: set[str]) -> bool:
    """Whether its guard reads what such a move changes (or cannot be read at all)."""
    if place.doc.guard is None:
        return False
    analysis = chart.guards[place]
    if analysis.problems or place.doc.guard.strip() == "false":
        return True
    return any(
        ref in written or ref == "machine.transitions" or ref.startswith("active(")
        for ref in analysis.refs
    )


RULE = Rule(
    (
        Code(
            "always.repeats",
            "warning",
            "An 'always' without a target has no guard that its own effects can turn false.",
        ),
    ),
    find,
)
