"""The macrostep: W3C's microstep on a working copy, limits before each, run to completion."""

from __future__ import annotations

from typing import Any

from interpreter.budget import MAX_EFFECTS
from interpreter.compiling import (
    Candidate,
    CompiledEffect,
    CompiledTransition,
    Configuration,
    Node,
    Plan,
)
from interpreter.expressions import EvaluationError
from interpreter.records import Record
from interpreter.stepping.effects import EFFECTS, EffectError
from interpreter.stepping.select import select
from interpreter.stepping.work import Work

SECONDS_TIMER = "limits.seconds"
_ALWAYS = ("always",)


class OverBudgetError(Exception):
    """The macrostep went over its budget and is undone; never leaves `stepping`.

    `transition` is the one that was one too many, None where none was taken.
    """

    def __init__(self, transition: CompiledTransition | None = None) -> None:
        super().__init__()
        self.transition = transition


class Run(Work):
    """One macrostep in the making. One use: handle one input, then `finish()`."""

    __slots__ = ()

    def settle(self) -> None:
        """Runs to completion: eventless transitions first, then internal events in order.

        From here on nothing comes from outside, so no cooldown holds it up.
        """
        self.outside = False
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
        if self.microsteps > self.machine.microsteps:
            raise OverBudgetError(plan.transitions[0] if plan.transitions else None)
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
        self.asked = len(self.guards)
        self._env = None
        self._settle_move(plan, after)
        if plan.transitions and self.snapshot.active:
            self._bound(plan)

    def _bound(self, plan: Plan) -> None:
        if len(self.records) > self.machine.record_cap or len(self.effects) > MAX_EFFECTS:
            raise OverBudgetError(plan.transitions[0])

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
        if node.is_state:
            self.record(
                "state.exited",
                {
                    "region": node.region,
                    "state": node.key,
                    "visits": self.visits.at(node.place),
                },
            )
        if node.afters:
            self.disarm(node)

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
        if node.is_state:
            self.visits = self.visits.entered(node.place)
            count = self.visits.at(node.place)
            self.record(
                "state.entered", {"region": node.region, "state": node.key, "visits": count}
            )
            if node.speech:
                self.block(node.speech, {"on": "entry", "state": node.key})
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
            region, owners = final
            if region is not None:
                self.raise_event("done.region." + region, {})
            data = self._done_data(node) if node.done_data else {}
            for owner in owners:
                self.raise_event("done.state." + owner, data, ("done", owner))
                data = {}

    def _done_data(self, node: Node) -> dict[str, Any]:
        """What a final state gives on (SCXML 5.7); one that fails to evaluate is left out."""
        data = {}
        for name, expression in node.done_data:
            try:
                data[name] = expression(self.env())
            except EvaluationError as error:
                self.raise_event("error.effect", {"effect": "done_data", "error": error.message})
        return data

    def block(self, effects: tuple[CompiledEffect, ...], origin: dict[str, Any]) -> None:
        """A block of executable content; an effect that fails ends it (SCXML 4)."""
        for effect in effects:
            try:
                EFFECTS[effect.kind](self, effect, origin)
            except EffectError as error:
                self._effect_failed(effect, origin, str(error), error.source, None, error.data)
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
        more: dict[str, Any] | None = None,
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
        event = {"effect": effect.kind, "error": error, **(more or {})}
        self.raise_event("error.effect", event)

    # --- limits --------------------

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
                    return "visits", allowed, self.visits.get(node.key, 0)
        return None

    def hit_limit(
        self, limit: str, allowed: int, used: int, by: CompiledTransition | None = None
    ) -> None:
        """The first limit forces the speaker region into the target, a second ends the Call.

        `by` is the transition of a macrostep without end.
        """
        again = bool(self.limits_hit)
        plan = None if again else self.machine.limit_plan(self.config, self.history)
        if plan is None:
            self.halt(limit, allowed, used, by)
        else:
            self._reach(limit, allowed, used, self.machine.limits.target, by)
            self.microstep(plan, None)

    def halt(
        self, limit: str, allowed: int, used: int, by: CompiledTransition | None = None
    ) -> None:
        """A limit that leads nowhere: the Call ends."""
        self._reach(limit, allowed, used, None, by)
        self.moved = True
        self.end("limit", "limit")

    def _reach(
        self,
        limit: str,
        allowed: int,
        used: int,
        target: str | None,
        by: CompiledTransition | None,
    ) -> None:
        self.limits_hit = (*self.limits_hit, limit)
        data: dict[str, Any] = {
            "limit": limit,
            "allowed": allowed,
            "used": used,
            "target": target,
        }
        if by is not None:
            data["state" if by.source.is_state else "region"] = by.source.key
            data["transition"] = by.key
        self.record("machine.limit_reached", data)


def _block(run: Work, effect: CompiledEffect, origin: dict[str, Any]) -> None:
    """A block in its own right among others (SCXML 3.8)."""
    if isinstance(run, Run):
        run.block(effect.branches[0][1], origin)


EFFECTS["block"] = _block


def _sort(node: Node) -> str:
    return "region" if node.kind == "region" else "state"
