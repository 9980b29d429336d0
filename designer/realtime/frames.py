"""Every message a socket carries, as a frozen type.

`frontend/src/transport/frames.ts` is generated from this module by `python -m
designer.realtime.frames_ts`; a test holds the two together. Contract: docs/contracts.md, section
7.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Literal

SUBPROTOCOL = "calls.v1"
ResetReason = Literal["epoch", "pruned", "too_far", "ahead"]


@dataclass(frozen=True)
class CallItem:
    """One Call event: numbered from 1 without gaps; `in_seq` says which input caused it."""

    seq: int
    at: str
    type: str
    data: dict[str, Any]
    in_seq: int


@dataclass(frozen=True)
class JobItem:
    """One step of a job (of a dry run, or a scenario of a suite), or its end."""

    seq: int
    type: Literal["step", "scenario", "done", "failed", "cancelled"]
    data: dict[str, Any]


@dataclass(frozen=True)
class DraftItem:
    """One applied batch of operations; `seq` is the draft's revision after it."""

    seq: int
    type: Literal["edit"]
    data: dict[str, Any]


@dataclass(frozen=True)
class Watch:
    """What a client says first: from which item on it wants the stream (null: from now on)."""

    op: ClassVar[str] = "watch"
    epoch: int | None
    from_: int | None


@dataclass(frozen=True)
class Here:
    """Where a client's person is on a draft: selected rows, the field typed in, the cursor."""

    op: ClassVar[str] = "here"
    selection: list[str]
    field: str | None
    cursor: dict[str, float] | None


@dataclass(frozen=True)
class Person:
    """Somebody else at the same draft; a person with two windows is there twice."""

    session: str
    user: dict[str, str]
    selection: list[str]
    field: str | None
    cursor: dict[str, float] | None


@dataclass(frozen=True)
class Presence:
    """Everybody else at a draft, whenever that changes; never stored, never replayed."""

    op: ClassVar[str] = "presence"
    people: list[Person]


@dataclass(frozen=True)
class Events:
    """Items in order, up to 64 when live, up to 500 when catching up."""

    op: ClassVar[str] = "events"
    events: list[CallItem | JobItem | DraftItem]


@dataclass(frozen=True)
class Live:
    """The client has everything up to `head`; what follows comes as it is committed."""

    op: ClassVar[str] = "live"
    epoch: int
    head: int


@dataclass(frozen=True)
class Heartbeat:
    """Sent every 15 s, so that a client can see that it is behind."""

    op: ClassVar[str] = "hb"
    head: int


@dataclass(frozen=True)
class Reset:
    """The stream cannot be continued from where the client stands: begin from this snapshot."""

    op: ClassVar[str] = "reset"
    epoch: int
    seq: int
    snapshot: dict[str, Any]
    reason: ResetReason


CLIENT_FRAMES = (Watch, Here)
SERVER_FRAMES = (Events, Live, Heartbeat, Reset, Presence)
ITEMS = (CallItem, JobItem, DraftItem)
PARTS = (Person,)

CLOSE_CODES = {
    "bad_watch": 4400,
    "unauthenticated": 4401,
    "forbidden": 4403,
    "not_found": 4404,
    "too_slow": 4408,
    "too_big": 4413,
    "too_many": 4429,
}


def encode(value: Any) -> str:
    """Give the JSON text of a value as it crosses the wire: compact, UTF-8, no NaN."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def encode_frame(frame: Live | Heartbeat | Reset | Presence) -> str:
    """Give the JSON text of a small frame."""
    return encode({"op": frame.op, **asdict(frame)})


def encode_events(items: Sequence[str]) -> str:
    """Give the JSON text of an `events` frame whose items are JSON texts already."""
    return '{"op":"events","events":[' + ",".join(items) + "]}"
