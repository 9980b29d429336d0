"""Shortest scripts to every state and over every transition of a machine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from interpreter.stepping import Machine

from .explore import BUDGET
from .playing import Line
from .survey import Survey


@dataclass(frozen=True, slots=True)
class Ways:
    """Scripts by the key of the state that they enter, and of the transition that they take last.

    What is not in them was not met; `complete` is False when the budget ended the search.
    """

    states: Mapping[str, tuple[Line, ...]]
    transitions: Mapping[str, tuple[Line, ...]]
    complete: bool


def ways_to(machine: Machine, *, budget: int = BUDGET) -> Ways:
    """The Ways of a machine, in document order. Deterministic."""
    survey = Survey(machine, budget)
    entered = {key: edge for one in survey.explorations for key, edge in one.entered.items()}
    taken = {key: edge for one in survey.explorations for key, edge in one.taken.items()}
    states = {
        key: tuple(edge.script()) if (edge := entered[key]) is not None else ()
        for key in machine.states
        if key in entered
    }
    transitions = {
        one.key: tuple(taken[one.key].script()) for one in machine.transitions if one.key in taken
    }
    return Ways(states, transitions, survey.complete)
