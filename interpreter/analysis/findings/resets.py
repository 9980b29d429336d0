"""Transitions that reset sibling regions."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.analysis.explore import Edge
from interpreter.analysis.survey import Finding, Survey, leaves_of, shown
from interpreter.compiling import CompiledTransition, Node


def find(survey: Survey) -> Iterator[Finding]:
    """Transitions inside a region that leave the regions beside it and enter them anew."""
    for transition in survey.machine.transitions:
        siblings = _siblings(survey, transition)
        if not siblings:
            continue
        edge = _shows(survey, transition, siblings)
        if edge is None and (
            survey.at(transition.source).sure or transition not in survey.possible.transitions
        ):
            continue
        others = ", ".join(f"'{region.key}'" for region in siblings)
        verb = "resets" if edge is not None else "may reset"
        active = leaves_of(edge.target.snapshot.active, survey.machine) if edge else []
        yield Finding(
            "region.reset",
            "warning",
            "certain" if edge is not None else "may",
            transition.path,
            f"'{transition.key}' of '{transition.source.key}' {verb} {others}",
            "Keep source and target in one region (without 'external') if the others should stay.",
            shown(edge.script(), active=active) if edge is not None else None,
        )


def _siblings(survey: Survey, transition: CompiledTransition) -> list[Node]:
    """The regions beside one around the source that are left and entered again."""
    target = transition.target
    if target is None:
        return []
    leaves = survey.machine.leaves(transition, {})
    for region in (transition.source, *transition.source.ancestors):
        around = region.parent
        if region.kind != "region" or around is None:
            continue
        if around.kind != "root" and target is not around and not target.is_within(around):
            continue
        found = [r for r in around.children if r is not region and r.descendants & leaves]
        if found:
            return found
    return []


def _shows(survey: Survey, transition: CompiledTransition, siblings: list[Node]) -> Edge | None:
    """The shortest way in which a sibling's states are other ones afterwards, else any."""
    beside = {n.key for region in siblings for n in region.walk() if n.is_state}
    found = survey.taking(transition)
    changed = [
        edge
        for edge in found
        if beside & set(edge.source.snapshot.active) != beside & set(edge.target.snapshot.active)
    ]
    left = [edge for edge in found if beside & set(edge.exited)]
    return min(changed or left, key=lambda edge: edge.cost, default=None)
