"""Everything that a running machine remembers, as one frozen value that JSON can carry."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec

from interpreter.compiling import Configuration, Node, Tables, inside
from interpreter.document import why_not
from interpreter.errors import SnapshotError
from interpreter.records import LATEST, from_milliseconds, rfc3339
from interpreter.stepping.visits import blank, counts_of, rows_of

FOREVER = 2**63
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


class Cold(msgspec.Struct, frozen=True, gc=False):
    """What most steps leave alone; Snapshots share it.

    `until` is the moment from which on (and -1 when never before it) a step has to be taken by the
    literal algorithm. `active` is empty where a Snapshot knows its configuration.
    """

    machine: str
    active: tuple[str, ...]
    started: int
    until: int
    history: dict[str, tuple[str, ...]]
    timers: tuple[Timer, ...]
    takes: dict[str, int]
    moved_at: dict[str, int]
    decision: dict[str, Any]
    turns: int
    limits_hit: tuple[str, ...]
    armed: int
    instant: int
    tool_calls: int
    agent: str | None
    status: str
    outcome: str | None


class _Document(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A Snapshot as JSON carries it."""

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


class Snapshot(msgspec.Struct, frozen=True, eq=False, gc=False):
    """A run at rest between two inputs. Never changed; a step makes a new one.

    `active` are the active states in document order; times are milliseconds since 1970; `moved_at`
    is kept for regions with a cooldown, `takes` for transitions with `max_takes`; `armed` counts
    the timers ever armed, so that no two share a key, `instant` those without delay that fired
    since time last went on; `agent` is the squad Agent who speaks, None for the machine's own.

    Made by `start`, `step` and `from_json` alone: it holds few fields, since a step writes them
    all, and shares the rest. One read without its machine has neither `_at` nor rows of counts.
    """

    _at: Configuration | None
    now: int
    slots: dict[str, Any]
    _visits: Any
    transitions: int
    refusals: int
    _cold: Cold

    @property
    def machine(self) -> str:
        """The digest of the machine."""
        return self._cold.machine

    @property
    def active(self) -> tuple[str, ...]:
        """The active states in document order."""
        return self._cold.active if self._at is None else self._at.active

    @property
    def started(self) -> int:
        """When the run began."""
        return self._cold.started

    @property
    def visits(self) -> dict[str, int]:
        """How often each state was entered; a copy, without those that never were."""
        if self._at is None:
            return dict(self._visits)
        return counts_of(self._at.tables, self._visits)

    @property
    def history(self) -> dict[str, tuple[str, ...]]:
        """What each history state remembers."""
        return self._cold.history

    @property
    def timers(self) -> tuple[Timer, ...]:
        """The armed timers, in the order of arming."""
        return self._cold.timers

    @property
    def takes(self) -> dict[str, int]:
        """How often each transition with `max_takes` was taken."""
        return self._cold.takes

    @property
    def moved_at(self) -> dict[str, int]:
        """When each region with a cooldown last moved."""
        return self._cold.moved_at

    @property
    def decision(self) -> dict[str, Any]:
        """The last answer to each question."""
        return self._cold.decision

    @property
    def turns(self) -> int:
        """The turns so far."""
        return self._cold.turns

    @property
    def limits_hit(self) -> tuple[str, ...]:
        """The limits that were hit, in order."""
        return self._cold.limits_hit

    @property
    def armed(self) -> int:
        """How many timers were ever armed."""
        return self._cold.armed

    @property
    def instant(self) -> int:
        """How many timers without delay fired while time stood still."""
        return self._cold.instant

    @property
    def tool_calls(self) -> int:
        """How many tools were asked for."""
        return self._cold.tool_calls

    @property
    def agent(self) -> str | None:
        """The squad Agent who speaks; None for the machine's own."""
        return self._cold.agent

    @property
    def status(self) -> str:
        """`running` or `ended`."""
        return self._cold.status

    @property
    def outcome(self) -> str | None:
        """The outcome with which an effect, or the host, ended the Call."""
        return self._cold.outcome

    @property
    def format(self) -> str:
        """The name of the format of its JSON."""
        return SNAPSHOT_FORMAT

    @property
    def ended(self) -> bool:
        """Whether the Call is over."""
        return self._cold.status == "ended"

    @property
    def elapsed(self) -> float:
        """Seconds between the start and the last input."""
        return (self.now - self._cold.started) / 1_000

    @property
    def at(self) -> datetime:
        """When the last input was handled."""
        return from_milliseconds(self.now)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Snapshot):
            return NotImplemented
        return self is other or self._document() == other._document()

    __hash__ = None  # type: ignore[assignment]  # a value with maps in it

    def __repr__(self) -> str:
        return repr(self._document()).replace("_Document", "Snapshot", 1)

    def __reduce__(self) -> tuple[Any, ...]:
        return Snapshot.from_json, (self.to_bytes(),)

    def __copy__(self) -> Snapshot:
        return self

    def _document(self) -> _Document:
        cold = self._cold
        return _Document(
            machine=cold.machine,
            active=self.active,
            started=cold.started,
            now=self.now,
            slots=self.slots,
            visits=self.visits,
            history=cold.history,
            timers=cold.timers,
            takes=cold.takes,
            moved_at=cold.moved_at,
            decision=cold.decision,
            turns=cold.turns,
            transitions=self.transitions,
            refusals=self.refusals,
            limits_hit=cold.limits_hit,
            armed=cold.armed,
            instant=cold.instant,
            tool_calls=cold.tool_calls,
            agent=cold.agent,
            status="ended" if self.ended else "running",
            outcome=cold.outcome,
        )

    def without_timer(self, key: str) -> Snapshot:
        """The same with one timer fewer: for a host that spends a timer without a step."""
        timers = tuple(timer for timer in self._cold.timers if timer.key != key)
        cold = msgspec.structs.replace(self._cold, timers=timers)
        return msgspec.structs.replace(self, _cold=cold)

    def to_json(self) -> dict[str, Any]:
        """A JSON value; `Snapshot.from_json` gives an equal Snapshot back."""
        value: dict[str, Any] = msgspec.to_builtins(self._document())
        return value

    def to_bytes(self) -> bytes:
        """The same as JSON text; the fast way."""
        return msgspec.json.encode(self._document())

    @classmethod
    def from_json(cls, value: object, machine: Tables | None = None) -> Snapshot:
        """A Snapshot from `to_json`'s value or `to_bytes`' text.

        Raises SnapshotError when it is no Snapshot, and, given the machine, when it cannot be one
        of it: a name that the machine lacks, a value that does not fit its slot, states that are
        no configuration.
        """
        try:
            if isinstance(value, (bytes, str)):
                document = _DECODER.decode(value)
            else:
                document = msgspec.convert(value, type=_Document)
                msgspec.json.encode(document)
        except _UNREADABLE as error:
            raise SnapshotError(f"this is no Snapshot: {error}") from None
        if document.format != SNAPSHOT_FORMAT:
            raise SnapshotError(
                f"'{document.format}' is no format of a Snapshot that is known here"
            )
        snapshot = _loose(document)
        if machine is None:
            return snapshot
        fit(machine, snapshot)
        return bound(machine, snapshot)


