"""The Call's events as rows: every reader (socket, REST, replay) reads through here, in order."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple
from uuid import UUID

from designer.calls.masking import mask, sensitive_slots
from designer.calls.models import Call, CallEvent
from designer.core.clock import rfc3339
from designer.versions.models import Version


class StoredEvent(NamedTuple):
    """One Call event as it is stored (values of sensitive slots included)."""

    seq: int
    in_seq: int
    type: str
    data: dict[str, Any]
    at: datetime

    def to_json(self, sensitive: frozenset[str]) -> dict[str, Any]:
        """Give the event as people and sockets get it: sensitive values masked."""
        return {
            "seq": self.seq,
            "at": rfc3339(self.at),
            "type": self.type,
            "data": mask(self.data, sensitive),
            "in_seq": self.in_seq,
        }


class CallHead(NamedTuple):
    """Where a Call's history stands."""

    epoch: int
    seq: int
    pruned_before: int


def events_after(call_id: UUID, seq: int, limit: int) -> list[StoredEvent]:
    """Give the Call's events after `seq`, in order, at most `limit`: an index range."""
    rows = CallEvent.objects.filter(call_id=call_id, seq__gt=seq).order_by("seq")[:limit]
    return [StoredEvent(*row) for row in rows.values_list("seq", "in_seq", "type", "data", "at")]


def heads(call_ids: Iterable[UUID]) -> dict[UUID, CallHead]:
    """Give where the histories of Calls stand; a Call that does not exist is left out."""
    rows = Call.objects.filter(id__in=list(call_ids))
    return {
        row[0]: CallHead(*row[1:])
        for row in rows.values_list("id", "epoch", "head_seq", "pruned_before_seq")
    }


def sensitive_slots_of(call_id: UUID) -> frozenset[str]:
    """Give the keys of the sensitive slots of the version a Call runs."""
    version = Call.objects.filter(id=call_id).values_list("version_id", flat=True).first()
    return frozenset() if version is None else sensitive_slots_of_version(version)


@lru_cache(maxsize=512)
def sensitive_slots_of_version(version_id: UUID) -> frozenset[str]:
    """Give the keys of a version's sensitive slots; versions never change, so it is read once."""
    return sensitive_slots(Version.objects.values_list("document", flat=True).get(id=version_id))
