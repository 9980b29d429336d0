"""What a caller is told about an input."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from designer.calls.event_store import StoredEvent, events_after, sensitive_slots_of_version
from designer.calls.masking import mask
from designer.calls.models import Call, CallInput
from designer.calls.writing import Given
from designer.core.errors import Refusal


@dataclass(frozen=True)
class Answer:
    """The answer of contracts.md section 6: values of sensitive slots are masked already."""

    epoch: int
    first_seq: int
    last_seq: int
    status: str
    active: list[str]
    value: dict[str, Any]
    events: list[dict[str, Any]]
    refusal: dict[str, Any] | None
    replayed: bool

    def to_json(self) -> dict[str, Any]:
        """Give the answer's JSON."""
        return dict(self.__dict__)


def _answer(
    call: Call, given: CallInput, events: list[dict[str, Any]], *, replayed: bool
) -> Answer:
    sensitive = sensitive_slots_of_version(call.version_id)
    result = given.result
    return Answer(
        epoch=call.epoch,
        first_seq=given.first_seq,
        last_seq=given.last_seq,
        status=result["status"],
        active=result["active"],
        value=result["value"],
        events=events,
        refusal=result["refusal"] and mask(result["refusal"], sensitive),
        replayed=replayed,
    )


def fresh_answer(call: Call, given: CallInput, events: list[StoredEvent]) -> Answer:
    """Answer an input that has just been taken."""
    sensitive = sensitive_slots_of_version(call.version_id)
    mine = [event.to_json(sensitive) for event in events if event.in_seq == given.in_seq]
    return _answer(call, given, mine, replayed=False)


def replayed_answer(call: Call, given: Given) -> Answer | None:
    """Answer an input whose key is known with what was answered then; None for a new one.

    Raises Refusal 409 `idempotency.key_reused` when the key came with another body.
    """
    if given.key is None:
        return None
    stored = CallInput.objects.filter(call=call, key=given.key).first()
    if stored is None:
        return None
    if stored.body_sha256 != given.body:
        raise Refusal(
            "idempotency.key_reused",
            f"The Idempotency-Key {given.key} came with another body before.",
            status=409,
        )
    sensitive = sensitive_slots_of_version(call.version_id)
    count = stored.last_seq - stored.first_seq + 1
    rows = events_after(call.id, stored.first_seq - 1, count)
    return _answer(call, stored, [row.to_json(sensitive) for row in rows], replayed=True)
