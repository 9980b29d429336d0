"""What a step answers: Step, Refusal, GuardOutcome."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from interpreter.compiling import CompiledTransition
from interpreter.expressions import Environment
from interpreter.records import Record
from interpreter.stepping.snapshot import Snapshot, Timer


class GuardOutcome:
    """One guard that was asked: `outcome` is `true`, `false` or `error`."""

    __slots__ = ("_env", "_reads", "error", "outcome", "transition")

    def __init__(
        self, transition: CompiledTransition, outcome: str, env: Environment, error: str | None
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
            self._reads = guard.reads(self._env) if guard is not None else {}
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


class Step:
    """What one input did. Unpacks as `(snapshot, records)`.

    `effects` are plain data in order, `guards` every guard asked, `refusal` why nothing was done
    (or None), `moved` whether any transition was taken or a limit forced one.
    """

    __slots__ = ("effects", "guards", "moved", "records", "refusal", "snapshot")

    def __init__(
        self,
        snapshot: Snapshot,
        records: tuple[Record, ...],
        effects: tuple[Mapping[str, Any], ...],
        guards: tuple[GuardOutcome, ...],
        refusal: Refusal | None,
        *,
        moved: bool,
    ) -> None:
        self.snapshot = snapshot
        self.records = records
        self.effects = effects
        self.guards = guards
        self.refusal = refusal
        self.moved = moved

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
