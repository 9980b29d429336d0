"""The Call's events as rows: every reader (socket, REST, replay) reads through here, in order."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple
from uuid import UUID

from designer.calls.masking import Veil, mask, named_values, veil_of_document
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

    def to_json(self, veil: Veil) -> dict[str, Any]:
        """Give the event as people and sockets get it: sensitive values masked."""
        return {
            "seq": self.seq,
            "at": rfc3339(self.at),
            "type": self.type,
            "data": mask(self.data, veil),
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


@lru_cache(maxsize=512)
def veil_of_version(version_id: UUID) -> Veil:
    """Give what Calls on a version hide; versions never change, so it is read once."""
    return veil_of_document(Version.objects.values_list("document", flat=True).get(id=version_id))


def veil_of(call_id: UUID, version_id: UUID | None = None, *, upto: int) -> Veil:
    """Give what a Call hides: its version's slots, and the values they had up to event `upto`.

    `upto` is an event that is committed: what is found is kept per process.
    """
    if version_id is None:
        version_id = Call.objects.values_list("version_id", flat=True).get(id=call_id)
    veil = veil_of_version(version_id)
    return _values.join(veil, call_id, upto) if veil.slots else veil


class _Values:
    """The values that the sensitive slots of Calls have had, each event looked at once."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._lock = threading.Lock()
        self._kept: dict[UUID, tuple[int, Veil]] = {}

    def join(self, veil: Veil, call_id: UUID, upto: int) -> Veil:
        with self._lock:
            seen, known = self._kept.pop(call_id, (0, veil))
        if seen == 0:
            slots = Call.objects.values_list("snapshot__slots", flat=True).get(id=call_id) or {}
            known = known.with_values(slots.get(key) for key in sorted(veil.slots))
        if upto > seen:
            rows = CallEvent.objects.filter(call_id=call_id, seq__gt=seen, seq__lte=upto)
            changes = rows.filter(type="slot.set").values_list("data", flat=True)
            known = known.with_values(
                value for data in changes for value in named_values(data, veil.slots)
            )
        with self._lock:
            self._kept[call_id] = (max(seen, upto), known)
            while len(self._kept) > self._size:
                self._kept.pop(next(iter(self._kept)))
        return known


_values = _Values(1_000)
