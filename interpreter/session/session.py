"""A small face for code: one run of one machine, with host callables by name, hooks and topics.

What the engine decides stays the engine's. A Session adds what only a host has: guards and actions
that are Python, validators, detectors, observers, and a history of the moves made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from interpreter.errors import InputError
from interpreter.records import Record
from interpreter.session import asking, host
from interpreter.session.history import History, Move
from interpreter.session.hooks import Hooks, Remove, Topics
from interpreter.session.host import Action, Context, Detector, Guard, Observer, Validator
from interpreter.session.saved import Saved, read_saved
from interpreter.session.thrashing import Thrashing
from interpreter.stepping import (
    Input,
    Machine,
    Refusal,
    Snapshot,
    Step,
    due,
    parse_input,
    start,
    step,
)

START = datetime(2026, 1, 1, tzinfo=UTC)
DETECTION_FLOOR = 0.5
MAX_TIMERS = 1_000
PROPOSALS = frozenset({"transition", "set_slot", "handoff"})
_RECORDS = {"exit": "state.exited", "enter": "state.entered"}


@dataclass(frozen=True, slots=True)
class Result:
    """What `send` or `go` did. The same fields whether it moved or was refused.

    `rejected` is None on a legal move, else a sentence; `reason` its code: those of the engine
    (machine.md section 5), and `thrashing`, `guard`, `validator`, `action` and `busy` of the host;
    `failures` are the exceptions of observers and hooks, which undo nothing.
    """

    ok: bool
    moved: bool
    state: str
    rejected: str | None = None
    reason: str | None = None
    step: Step | None = None
    failures: tuple[Exception, ...] = ()
    _trail: list[str] = field(default_factory=list, repr=False, compare=False)
    _length: int = 0

    @property
    def visited(self) -> tuple[str, ...]:
        """Every state entered up to here, in order."""
        return tuple(self._trail[: self._length])

    def __bool__(self) -> bool:
        return self.ok


class Session:
    """One run of `machine`; its first region is the one that `current` speaks of.

    `guards` and `actions` are called with the context of a move; each stands under the key of the
    transition it belongs to. A guard that says no or fails, or an action that fails, refuses the
    move as a whole: the actions before it in the same move ran, the state did not change.
    `validators` come in order, or under names. `clock` gives the time of each move (without one,
    time stands still); timers that fell due fire before whatever comes in. `history_limit` drops
    the oldest rows, 0 keeps none. `slots` are values at the start. With `thrashing`, a run that
    moves too often rests, before any callable is asked. A move that a limit forces is the
    machine's last word: the host is not asked.
    """

    def __init__(
        self,
        machine: Machine,
        *,
        guards: Mapping[str, Guard] | None = None,
        actions: Mapping[str, Action] | None = None,
        validators: Mapping[str, Validator] | Iterable[Validator] = (),
        detectors: Iterable[Detector] = (),
        observers: Iterable[Observer] = (),
        clock: Callable[[], datetime] | None = None,
        history_limit: int | None = None,
        slots: Mapping[str, Any] | None = None,
        thrashing: Thrashing | None = None,
    ) -> None:
        self.machine = machine
        self.guards = dict(guards or {})
        self.actions = dict(actions or {})
        self.validators = host.listed(validators)
        self.detectors = list(detectors)
        self._observers = list(observers)
        self._clock = clock or (lambda: START)
        self._limit = history_limit
        self._thrashing = thrashing
        self._slots = dict(slots or {})
        self.hooks = Hooks()
        self.topics = Topics()
        self._region = machine.root.children[0]
        self._busy = False
        self._begin()

    def _begin(self) -> None:
        self.snapshot, _ = start(self.machine, self._clock(), slots=self._slots)
        here = self.current
        self._saved = Saved(previous=here, visited=[here], since_ms=self.snapshot.now)

    # --- reading ------------------------------------------------------------------------------

    @property
    def current(self) -> str:
        """The active state of the first region."""
        return self._state_of(self.snapshot)

    def _state_of(self, snapshot: Snapshot) -> str:
        return snapshot.active[0]  # in document order, so that of the first region comes first

    @property
    def previous(self) -> str:
        """The state before the last move; the initial state before the first."""
        return self._saved.previous

    @property
    def visited(self) -> tuple[str, ...]:
        """Every state entered, in order; only ever grows (until `reset`)."""
        return tuple(self._saved.visited)

    @property
    def count(self) -> int:
        """How many moves were made."""
        return self._saved.count

    @property
    def history(self) -> History:
        """The moves made, oldest first; a copy."""
        return History(self._saved.history)

    @property
    def slots(self) -> dict[str, Any]:
        """All declared slots; an unset one is None."""
        return {key: self.snapshot.slots.get(key) for key in self.machine.slots}

    @property
    def index(self) -> int:
        """The place of the current state among the states of its region, from 0."""
        return [c.key for c in self._region.children].index(self.current)

    @property
    def tools(self) -> frozenset[str]:
        """The tools of the current state; empty when it has none."""
        doc = self.machine.states[self.current].doc
        return frozenset(getattr(doc, "tools", ()))

    def declared(self) -> list[str]:
        """The targets that the active states declare, in order and once each."""
        return asking.targets(asking.outgoing(self.machine, self.snapshot))

    def valid(self, context: Context | None = None) -> list[str]:
        """The targets that an event or a proposal could lead to now, in order and once each.

        Guards alone count, those of the chart and those of the host: no cooldown, no validator.
        Does nothing.
        """
        told = context or {}
        return asking.targets(
            t
            for t in asking.outgoing(self.machine, self.snapshot)
            if asking.is_open(self.machine, self.snapshot, self.guards, t, told)
        )

    def can(self, name: str, context: Context | None = None) -> bool:
        """Whether the event, or the move to the state `name`, would pass its guards.

        Asks what is declared and the guards alone: no cooldown, no validator, no action.
        """
        proposed = bool(self.machine.proposals) and not self.machine.declares(name)
        one = Input("transition" if proposed else "event", name)
        return asking.can(self.machine, self.snapshot, self.guards, one, context or {})

    # --- moving -------------------------------------------------------------------------------

    def send(
        self, event: str, data: Mapping[str, Any] | None = None, *, confidence: float = 1.0
    ) -> Result:
        """Handles an event. Never raises for what it is: that is a refused Result."""
        one = Input("event", event, dict(data or {}), None, _clamped(confidence))
        return self._handle(one, data or {})

    def go(self, state: str, *, confidence: float = 1.0, context: Context | None = None) -> Result:
        """Moves to a state by a proposal. Going where one is, with no such transition, is fine and
        does nothing.
        """
        one = Input("transition", state, {}, None, _clamped(confidence))
        if state == self.current and not self.machine.declared(self.snapshot, one):
            return self._result()
        return self._handle(one, context or {})

    def take(self, line: Mapping[str, Any] | Input, context: Context | None = None) -> Result:
        """Handles any input that `step` does: a turn, a slot, a proposal, a timer, an end."""
        return self._handle(line, context or {})

    def tick(self) -> list[Result]:
        """Fires the timers that fell due by the clock, in their order; what each of them did.

        They fire now: `late_ms` of their records says by how much that is late. One that the host
        refuses is spent, as one whose guard is false is.
        """
        return [] if self._busy else self._fire_due(self._clock())

    def _fire_due(self, now: datetime) -> list[Result]:
        results: list[Result] = []
        for _ in range(MAX_TIMERS if self.snapshot.timers else 0):
            timer = due(self.machine, self.snapshot, now)
            if timer is None:
                break
            results.append(self._take(Input("timer", timer.key), {}, now))
            if timer in self.snapshot.timers:
                self.snapshot = self.snapshot.without_timer(timer.key)
        return results

    def _handle(self, line: Mapping[str, Any] | Input, context: Context) -> Result:
        try:
            one = parse_input(line)
        except InputError as error:
            return self._refused(Input("event", "input"), "malformed", str(error))
        if self._busy:
            return self._refused(one, "busy", "a move is being made; ask again behind it")
        now = self._clock()
        self._fire_due(now)
        return self._take(one, context, now)

    def _take(self, one: Input, context: Context, at: datetime) -> Result:
        self._busy = True
        try:
            taken = step(self.machine, self.snapshot, one, at)
            if taken.moved and not asking.is_forced(taken):
                refused = self._host_refuses(taken, context)
                if refused is not None:
                    return self._refused(one, *refused)
            failures = self._fire("exit", taken, context)
        finally:
            self._busy = False
        return self._commit(taken, one, context, failures)

    def _host_refuses(self, taken: Step, context: Context) -> host.Fault | None:
        if not (self.guards or self.actions or self.validators or self._thrashing):
            return None
        new = self._state_of(taken.snapshot)
        head = f"to '{new}': "
        if self._thrashing is not None and asking.enters(taken, self._region.key):
            rest = self._thrashing.fault(self._saved.recent, taken.snapshot.now)
            if rest is not None:
                return "thrashing", head + rest
        keys = asking.taken_keys(taken) if self.guards or self.actions else ()
        said = host.guard_fault(self.guards, keys, context)
        if said is not None:
            return "guard", head + said
        fault = host.validator_fault(
            self.validators, self.current, new, context
        ) or host.action_fault(self.actions, keys, context)
        return None if fault is None else (fault[0], head + fault[1])

    def _fire(self, kind: str, taken: Step, context: Context) -> list[Exception]:
        """The exit or enter hooks of every state that a step left or entered, in its order."""
        failures: list[Exception] = []
        if len(self.hooks):
            for record in taken.records:
                if record.type == _RECORDS[kind]:
                    state = record.data["state"]
                    failures += self.hooks.fire(kind, state, (state, context))
        return failures

    def _commit(
        self, taken: Step, one: Input, context: Context, failures: list[Exception]
    ) -> Result:
        old, new = self.current, self._state_of(taken.snapshot)
        self.snapshot = taken.snapshot
        if taken.moved:
            self._saved.count += 1
        entered = [r.data for r in taken.records if r.type == "state.entered"]
        self._saved.visited += [data["state"] for data in entered]
        if asking.enters(taken, self._region.key):
            confidence = 1.0 if one.confidence is None else one.confidence
            self._remember(old, new, confidence, context)
            failures += self._told(old, new, context)
            failures += self._fire("enter", taken, context)
            failures += host.observed(self._observers, old, new, context)
        elif entered:
            failures += self._fire("enter", taken, context)
        failures += self.topics.publish_records(taken.records)
        return self._result(taken.refusal, taken, tuple(failures))

    def _remember(self, old: str, new: str, confidence: float, context: Context) -> None:
        saved, now = self._saved, self.snapshot.now
        stayed = None if saved.since_ms is None else now - saved.since_ms
        saved.previous, saved.since_ms = old, now
        if self._thrashing is not None:
            saved.recent = [*saved.recent, now][-self._thrashing.moves :]
        if self._limit == 0:
            return
        saved.history.append(
            Move(old, new, self.snapshot.at, confidence, dict(context), saved.count, stayed)
        )
        if self._limit is not None:
            del saved.history[: -self._limit]

    def _told(self, old: str, new: str, context: Context) -> list[Exception]:
        if not len(self.hooks):
            return []
        failures = self.hooks.fire("transition", None, (old, new, context))
        if self.hooks.has("history"):
            failures += self.hooks.fire("history", None, (old, new, context, self.history))
        return failures

    def _refused(self, one: Input, reason: str, detail: str) -> Result:
        """A refusal of the host's: it leaves a record for subscribers, and the run as it was."""
        here = self.current
        message = f"'{one.name}' was refused in state '{here}' {detail}"
        kind = one.kind if one.kind in PROPOSALS else "event"
        data = {
            "event" if kind == "event" else "proposal": one.name,
            "kind": kind,
            "states": [here],
            "reason": reason,
            "detail": message,
            "guards": [],
        }
        record = Record("transition.refused", data, self.snapshot.now)
        failures = self.topics.publish_records((record,))
        refusal = Refusal(reason, message, one.name, (here,))
        return self._result(refusal, failures=tuple(failures))

    def _result(
        self,
        refusal: Refusal | None = None,
        taken: Step | None = None,
        failures: tuple[Exception, ...] = (),
    ) -> Result:
        return Result(
            ok=refusal is None,
            moved=taken is not None and taken.moved,
            state=self.current,
            rejected=refusal.message if refusal else None,
            reason=refusal.reason if refusal else None,
            step=taken,
            failures=failures,
            _trail=self._saved.visited,
            _length=len(self._saved.visited),
        )

    # --- detecting ----------------------------------------------------------------------------

    def detect(self, context: Context) -> tuple[str, float] | None:
        """The state that the detectors are surest of, among those with a declared transition.

        Ties go to the first detector; one that raises says nothing.
        """
        return host.surest(self.detectors, context, self.declared())[0]

    def detect_and_go(self, context: Context) -> Result | None:
        """Moves where `detect` points with a confidence above one half; None when nowhere."""
        best = self.detect(context)
        if best is None or best[1] <= DETECTION_FLOOR or best[0] == self.current:
            return None
        return self.go(best[0], confidence=best[1], context=context)

    # --- the rest -----------------------------------------------------------------------------

    def reset(self) -> None:
        """Back to the initial state with an empty history; what was registered stays."""
        before = self.current
        self._begin()
        self._saved.previous = before

    def fork(self) -> Session:
        """A second run that stands where this one does; from here on neither knows the other.

        It has the same guards, actions, validators, detectors and clock, and no hooks, observers
        or subscriptions of its own yet.
        """
        other = Session(
            self.machine,
            guards=self.guards,
            actions=self.actions,
            validators=self.validators,
            detectors=self.detectors,
            clock=self._clock,
            history_limit=self._limit,
            slots=self._slots,
            thrashing=self._thrashing,
        )
        other.restore(self.to_json())
        return other

    def add_validator(self, validator: Validator) -> None:
        """Adds a validator behind those already there."""
        self.validators.append(validator)

    def add_observer(self, observer: Observer) -> Remove:
        """Adds an observer; the answer removes it (calling it twice is harmless)."""
        self._observers.append(observer)

        def remove() -> bool:
            if observer in self._observers:
                self._observers.remove(observer)
                return True
            return False

        return remove

    def on_enter(self, *states: str, priority: int = 0) -> Callable[[Any], Any]:
        """Registers a hook `(state, context)`; without names, or with `*`, for every state."""
        return self.hooks.on_enter(*states, priority=priority)

    def on_exit(self, *states: str, priority: int = 0) -> Callable[[Any], Any]:
        """Registers a hook `(state, context)`; without names, or with `*`, for every state."""
        return self.hooks.on_exit(*states, priority=priority)

    def on_transition(self, hook: Any = None, *, priority: int = 0) -> Any:
        """Registers a hook `(old, new, context)`, called between exit and enter."""
        return self.hooks.on_transition(hook, priority=priority)

    def on_transition_with_history(self, hook: Any = None, *, priority: int = 0) -> Any:
        """Registers a hook `(old, new, context, history)`; the history holds the move itself."""
        return self.hooks.on_transition_with_history(hook, priority=priority)

    def subscribe(self, topic: str, callback: Callable[[str, Mapping[str, Any]], None]) -> Remove:
        """Calls back with `(topic, data)` for each Call event whose type matches `topic`."""
        return self.topics.subscribe(topic, callback)

    def to_json(self) -> dict[str, Any]:
        """The run as JSON, history included; `restore` takes it back."""
        return {"snapshot": self.snapshot.to_json(), **self._saved.to_json()}

    def restore(self, value: object) -> None:
        """Continues the run that `to_json` wrote.

        Raises SnapshotError, naming the culprit, for what cannot be a run of this machine; then
        nothing has changed.
        """
        snapshot, saved = read_saved(value, self.machine)
        self.snapshot, self._saved = snapshot, saved


def _clamped(confidence: float) -> float:
    """A confidence above 1 counts as 1, one below 0 as 0."""
    return max(0.0, min(1.0, float(confidence)))
