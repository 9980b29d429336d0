"""What a caller is told about an input."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from designer.calls.event_store import StoredEvent, events_after, veil_of
from designer.calls.masking import Veil, mask, named_values
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
    call: Call, given: CallInput, events: list[StoredEvent], veil: Veil, *, replayed: bool
) -> Answer:
    result = given.result
    return Answer(
        epoch=call.epoch,
        first_seq=given.first_seq,
        last_seq=given.last_seq,
        status=result["status"],
        active=result["active"],
        value=result["value"],
        events=[event.to_json(veil) for event in events],
        refusal=result["refusal"] and mask(result["refusal"], veil),
        replayed=replayed,
    )


def fresh_answer(call: Call, given: CallInput, events: list[StoredEvent]) -> Answer:
    """Answer an input that has just been taken."""
    veil = veil_of(call.id, call.version_id, upto=events[0].seq - 1 if events else 0)
    fresh = (value for event in events for value in named_values(event.data, veil.slots))
    mine = [event for event in events if event.in_seq == given.in_seq]
    return _answer(call, given, mine, veil.with_values(fresh), replayed=False)


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
    veil = veil_of(call.id, call.version_id, upto=stored.last_seq)
    count = stored.last_seq - stored.first_seq + 1
    rows = events_after(call.id, stored.first_seq - 1, count)
    return _answer(call, stored, rows, veil, replayed=True)
