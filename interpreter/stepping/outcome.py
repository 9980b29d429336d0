"""What a step answers: Step, Refusal, GuardOutcome."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol

import msgspec

from interpreter.compiling import CompiledTransition
from interpreter.expressions import Environment
from interpreter.records import Record
from interpreter.stepping.inputs import Input
from interpreter.stepping.snapshot import Snapshot, Timer


class GuardOutcome:
    """One guard that was asked: `outcome` is `true`, `false` or `error`."""

    __slots__ = ("_env", "_reads", "error", "outcome", "transition")

    def __init__(
        self,
        transition: CompiledTransition,
        outcome: str,
        env: Environment | Callable[[], Environment],
        error: str | None,
    ) -> None:
        self.transition = transition
        self.outcome = outcome
        self.error = error
        self._env = env
        self._reads: dict[str, Any] | None = None

    @property
    def reads(self) -> dict[str, Any]:
        """The values that the guard read, by dotted name."""
        if self._reads is None:
            guard = self.transition.guard
            env = self._env if isinstance(self._env, Environment) else self._env()
            self._reads = guard.reads(env) if guard is not None else {}
        return self._reads

    def to_json(self) -> dict[str, Any]:
        """The shape of docs/contracts.md section 4."""
        guard = self.transition.guard
        return {
            "transition": self.transition.key,
            "source": self.transition.source.key,
            "guard": guard.source if guard is not None else None,
            "outcome": self.outcome,
            "reads": self.reads,
            "error": self.error,
        }


class Refusal:
    """Why an input was not taken. `event` names what came in, `states` where it was refused."""

    __slots__ = ("event", "guards", "message", "proposal", "reason", "states")

    def __init__(
        self,
        reason: str,
        message: str,
        event: str,
        states: tuple[str, ...],
        *,
        proposal: str | None = None,
        guards: tuple[GuardOutcome, ...] = (),
    ) -> None:
        self.reason = reason
        self.message = message
        self.event = event
        self.states = states
        self.proposal = proposal
        self.guards = guards

    def data(self) -> dict[str, Any]:
        """What `transition.refused` says of it."""
        return {
            "proposal" if self.proposal else "event": self.event,
            "kind": self.proposal or "event",
            "states": list(self.states),
            "reason": self.reason,
            "detail": self.message,
            "guards": [guard.to_json() for guard in self.guards],
        }

    def to_json(self) -> dict[str, Any]:
        """The shape of docs/contracts.md section 4."""
        return {
            "reason": self.reason,
            "message": self.message,
            "event": self.event,
            "proposal": self.proposal,
            "states": list(self.states),
            "guards": [guard.to_json() for guard in self.guards],
        }

    def __repr__(self) -> str:
        return f"Refusal({self.reason!r}, {self.message!r})"


class Answer:
    """Whether an input would be taken; true or false by itself."""

    __slots__ = ("message", "ok", "reason")

    def __init__(self, reason: str | None = None, message: str | None = None) -> None:
        self.ok = reason is None
        self.reason = reason
        self.message = message

    def __bool__(self) -> bool:
        return self.ok

    def __iter__(self) -> Iterator[Any]:
        yield from (self.ok, self.reason, self.message)

    def __repr__(self) -> str:
        return f"Answer({self.ok!r}, {self.reason!r}, {self.message!r})"


class Told(msgspec.Struct, frozen=True, gc=False):
    """What a step left behind; `guards` is None where the story gives them when they are asked."""

    records: tuple[Record, ...]
    effects: tuple[Mapping[str, Any], ...]
    guards: tuple[GuardOutcome, ...] | None
    refusal: Refusal | None


class Story(Protocol):
    """How a step of the fast path went, known before it was taken: all but what varies."""

    def tell(self, taken: Step) -> Told:
        """The records, effects and refusal of such a step."""

    def guards(self, taken: Step) -> tuple[GuardOutcome, ...]:
        """The guards that it asked."""


class Step(msgspec.Struct, eq=False, gc=False):
    """What one input did. Unpacks as `(snapshot, records)`.

    `moved` is whether any transition was taken or a limit forced one. The rest is made when it is
    first asked for: a step of the fast path keeps its story, the Snapshot before, the input, and
    the values that its effects computed.
    """

    snapshot: Snapshot
    moved: bool
    _story: Story | None
    _before: Snapshot
    _input: Input | None
    _values: tuple[Any, ...] | None
    _told: Told | None = None

    def _tell(self) -> Told:
        told = self._told
        if told is None:
            assert self._story is not None
            told = self._told = self._story.tell(self)
        return told

    @property
    def records(self) -> tuple[Record, ...]:
        """What the step leaves behind, in order."""
        return self._tell().records

    @property
    def effects(self) -> tuple[Mapping[str, Any], ...]:
        """What the host has to do, as plain data in order."""
        return self._tell().effects

    @property
    def guards(self) -> tuple[GuardOutcome, ...]:
        """Every guard that was asked, in order."""
        told = self._tell()
        guards = told.guards
        if guards is None:
            assert self._story is not None
            guards = self._story.guards(self)
            self._told = msgspec.structs.replace(told, guards=guards)
        return guards

    @property
    def refusal(self) -> Refusal | None:
        """Why nothing was done; None when the input was taken."""
        if self._told is None and self.moved:
            return None
        return self._tell().refusal

    @property
    def timers(self) -> tuple[Timer, ...]:
        """All timers armed after the step."""
        return self.snapshot.timers

    @property
    def hooks(self) -> list[dict[str, Any]]:
        """The hooks to dispatch: `{"hook", "on", "state" | "transition", "data"}`."""
        return [
            {"hook": effect["hook"], **effect["from"], "data": effect["data"]}
            for effect in self.effects
            if effect["kind"] == "hook"
        ]

    def __iter__(self) -> Iterator[Any]:
        yield self.snapshot
        yield self.records
