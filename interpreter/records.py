"""What a step leaves behind: Call events as values (machine.md section 9)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
LATEST = int((datetime(9998, 1, 1, tzinfo=UTC) - _EPOCH) / _MILLISECOND)


def to_milliseconds(at: datetime) -> int:
    """Whole milliseconds since 1970; a naive time is read as UTC."""
    if at.tzinfo is None:
        at = at.replace(tzinfo=UTC)
    return max(0, min((at - _EPOCH) // _MILLISECOND, LATEST))


def from_milliseconds(at: int) -> datetime:
    """The moment, in UTC."""
    return _EPOCH + at * _MILLISECOND


def rfc3339(at: int) -> str:
    """`2026-11-30T10:00:00.000Z` of milliseconds since 1970."""
    moment = from_milliseconds(at)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{at % 1000:03d}Z"


def parse_moment(text: str) -> datetime:
    """RFC 3339 text as a moment; raises ValueError."""
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


class Record(msgspec.Struct, frozen=True, gc=False):
    """A Call event before the host numbers it: `type`, `data`, and when (`at_ms`, UTC)."""

    type: str
    data: dict[str, Any]
    at_ms: int

    @property
    def at(self) -> str:
        """When, in RFC 3339."""
        return rfc3339(self.at_ms)

    def to_json(self) -> dict[str, Any]:
        """`{"type", "data", "at"}`."""
        return {"type": self.type, "data": self.data, "at": self.at}
