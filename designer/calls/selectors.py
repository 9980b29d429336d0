"""Reads of Calls, for doors: values of sensitive slots are masked here, for everyone."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import Count, Q

from designer.accounts.actors import Actor
from designer.calls.event_store import events_after, veil_of
from designer.calls.masking import MASK, Veil, mask
from designer.calls.models import ENDED, RUNNING, Call
from designer.calls.replay import Verdict, replay
from designer.calls.writing import open_call
from designer.core.clock import rfc3339, rfc3339_or_none
from designer.core.errors import Refusal, not_found
from designer.core.ids import parse_id
from designer.versions.selectors import machines_of
from interpreter import Machine, Snapshot

_HEAVY = ("version__document", "version__layout", "version__problems", "version__squad")


def _calls(actor: Actor) -> Any:
    return Call.objects.filter(workspace_id=actor.workspace).select_related("agent", "version")


def call_of(actor: Actor, call_id: UUID) -> Call:
    """Give a Call of the actor's workspace. Raises 404 for an absent or a foreign one."""
    call: Call | None = _calls(actor).filter(id=call_id).first()
    if call is None:
        raise not_found("call", call_id)
    return call


def workspace_of_call(call_id: UUID) -> UUID | None:
    """Give the id of the workspace a Call belongs to, or None when there is no such Call."""
    return Call.objects.filter(id=call_id).values_list("workspace_id", flat=True).first()


def list_calls(
    actor: Actor,
    *,
    limit: int,
    cursor: str | None = None,
    agent: UUID | None = None,
    status: str | None = None,
) -> tuple[list[dict[str, Any]], str | None]:
    """Give a page of Calls, the newest first, and the cursor of the next page (None at the end).

    Where each stands comes from its snapshot: no query a Call. Raises Refusal 400
    `cursor.invalid`, `query.invalid`.
    """
    if status not in (None, RUNNING, ENDED):
        raise Refusal("query.invalid", f"status is {RUNNING} or {ENDED}.", status=400)
    rows = _calls(actor).defer(*_HEAVY).order_by("-started_at", "-id")
    if agent is not None:
        rows = rows.filter(agent_id=agent)
    if status is not None:
        rows = rows.filter(status=status)
    if cursor is not None:
        after = parse_id(cursor)
        mine = Call.objects.filter(workspace_id=actor.workspace)
        last = mine.filter(id=after).first() if after else None
        if last is None:
            raise Refusal("cursor.invalid", "There is no such page.", status=400)
        rows = rows.filter(
            Q(started_at__lt=last.started_at) | Q(started_at=last.started_at, id__lt=last.id)
        )
    page = list(rows[: limit + 1])
    more = str(page[limit - 1].id) if len(page) > limit else None
    machines = machines_of({call.version_id for call in page})
    return [_listed(call, machines[call.version_id]) for call in page[:limit]], more


def _listed(call: Call, machine: Machine) -> dict[str, Any]:
    snapshot = Snapshot.from_json(call.snapshot, machine)
    return summary_json(call) | {
        "value": dict(machine.value(snapshot)),
        "active": list(machine.active(snapshot)),
        "counters": _counters(call),
    }


def summary_json(call: Call) -> dict[str, Any]:
    """Give what a list shows of a Call, but for where it stands."""
    return {
        "id": str(call.id),
        "agent": {
            "id": str(call.agent_id),
            "key": call.agent.key,
            "name": call.agent.name,
        },
        "version": call.version.number,
        "digest": call.version.digest,
        "status": call.status,
        "outcome": call.outcome,
        "epoch": call.epoch,
        "head_seq": call.head_seq,
        "started_at": rfc3339(call.started_at),
        "ended_at": rfc3339_or_none(call.ended_at),
    }


def call_json(call: Call) -> dict[str, Any]:
    """Give a Call as it stands, with what is allowed now (contracts.md section 6)."""
    run = open_call(call)
    snapshot, machine = run.present, run.machine
    document = call.version.document
    return {
        **summary_json(call),
        "value": dict(machine.value(snapshot)),
        "active": list(run.active),
        "slots": _slots(call, document.get("slots", [])),
        "counters": _counters(call),
        "limits": document.get("machine", {}).get("limits", {}),
        "allowed": mask(dict(machine.allowed(snapshot)), _veil(call)),
    }


def _veil(call: Call) -> Veil:
    return veil_of(call.id, call.version_id, upto=call.head_seq)


def _slots(call: Call, specs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    values = call.snapshot.get("slots", {})
    shown = []
    for spec in specs:
        value = values.get(spec["key"])
        hidden = bool(spec.get("sensitive")) and value is not None
        shown.append(
            {
                "key": spec["key"],
                "type": spec["type"],
                "label": spec.get("label"),
                "value": MASK if hidden else value,
                "sensitive": bool(spec.get("sensitive")),
                "masked": hidden,
            }
        )
    return shown


def _counters(call: Call) -> dict[str, Any]:
    snapshot = call.snapshot
    elapsed = (call.logical_now - call.started_at).total_seconds()
    return {
        "turns": snapshot.get("turns", 0),
        "transitions": snapshot.get("transitions", 0),
        "refusals": snapshot.get("refusals", 0),
        "elapsed": elapsed,
        "visits": snapshot.get("visits", {}),
    }


def snapshot_json(call: Call) -> dict[str, Any]:
    """Give the engine's snapshot for support, sensitive values masked, with its digests."""
    return {
        "epoch": call.epoch,
        "seq": call.head_seq,
        "status": call.status,
        "snapshot": mask(call.snapshot, _veil(call)),
        "snapshot_sha256": call.snapshot_sha256,
        "chain_sha256": call.chain_sha256,
    }


def watched_call(call_id: UUID) -> dict[str, Any]:
    """Give a Call as a socket's reset shows it."""
    return call_json(Call.objects.select_related("agent", "version").get(id=call_id))


def events_json(call: Call, *, after: int, limit: int) -> dict[str, Any]:
    """Give a page of Call events: `{events, head, epoch}`."""
    events = events_after(call.id, after, limit)
    veil = _veil(call)
    return {
        "events": [event.to_json(veil) for event in events],
        "head": call.head_seq,
        "epoch": call.epoch,
    }


def verify(call: Call) -> Verdict:
    """Replay a Call and compare."""
    return replay(call)


def live_calls(agent_ids: list[UUID]) -> dict[UUID, int]:
    """Give how many Calls of each Agent are running."""
    rows = Call.objects.filter(agent_id__in=agent_ids).exclude(status=ENDED)
    return dict(rows.values_list("agent_id").annotate(running=Count("id")))
