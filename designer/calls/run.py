"""One Call in memory: what an input makes of it. Pure; the live Call and its replay share it.

The engine steps the machine. What the host adds stands here: the number of each event, the fence
for stale proposals, an end from outside, the limits of a history, and the hash chain over the
events.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from designer.calls.event_store import StoredEvent
from designer.core.canonical import canonical, digest
from designer.core.clock import rfc3339
from interpreter import Machine, Record, Snapshot, start, step

WARN_AT, END_AT = 5_000, 20_000
CHAIN_START = "0" * 64
MOVES = frozenset({"state.entered", "state.exited"})
Draft = tuple[str, dict[str, Any], datetime]


@dataclass
class CallRun:
    """The moving parts of a Call. `take` changes it and gives what came of the input."""

    machine: Machine
    about: Mapping[str, Any]  # what call.started says besides the engine's own words
    snapshot: Snapshot | None = None
    head: int = 0
    in_seq: int = 0
    moved_seq: int = 0  # the newest event in which a state was left or entered
    chain: str = CHAIN_START
    ended: bool = False
    outcome: str | None = None
    refusal: dict[str, Any] | None = field(default=None)
    _written: tuple[Snapshot, dict[str, Any]] | None = field(default=None, repr=False)

    def take(
        self, payload: Mapping[str, Any], at: datetime, based_on: int | None = None
    ) -> list[StoredEvent]:
        """Apply an input. Never raises for what it says: that is a refusal in the events."""
        self.in_seq += 1
        self.refusal = None
        drafts = self._drafts(payload, at, based_on)
        events = self._number(self._within_limits(drafts, at))
        self.ended, self.outcome = self.present.ended, self.present.outcome
        return events

    def _drafts(
        self, payload: Mapping[str, Any], at: datetime, based_on: int | None
    ) -> list[Draft]:
        if "start" in payload:
            self.snapshot, records = start(self.machine, at, slots=payload["start"]["slots"])
            return [self._draft(record, at) for record in records]
        if based_on is not None and self.moved_seq > based_on:
            stale = {"proposal": payload.get("propose"), "based_on_seq": based_on}
            self.refusal = {
                "reason": "stale",
                "message": f"A state was left or entered after event {based_on}, which the "
                "proposal was based on, so it was not tried.",
                "event": None,
                "states": list(self.active),
                "guards": [],
            }
            return [("proposal.stale", stale | {"moved_seq": self.moved_seq}, at)]
        return self._step(payload, at)

    def _step(self, payload: Mapping[str, Any], at: datetime) -> list[Draft]:
        given = {name: value for name, value in payload.items() if name != "late_ms"}
        taken = step(self.machine, self.present, given, at)
        self.snapshot = taken.snapshot
        self.refusal = _plain(taken.refusal)
        drafts = [self._draft(record, at) for record in taken.records]
        if "timer" in payload:
            for kind, data, _ in drafts:
                if kind == "timer.fired":
                    data["late_ms"] = payload["late_ms"]
        return drafts

    def _draft(self, record: Record, at: datetime) -> Draft:
        data = dict(record.data)
        if record.type == "call.started":
            data = {**data, **self.about}
        return record.type, data, at

    def _within_limits(self, drafts: list[Draft], at: datetime) -> list[Draft]:
        head = self.head + len(drafts)
        if self.head < WARN_AT <= head:
            drafts.append(("call.history_warning", {"events": head, "allowed": END_AT}, at))
        if head >= END_AT and not self.present.ended:
            used = {"limit": "history", "allowed": END_AT, "used": head, "target": None}
            drafts.append(("machine.limit_reached", used, at))
            drafts += self._step({"end": {"outcome": "limit", "reason": "history"}}, at)
        return drafts

    def _number(self, drafts: Sequence[Draft]) -> list[StoredEvent]:
        events = []
        for kind, data, moment in drafts:
            self.head += 1
            event = StoredEvent(self.head, self.in_seq, kind, data, moment)
            self.chain = chained(self.chain, event)
            if kind in MOVES:
                self.moved_seq = self.head
            events.append(event)
        return events

    @property
    def present(self) -> Snapshot:
        """The snapshot of a Call that has begun."""
        if self.snapshot is None:
            raise LookupError("The Call has not begun.")
        return self.snapshot

    @property
    def active(self) -> Sequence[str]:
        """The active states' keys in document order."""
        return list(self.machine.active(self.present)) if self.snapshot else []

    @property
    def snapshot_json(self) -> dict[str, Any]:
        """The snapshot as it is kept; made once for each."""
        if self._written is None or self._written[0] is not self.present:
            self._written = (self.present, self.present.to_json())
        return self._written[1]

    @property
    def snapshot_sha256(self) -> str:
        """The digest of the snapshot's JSON."""
        return digest(self.snapshot_json)


def chained(before: str, event: StoredEvent) -> str:
    """Give the chain's next link: a later change of any event breaks it (R-63)."""
    body = {
        "seq": event.seq,
        "in_seq": event.in_seq,
        "type": event.type,
        "data": event.data,
        "at": rfc3339(event.at),
    }
    return hashlib.sha256(before.encode("ascii") + canonical(body)).hexdigest()


def _plain(refusal: Any) -> dict[str, Any] | None:
    if refusal is None or isinstance(refusal, dict):
        return refusal
    plain: dict[str, Any] = refusal.to_json()
    return plain
