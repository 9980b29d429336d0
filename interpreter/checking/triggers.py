"""Triggers that can fire, and moves that reach further than they look."""

from collections.abc import Iterator

from interpreter.analysis import StatePlace, TransitionPlace

from .chart import Chart
from .rule import Code, Found, Rule


def find(chart: Chart) -> Iterator[Found]:
    """'done' where nothing can be done, contradictory flags, resets of sibling regions."""
    for transition in chart.index.transitions:
        path = transition.path
        if transition.doc.internal and transition.doc.external:
            message = f"'{transition.name}' is both internal and external"
            yield Found("transition.flags", (*path, "external"), message, "Keep one of the two.")
        if transition.kind == "done":
            yield from _done(chart, transition)
        if not isinstance(transition.source, StatePlace) and transition.doc.external:
            yield from _reset(chart, transition)


def _done(chart: Chart, transition: TransitionPlace) -> Iterator[Found]:
    source = transition.source
    path = (*transition.path, "on")
    if not isinstance(source, StatePlace) or not chart.index.regions_of[source]:
        message = (
            f"'{transition.name}' waits for '{source.key}' to be done, which holds no regions"
        )
        yield Found("done.never", path, message, "Use another trigger, or add a region.")
        return
    endless = [
        region.key
        for region in chart.index.regions_of[source]
        if not any(place.doc.kind == "final" for place in chart.index.inside[region])
    ]
    if endless:
        names = ", ".join(f"'{key}'" for key in endless)
        which = f"the region {names} has" if len(endless) == 1 else f"the regions {names} have"
        message = f"'{source.key}' can never be done: {which} no final state"
        hint = "Add a final state to the region." if len(endless) == 1 else "Add final states."
        yield Found("done.never", path, message, hint)


def _reset(chart: Chart, transition: TransitionPlace) -> Iterator[Found]:
    region = transition.region
    siblings = [
        r.key for r in chart.index.regions if r.parent is region.parent and r is not region
    ]
    if siblings:
        others = ", ".join(f"'{key}'" for key in siblings)
        message = (
            f"'{transition.name}' leaves the region '{region.key}' itself and resets {others}"
        )
        hint = "Remove 'external' if the sibling regions should stay."
        yield Found("region.reset", (*transition.path, "external"), message, hint)


RULE = Rule(
    (
        Code("transition.flags", "error", "A transition is both internal and external."),
        Code("done.never", "warning", "A 'done' transition waits for what cannot be done."),
        Code("region.reset", "warning", "An external transition of a region resets its siblings."),
    ),
    find,
)
