"""Verbs of Calls: start, handle one input, end, fire what is due. reliability.md 3.2.

One input is one transaction on the Call: lock, idempotency, fence, step, rows, and after the
commit one hint. An answer with 200 may carry a refusal by the machine (a fact in the stream); a
Refusal (4xx, 503) means that nothing was stored.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from designer.accounts.actors import Actor
from designer.accounts.policy import require
from designer.accounts.services import audit
from designer.calls.answers import Answer, fresh_answer, replayed_answer
from designer.calls.locking import locked_call
from designer.calls.models import ENDED, Call
from designer.calls.writing import Given, Writer, begin, open_call
from designer.core.canonical import digest
from designer.core.errors import Fault, Refusal, not_found
from designer.core.ids import new_id
from designer.versions.selectors import version_for_call

KEY_LENGTH = 64
OPEN_CALLS = 1_000


def start_call(
    actor: Actor,
    now: datetime,
    *,
    agent: UUID,
    version: int | None = None,
    slots: Mapping[str, Any] | None = None,
) -> Call:
    """Start a Call on a version (the active one unless numbered); gives the Call.

    Raises Refusal: 404 for an agent or version that is not the workspace's, 422 `slots.invalid`,
    429 `quota.calls`.
    """
    require("calls.drive", actor)
    chosen = version_for_call(actor, agent, version)
    running = Call.objects.filter(workspace_id=actor.workspace).exclude(status=ENDED)
    if running.count() >= OPEN_CALLS:
        raise Refusal(
            "quota.calls",
            f"{OPEN_CALLS} Calls of this workspace are running.",
            status=429,
            headers={"Retry-After": "60"},
        )
    with transaction.atomic():
        return begin(actor, now, call_id=new_id(), version=chosen, slots=dict(slots or {}))


def handle(
    actor: Actor,
    now: datetime,
    *,
    call_id: UUID,
    payload: Mapping[str, Any],
    key: str | None = None,
    based_on_seq: int | None = None,
) -> Answer:
    """Take one input of a Call (contracts.md section 2) and give what came of it.

    With a `key`, the same input again gives the stored answer. Raises Refusal: 404, 409
    `call.ended`, 409 `idempotency.key_reused`, 422 `idempotency.key_invalid`, 503 `call.busy`.
    """
    require("calls.drive", actor)
    _check_key(key)
    body = digest({"payload": dict(payload), "based_on_seq": based_on_seq})
    given = Given(dict(payload), key, body, "api", str(actor.user), based_on_seq)
    with locked_call(call_id) as call:
        if call is None or call.workspace_id != actor.workspace:
            raise not_found("call", call_id)
        stored = replayed_answer(call, given)
        if stored is not None:
            return stored
        if call.status == ENDED:
            raise _ended(call, payload)
        at = max(now, call.logical_now)
        writer = Writer(call, open_call(call))
        writer.fire_due(at, wall=now)
        if writer.run.ended:  # a timer that was due first has ended it
            writer.save(now)
        else:
            writer.take(given, at)
            writer.save(now)
            if "end" in payload:  # a person's (or their script's) act, not the conversation's
                audit(actor, now, "call.ended", "call", call_id, version=str(call.version_id))
            return fresh_answer(call, writer.inputs[-1], writer.events)
    raise _ended(call, payload)


def end_call(
    actor: Actor, now: datetime, *, call_id: UUID, reason: str | None, key: str | None = None
) -> Answer:
    """End a Call from outside. Raises as `handle`."""
    payload: dict[str, Any] = {"end": {"reason": reason} if reason else {}}
    return handle(actor, now, call_id=call_id, payload=payload, key=key)


def _check_key(key: str | None) -> None:
    if key is None:
        return
    if not 0 < len(key) <= KEY_LENGTH or not key.isascii() or not key.isprintable():
        raise Refusal(
            "idempotency.key_invalid",
            f"An Idempotency-Key is 1 to {KEY_LENGTH} printable ASCII characters.",
            errors=[Fault("Idempotency-Key", "Does not fit.")],
        )
    if key.startswith("timer:"):
        raise Refusal(
            "idempotency.key_invalid",
            "Keys that begin with timer: are the Call's own.",
            errors=[Fault("Idempotency-Key", "Is reserved.")],
        )


def _ended(call: Call, payload: Mapping[str, Any]) -> Refusal:
    kind = next(iter(payload), "input")
    named = payload.get("event")
    what = f"The event {named!r}" if named else f"The {kind!r} input"
    return Refusal(
        "call.ended",
        f"{what} was not taken: Call {call.id} has ended with outcome {call.outcome!r}.",
        status=409,
        extra={"call": str(call.id), "outcome": call.outcome},
    )
