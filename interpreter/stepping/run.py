"""One macrostep in the making: a working copy of a Snapshot, and W3C's microstep on it.

The Snapshot that came in is never touched: maps are copied before the first write.
"""

from __future__ import annotations

from collections import deque
from typing import Any

from interpreter.budget import MICROSTEPS, RECORDS
from interpreter.compiling import (
    Candidate,
    CompiledEffect,
    CompiledTransition,
    Configuration,
    Lookup,
    Node,
    Plan,
    Tables,
)
from interpreter.expressions import CountersView, Environment, EvaluationError, EventView
from interpreter.records import Record, rfc3339
from interpreter.stepping.effects import EFFECTS, EffectError
from interpreter.stepping.outcome import GuardOutcome, Refusal, Step
from interpreter.stepping.select import select
from interpreter.stepping.snapshot import Snapshot, Timer

NO_EVENT = EventView()
SECONDS_TIMER = "limits.seconds"
_ALWAYS = ("always",)


class OverBudgetError(Exception):
    """The macrostep went over its budget and is undone; never leaves `stepping`."""


class Run:
    """The working copy. One use: handle one input, then `finish()`."""

    __slots__ = (
        "_env", "_own_slots", "_own_visits", "agent", "armed", "config", "decision", "dirty",
        "effects", "ended", "ending", "erred", "event", "guards", "history", "limits_hit", "live",
        "machine", "microsteps", "moved", "moved_at", "now", "outcome", "queue", "records",
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
        self.slots = snapshot.slots
        self.visits = snapshot.visits
        self.history = snapshot.history
        self.timers: dict[str, Timer] | None = None
        self.takes = snapshot.takes
        self.moved_at = snapshot.moved_at
        self.decision = snapshot.decision
        self.turns = snapshot.turns
        self.transitions = snapshot.transitions
        self.refusals = snapshot.refusals
        self.limits_hit = snapshot.limits_hit
        self.armed = snapshot.armed
        self.tool_calls = snapshot.tool_calls
        self.agent = snapshot.agent
        self.ended = snapshot.status == "ended"
        self.outcome = snapshot.outcome
        self.ending: tuple[str | None, str] | None = None
        self.event = NO_EVENT
        self.queue: deque[tuple[Lookup, EventView]] = deque()
        self.records: list[Record] = []
        self.effects: list[dict[str, Any]] = []
        self.guards: list[GuardOutcome] = []
        self.refusal: Refusal | None = None
        self.erred: set[int] = set()
        self.microsteps = 0
        self.moved = False
        self.dirty = False
        self._own_slots = False
        self._own_visits = False
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
            self._own_slots = self._own_visits = False
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
        """Writes a slot whose value was found to fit."""
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

    def _disarm(self, node: Node) -> None:
        leaving = {transition.key for transition in node.afters}
        timers = self.own_timers()
        for timer in [t for t in timers.values() if t.transition in leaving]:
            del timers[timer.key]
            self.record("timer.cancelled", {"timer": timer.key, "transition": timer.transition})

    # --- the macrostep --------------------

    def settle(self) -> None:
        """Runs to completion: eventless transitions first, then internal events in order."""
        while not self.ended:
            if self.dirty and self.machine.has_always:
                self.dirty = False
                chosen = select(self, _ALWAYS, 1.0)
                if chosen:
                    self.move(chosen, "always")
                    continue
            if not self.queue:
                return
            lookup, view = self.queue.popleft()
            self.see(view)
            chosen = select(self, lookup, 1.0)
            if chosen:
                self.move(chosen, view.name)

    def move(self, chosen: tuple[Candidate, ...], name: str | None) -> None:
        """One microstep of transitions that were selected; a limit may take their place."""
        transitions = tuple([candidate.transition for candidate in chosen])
        plan = self.machine.plan(self.config, transitions, self.history)
        hit = self._limit_of(plan)
        if hit is not None:
            self.hit_limit(*hit)
            return
        self.microstep(plan, name)

    def microstep(self, plan: Plan, name: str | None) -> None:
        """Exits, transition effects, entries (W3C's microstep); then what follows from them."""
        self.microsteps += 1
        if self.microsteps > MICROSTEPS:
            raise OverBudgetError
        self.moved = True
        self.dirty = True
        self._env = None
        if plan.remembers:
            self.history = {**self.history, **dict(plan.remembers)}
        for node in plan.exits:
            self._exit(node)
        for transition in plan.transitions:
            self._take(transition, name)
        for node in plan.entries:
            self._enter(node, plan)
        config = self.config
        after = config.next.get(plan.mask)
        if after is None:
            after = config.next[plan.mask] = self.machine.at_mask(plan.mask)
        self.config = after
        self.live = plan.mask
        self._env = None
        self._settle_move(plan, after)
        if len(self.records) > RECORDS and self.snapshot.active:
            raise OverBudgetError

    def _settle_move(self, plan: Plan, after: Configuration) -> None:
        """What a move that is made brings with it: cooldowns, the Agent bound, the end."""
        if plan.stamps:
            self.moved_at = {**self.moved_at, **dict.fromkeys(plan.stamps, self.now)}
        if plan.binds:
            self.hand_off(after.agent, {"on": "state", "state": after.active[-1]})
        if self.ending is not None:
            self.end(*self.ending)
        elif after.ends is not None:
            self.end(None, "final")

    def _exit(self, node: Node) -> None:
        if node.exit:
            self.block(node.exit, {"on": "exit", _sort(node): node.key})
        self.live ^= node.bit
        self._env = None
        if node.is_state and node.parent is not None:
            self.record(
                "state.exited",
                {
                    "region": node.parent.key,
                    "state": node.key,
                    "visits": self.visits.get(node.key, 0),
                },
            )
        if node.afters:
            self._disarm(node)

    def _take(self, transition: CompiledTransition, name: str | None) -> None:
        self.transitions += 1
        self._env = None
        trigger = transition.trigger
        self.records.append(
            Record(
                "transition.taken",
                {
                    "transition": transition.key,
                    "source": transition.source.key,
                    "target": transition.target.key if transition.target is not None else None,
                    "trigger": trigger,
                    "event": name if trigger != "always" else None,
                    "guard": "true" if transition.guard is not None else None,
                    "confidence": self.event.confidence if trigger != "always" else None,
                },
                self.now,
            )
        )
        if transition.max_takes is not None:
            self.takes = {**self.takes, transition.key: self.takes.get(transition.key, 0) + 1}
        if transition.effects:
            self.block(transition.effects, {"on": "transition", "transition": transition.key})

    def _enter(self, node: Node, plan: Plan) -> None:
        self.live |= node.bit
        self._env = None
        if node.is_state and node.parent is not None:
            if not self._own_visits:
                self.visits = dict(self.visits)
                self._own_visits = True
            count = self.visits.get(node.key, 0) + 1
            self.visits[node.key] = count
            self.record(
                "state.entered", {"region": node.parent.key, "state": node.key, "visits": count}
            )
            if node.prompt is not None:
                effect = CompiledEffect("say", node.prompt)
                self.block((effect,), {"on": "entry", "state": node.key})
        if node.entry:
            self.block(node.entry, {"on": "entry", _sort(node): node.key})
        default = plan.defaults.get(node.index)
        if default:
            self.block(default, {"on": "entry", _sort(node): node.key})
        for transition in node.afters:
            self.arm(
                f"{node.key}#{transition.key}", self.now + transition.after_ms, transition.key
            )
        final = plan.finals.get(node.index)
        if final is not None:
            region, owner = final
            self.raise_event("done.region." + region, {})
            if owner is not None:
                self.raise_event("done.state." + owner, {}, ("done", owner))

    def block(self, effects: tuple[CompiledEffect, ...], origin: dict[str, Any]) -> None:
        """A block of executable content; an effect that fails ends it (SCXML 4)."""
        for effect in effects:
            try:
                EFFECTS[effect.kind](self, effect, origin)
            except EffectError as error:
                self._effect_failed(effect, origin, str(error), error.source, None)
                return
            except EvaluationError as error:
                source = effect.values[0][1].source if effect.values else None
                position = [error.start, error.end]
                self._effect_failed(effect, origin, error.message, source, position)
                return

    def _effect_failed(
        self,
        effect: CompiledEffect,
        origin: dict[str, Any],
        error: str,
        source: str | None,
        position: list[int] | None,
    ) -> None:
        data = {
            **origin,
            "effect": effect.kind,
            "key": effect.key,
            "expression": source,
            "error": error,
            "position": position,
        }
        self.record("effect.error", data)
        self.raise_event("error.effect", {"effect": effect.kind, "error": error})

    # --- limits and the end --------------------

    def _limit_of(self, plan: Plan) -> tuple[str, int, int] | None:
        limits = self.machine.limits
        allowed = limits.transitions
        if allowed is not None and self.transitions + len(plan.transitions) > allowed:
            return "transitions", allowed, self.transitions
        allowed = limits.visits
        if allowed is not None:
            for node in plan.entries:
                if (
                    node.is_state
                    and node.max_visits is None
                    and node.key != limits.target
                    and self.visits.get(node.key, 0) >= allowed
                ):
                    return "visits", allowed, self.visits[node.key]
        return None

    def hit_limit(self, limit: str, allowed: int, used: int) -> None:
        """The first limit forces the speaker region into the target, a second ends the Call."""
        again = bool(self.limits_hit)
        plan = None if again else self.machine.limit_plan(self.config, self.history)
        target = self.machine.limits.target if plan is not None else None
        self.limits_hit = (*self.limits_hit, limit)
        self.record(
            "machine.limit_reached",
            {"limit": limit, "allowed": allowed, "used": used, "target": target},
        )
        if plan is None:
            self.moved = True
            self.end("limit", "limit")
        else:
            self.microstep(plan, None)

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

    # --- the result --------------------

    def finish(self) -> Step:
        """The Step, with the Snapshot that follows."""
        old = self.snapshot
        timers = old.timers if self.timers is None else tuple(self.timers.values())
        snapshot = Snapshot(
            machine=old.machine,
            active=self.config.active,
            started=old.started,
            now=self.now,
            slots=self.slots,
            visits=self.visits,
            history=self.history,
            timers=timers,
            takes=self.takes,
            moved_at=self.moved_at,
            decision=self.decision,
            turns=self.turns,
            transitions=self.transitions,
            refusals=self.refusals,
            limits_hit=self.limits_hit,
            armed=self.armed,
            tool_calls=self.tool_calls,
            agent=self.agent,
            status="ended" if self.ended else "running",
            outcome=self.outcome,
        )
        return Step(
            snapshot,
            tuple(self.records),
            tuple(self.effects),
            tuple(self.guards),
            self.refusal,
            moved=self.moved,
        )


def _sort(node: Node) -> str:
    return "region" if node.kind == "region" else "state"