_DECODER = msgspec.json.Decoder(_Document)


def _loose(doc: _Document) -> Snapshot:
    """A Snapshot that knows no machine."""
    cold = Cold(
        doc.machine, doc.active, doc.started, -1, doc.history, doc.timers, doc.takes,
        doc.moved_at, doc.decision, doc.turns, doc.limits_hit, doc.armed, doc.instant,
        doc.tool_calls, doc.agent, doc.status, doc.outcome,
    )  # fmt: skip
    return Snapshot(None, doc.now, doc.slots, doc.visits, doc.transitions, doc.refusals, cold)


def blank_snapshot(machine: Tables, now: int, slots: dict[str, Any]) -> Snapshot:
    """A run in which nothing is entered yet."""
    until = quick_until(machine, now, "running", (), 0)
    cold = Cold(
        machine.digest, (), now, until, {}, (), {}, {}, {}, 0, (), 0, 0, 0, None, "running", None
    )
    return Snapshot(machine.at_mask(machine.root.bit), now, slots, blank(machine), 0, 0, cold)


def bound(machine: Tables, snapshot: Snapshot) -> Snapshot:
    """The same Snapshot in the terms of this compiled machine.

    Raises SnapshotError when its active states are no configuration of it, or a count is of no
    state.
    """
    at = snapshot._at
    if at is not None and at.tables is machine:
        return snapshot
    cold = snapshot._cold
    until = quick_until(machine, cold.started, cold.status, cold.limits_hit, cold.instant)
    return Snapshot(
        machine.configuration(snapshot.active),
        snapshot.now,
        snapshot.slots,
        rows_of(machine, snapshot.visits),
        snapshot.transitions,
        snapshot.refusals,
        msgspec.structs.replace(cold, active=(), until=until),
    )


def quick_until(
    machine: Tables, started: int, status: str, limits_hit: tuple[str, ...], instant: int
) -> int:
    """The moment (ms) from which on the literal algorithm must take a step; -1 for every step."""
    if status == "ended" or instant:
        return -1
    allowed = machine.limits.seconds
    if allowed is None or "seconds" in limits_hit:
        return FOREVER
    return started + allowed * 1_000


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
