"""Where "look" comes from: Redis hints between processes, or SQLite's own change counter.

Both are hurry, not truth: with neither, the hub's healer still shows everything.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from typing import Any, Protocol

import redis.asyncio
from django.conf import settings
from redis.exceptions import RedisError

from designer.realtime.topics import Topic, topic_of

log = logging.getLogger(__name__)
PUMP_SECONDS = 0.03
_PAUSE = 0.2


class Wakeups(Protocol):
    """A source of hints from other processes."""

    async def follow(self, topic: Topic) -> None:
        """Hear of this stream from now on."""

    async def forget(self, topic: Topic) -> None:
        """Stop hearing of it."""

    async def run(self) -> None:
        """Deliver hints until cancelled."""

    async def close(self) -> None:
        """Give connections back."""


class RedisWakeups:
    """One subscription connection per process; subscribes again after Redis was away."""

    def __init__(
        self, url: str, mark: Callable[[Topic], None], mark_all: Callable[[], None]
    ) -> None:
        self._url, self._mark, self._mark_all = url, mark, mark_all
        self._topics: set[Topic] = set()
        self._client: redis.asyncio.Redis | None = None
        self._pubsub: Any = None
        self._changed = asyncio.Event()

    async def follow(self, topic: Topic) -> None:
        """Subscribe; when Redis is away the healer covers until it is back."""
        self._topics.add(topic)
        self._changed.set()
        if self._pubsub is not None:
            with suppress(RedisError, OSError):
                await self._pubsub.subscribe(topic.channel)

    async def forget(self, topic: Topic) -> None:
        """Unsubscribe."""
        self._topics.discard(topic)
        if self._pubsub is not None:
            with suppress(RedisError, OSError):
                await self._pubsub.unsubscribe(topic.channel)

    async def run(self) -> None:
        """Listen; after any fault, connect and subscribe again, then look at everything."""
        while True:
            try:
                await self._listen()
            except (RedisError, OSError) as fault:
                log.warning("hints from Redis paused: %s", fault.__class__.__name__)
                await self.close()
                await asyncio.sleep(_PAUSE)

    async def _listen(self) -> None:
        while not self._topics:
            self._changed.clear()
            await self._changed.wait()
        # An idle subscription is normal: no read timeout (stack.md trap 1), pings instead.
        self._client = redis.asyncio.Redis.from_url(
            self._url, socket_timeout=None, health_check_interval=5
        )
        pubsub = self._client.pubsub()
        await pubsub.subscribe(*(topic.channel for topic in self._topics))
        self._pubsub = pubsub
        # Again, for topics followed while the connection was being made.
        await pubsub.subscribe(*(topic.channel for topic in self._topics))
        self._mark_all()
        while True:
            message = await pubsub.get_message(ignore_subscribe_messages=True, timeout=5)
            if message is None:
                continue
            topic = topic_of(message["channel"].decode("ascii", "replace"))
            if topic in self._topics and topic is not None:
                self._mark(topic)

    async def close(self) -> None:
        """Close the connection."""
        pubsub, self._pubsub = self._pubsub, None
        client, self._client = self._client, None
        with suppress(RedisError, OSError):
            if pubsub is not None:
                await pubsub.aclose()
            if client is not None:
                await client.aclose()


class SqliteWakeups:
    """`PRAGMA data_version` changes exactly when another connection has committed."""

    def __init__(self, path: str, mark_all: Callable[[], None]) -> None:
        self._path, self._mark_all = path, mark_all

    async def follow(self, topic: Topic) -> None:
        """Nothing to do: every commit is seen."""

    async def forget(self, topic: Topic) -> None:
        """Nothing to do."""

    async def run(self) -> None:
        """Compare the counter every 30 ms; it costs microseconds and takes no lock."""
        with closing(sqlite3.connect(self._path, isolation_level=None)) as connection:
            seen = None
            while True:
                version = connection.execute("PRAGMA data_version").fetchone()[0]
                if version != seen:
                    seen = version
                    self._mark_all()
                await asyncio.sleep(PUMP_SECONDS)

    async def close(self) -> None:
        """Nothing is kept open outside `run`."""


class NoWakeups:
    """Neither Redis nor SQLite: the healer alone."""

    async def follow(self, topic: Topic) -> None:
        """Nothing to do."""

    async def forget(self, topic: Topic) -> None:
        """Nothing to do."""

    async def run(self) -> None:
        """Wait until cancelled."""
        await asyncio.Event().wait()

    async def close(self) -> None:
        """Nothing to close."""


def wakeups_for(mark: Callable[[Topic], None], mark_all: Callable[[], None]) -> Wakeups:
    """Choose by settings: Redis when there is one, else SQLite's counter if that is the store."""
    if settings.REDIS_URL:
        return RedisWakeups(settings.REDIS_URL, mark, mark_all)
    database = settings.DATABASES["default"]
    name = str(database["NAME"])
    if (
        database["ENGINE"].endswith("sqlite3")
        and ":memory:" not in name
        and "mode=memory" not in name
    ):
        return SqliteWakeups(name, mark_all)
    return NoWakeups()
