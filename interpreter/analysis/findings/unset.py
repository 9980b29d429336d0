"""Slots that are read where nothing can have set them yet."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.analysis.survey import Finding, Survey, shown
from interpreter.compiling import CompiledTransition


def find(survey: Survey) -> Iterator[Finding]:
    """The first guard that reads a slot too early, once a slot and transition."""
    watched = [
        key
        for key in survey.machine.slots
        if not survey.domains.outside(key) and survey.machine.defaults.get(key) is None
    ]
    for transition in survey.machine.transitions:
        guard = transition.guard
        for key in watched if guard is not None else ():
            if guard is not None and f"slots.{key}" in guard.refs:
                yield from _read(survey, transition, key)


def _read(survey: Survey, transition: CompiledTransition, key: str) -> Iterator[Finding]:
    one = survey.at(transition.source)
    stops = survey.stops(transition.source)
    if not one.complete or not stops:
        return
    if any(stop.snapshot.slots.get(key) is not None for stop in stops):
        return
    if transition.trigger in ("always", "done"):
        return
    sure = one.sure
    verb = "is" if sure else "may be"
    yield Finding(
        "slot.unset",
        "warning",
        "certain" if sure else "may",
        (*transition.path, "guard"),
        f"the guard of '{transition.key}' of '{transition.source.key}' reads slots.{key}, which "
        f"{verb} always unset there",
        "Set the slot on the way there, give it a default, or let the model or the host write it.",
        shown(stops[0].script(), slots={key: None}),
    )
