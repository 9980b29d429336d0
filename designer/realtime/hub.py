"""One shared feed per stream and process: read once, encode once, offered to every watcher.

Hints only say "look"; what is shown is always read from the rows. A healer asks for all heads
once a second (0.25 s embedded), so a hint that was lost loses nothing. reliability.md 3.4.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from django.conf import settings
from django.db import Error as DatabaseError

from designer.realtime.announce import listen
from designer.realtime.frames import encode_events
from designer.realtime.reading import read_in_thread
from designer.realtime.topics import Topic
from designer.realtime.wakeups import Wakeups, wakeups_for

log = logging.getLogger(__name__)
PAGE = 500
FRAME_ITEMS = 64
MAILBOX_BYTES = 1 << 20
PAUSE = 0.2


class Item(NamedTuple):
    """One row of a stream: its number and its JSON text, as every watcher gets it."""

    seq: int
    text: str


class Head(NamedTuple):
    """Where a stream stands: its epoch, its newest number, and what retention took."""

    epoch: int
    seq: int
    pruned_before: int = 0


class Source(Protocol):
    """The rows behind all streams (synchronous; the hub calls it on reader threads)."""

    def read(self, topic: Topic, after: int, limit: int) -> Sequence[Item]:
        """Give the items after a number, in order."""

    def heads(self, topics: Iterable[Topic]) -> Mapping[Topic, Head]:
        """Give where streams stand; one that does not exist is left out."""

    def snapshot(self, topic: Topic) -> tuple[Head, dict[str, object]]:
        """Give the stream's present state and where it stands."""


class Frame(NamedTuple):
    """A text that continues the stream from `before` to `last`."""

    before: int
    last: int
    text: str


def frames_of(items: Sequence[Item], before: int) -> list[Frame]:
    """Cut items into `events` frames of at most FRAME_ITEMS."""
    frames = []
    for start in range(0, len(items), FRAME_ITEMS):
        part = items[start : start + FRAME_ITEMS]
        text = encode_events([item.text for item in part])
        frames.append(Frame(before, part[-1].seq, text))
        before = part[-1].seq
    return frames


class Mailbox:
    """Frames that wait for one watcher, at most 1 MiB; beyond that it reads the rows itself."""

    def __init__(self) -> None:
        self._frames: list[Frame] = []
        self._size = 0
        self._lagging = False
        self._ready = asyncio.Event()

    def put(self, frame: Frame) -> None:
        """Offer a frame; never waits."""
        if self._lagging:
            return
        self._size += len(frame.text)
        if self._size > MAILBOX_BYTES:
            self._frames.clear()
            self._lagging = True
        else:
            self._frames.append(frame)
        self._ready.set()

    def lag(self) -> None:
        """Make the watcher read the rows."""
        self._lagging = True
        self._ready.set()

    async def take(self, seconds: float) -> tuple[list[Frame], bool]:
        """Wait for frames; gives them and whether the rows must be read instead."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):  # not wait_for: before 3.12 it can eat a cancel
                await self._ready.wait()
        self._ready.clear()
        frames, self._frames, self._size = self._frames, [], 0
        lagging, self._lagging = self._lagging, False
        return frames, lagging


@dataclass(eq=False)
class Feed:
    """The cursor of one stream in this process, and who watches it."""

    topic: Topic
    cursor: int
    epoch: int
    watchers: set[Mailbox] = field(default_factory=set)
    dirty: asyncio.Event = field(default_factory=asyncio.Event)
    task: asyncio.Task[None] | None = None
    reads: int = 0


class Hub:
    """All feeds of one event loop."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self._feeds: dict[Topic, Feed] = {}
        self._lock = asyncio.Lock()
        self._loop = asyncio.get_running_loop()
        self._tasks: list[asyncio.Task[None]] = []
        self._wakeups: Wakeups = wakeups_for(self._mark, self._mark_all)
        self._unlisten: Callable[[], None] = lambda: None

    async def join(self, topic: Topic, mailbox: Mailbox) -> Feed | None:
        """Begin to offer a stream's frames to a mailbox; None when the stream does not exist."""
        async with self._lock:
            self._start()
            feed = self._feeds.get(topic)
            if feed is None:
                await self._wakeups.follow(topic)
                head = (await read_in_thread(self.source.heads, [topic])).get(topic)
                if head is None:
                    await self._wakeups.forget(topic)
                    return None
                feed = Feed(topic, head.seq, head.epoch)
                self._feeds[topic] = feed
                feed.task = asyncio.create_task(self._pump(feed))
                feed.dirty.set()
            feed.watchers.add(mailbox)
            return feed

    async def leave(self, topic: Topic, mailbox: Mailbox) -> None:
        """Stop offering; the last watcher takes the feed along, the last feed the hub's tasks."""
        async with self._lock:
            feed = self._feeds.get(topic)
            if feed is None:
                return
            feed.watchers.discard(mailbox)
            if not feed.watchers:
                if feed.task:
                    feed.task.cancel()
                del self._feeds[topic]
                await self._wakeups.forget(topic)
            if not self._feeds:
                await self._stop()

    def _start(self) -> None:
        if self._tasks:
            return
        self._unlisten = listen(self._heard)
        self._tasks = [
            asyncio.create_task(self._heal()),
            asyncio.create_task(self._wakeups.run()),
        ]

    async def _stop(self) -> None:
        self._unlisten()
        tasks, self._tasks = self._tasks, []
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._wakeups.close()

    def _heard(self, topic: Topic) -> None:
        """Take a hint given by any thread of this process."""
        if topic in self._feeds:
            with suppress(RuntimeError):  # the loop has just closed
                self._loop.call_soon_threadsafe(self._mark, topic)

    def _mark(self, topic: Topic) -> None:
        feed = self._feeds.get(topic)
        if feed:
            feed.dirty.set()

    def _mark_all(self) -> None:
        for feed in self._feeds.values():
            feed.dirty.set()

    async def _heal(self) -> None:
        while True:
            await asyncio.sleep(settings.STREAM_HEAL_SECONDS)
            await _tolerant(self._compare_heads)

    async def _compare_heads(self) -> None:
        heads = await read_in_thread(self.source.heads, list(self._feeds))
        for topic, head in heads.items():
            feed = self._feeds.get(topic)
            if feed is None:
                continue
            if head.epoch != feed.epoch:
                feed.epoch, feed.cursor = head.epoch, head.seq
                for mailbox in feed.watchers:
                    mailbox.lag()
            elif head.seq > feed.cursor:
                feed.dirty.set()

    async def _pump(self, feed: Feed) -> None:
        while True:
            await feed.dirty.wait()
            feed.dirty.clear()
            if not await _tolerant(lambda: self._advance(feed)):
                await asyncio.sleep(PAUSE)
                feed.dirty.set()

    async def _advance(self, feed: Feed) -> None:
        while True:
            feed.reads += 1
            items = await read_in_thread(self.source.read, feed.topic, feed.cursor, PAGE)
            if not items:
                return
            for frame in frames_of(items, feed.cursor):
                for mailbox in feed.watchers:
                    mailbox.put(frame)
            feed.cursor = items[-1].seq
            if len(items) < PAGE:
                return


async def _tolerant(work: Callable[[], Awaitable[None]]) -> bool:
    """Run a read that may fail because the database is away; gives whether it succeeded."""
    try:
        await work()
    except DatabaseError as fault:
        log.warning("stream read failed: %s", fault.__class__.__name__)
        return False
    return True
