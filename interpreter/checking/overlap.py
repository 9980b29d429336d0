"""Two guards on one trigger that can both be true: found by trying the values they name."""

import itertools
from collections.abc import Iterable, Iterator
from typing import Any

from interpreter.analysis import TransitionPlace, narrow
from interpreter.document import EventTrigger, SlotDoc
from interpreter.expressions import (
    Environment,
    EvaluationError,
    Expression,
    compile_expression,
    literals,
)

from .chart import Chart
from .rule import Code, Found, Rule

_MOST = 400
Values = dict[str, Any]


def find(chart: Chart) -> Iterator[Found]:
    """Pairs of guards over slots, on one trigger and to different targets, with values that pass
    both. A pair of which one is never taken is told by that alone.
    """
    compiled: dict[str, Expression] = {}
    decided: dict[tuple[str, str], Values | None] = {}
    for transitions in chart.index.leaving.values():
        guarded = [place for place in transitions if _plain(chart, place)]
        for first, second in _rivals(guarded):
            pair = (first.doc.guard or "", second.doc.guard or "")
            if pair not in decided:
                decided[pair] = _both(chart, compiled, pair)
            values = decided[pair]
            if values is not None:
                shown = ", ".join(f"{key} = {value!r}" for key, value in values.items())
                message = (
                    f"'{first.name}' and '{second.name}' of '{first.source.key}' "
                    f"may both be taken, as with {shown}; the first one wins"
                )
                yield Found("guard.overlap", (*second.path, "guard"), message, "Narrow one guard.")


def _rivals(
    guarded: Iterable[TransitionPlace],
) -> Iterator[tuple[TransitionPlace, TransitionPlace]]:
    """Pairs on one trigger to different targets, in document order: the first rival of each."""
    by_trigger: dict[object, list[TransitionPlace]] = {}
    for place in guarded:
        by_trigger.setdefault(_trigger(place), []).append(place)
    for row in by_trigger.values():
        for first, second in itertools.combinations(row, 2):
            if first.doc.target != second.doc.target:
                yield first, second


def _plain(chart: Chart, place: TransitionPlace) -> bool:
    analysis = chart.guards.get(place)
    if analysis is None or analysis.problems or place.kind == "propose":
        return False
    if place in chart.lost or not chart.stands(place):
        return False
    return bool(analysis.refs) and all(ref.startswith("slots.") for ref in analysis.refs)


def _trigger(place: TransitionPlace) -> object:
    trigger = place.doc.on
    return (place.kind, trigger.events if isinstance(trigger, EventTrigger) else trigger)


def _both(chart: Chart, compiled: dict[str, Expression], pair: tuple[str, str]) -> Values | None:
    rows = [chart.rows[source] for source in pair]
    passing = narrow(chart.slots_by_key, rows, chart.written_inside)
    if passing.empty:
        return None
    if passing.whole:
        return {key: values[0] for key, values in sorted(passing.values.items())}
    for source in pair:
        if source not in compiled:
            compiled[source] = compile_expression(source, chart.scope, "boolean")
    guards = [compiled[source] for source in pair]
    keys = sorted({ref.removeprefix("slots.") for guard in guards for ref in guard.refs})
    named = [value for guard in guards for value in literals(guard.source)]
    ranges = [
        passing.values[key] if key in passing.values else _values(chart.slots_by_key[key], named)
        for key in keys
    ]
    for values in itertools.islice(itertools.product(*ranges), _MOST):
        slots = dict(zip(keys, values, strict=True))
        if all(_true(guard, slots) for guard in guards):
            return slots
    return None


def _true(guard: Expression, slots: Values) -> bool:
    try:
        return guard(Environment(slots=slots)) is True
    except EvaluationError:
        return False


def _values(slot: SlotDoc, named: list[Any]) -> list[Any]:
    """Values of the slot's type around those that the guards name, and unset."""
    if slot.type == "boolean":
        return [True, False, None]
    if slot.type == "enum":
        return [*slot.choices, None]
    if slot.type in ("integer", "number"):
        numbers = sorted(
            {n for n in named if isinstance(n, int | float) and not isinstance(n, bool)}
        )
        around = {n + by for n in numbers for by in (-1, 0, 1)} or {0, 1}
        return [*sorted(around), None]
    texts = [text for text in named if isinstance(text, str)]
    return [*dict.fromkeys([*texts, "x"]), None] if slot.type != "list" else [[], texts, None]


RULE = Rule(
    (Code("guard.overlap", "warning", "Two guards on one trigger can be true at once."),), find
)
