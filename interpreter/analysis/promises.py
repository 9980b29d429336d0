"""Moves that somebody counts on, held against what a machine declares."""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.compiling.nodes import Node
from interpreter.stepping import Machine


def undeclared_moves(
    machine: Machine, promised: Iterable[tuple[str, str]]
) -> tuple[tuple[str, str], ...]:
    """The pairs (source, target) of ``promised`` for which the machine has no transition.

    A state is meant by its key or by its label; a transition of a state or region around it
    counts as its own. Guards and triggers are not looked at.
    """
    declared = {
        (source, target)
        for node in machine.states.values()
        for holder in (node, *node.ancestors)
        for transition in holder.transitions
        if transition.target is not None
        for source in _names(node)
        for target in _names(transition.target)
    }
    return tuple(move for move in promised if move not in declared)


def _names(node: Node) -> tuple[str, ...]:
    label = node.doc.label if node.doc is not None else None
    return (node.key, label) if label else (node.key,)
