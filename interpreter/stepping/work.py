"""A working copy of a Snapshot: what expressions see, and the only ways to change it.

The Snapshot that came in is never touched: maps are copied before the first write.
"""

from __future__ import annotations

from collections import deque
from typing import Any

from interpreter.compiling import Configuration, Lookup, Node, Tables
from interpreter.expressions import CountersView, Environment, EventView
from interpreter.records import Record, rfc3339
from interpreter.stepping.outcome import GuardOutcome, Refusal, Step, Told
from interpreter.stepping.snapshot import Cold, Snapshot, Timer, quick_until
from interpreter.stepping.visits import Visits

NO_EVENT = EventView()


class Work:
    """The working copy: what may be read and written, and nothing about how a machine moves."""

    __slots__ = (
        "_env", "_own_slots", "agent", "armed", "asked", "config", "decision", "dirty",
        "effects", "ended", "ending", "erred", "event", "guards", "history", "instant",
        "limits_hit", "live",
        "machine", "microsteps", "moved", "moved_at", "now", "outcome", "outside", "queue",
        "records",
        "refusal", "refusals", "slots", "snapshot", "takes", "timers", "tool_calls", "transitions",
        "turns", "visits",
    )  # fmt: skip

    def __init__(
        self, machine: Tables, snapshot: Snapshot, now: int, config: Configuration
    ) -> None:
        self.machine = machine
        self.snapshot = snapshot
        self.now = now
        self.config = config
        self.live = config.mask
        self.outside = True
        cold = snapshot._cold
        self.slots = snapshot.slots
        self.visits = Visits(machine, snapshot._visits)
        self.history = cold.history
        self.timers: dict[str, Timer] | None = None
        self.takes = cold.takes
        self.moved_at = cold.moved_at
        self.decision = cold.decision
        self.turns = cold.turns
        self.transitions = snapshot.transitions
        self.refusals = snapshot.refusals
        self.limits_hit = cold.limits_hit
        self.armed = cold.armed
        self.instant = cold.instant if now == snapshot.now else 0
        self.tool_calls = cold.tool_calls
        self.agent = cold.agent
        self.ended = cold.status == "ended"
        self.outcome = cold.outcome
        self.ending: tuple[str | None, str] | None = None
        self.event = NO_EVENT
        self.queue: deque[tuple[Lookup, EventView]] = deque()
        self.records: list[Record] = []
        self.effects: list[dict[str, Any]] = []
        self.guards: list[GuardOutcome] = []
        self.asked = 0  # how many of the guards belong to moves already made
        self.refusal: Refusal | None = None
        self.erred: set[int] = set()
        self.microsteps = 0
        self.moved = False
        self.dirty = False
        self._own_slots = False
        self._env: Environment | None = None

    # --- what expressions see --------------------

    def env(self) -> Environment:
        """The values of this moment; stays right when the run goes on."""
        env = self._env
        if env is None:
            counters = CountersView(
                self.turns,
                self.transitions,
                self.refusals,
                (self.now - self.snapshot.started) / 1_000,
            )
            self._own_slots = False
            if self.live == self.config.mask:
                active = self.config.keys
            else:
                active = self.machine.at_mask(self.live).keys
            env = self._env = Environment(
                self.slots, self.event, counters, self.visits, active.__contains__, self.decision
            )
        return env

    def see(self, event: EventView) -> None:
        """Makes `event` the one that expressions read."""
        self.event = event
        self._env = None

    # --- writing --------------------

    def record(self, kind: str, data: dict[str, Any]) -> None:
        """Leaves a Call event."""
        self.records.append(Record(kind, data, self.now))

    def put_slot(self, key: str, value: Any, by: str) -> None:
        """Writes a slot whose value was found to fit.

        An effect that changes nothing leaves no record. What came from outside always leaves one:
        it is the answer to an input.
        """
        if by == "effect" and alike(self.slots.get(key), value):
            return
        if not self._own_slots:
            self.slots = dict(self.slots)
            self._own_slots = True
        if isinstance(value, (list, tuple)):
            value = list(value)
        before = self.slots.get(key)
        self.slots[key] = value
        self.record("slot.set", {"slot": key, "from": before, "to": value, "by": by})
        self._env = None
        self.dirty = True

    def raise_event(self, name: str, data: dict[str, Any], lookup: Lookup | None = None) -> None:
        """Puts an internal event behind those already waiting."""
        self.queue.append((lookup or name, EventView(name, data, None)))

    def hand_off(self, to: str | None, origin: dict[str, Any]) -> None:
        """Binds a squad Agent, or with None the machine's own Agent again."""
        if to == self.agent:
            return
        self.record("handoff.completed", {"from": self.agent, "to": to})
        self.effects.append({"kind": "handoff", "agent": to, "from": origin})
        self.agent = to

    # --- timers --------------------

    def own_timers(self) -> dict[str, Timer]:
        """The armed timers, ready to be changed."""
        if self.timers is None:
            self.timers = {timer.key: timer for timer in self.snapshot.timers}
        return self.timers

    def arm(self, key: str, due: int, transition: str | None) -> None:
        """Arms a timer."""
        self.armed += 1
        key = f"{key}@{self.armed}"
        self.own_timers()[key] = Timer(key, due, transition)
        self.record("timer.started", {"timer": key, "transition": transition, "due": rfc3339(due)})

    def disarm(self, node: Node) -> None:
        """Cancels the timers of a node that is left."""
        leaving = {transition.key for transition in node.afters}
        timers = self.own_timers()
        for timer in [t for t in timers.values() if t.transition in leaving]:
            del timers[timer.key]
            self.record("timer.cancelled", {"timer": timer.key, "transition": timer.transition})

    # --- the end --------------------

    def end(self, outcome: str | None, reason: str) -> None:
        """Ends the Call; what still waits is dropped."""
        if self.ended:
            return
        self.ended = True
        self.outcome = outcome
        self.queue.clear()
        timers = self.own_timers()
        for timer in timers.values():
            self.record("timer.cancelled", {"timer": timer.key, "transition": timer.transition})
        timers.clear()
        self.record("call.ended", {"outcome": outcome, "reason": reason})

    def finish(self) -> Step:
        """The Step, with the Snapshot that follows."""
        old = self.snapshot._cold
        status = "ended" if self.ended else "running"
        cold = Cold(
            old.machine,
            (),
            old.started,
            quick_until(self.machine, old.started, status, self.limits_hit, self.instant),
            self.history,
            old.timers if self.timers is None else tuple(self.timers.values()),
            self.takes,
            self.moved_at,
            self.decision,
            self.turns,
            self.limits_hit,
            self.armed,
            self.instant,
            self.tool_calls,
            self.agent,
            status,
            self.outcome,
        )
        snapshot = Snapshot(
            self.config,
            self.now,
            self.slots,
            self.visits.rows,
            self.transitions,
            self.refusals,
            cold,
        )
        told = Told(tuple(self.records), tuple(self.effects), tuple(self.guards), self.refusal)
        return Step(snapshot, self.moved, None, self.snapshot, None, None, told)


def alike(before: Any, after: Any) -> bool:
    """Whether a slot that held `before` keeps its value when `after` is written."""
    return type(before) is type(after) and bool(before == after)
