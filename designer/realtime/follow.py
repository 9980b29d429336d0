"""The resume protocol, apart from any transport: docs/contracts.md section 7, reliability.md 3.5.

Join first, then read, then live: nothing falls between. A watcher gets each item once and in
order, from the shared frames while they continue where it stands, else from its own read of the
rows.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from django.db import Error as DatabaseError

from designer.realtime.frames import (
    Heartbeat,
    Live,
    Reset,
    ResetReason,
    encode_events,
    encode_frame,
)
from designer.realtime.hub import PAGE, PAUSE, Feed, Head, Hub, Mailbox
from designer.realtime.reading import read_in_thread
from designer.realtime.topics import Topic

HEARTBEAT_SECONDS = 15.0
TOO_FAR = 5_000
PAGE_BYTES = 256 * 1024
_LARGEST = 2**53
Send = Callable[[str], Awaitable[None]]


@dataclass(frozen=True)
class Cursor:
    """Where a client stands: `after` None means "from now on", `epoch` None "the present one"."""

    epoch: int | None
    after: int | None


def parse_watch(message: Any) -> Cursor | None:
    """Read a `watch` message; None when it is not a correct one (R-22)."""
    if not isinstance(message, dict) or not set(message) <= {"op", "epoch", "from"}:
        return None
    epoch, after = message.get("epoch"), message.get("from")
    for value in (epoch, after):
        if value is not None and (type(value) is not int or not 0 <= value < _LARGEST):
            return None
    return Cursor(epoch, after)


def reset_reason(cursor: Cursor, head: Head) -> ResetReason | None:
    """Why a stream cannot be continued from a cursor, or None when it can."""
    if cursor.after is None:
        return None
    if cursor.epoch is not None and cursor.epoch != head.epoch and cursor.after > 0:
        return "epoch"
    if cursor.after > head.seq:
        return "ahead"
    if cursor.after < head.pruned_before:
        return "pruned"
    return "too_far" if head.seq - cursor.after > TOO_FAR else None


class Follower:
    """One watcher of one stream."""

    def __init__(self, hub: Hub, topic: Topic, send: Send) -> None:
        self._hub, self._topic, self._send = hub, topic, send
        self._mailbox = Mailbox()
        self._epoch = 1
        self.last = 0

    async def run(self, cursor: Cursor) -> bool:
        """Follow until cancelled; False at once when the stream does not exist."""
        feed = await self._hub.join(self._topic, self._mailbox)
        if feed is None:
            return False
        try:
            await self._insist(lambda: self._begin(cursor))
            while True:
                await self._insist(lambda: self._turn(feed))
        finally:
            await self._hub.leave(self._topic, self._mailbox)

    async def _insist(self, work: Callable[[], Awaitable[None]]) -> None:
        """Do it; while the database is away wait, and then read on from `last`."""
        while True:
            try:
                await work()
            except DatabaseError:
                self._mailbox.lag()
                await asyncio.sleep(PAUSE)
            else:
                return

    async def _begin(self, cursor: Cursor) -> None:
        heads = await read_in_thread(self._hub.source.heads, [self._topic])
        head = heads.get(self._topic, Head(1, 0))
        self._epoch = head.epoch
        reason = reset_reason(cursor, head)
        if reason:
            await self._reset(reason)
        else:
            self.last = head.seq if cursor.after is None else cursor.after
            await self._catch_up()
        await self._send(encode_frame(Live(self._epoch, self.last)))

    async def _reset(self, reason: ResetReason) -> None:
        head, snapshot = await read_in_thread(self._hub.source.snapshot, self._topic)
        self._epoch, self.last = head.epoch, head.seq
        await self._send(encode_frame(Reset(head.epoch, head.seq, snapshot, reason)))

    async def _catch_up(self) -> None:
        while True:
            items = await read_in_thread(self._hub.source.read, self._topic, self.last, PAGE)
            page: list[str] = []
            size = 0
            for item in items:
                page.append(item.text)
                size += len(item.text)
                self.last = item.seq
                if size >= PAGE_BYTES:
                    await self._send(encode_events(page))
                    page, size = [], 0
            if page:
                await self._send(encode_events(page))
            if len(items) < PAGE:
                return

    async def _turn(self, feed: Feed) -> None:
        frames, lagging = await self._mailbox.take(HEARTBEAT_SECONDS)
        if feed.epoch != self._epoch:
            await self._reset("epoch")
            return
        if not frames and not lagging:
            await self._send(encode_frame(Heartbeat(max(feed.cursor, self.last))))
            return
        for frame in frames:
            if frame.last <= self.last:
                continue
            if frame.before != self.last:
                lagging = True
                break
            self.last = frame.last
            await self._send(frame.text)
        if lagging:
            await self._catch_up()
