"""Everything that a running machine remembers, as one frozen value that JSON can carry."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec

from interpreter.compiling import Tables
from interpreter.errors import SnapshotError
from interpreter.records import from_milliseconds, rfc3339

SNAPSHOT_FORMAT = "callchart.snapshot/1"


class Timer(msgspec.Struct, frozen=True):
    """An armed timer: `due_ms` since 1970; `transition` is None for the limit of seconds."""

    key: str
    due_ms: int
    transition: str | None = None

    @property
    def due(self) -> datetime:
        """The moment at which it is due."""
        return from_milliseconds(self.due_ms)

    def to_json(self) -> dict[str, Any]:
        """`{"key", "transition", "due"}`."""
        return {"key": self.key, "transition": self.transition, "due": rfc3339(self.due_ms)}


class Snapshot(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A run at rest between two inputs. Never changed; a step makes a new one.

    `active` are the active states in document order; times are milliseconds since 1970; `moved_at`
    is kept for regions with a cooldown, `takes` for transitions with `max_takes`; `armed` counts
    the timers ever armed, so that no two share a key, `instant` those without delay that fired
    since time last went on; `agent` is the squad Agent who speaks, None for the machine's own.
    """

    machine: str
    active: tuple[str, ...]
    started: int
    now: int
    slots: dict[str, Any] = {}
    visits: dict[str, int] = {}
    history: dict[str, tuple[str, ...]] = {}
    timers: tuple[Timer, ...] = ()
    takes: dict[str, int] = {}
    moved_at: dict[str, int] = {}
    decision: dict[str, Any] = {}
    turns: int = 0
    transitions: int = 0
    refusals: int = 0
    limits_hit: tuple[str, ...] = ()
    armed: int = 0
    instant: int = 0
    tool_calls: int = 0
    agent: str | None = None
    status: str = "running"
    outcome: str | None = None
    format: str = SNAPSHOT_FORMAT

    @property
    def ended(self) -> bool:
        """Whether the Call is over."""
        return self.status == "ended"

    @property
    def elapsed(self) -> float:
        """Seconds between the start and the last input."""
        return (self.now - self.started) / 1_000

    @property
    def at(self) -> datetime:
        """When the last input was handled."""
        return from_milliseconds(self.now)

    def to_json(self) -> dict[str, Any]:
        """A JSON value; `Snapshot.from_json` gives an equal Snapshot back."""
        value: dict[str, Any] = msgspec.to_builtins(self)
        return value

    def to_bytes(self) -> bytes:
        """The same as JSON text; the fast way."""
        return msgspec.json.encode(self)

    @classmethod
    def from_json(cls, value: object, machine: Tables | None = None) -> Snapshot:
        """A Snapshot from `to_json`'s value or `to_bytes`' text.

        Raises SnapshotError when it is no Snapshot, and, given the machine, when it names a state,
        slot, region or transition that the machine lacks.
        """
        try:
            if isinstance(value, (bytes, str)):
                snapshot = msgspec.json.decode(value, type=cls)
            else:
                snapshot = msgspec.convert(value, type=cls)
        except (msgspec.ValidationError, msgspec.DecodeError) as error:
            raise SnapshotError(f"this is no Snapshot: {error}") from None
        if snapshot.format != SNAPSHOT_FORMAT:
            raise SnapshotError(
                f"'{snapshot.format}' is no format of a Snapshot that is known here"
            )
        if machine is not None:
            fit(machine, snapshot)
        return snapshot


def fit(machine: Tables, snapshot: Snapshot) -> None:
    """Raises SnapshotError, naming the culprit, when a Snapshot cannot be one of this machine."""
    remembered = [key for keys in snapshot.history.values() for key in keys]
    for key in (*snapshot.active, *snapshot.visits, *remembered, *snapshot.history):
        if key not in machine.states:
            raise SnapshotError(f"the machine has no state '{key}'")
    for key in snapshot.slots:
        if key not in machine.slots:
            raise SnapshotError(f"the machine has no slot '{key}'")
    for key in snapshot.moved_at:
        if key not in machine.regions:
            raise SnapshotError(f"the machine has no region '{key}'")
    named = [timer.transition for timer in snapshot.timers if timer.transition is not None]
    for key in (*snapshot.takes, *named):
        if key not in machine.transition_keys:
            raise SnapshotError(f"the machine has no transition '{key}'")
    _legal(machine, snapshot)


def _legal(machine: Tables, snapshot: Snapshot) -> None:
    """Every active region has exactly one active state, and nothing else is active."""
    active = frozenset(snapshot.active)
    wanted = list(machine.root.children)
    found = set()
    while wanted:
        region = wanted.pop()
        inside = [child for child in region.children if child.key in active and child.is_state]
        if len(inside) != 1:
            raise SnapshotError(
                f"region '{region.key}' has {len(inside)} active states and needs exactly one"
            )
        found.add(inside[0].key)
        wanted += inside[0].children
    extra = sorted(active - found)
    if extra:
        raise SnapshotError(f"state '{extra[0]}' cannot be active while its parent is not")
    if machine.configuration(snapshot.active).active != snapshot.active:
        raise SnapshotError("the active states are not in document order")
