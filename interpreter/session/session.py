"""A small face for code: one run of one machine, with host callables by name, hooks and topics.

What the engine decides stays the engine's. A Session adds what only a host has: guards and actions
that are Python, validators, detectors, observers, and a history of the moves made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from interpreter.errors import SnapshotError
from interpreter.session.hooks import Hooks, Remove, Topics
from interpreter.stepping import Input, Machine, Refusal, Snapshot, Step, start, step

START = datetime(2026, 1, 1, tzinfo=UTC)
DETECTION_FLOOR = 0.5

Context = Mapping[str, Any]
Validator = Callable[[str, str, Context], tuple[bool, str | None]]
Detector = Callable[[Context], tuple[str | None, float] | None]
Observer = Callable[[str, str, Context], None]


@dataclass(frozen=True, slots=True)
class Move:
    """A row of the history: one move that was made."""

    from_state: str
    to_state: str
    at: datetime
    confidence: float
    context: Context


@dataclass(frozen=True, slots=True)
class Result:
    """What `send` or `go` did. The same fields whether it moved or was refused.

    `rejected` is None on a legal move, else a sentence; `reason` its code; `failures` are the
    exceptions of observers and hooks, which undo nothing.
    """

    ok: bool
    moved: bool
    state: str
    visited: tuple[str, ...]
    rejected: str | None = None
    reason: str | None = None
    step: Step | None = None
    failures: tuple[Exception, ...] = ()

    def __bool__(self) -> bool:
        return self.ok


@dataclass(slots=True)
class _Saved:
    """What a run remembers beside its Snapshot."""

    previous: str
    visited: tuple[str, ...]
    count: int = 0
    history: list[Move] = field(default_factory=list)


class Session:
    """One run of `machine`; its first region is the one that `current` speaks of.

    `guards` and `actions` are called with the context of a move; each stands under the key of the
    transition it belongs to, or under the name that `Machine.from_table` was given. A guard that
    says no, or an action that fails, refuses the move. `clock` gives the time of each move
    (without one, time stands still); `history_limit` drops the oldest rows, 0 keeps none.
    """

    def __init__(
        self,
        machine: Machine,
        *,
        guards: Mapping[str, Callable[[Context], bool]] | None = None,
        actions: Mapping[str, Callable[[Context], None]] | None = None,
        validators: Iterable[Validator] = (),
        detectors: Iterable[Detector] = (),
        observers: Iterable[Observer] = (),
        clock: Callable[[], datetime] | None = None,
        history_limit: int | None = None,
    ) -> None:
        self.machine = machine
        self.guards = dict(guards or {})
        self.actions = dict(actions or {})
        self.validators = list(validators)
        self.detectors = list(detectors)
        self._observers = list(observers)
        self._clock = clock or (lambda: START)
        self._limit = history_limit
        self.hooks = Hooks()
        self.topics = Topics()
        self._region = machine.root.children[0]
        self._begin()

    def _begin(self) -> None:
        self.snapshot, _ = start(self.machine, self._clock())
        self._saved = _Saved(previous=self.current, visited=(self.current,))

    # --- reading ------------------------------------------------------------------------------

    @property
    def current(self) -> str:
        """The active state of the first region."""
        return self._state_of(self.snapshot)

    def _state_of(self, snapshot: Snapshot) -> str:
        active = frozenset(snapshot.active)
        return next(c.key for c in self._region.children if c.key in active and c.is_state)

    @property
    def previous(self) -> str:
        """The state before the last move; the initial state before the first."""
        return self._saved.previous

    @property
    def visited(self) -> tuple[str, ...]:
        """Every state entered, in order; only ever grows (until `reset`)."""
        return self._saved.visited

    @property
    def count(self) -> int:
        """How many moves were made."""
        return self._saved.count

    @property
    def history(self) -> list[Move]:
        """The moves made, oldest first; a copy."""
        return list(self._saved.history)

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
        """The targets that the current state declares, in order and once each."""
        found = [t.target.key for t in self._outgoing() if t.target is not None]
        return list(dict.fromkeys(found))

    def valid(self, context: Context | None = None) -> list[str]:
        """The declared targets whose guards pass now, in order and once each; does nothing."""
        found = [
            t.target.key
            for t in self._outgoing()
            if t.target is not None and self._guard_says(t.key, context or {})
        ]
        return list(dict.fromkeys(found))

    def _outgoing(self) -> list[Any]:
        return [
            *self.machine.states[self.current].transitions,
            *self._region.transitions,
        ]

    def can(self, name: str, context: Context | None = None) -> bool:
        """Whether the event, or the move to the state `name`, would pass its guard.

        Asks the declared transition and its guard alone: no cooldown, no validator, no action.
        """
        transition = self._transition(self._input(name, 1.0, {}))
        return transition is not None and self._guard_says(transition.key, context or {})

    def _guard_says(self, key: str, context: Context) -> bool:
        guard = self.guards.get(key)
        return guard is None or guard(context) is True

    def _input(self, name: str, confidence: float, data: dict[str, Any]) -> Input:
        proposed = bool(self.machine.proposals) and not self.machine.declares(name)
        kind = "transition" if proposed else "event"
        return Input(kind, name, data, None, confidence)

    def _transition(self, one: Input) -> Any:
        lookup = ("propose", one.name) if one.kind == "transition" else one.name
        chains = self.machine.chains(self.machine.configuration(self.snapshot.active), lookup)
        return chains[0][0].transition if chains else None

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
        if state == self.current and self._transition(one) is None:
            return self._result()
        return self._handle(one, context or {})

    def _handle(self, one: Input, context: Context) -> Result:
        declared = self._transition(one)
        if declared is not None and not self._guard_says(declared.key, context):
            target = declared.target.key if declared.target else self.current
            name = f"guard of '{declared.key}' is false"
            return self._refused("guard", f"{self._said(one)} to '{target}': {name}")
        taken = step(self.machine, self.snapshot, one, self._clock())
        if taken.refusal is not None:
            self.snapshot = taken.snapshot
            return self._result(taken.refusal, taken)
        new = self._state_of(taken.snapshot)
        refused = self._validated(new, context) or self._acted(declared, context)
        if refused is not None:
            reason, detail = refused
            return self._refused(reason, f"{self._said(one)} to '{new}': {detail}")
        return self._commit(taken, new, one, context)

    def _said(self, one: Input) -> str:
        return f"'{one.name}' was refused in state '{self.current}'"

    def _validated(self, new: str, context: Context) -> tuple[str, str] | None:
        for validator in self.validators:
            try:
                ok, message = validator(self.current, new, context)
            except Exception as error:  # noqa: BLE001 - a host's callable: it must not move the run
                return "validator", f"a validator failed: {error}"
            if not ok:
                return "validator", message or "a validator said no"
        return None

    def _acted(self, transition: Any, context: Context) -> tuple[str, str] | None:
        action = self.actions.get(transition.key) if transition is not None else None
        if action is None:
            return None
        try:
            action(context)
        except Exception as error:  # noqa: BLE001 - a host's callable: it must not move the run
            return "action", f"its action failed: {error}"
        return None

    def _commit(self, taken: Step, new: str, one: Input, context: Context) -> Result:
        old = self.current
        moved = any(record.type == "state.entered" for record in taken.records)
        failures = self.hooks.fire("exit", old, (old, context)) if moved else []
        self.snapshot = taken.snapshot
        if not taken.moved:
            return self._result(None, taken)
        saved = self._saved
        saved.count += 1
        if moved:
            saved.previous = old
            saved.visited += tuple(
                record.data["state"] for record in taken.records if record.type == "state.entered"
            )
            self._remember(Move(old, new, taken.snapshot.at, one.confidence or 0.0, dict(context)))
            failures += self._tell(old, new, context)
        failures += self.topics.publish_records(taken.records)
        return self._result(None, taken, tuple(failures))

    def _remember(self, move: Move) -> None:
        if self._limit == 0:
            return
        self._saved.history.append(move)
        if self._limit is not None:
            del self._saved.history[: -self._limit]

    def _tell(self, old: str, new: str, context: Context) -> list[Exception]:
        failures = self.hooks.fire("transition", None, (old, new, context))
        failures += self.hooks.fire("history", None, (old, new, context, self.history))
        failures += self.hooks.fire("enter", new, (new, context))
        for observer in list(self._observers):
            try:
                observer(old, new, context)
            except Exception as error:  # noqa: BLE001 - a host's callable undoes no move
                failures.append(error)
        return failures

    def _refused(self, reason: str, message: str) -> Result:
        return self._result(Refusal(reason, message, self.current, (self.current,)))

    def _result(
        self,
        refusal: Refusal | None = None,
        taken: Step | None = None,
        failures: tuple[Exception, ...] = (),
    ) -> Result:
        return Result(
            ok=refusal is None,
            moved=refusal is None and taken is not None and taken.moved,
            state=self.current,
            visited=self.visited,
            rejected=refusal.message if refusal else None,
            reason=refusal.reason if refusal else None,
            step=taken,
            failures=failures,
        )

    # --- detecting ----------------------------------------------------------------------------

    def detect(self, context: Context) -> tuple[str, float] | None:
        """The state that the detectors are surest of, among those with a declared transition.

        Ties go to the first detector.
        """
        best: tuple[str, float] | None = None
        declared = self.declared()
        for detector in self.detectors:
            found = detector(context)
            if found is None or found[0] is None or found[0] not in declared:
                continue
            if best is None or found[1] > best[1]:
                best = (found[0], found[1])
        return best

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
        return self.hooks.on("enter", states, priority)

    def on_exit(self, *states: str, priority: int = 0) -> Callable[[Any], Any]:
        """Registers a hook `(state, context)`; without names, or with `*`, for every state."""
        return self.hooks.on("exit", states, priority)

    def on_transition(self, hook: Any = None, *, priority: int = 0) -> Any:
        """Registers a hook `(old, new, context)`, called between exit and enter."""
        register = self.hooks.on("transition", (), priority)
        return register(hook) if hook is not None else register

    def on_transition_with_history(self, hook: Any = None, *, priority: int = 0) -> Any:
        """Registers a hook `(old, new, context, history)`; the history holds the move itself."""
        register = self.hooks.on("history", (), priority)
        return register(hook) if hook is not None else register

    def subscribe(self, topic: str, callback: Callable[[str, Mapping[str, Any]], None]) -> Remove:
        """Calls back with `(topic, data)` for each Call event whose type matches `topic`."""
        return self.topics.subscribe(topic, callback)

    def to_json(self) -> dict[str, Any]:
        """The run as JSON, history included; `restore` takes it back."""
        saved = self._saved
        return {
            "snapshot": self.snapshot.to_json(),
            "previous": saved.previous,
            "visited": list(saved.visited),
            "count": saved.count,
            "history": [
                {
                    "from": move.from_state,
                    "to": move.to_state,
                    "at": move.at.isoformat(),
                    "confidence": move.confidence,
                    "context": dict(move.context),
                }
                for move in saved.history
            ],
        }

    def restore(self, value: Mapping[str, Any]) -> None:
        """Continues the run that `to_json` wrote. Raises SnapshotError naming an unknown state."""
        snapshot = Snapshot.from_json(value["snapshot"], self.machine)
        named: Sequence[str] = [value["previous"], *value["visited"]]
        for state in named:
            if state not in self.machine.states:
                raise SnapshotError(f"the machine has no state '{state}'")
        history = [
            Move(
                row["from"],
                row["to"],
                datetime.fromisoformat(row["at"]),
                row["confidence"],
                row["context"],
            )
            for row in value["history"]
        ]
        self.snapshot = snapshot
        self._saved = _Saved(value["previous"], tuple(value["visited"]), value["count"], history)


def _clamped(confidence: float) -> float:
    """A confidence above 1 counts as 1, one below 0 as 0."""
    return max(0.0, min(1.0, float(confidence)))
