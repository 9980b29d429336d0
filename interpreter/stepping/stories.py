"""What steps of the fast path left behind, made when it is first read.

The fast path knows beforehand how a step goes: which guards are asked, what is left and entered in
which order. A story tells it from the Snapshot before and the few values that vary. What it tells
equals what the literal algorithm leaves (tests/interpreter/test_fast_path.py).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

from interpreter.compiling import (
    Candidate,
    CompiledEffect,
    CompiledTransition,
    Configuration,
    Node,
    Plan,
)
from interpreter.expressions import CountersView, Environment, EventView
from interpreter.records import Record, rfc3339
from interpreter.stepping import refusals
from interpreter.stepping.inputs import Input
from interpreter.stepping.outcome import GuardOutcome, Refusal, Step, Told
from interpreter.stepping.select import Blocked
from interpreter.stepping.snapshot import Snapshot
from interpreter.stepping.visits import ROW, Visits, is_wide
from interpreter.stepping.work import alike

Asked = tuple[tuple[Candidate, str], ...]
Teller = Callable[[Snapshot, Input, int, Any], tuple[list[Record], tuple[dict[str, Any], ...]]]


class Begun:
    """A start that is the same at every time and for every value of the slots.

    It is so where nothing was evaluated: no guard was asked, no effect left anything, no timer was
    armed. Holds no Snapshot, since the machine holds it.
    """

    __slots__ = ("at", "moved", "records", "rows", "transitions")

    def __init__(self, first: Step) -> None:
        self.at = first.snapshot._at
        self.rows = first.snapshot._visits
        self.transitions = first.snapshot.transitions
        self.moved = first.moved
        self.records = tuple([(record.type, record.data) for record in first.records])

    @staticmethod
    def of(first: Step, blank: Snapshot) -> Begun | None:
        """What to keep of a first start; None when it may differ the next time."""
        same = first.snapshot._cold == blank._cold and not first.snapshot.refusals
        plain = same and not (first.effects or first.guards)
        kinds = {record.type for record in first.records}
        return Begun(first) if plain and kinds <= _BEGINNING else None

    def start(self, blank: Snapshot) -> Step:
        """The same start at another time."""
        now, rows = blank.now, self.rows
        first = Snapshot(self.at, now, blank.slots, rows, self.transitions, 0, blank._cold)
        return Step(first, self.moved, self, first, None, None)

    def tell(self, taken: Step) -> Told:
        """The same records, of the time of this start."""
        now = taken.snapshot.now
        records = tuple([Record(kind, dict(data), now) for kind, data in self.records])
        return Told(records, (), (), None)

    def guards(self, taken: Step) -> tuple[GuardOutcome, ...]:
        """None was asked."""
        del taken
        return ()


_BEGINNING = frozenset({"call.started", "state.entered", "state.exited", "transition.taken"})


class Undeclared:
    """The refusal of an event that no active state waits for."""

    __slots__ = ()

    def tell(self, taken: Step) -> Told:
        """One record, one refusal."""
        one, at = taken._input, taken._before._at
        assert one is not None
        assert at is not None
        return _refused(refusals.not_declared(at, one.name, _proposal(one)), taken, ())

    def guards(self, taken: Step) -> tuple[GuardOutcome, ...]:
        """None was asked."""
        del taken
        return ()


class Barred:
    """The refusal of an event whose every guard said no."""

    __slots__ = ("asked", "at")

    def __init__(self, at: Configuration, asked: Asked) -> None:
        self.at = at
        self.asked = asked

    def tell(self, taken: Step) -> Told:
        """One record, one refusal, and the guards."""
        one = taken._input
        assert one is not None
        guards = self.guards(taken)
        blocked = [
            Blocked(candidate, "guard", "", guard)
            for (candidate, _), guard in zip(self.asked, guards, strict=True)
        ]
        refusal = refusals.blocked_by(self.at, one.name, _proposal(one), blocked)
        return _refused(refusal, taken, guards)

    def guards(self, taken: Step) -> tuple[GuardOutcome, ...]:
        """All of them."""
        return _guards(self.at, self.asked, taken)


def _proposal(one: Input) -> str | None:
    """The kind of a proposal; None for an event."""
    return None if one.kind == "event" else one.kind


def _refused(refusal: Refusal, taken: Step, guards: tuple[GuardOutcome, ...]) -> Told:
    record = Record("transition.refused", refusal.data(), taken.snapshot.now)
    return Told((record,), (), guards, refusal)


def _guards(at: Configuration, asked: Asked, taken: Step) -> tuple[GuardOutcome, ...]:
    assert taken._input is not None
    env = partial(environment, at, taken._before, taken._input, taken.snapshot.now)
    return tuple([GuardOutcome(no.transition, outcome, env, None) for no, outcome in asked])


def environment(at: Configuration, before: Snapshot, one: Input, now: int) -> Environment:
    """What the guards of an event see."""
    cold = before._cold
    confidence = 1.0 if one.confidence is None else one.confidence
    if one.kind == "event":
        event = EventView(one.name, one.data, confidence)
    else:
        event = EventView(None, {"target": one.name}, confidence)
    return Environment(
        before.slots,
        event,
        CountersView(
            cold.turns, before.transitions, before.refusals, (now - cold.started) / 1_000
        ),
        Visits(at.tables, before._visits),
        at.keys.__contains__,
        cold.decision,
    )


class Moved:
    """A microstep to `after` whose transitions were chosen, after `asked` guards with outcomes.

    `constants` are the values of the effects that compute none, by the effect's identity; those of
    the others come with the step, in order.
    """

    __slots__ = ("_teller", "after", "asked", "at", "constants", "plan")

    def __init__(
        self,
        at: Configuration,
        plan: Plan,
        asked: Asked,
        constants: dict[int, Any],
        after: Configuration,
    ) -> None:
        self.at = at
        self.after = after
        self.plan = plan
        self.asked = asked
        self.constants = constants
        self._teller: Teller | None = None

    def tell(self, taken: Step) -> Told:
        """Exits, transitions, entries, each with its effects."""
        teller = self._teller
        if teller is None:
            teller = self._teller = _Writer(self).teller()
        one = taken._input
        assert one is not None
        records, effects = teller(taken._before, one, taken.snapshot.now, taken._values)
        return Told(tuple(records), effects, None if self.asked else (), None)

    def guards(self, taken: Step) -> tuple[GuardOutcome, ...]:
        """Those of one candidate after the other, until one passed."""
        return _guards(self.at, self.asked, taken)


class _Writer:
    """One use: writes the function that tells a story. What differs between stories of one shape
    is held by the function, so that the text is compiled once.
    """

    def __init__(self, story: Moved) -> None:
        self.story = story
        self.wide = is_wide(story.at.tables)
        self.held: list[Any] = []
        self.parts: list[str] = []
        self.effects: list[str] = []
        self.values = 0
        self.slots: dict[str, str] = {}
        self.armed = 0
        self.calls = 0
        self.handoffs = 0

    def teller(self) -> Teller:
        """The function."""
        plan = self.story.plan
        for node in plan.exits:
            self._block(node.exit, "exit", sort(node), node.key)
            if node.is_state:
                self._state("state.exited", node, "")
            if node.afters:
                self._cancel(node)
        for transition in plan.transitions:
            self._take(transition)
            self._block(transition.effects, "transition", "transition", transition.key)
        for node in plan.entries:
            if node.is_state:
                self._state("state.entered", node, " + 1")
            self._block((*node.speech, *node.entry), "entry", sort(node), node.key)
            for transition in node.afters:
                self._arm(node, transition)
        after = self.story.after
        if plan.binds:
            state = self._hold(after.active[-1])
            bound = self.hand_off(self._hold(after.agent), f'"on": "state", "state": {state}')
            self.effects.append(bound)
        names = ", ".join(f"k{n}" for n in range(len(self.held)))
        text = [
            f"def make({names}):",
            " def tell(s, i, now, x):",
            "  v, slots, c = s._visits, s.slots, s._cold",
            "  name = i.name if i.kind == 'event' else None",
            "  sure = 1.0 if i.confidence is None else i.confidence",
            "  agent = c.agent",
            "  records = []",
            "  add = records.append",
            *["  " + line for line in self.parts],
            f"  return records, ({''.join(one + ', ' for one in self.effects)})",
            " return tell",
        ]
        return _factory("\n".join(text))(*self.held)

    def _hold(self, value: Any) -> str:
        self.held.append(value)
        return f"k{len(self.held) - 1}"

    def _record(self, kind: str, data: str) -> None:
        self.parts.append(f"add(Record({kind!r}, {data}, now))")

    def _state(self, kind: str, node: Node, more: str) -> None:
        row, place = divmod(node.place, ROW)
        where = f"[{self._hold(row)}][{self._hold(place)}]" if self.wide else ""
        count = f"v{where or f'[{self._hold(node.place)}]'}{more}"
        region, key = self._hold(node.region), self._hold(node.key)
        self._record(kind, f'{{"region": {region}, "state": {key}, "visits": {count}}}')

    def _take(self, transition: CompiledTransition) -> None:
        target = transition.target
        key, source = self._hold(transition.key), self._hold(transition.source.key)
        aim = self._hold(target.key if target is not None else None)
        guard = "true" if transition.guard is not None else None
        self._record(
            "transition.taken",
            f'{{"transition": {key}, "source": {source}, "target": {aim}, '
            f'"trigger": {transition.trigger!r}, "event": name, "guard": {guard!r}, '
            '"confidence": sure}',
        )

    def _block(self, effects: tuple[CompiledEffect, ...], on: str, kind: str, holder: str) -> None:
        if not effects:
            return
        origin = f'"on": {on!r}, {kind!r}: {self._hold(holder)}'
        for effect in effects:
            key = self._hold(effect.key)
            if id(effect) in self.story.constants:
                value = self._hold(self.story.constants[id(effect)])
            else:
                value = f"x[{self.values}]"
                self.values += 1
            self.effects.append(_TOLD[effect.kind](self, effect, key, value, origin))

    def _cancel(self, node: Node) -> None:
        """The timers of a node that is left, in the order of arming."""
        leaving = self._hold(frozenset([transition.key for transition in node.afters]))
        self.parts += [
            f"for t in {{t.key: t for t in c.timers if t.transition in {leaving}}}.values():",
            ' add(Record("timer.cancelled", {"timer": t.key, "transition": t.transition}, now))',
        ]

    def _arm(self, node: Node, transition: CompiledTransition) -> None:
        self.armed += 1
        name, key = self._hold(f"{node.key}#{transition.key}@"), self._hold(transition.key)
        timer = f"f'{{{name}}}{{c.armed + {self.armed}}}'"
        due = f"rfc3339(now + {self._hold(transition.after_ms)})"
        self._record("timer.started", f'{{"timer": {timer}, "transition": {key}, "due": {due}}}')

    def hand_off(self, to: str, origin: str) -> str:
        """Another Agent speaks, unless it is the one who does; gives the name of its effects."""
        self.handoffs += 1
        name = f"h{self.handoffs}"
        self.parts += [
            f"{name} = ()",
            f"if agent != {to}:",
            f' add(Record("handoff.completed", {{"from": agent, "to": {to}}}, now))',
            f' {name} = ({{"kind": "handoff", "agent": {to}, "from": {{{origin}}}}},)',
            f" agent = {to}",
        ]
        return f"*{name}"

    def call(self, tool: str, args: str) -> str:
        """A tool asked for; gives the code of its call's id."""
        self.calls += 1
        call = f"f'call_{{c.tool_calls + {self.calls}}}'"
        self._record("tool.requested", f'{{"tool": {tool}, "call": {call}, "arguments": {args}}}')
        return call

    def put(self, slot: str, key: str, value: str) -> None:
        """A slot written: a record unless it keeps its value."""
        old = self.slots.get(slot)
        if old is None:
            old = f"o{len(self.held)}"
            self.parts.append(f"{old} = slots.get({key})")
        new = self.slots[slot] = f"n{len(self.parts)}"
        data = f'{{"slot": {key}, "from": {old}, "to": {value}, "by": "effect"}}'
        self.parts += [
            f"if alike({old}, {value}): {new} = {old}",
            "else:",
            f" {new} = {value}",
            f' add(Record("slot.set", {data}, now))',
        ]

    def hook(self, key: str, value: str, origin: str) -> None:
        """A hook dispatched."""
        self._record("hook.dispatched", f'{{"hook": {key}, {origin}, "data": {value}}}')


