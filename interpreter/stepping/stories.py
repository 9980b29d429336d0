"""What steps of the fast path left behind, made when it is first read.

The fast path knows beforehand how a step goes: which guards are asked, what is left and entered in
which order. A story tells it from the Snapshot before and the few values that vary. What it tells
equals what the literal algorithm leaves (tests/interpreter/test_fast_path.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from interpreter.compiling import CompiledEffect, CompiledTransition, Configuration, Node, Plan
from interpreter.expressions import CountersView, Environment, EventView
from interpreter.records import Record
from interpreter.stepping.inputs import Input
from interpreter.stepping.literal import literal_step
from interpreter.stepping.outcome import GuardOutcome, Step, Told
from interpreter.stepping.snapshot import Snapshot
from interpreter.stepping.visits import Visits
from interpreter.stepping.work import alike

Asked = tuple[tuple[CompiledTransition, str], ...]


class Retold:
    """A refusal: told by taking the step again by the literal algorithm."""

    __slots__ = ()

    def tell(self, taken: Step) -> Told:
        """The same as that algorithm leaves."""
        before, one = taken._before, taken._input
        assert before._at is not None
        assert one is not None
        told = literal_step(before._at.tables, before, one, taken.snapshot.now)._told
        assert told is not None
        return told


@dataclass(slots=True)
class _Telling:
    """One telling: the working copy of the slots, the computed values still to come."""

    now: int
    event: str
    confidence: float
    visits: Visits
    slots: dict[str, Any]
    values: Iterator[Any]
    records: list[Record] = field(default_factory=list)
    effects: list[dict[str, Any]] = field(default_factory=list)

    def record(self, kind: str, data: dict[str, Any]) -> None:
        self.records.append(Record(kind, data, self.now))

    def put(self, key: str, value: Any) -> None:
        old = self.slots.get(key)
        if not alike(old, value):
            self.slots[key] = value
            self.record("slot.set", {"slot": key, "from": old, "to": value, "by": "effect"})


class Moved:
    """A microstep whose transitions were chosen, after `asked` guards with their outcomes.

    `constants` are the values of the effects that compute none, by the effect's identity.
    """

    __slots__ = ("asked", "at", "constants", "plan")

    def __init__(
        self, at: Configuration, plan: Plan, asked: Asked, constants: dict[int, Any]
    ) -> None:
        self.at = at
        self.plan = plan
        self.asked = asked
        self.constants = constants

    def tell(self, taken: Step) -> Told:
        """Exits, transitions, entries, each with its effects."""
        before, one = taken._before, taken._input
        assert one is not None
        visits = Visits(self.at.tables, before._visits)
        confidence = 1.0 if one.confidence is None else one.confidence
        telling = _Telling(
            taken.snapshot.now,
            one.name,
            confidence,
            visits,
            dict(before.slots),
            iter(taken._values or ()),
        )
        for node in self.plan.exits:
            self._exited(telling, node)
        for transition in self.plan.transitions:
            self._taken(telling, transition)
        for node in self.plan.entries:
            self._entered(telling, node)
        guards: tuple[GuardOutcome, ...] = ()
        if self.asked:
            env = environment(self.at, before, one, taken.snapshot.now)
            guards = tuple([GuardOutcome(t, outcome, env, None) for t, outcome in self.asked])
        return Told(tuple(telling.records), tuple(telling.effects), guards, None)

    def _exited(self, telling: _Telling, node: Node) -> None:
        self._block(telling, node.exit, {"on": "exit", sort(node): node.key})
        if node.is_state:
            count = telling.visits.at(node.place)
            telling.record(
                "state.exited", {"region": node.region, "state": node.key, "visits": count}
            )

    def _taken(self, telling: _Telling, transition: CompiledTransition) -> None:
        target = transition.target
        telling.record(
            "transition.taken",
            {
                "transition": transition.key,
                "source": transition.source.key,
                "target": target.key if target is not None else None,
                "trigger": transition.trigger,
                "event": telling.event,
                "guard": "true" if transition.guard is not None else None,
                "confidence": telling.confidence,
            },
        )
        origin = {"on": "transition", "transition": transition.key}
        self._block(telling, transition.effects, origin)

    def _entered(self, telling: _Telling, node: Node) -> None:
        if node.is_state:
            count = telling.visits.at(node.place) + 1
            telling.record(
                "state.entered", {"region": node.region, "state": node.key, "visits": count}
            )
        self._block(telling, node.entry, {"on": "entry", sort(node): node.key})

    def _block(
        self, telling: _Telling, effects: tuple[CompiledEffect, ...], origin: dict[str, Any]
    ) -> None:
        for effect in effects:
            if id(effect) in self.constants:
                value = self.constants[id(effect)]
            else:
                value = next(telling.values)
            TOLD[effect.kind](telling, effect, origin, value)


def environment(at: Configuration, before: Snapshot, one: Input, now: int) -> Environment:
    """What the guards of an event see."""
    cold = before._cold
    return Environment(
        before.slots,
        EventView(one.name, one.data, 1.0 if one.confidence is None else one.confidence),
        CountersView(
            cold.turns, before.transitions, before.refusals, (now - cold.started) / 1_000
        ),
        Visits(at.tables, before._visits),
        at.keys.__contains__,
        cold.decision,
    )


def sort(node: Node) -> str:
    """The word for a node in the origin of an effect."""
    return "region" if node.kind == "region" else "state"


def _set(telling: _Telling, effect: CompiledEffect, origin: dict[str, Any], value: Any) -> None:
    telling.put(effect.key, value)
    telling.effects.append({"kind": "set", "slot": effect.key, "value": value, "from": origin})


def _clear(telling: _Telling, effect: CompiledEffect, origin: dict[str, Any], _: Any) -> None:
    telling.put(effect.key, None)
    telling.effects.append({"kind": "clear", "slot": effect.key, "from": origin})


def _raise(telling: _Telling, effect: CompiledEffect, origin: dict[str, Any], data: Any) -> None:
    telling.effects.append({"kind": "raise", "event": effect.key, "data": data, "from": origin})


def _hook(telling: _Telling, effect: CompiledEffect, origin: dict[str, Any], data: Any) -> None:
    telling.record("hook.dispatched", {"hook": effect.key, **origin, "data": data})
    telling.effects.append({"kind": "hook", "hook": effect.key, "data": data, "from": origin})


TOLD: dict[str, Callable[[_Telling, CompiledEffect, dict[str, Any], Any], None]] = {
    "set": _set,
    "clear": _clear,
    "raise": _raise,
    "hook": _hook,
}
