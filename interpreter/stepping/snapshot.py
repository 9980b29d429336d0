"""Everything that a running machine remembers, as one frozen value that JSON can carry."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec

from interpreter.compiling import Node, Tables, inside
from interpreter.document import why_not
from interpreter.errors import SnapshotError
from interpreter.records import LATEST, from_milliseconds, rfc3339

SNAPSHOT_FORMAT = "callchart.snapshot/1"
LIMITS = frozenset({"turns", "transitions", "visits", "refusals", "seconds", "microsteps"})
_UNREADABLE = (
    msgspec.ValidationError, msgspec.DecodeError, UnicodeError, TypeError, OverflowError,
    RecursionError,
)  # fmt: skip
Count = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
Moment = Annotated[int, msgspec.Meta(ge=0, le=LATEST)]


class Timer(msgspec.Struct, frozen=True):
    """An armed timer: `due_ms` since 1970; `transition` is None for the limit of seconds."""

    key: str
    due_ms: Moment
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
    started: Moment
    now: Moment
    slots: dict[str, Any] = {}
    visits: dict[str, Count] = {}
    history: dict[str, tuple[str, ...]] = {}
    timers: tuple[Timer, ...] = ()
    takes: dict[str, Count] = {}
    moved_at: dict[str, Moment] = {}
    decision: dict[str, Any] = {}
    turns: Count = 0
    transitions: Count = 0
    refusals: Count = 0
    limits_hit: tuple[str, ...] = ()
    armed: Count = 0
    instant: Count = 0
    tool_calls: Count = 0
    agent: str | None = None
    status: Literal["running", "ended"] = "running"
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

        Raises SnapshotError when it is no Snapshot, and, given the machine, when it cannot be one
        of it: a name that the machine lacks, a value that does not fit its slot, states that are
        no configuration.
        """
        try:
            if isinstance(value, (bytes, str)):
                snapshot = msgspec.json.decode(value, type=cls)
            else:
                snapshot = msgspec.convert(value, type=cls)
                snapshot.to_bytes()
        except _UNREADABLE as error:
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
    for rule in _RULES:
        rule(machine, snapshot)


def _known(what: str, keys: Iterable[str], known: Mapping[str, object] | frozenset[str]) -> None:
    for key in keys:
        if key not in known:
            raise SnapshotError(f"the machine has no {what} '{key}'")


def _names(machine: Tables, snapshot: Snapshot) -> None:
    _known("state", (*snapshot.active, *snapshot.visits), machine.states)
    _known("region", snapshot.moved_at, machine.regions)
    _known("transition", snapshot.takes, machine.transition_keys)
    _known("question", snapshot.decision, machine.scope.decisions)
    _known("limit", snapshot.limits_hit, LIMITS)
    if snapshot.agent is not None and machine.squad is not None:
        _known("squad Agent", (snapshot.agent,), machine.squad)


def _stands(machine: Tables, snapshot: Snapshot) -> None:
    machine.configuration(snapshot.active)


def _slots(machine: Tables, snapshot: Snapshot) -> None:
    _known("slot", snapshot.slots, machine.slots)
    for key, value in snapshot.slots.items():
        slot = machine.slots[key]
        if why_not(slot, value) is not None:
            raise SnapshotError(f"the value of slot '{key}' is none of type {slot.type}")


def _history(machine: Tables, snapshot: Snapshot) -> None:
    for key, remembered in snapshot.history.items():
        _known("state", (key, *remembered), machine.states)
        node = machine.states[key]
        region = node.parent
        if node.kind != "history" or region is None:
            raise SnapshotError(f"'{key}' is no history state")
        if not _recalls(region, node, [machine.states[one] for one in remembered]):
            raise SnapshotError(f"the history state '{key}' cannot remember {list(remembered)}")


def _recalls(region: Node, history: Node, remembered: Sequence[Node]) -> bool:
    if not history.deep:
        return [node.parent for node in remembered] == [region]
    around = [
        one
        for node in remembered
        for one in (node, *node.ancestors)
        if one.is_state and one.is_within(region)
    ]
    try:
        found = inside([region], around)
    except SnapshotError:
        return False
    return found == {node.key for node in around} and not any(node.children for node in remembered)


def _timers(machine: Tables, snapshot: Snapshot) -> None:
    if len({timer.key for timer in snapshot.timers}) != len(snapshot.timers):
        raise SnapshotError("two timers have the same key")
    for timer in snapshot.timers:
        if timer.transition is None:
            continue
        _known("transition", (timer.transition,), machine.transition_keys)
        transition = machine.transition_keys[timer.transition]
        at = machine.configuration(snapshot.active)
        if transition.trigger != "after" or not transition.source.bit & at.mask:
            raise SnapshotError(f"the timer '{timer.key}' cannot be armed here")


def _time(machine: Tables, snapshot: Snapshot) -> None:
    del machine
    if snapshot.now < snapshot.started:
        raise SnapshotError("'now' is before 'started'")


_RULES: tuple[Callable[[Tables, Snapshot], None], ...] = (
    _names, _stands, _slots, _history, _timers, _time,
)  # fmt: skip
