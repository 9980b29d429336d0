"""Says "look" after a commit.

A hint carries no event, so a lost, late, doubled or forged one harms nobody.

With `settings.REDIS_URL` the hint is one PUBLISH on a pooled synchronous connection (50 ms at
most); without it, it is handed over to the hub of this process. reliability.md 3.2 step 7, R-65.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from functools import lru_cache, partial

import redis
from django.conf import settings
from django.db import transaction

from designer.realtime.topics import Topic

Listener = Callable[[Topic], None]
_TIMEOUT = 0.05


class HintCounters:
    """How many hints were given and how many failed, since the process started."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.given = 0
        self.failed = 0

    def count(self, *, failed: bool) -> None:
        """Count one hint."""
        with self._lock:
            self.given += 1
            self.failed += failed


counters = HintCounters()
_listeners: list[Listener] = []


def listen(listener: Listener) -> Callable[[], None]:
    """Hand every hint given in this process to `listener` (from any thread); gives the undo."""
    _listeners.append(listener)
    return partial(_listeners.remove, listener)


@lru_cache(maxsize=4)
def _client(url: str) -> redis.Redis:
    return redis.Redis.from_url(
        url,
        socket_timeout=_TIMEOUT,
        socket_connect_timeout=_TIMEOUT,
        retry=None,
        health_check_interval=0,
    )


def hint(topic: Topic, head: int, epoch: int = 1) -> None:
    """Say that a stream has grown to `head`. Never raises for a broker that is away."""
    for listener in tuple(_listeners):
        listener(topic)
    url = getattr(settings, "REDIS_URL", "")
    if not url:
        counters.count(failed=False)
        return
    try:
        _client(url).publish(topic.channel, json.dumps({"epoch": epoch, "last": head}))
    except redis.RedisError:
        counters.count(failed=True)
    else:
        counters.count(failed=False)


def announce(kind: str, id: str, head: int, epoch: int = 1) -> None:
    """Give the hint once the transaction in progress has committed (at once without one)."""
    topic = Topic(kind, str(id))
    transaction.on_commit(partial(hint, topic, head, epoch), robust=True)
