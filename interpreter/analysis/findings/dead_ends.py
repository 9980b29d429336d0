"""States of the speaker region in which a conversation stays for ever."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.analysis.keys import exclusive
from interpreter.analysis.survey import Finding, Survey, shown
from interpreter.compiling import CompiledTransition, Node


def find(survey: Survey) -> Iterator[Finding]:
    """States that are no final state, can be reached, and that nothing leaves."""
    for node in survey.machine.nodes:
        if node.kind != "state" or not node.speaker or node.children:
            continue
        near = [t for holder in (node, *node.ancestors) for t in holder.transitions]
        if any(t in survey.possible.transitions and _leaves(survey, t, node) for t in near):
            continue
        if any(_leaves(survey, t, node) for t in survey.possible.transitions):
            continue
        stop = next(iter(survey.stops(node)), None)
        if stop is None:
            continue
        yield Finding(
            "state.dead_end",
            "warning",
            "certain",
            node.path,
            f"nothing can leave '{node.key}', and it is no final state",
            "Add a transition, or make it final.",
            shown(stop.script(), active=node.key, ended=False),
            tuple(_blocks(survey, node)),
        )


def _leaves(survey: Survey, transition: CompiledTransition, node: Node) -> bool:
    if transition.target is node or exclusive(transition.source, node):
        return False
    if transition.trigger == "done" and node.is_within(transition.source):
        return False
    return bool(survey.machine.leaves(transition, {}) & node.bit)


def _blocks(survey: Survey, node: Node) -> Iterator[str]:
    for transition in (t for holder in (node, *node.ancestors) for t in holder.transitions):
        if survey.possible.holds(transition) == "never":
            yield f"'{transition.key}': its guard {transition.doc.guard} is never true"
