"""Which transitions never get a turn: an earlier one of their state always wins."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from interpreter.analysis import Index, StatePlace, TransitionPlace
from interpreter.document import AfterTrigger, EventTrigger, matches, parse_duration


def shadowed(
    chart: Index, dead: Collection[TransitionPlace]
) -> dict[TransitionPlace, TransitionPlace]:
    """The transitions that never win, each with the first one that always wins over it.

    ``dead`` are transitions whose guard is never true: they neither win nor count as beaten.
    """
    found: dict[TransitionPlace, TransitionPlace] = {}
    for transitions in chart.leaving.values():
        alive = [place for place in transitions if place not in dead] if dead else transitions
        for number, later in enumerate(alive):
            for earlier in alive[:number]:
                if _shadows(chart, earlier, later):
                    found[later] = earlier
                    break
    return found


def _shadows(chart: Index, earlier: TransitionPlace, later: TransitionPlace) -> bool:
    if earlier.kind != later.kind or earlier.kind == "propose":
        return False
    if earlier.doc.guard not in (None, "true", later.doc.guard) or _reluctant(chart, earlier):
        return False
    first, second = earlier.doc.on, later.doc.on
    if isinstance(first, EventTrigger) and isinstance(second, EventTrigger):
        return all(any(_covers(a, b) for a in first.events) for b in second.events)
    if isinstance(first, AfterTrigger) and isinstance(second, AfterTrigger):
        return first.milliseconds <= second.milliseconds and earlier.doc.target is not None
    return True


def _reluctant(chart: Index, transition: TransitionPlace) -> bool:
    """Whether something else than its guard can hold it back."""
    doc, target = transition.doc, chart.target(transition)
    if doc.min_confidence is not None or doc.max_takes is not None:
        return True
    if target is None:
        return False
    if any(place.doc.max_visits is not None for place in _entered(chart, target)):
        return True
    around = (transition.region, *(place.region for place in _states_around(transition)))
    holding = {target.region, *(place.region for place in target.ancestors)}
    home = next((region for region in around if region in holding), None)
    steady = home.doc.stability if home is not None else None
    return steady is not None and bool(
        parse_duration(steady.cooldown) or steady.backward_confidence
    )


def _states_around(transition: TransitionPlace) -> tuple[StatePlace, ...]:
    source = transition.source
    if isinstance(source, StatePlace):
        return source.ancestors
    return (source.parent, *source.parent.ancestors) if source.parent is not None else ()


def _entered(chart: Index, target: StatePlace) -> Iterator[StatePlace]:
    yield target
    yield from target.ancestors
    yield from chart.within(target)


def _covers(wide: str, narrow: str) -> bool:
    return wide == narrow or (narrow != "*" and matches(wide, narrow.removesuffix(".*")))
