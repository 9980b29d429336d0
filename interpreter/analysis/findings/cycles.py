"""Loops, and what bounds them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from interpreter.analysis.atoms import placed_effects
from interpreter.analysis.cycles import Cycle, all_cycles, bounds_of, unbounded_cycles
from interpreter.analysis.explore import Exploration, Stop, run_lines
from interpreter.analysis.keys import Keys
from interpreter.analysis.playing import Line
from interpreter.analysis.survey import Finding, Survey, shown
from interpreter.stepping import Snapshot

_ROUNDS = 12
_TRIED = 40


def find(survey: Survey) -> Iterator[Finding]:
    """Loops that never end by themselves, each with a script that goes round once; and those that
    something bounds, with what it is.
    """
    unbounded = unbounded_cycles(survey.index)
    told = set()
    for cycle in unbounded:
        told.add(frozenset(cycle.states))
        yield from _walked(survey, cycle)
    for cycle in all_cycles(survey.index):
        if frozenset(cycle.states) not in told:
            bounds = bounds_of(survey.index, cycle)
            if bounds:
                yield _bounded(cycle, bounds)


def _round(cycle: Cycle) -> str:
    states = cycle.states if len(cycle.states) <= 6 else (*cycle.states[:5], "...")
    return " -> ".join((*states, cycle.states[0]))


def _bounded(cycle: Cycle, bounds: tuple[str, ...]) -> Finding:
    message = f"{_round(cycle)} is bounded by {', '.join(bounds)}"
    return Finding("cycle.bounded", "info", "certain", cycle.transitions[-1].path, message)


def _walked(survey: Survey, cycle: Cycle) -> Iterator[Finding]:
    path = cycle.transitions[-1].path
    rounds, script, again = _Walk(survey, cycle).go()
    names = ", ".join(f"'{transition.name}'" for transition in cycle.transitions)
    hint = "Set max_visits on a state, max_takes on a transition, or a limit on transitions."
    if again:
        message = f"{_round(cycle)} can repeat without end, by {names}"
        witness = shown(script, active=cycle.states[0])
        yield Finding("cycle.unbounded", "warning", "certain", path, message, hint, witness)
    elif 0 < rounds < _ROUNDS:
        message = f"{_round(cycle)} ends after {rounds} rounds at most, by its guards"
        witness = shown(script, active=cycle.states[0])
        yield Finding("cycle.bounded", "info", "certain", path, message, "", witness)
    elif rounds or not survey.complete:
        message = f"{_round(cycle)} may repeat without end, by {names}"
        yield Finding("cycle.unbounded", "warning", "may", path, message, hint)


class _Walk:
    """Goes round a loop as often as it goes, or until all is as it was before."""

    def __init__(self, survey: Survey, cycle: Cycle) -> None:
        self.survey = survey
        self.names = [transition.name for transition in cycle.transitions]
        self.first = survey.machine.states[cycle.states[0]]
        self.one: Exploration = survey.at(self.first)
        self.offers = survey.offers(self.one)
        self.keys = Keys(survey.machine, self.offers, fine=True)
        self.counting = {
            effect.key
            for _, effect in placed_effects(survey.machine)
            for _, value in effect.values
            if effect.kind == "set" and f"slots.{effect.key}" in value.refs
        }

    def go(self) -> tuple[int, list[Line], bool]:
        """Rounds done, the script of the first round, and whether the last one led back."""
        best: tuple[int, list[Line]] = (0, [])
        for number, stop in enumerate(self.survey.stops(self.first)):
            if number >= 3:
                break
            rounds, script, again = self._from(stop)
            if again:
                return rounds, script, True
            if rounds > best[0]:
                best = (rounds, script)
        return (*best, False)

    def _from(self, stop: Stop) -> tuple[int, list[Line], bool]:
        snapshot, now = stop.snapshot, stop.now
        seen = {self._key(snapshot, now)}
        first: list[Line] = []
        for number in range(_ROUNDS):
            lines: list[Line] = []
            for name in self.names:
                found = self._take(snapshot, now, name)
                if found is None:
                    return number, [*stop.script(), *first], False
                more, snapshot, now = found
                lines += more
            first = first or lines
            key = self._key(snapshot, now)
            if key in seen:
                return number + 1, [*stop.script(), *first], True
            seen.add(key)
        return _ROUNDS, [*stop.script(), *first], False

    def _key(self, snapshot: Snapshot, now: int) -> Any:
        counted = tuple(repr(snapshot.slots.get(key)) for key in sorted(self.counting))
        return self.keys(snapshot, now), counted

    def _take(
        self, snapshot: Snapshot, now: int, name: str
    ) -> tuple[tuple[Line, ...], Snapshot, int] | None:
        for number, lines in enumerate(self.offers.lines(snapshot, now)):
            if number >= _TRIED:
                break
            if any(self._resets(line) for line in lines):
                continue
            steps, after = run_lines(self.survey.machine, snapshot, now, lines)
            if any(
                record.type == "transition.taken" and record.data["transition"] == name
                for taken in steps
                for record in taken.records
            ):
                return lines, steps[-1].snapshot, after
        return None

    def _resets(self, line: Line) -> bool:
        """Whether it writes from outside what the loop itself counts with."""
        body = line.get("set") or line.get("propose", {}).get("set_slot")
        return bool(body) and body["slot"] in self.counting
