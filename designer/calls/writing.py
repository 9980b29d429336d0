"""From what an input made of a Call to rows: events, the input, timers, the Call."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from designer.accounts.actors import Actor
from designer.calls.event_store import StoredEvent
from designer.calls.models import ENDED, RUNNING, Call, CallEvent, CallInput, CallTimer
from designer.calls.run import CallRun
from designer.calls.timetable import armed_timers
from designer.core.canonical import digest
from designer.core.errors import Fault, Refusal
from designer.realtime.announce import announce
from designer.realtime.topics import CALL
from designer.versions.models import Version
from designer.versions.selectors import machine_of
from interpreter import Snapshot

TIMERS_AT_ONCE = 100
CHANGING = (
    *("status", "outcome", "head_seq", "in_seq", "moved_seq", "snapshot", "snapshot_sha256"),
    *("chain_sha256", "logical_now", "updated_at", "ended_at"),
)
"""What an input changes of a Call's row."""


@dataclass(frozen=True)
class Given:
    """An input as it came: `body` is the digest by which a repeated key is judged."""

    payload: dict[str, Any]
    key: str | None
    body: str
    source: str
    actor: str
    based_on: int | None = None


def about(version: Version) -> dict[str, Any]:
    """What `call.started` says of the version; all of it frozen."""
    return {
        "agent": version.document["key"],
        "version": version.number,
        "digest": version.digest,
    }


def open_call(call: Call) -> CallRun:
    """Give a stored Call as it can be run on."""
    machine = machine_of(call.version_id)
    return CallRun(
        machine,
        about={},
        snapshot=Snapshot.from_json(call.snapshot, machine),
        head=call.head_seq,
        in_seq=call.in_seq,
        moved_seq=call.moved_seq,
        chain=call.chain_sha256,
        ended=call.status == ENDED,
        outcome=call.outcome,
    )


def begin(
    actor: Actor, now: datetime, *, call_id: UUID, version: Version, slots: dict[str, Any]
) -> Call:
    """Make a Call and take its start as its first input. Raises Refusal `slots.invalid`."""
    run = CallRun(machine_of(version.id), about(version))
    call = Call(
        id=call_id,
        workspace_id=actor.workspace,
        agent_id=version.agent_id,
        version=version,
        logical_now=now,
        started_by_id=actor.user,
        started_at=now,
        updated_at=now,
        snapshot={},
        snapshot_sha256="",
        chain_sha256=run.chain,
    )
    payload = {"start": {"slots": slots}}
    writer = Writer(call, run)
    try:
        writer.take(Given(payload, None, digest(payload), "api", str(actor.user)), now)
    except ValueError as fault:
        raise Refusal("slots.invalid", str(fault), errors=[Fault("/slots", str(fault))]) from None
    writer.save(now)
    return call


@dataclass
class Writer:
    """Takes inputs of one locked Call and writes everything at once at the end."""

    call: Call
    run: CallRun
    events: list[StoredEvent] = field(default_factory=list)
    inputs: list[CallInput] = field(default_factory=list)
    timers_touched: bool = False
    armed: dict[str, datetime] = field(init=False)  # what the rows of timers say

    def __post_init__(self) -> None:
        """Note the timers that are armed: rows and snapshot are written together."""
        snapshot = self.run.snapshot
        armed = () if snapshot is None else armed_timers(snapshot)
        self.armed = {timer.key: timer.due_at for timer in armed}

    def take(self, given: Given, at: datetime) -> None:
        """Apply an input at a moment that is not before the Call's own time."""
        first = self.run.head + 1
        events = self.run.take(given.payload, at, given.based_on)
        self.call.logical_now = at
        self.events += events
        self.timers_touched |= any(event.type.startswith("timer.") for event in events)
        self.inputs.append(
            CallInput(
                call=self.call,
                in_seq=self.run.in_seq,
                key=given.key,
                body_sha256=given.body,
                source=given.source,
                actor=given.actor,
                at=at,
                based_on_seq=given.based_on,
                payload=given.payload,
                first_seq=first,
                last_seq=self.run.head,
                result=self._result(),
                snapshot_sha256=self.run.snapshot_sha256,
                chain_sha256=self.run.chain,
            )
        )

    def _result(self) -> dict[str, Any]:
        run = self.run
        return {
            "status": ENDED if run.ended else RUNNING,
            "active": list(run.active),
            "value": dict(run.machine.value(run.present)),
            "refusal": run.refusal,
        }

    def fire_due(self, at: datetime, *, wall: datetime) -> int:
        """Fire what is due at a moment, in due order; gives how many fired."""
        fired = 0
        while fired < TIMERS_AT_ONCE and not self.run.ended:
            due = armed_timers(self.run.present)
            if not due or due[0].due_at > at:
                break
            timer = due[0]
            late = max(0, round((wall - timer.due_at).total_seconds() * 1000))
            payload = {"timer": timer.key, "late_ms": late}
            given = Given(payload, f"timer:{timer.key}", digest(payload), "timer", "timer")
            self.take(given, max(timer.due_at, self.call.logical_now))
            fired += 1
        return fired

    def save(self, now: datetime) -> None:
        """Write the rows and give the hint on commit."""
        call, run = self.call, self.run
        call.snapshot = run.snapshot_json
        call.snapshot_sha256 = self.inputs[-1].snapshot_sha256
        call.chain_sha256 = run.chain
        call.head_seq, call.in_seq, call.moved_seq = run.head, run.in_seq, run.moved_seq
        call.updated_at = now
        if run.ended and call.status != ENDED:
            call.status, call.outcome, call.ended_at = ENDED, run.outcome, call.logical_now
        call.save(update_fields=None if call._state.adding else CHANGING)
        CallEvent.objects.bulk_create(
            CallEvent(call=call, **event._asdict()) for event in self.events
        )
        CallInput.objects.bulk_create(self.inputs)
        if self.timers_touched or run.ended:
            self._write_timers()
            self.timers_touched = False
        announce(CALL, str(call.id), call.head_seq, call.epoch)

    def _write_timers(self) -> None:
        armed = [] if self.run.ended else armed_timers(self.run.present)
        wanted = {timer.key: timer.due_at for timer in armed}
        there, self.armed = self.armed, wanted
        gone = [key for key, due_at in there.items() if wanted.get(key) != due_at]
        if gone:
            self.call.timers.filter(key__in=gone).delete()
        CallTimer.objects.bulk_create(
            CallTimer(call=self.call, key=key, due_at=due_at)
            for key, due_at in wanted.items()
            if there.get(key) != due_at
        )
