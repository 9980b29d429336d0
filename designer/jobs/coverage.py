"""What a set of runs has seen of a chart: states entered, transitions taken, guards both ways."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from interpreter import GuardOutcome, Machine, Record, Report

PASSED_ON = ("history",)
"""Kinds of states that nobody stands in and that no record names."""


class Coverage:
    """Collects from one run after the other."""

    def __init__(self, machine: Machine) -> None:
        self._states = [key for key, node in machine.states.items() if node.kind not in PASSED_ON]
        self._transitions = [transition.key for transition in machine.transitions]
        self._entered: Counter[str] = Counter()
        self._taken: Counter[str] = Counter()
        self._guards: dict[str, Counter[str]] = {
            transition.key: Counter() for transition in machine.transitions if transition.guard
        }

    def add(self, report: Report) -> None:
        """Counts what a run did, its start included."""
        for step in (report.start, *report.steps):
            self._records(step.records)
            self._outcomes(step.guards)

    def _records(self, records: Iterable[Record]) -> None:
        for record in records:
            if record.type == "state.entered":
                self._entered[record.data["state"]] += 1
            elif record.type == "transition.taken":
                self._taken[record.data["transition"]] += 1

    def _outcomes(self, guards: Iterable[GuardOutcome]) -> None:
        for guard in guards:
            self._guards[guard.transition.key][guard.outcome] += 1

    def to_json(self) -> dict[str, Any]:
        """`{states, transitions, guards: {key: {true, false}}, missing}`; `missing` has the keys
        of states and transitions that no run has seen.
        """
        return {
            "states": {key: self._entered[key] for key in self._states},
            "transitions": {key: self._taken[key] for key in self._transitions},
            "guards": {
                key: {"true": seen["true"], "false": seen["false"]}
                for key, seen in self._guards.items()
            },
            "missing": {
                "states": [key for key in self._states if not self._entered[key]],
                "transitions": [key for key in self._transitions if not self._taken[key]],
            },
        }
