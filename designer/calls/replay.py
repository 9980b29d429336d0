"""Proves a history: its inputs, applied again, give the same events, byte for byte."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from designer.calls.event_store import StoredEvent, events_after
from designer.calls.models import Call, CallInput
from designer.calls.run import CHAIN_START, CallRun, chained
from designer.calls.writing import about
from designer.core.canonical import canonical
from designer.versions.selectors import machine_of

PAGE = 500


@dataclass(frozen=True)
class Verdict:
    """What a replay found; `first_difference` is None when all is identical."""

    inputs: int
    events: int
    first_difference: dict[str, Any] | None

    def to_json(self) -> dict[str, Any]:
        """Give `{identical, inputs, events, first_difference}`."""
        return {"identical": self.first_difference is None, **self.__dict__}


def replay(call: Call) -> Verdict:
    """Apply a Call's inputs again; compare events, snapshots and the hash chain."""
    run = CallRun(machine_of(call.version_id), about(call.version))
    stored = _stored(call)
    chain = CHAIN_START
    for event in stored:
        chain = chained(chain, event)
    count = 0
    difference = None
    for given in CallInput.objects.filter(call=call).order_by("in_seq").iterator(PAGE):
        count += 1
        made = run.take(given.payload, given.at, given.based_on_seq)
        difference = _difference(given, made, stored[given.first_seq - 1 : given.last_seq], run)
        if difference:
            break
    if difference is None and (len(stored) != run.head or chain != call.chain_sha256):
        difference = {"seq": run.head, "what": "chain", "expected": run.chain, "got": chain}
    return Verdict(count, len(stored), difference)


def _stored(call: Call) -> list[StoredEvent]:
    events: list[StoredEvent] = []
    while page := events_after(call.id, events[-1].seq if events else 0, PAGE):
        events += page
    return events


def _comparable(event: StoredEvent) -> bytes:
    return canonical([event.seq, event.in_seq, event.type, event.data, event.at.isoformat()])


def _difference(
    given: CallInput, made: list[StoredEvent], stored: list[StoredEvent], run: CallRun
) -> dict[str, Any] | None:
    """Name the first thing in which a replayed input differs from what was stored."""
    for place in range(max(len(made), len(stored))):
        ours = made[place] if place < len(made) else None
        theirs = stored[place] if place < len(stored) else None
        if ours is None or theirs is None or _comparable(ours) != _comparable(theirs):
            return {
                "in_seq": given.in_seq,
                "seq": (theirs or ours or made[-1]).seq,
                "what": "event",
                "expected": ours and ours.type,
                "got": theirs and theirs.type,
            }
    for what, ours_, theirs_ in (
        ("snapshot", run.snapshot_sha256, given.snapshot_sha256),
        ("chain", run.chain, given.chain_sha256),
    ):
        if ours_ != theirs_:
            return {"in_seq": given.in_seq, "what": what, "expected": ours_, "got": theirs_}
    return None