def sort(node: Node) -> str:
    """The word for a node in the origin of an effect."""
    return "region" if node.kind == "region" else "state"


def _set(writer: _Writer, effect: CompiledEffect, key: str, value: str, origin: str) -> str:
    writer.put(effect.key, key, value)
    return f'{{"kind": "set", "slot": {key}, "value": {value}, "from": {{{origin}}}}}'


def _clear(writer: _Writer, effect: CompiledEffect, key: str, value: str, origin: str) -> str:
    writer.put(effect.key, key, value)
    return f'{{"kind": "clear", "slot": {key}, "from": {{{origin}}}}}'


def _raise(_: _Writer, effect: CompiledEffect, key: str, value: str, origin: str) -> str:
    del effect
    return f'{{"kind": "raise", "event": {key}, "data": {value}, "from": {{{origin}}}}}'


def _hook(writer: _Writer, effect: CompiledEffect, key: str, value: str, origin: str) -> str:
    del effect
    writer.hook(key, value, origin)
    return f'{{"kind": "hook", "hook": {key}, "data": {value}, "from": {{{origin}}}}}'


def _say(_: _Writer, effect: CompiledEffect, key: str, value: str, origin: str) -> str:
    del effect
    return f'{{"kind": "say", "prompt": {key}, "text": {value}, "from": {{{origin}}}}}'


def _call(writer: _Writer, effect: CompiledEffect, key: str, value: str, origin: str) -> str:
    del effect
    call = writer.call(key, value)
    return (
        f'{{"kind": "call", "tool": {key}, "call": {call}, "args": {value}, "from": {{{origin}}}}}'
    )


def _handoff(writer: _Writer, effect: CompiledEffect, key: str, value: str, origin: str) -> str:
    del effect, value
    return writer.hand_off(key, origin)


_TOLD: dict[str, Callable[[_Writer, CompiledEffect, str, str, str], str]] = {
    "set": _set,
    "clear": _clear,
    "raise": _raise,
    "hook": _hook,
    "say": _say,
    "call": _call,
    "handoff": _handoff,
}


@lru_cache(maxsize=4096)
def _factory(text: str) -> Callable[..., Teller]:
    names: dict[str, Any] = {
        "__builtins__": {},
        "Record": Record,
        "alike": alike,
        "rfc3339": rfc3339,
    }
    exec(compile(text, "<story>", "exec"), names)  # noqa: S102 - from the compiled tree alone
    made: Callable[..., Teller] = names["make"]
    return made
