"""Token buckets: how often something may be done. reliability.md 3.9, R-58, R-59.

With Redis a bucket is shared by all processes; when Redis is away, and without it, each process
counts for itself: a limit never fails a request, and is never simply gone.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from functools import lru_cache

import redis
from django.conf import settings

_KEPT = 10_000
_TIMEOUT = 0.05
_SCRIPT = """
local rate, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
local clock = redis.call('TIME')
local now = clock[1] + clock[2] / 1000000
local kept = redis.call('HMGET', KEYS[1], 'n', 't')
local left = math.min(burst, (tonumber(kept[1]) or burst)
                             + math.max(0, now - (tonumber(kept[2]) or now)) * rate)
local wait = 0
if left >= 1 then left = left - 1 else wait = (1 - left) / rate end
redis.call('HSET', KEYS[1], 'n', tostring(left), 't', string.format('%.6f', now))
redis.call('PEXPIRE', KEYS[1], math.ceil(burst / rate * 1000) + 1000)
return tostring(wait)
"""


@dataclass(frozen=True)
class Rate:
    """So many a second, and so many at once after a rest."""

    second: float
    burst: float


def parse_rate(text: str) -> Rate | None:
    """Read `50/100` (50 a second, 100 at once); None for `off`. Raises ValueError."""
    if text.strip().lower() == "off":
        return None
    second, _, burst = text.partition("/")
    rate = Rate(float(second), float(burst or second))
    if not (0 < rate.second < 1e9 and 1 <= rate.burst < 1e9):
        raise ValueError(f"{text!r} is no rate; 50/100 is 50 a second and 100 at once.")
    return rate


class _Near:
    """The buckets of this process; the longest unused is dropped first."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: dict[str, tuple[float, float]] = {}

    def take(self, key: str, rate: Rate, instant: float) -> float:
        with self._lock:
            left, then = self._kept.pop(key, (rate.burst, instant))
            left = min(rate.burst, left + max(0.0, instant - then) * rate.second)
            wait = 0.0 if left >= 1 else (1 - left) / rate.second
            self._kept[key] = (left if wait else left - 1, instant)
            if len(self._kept) > _KEPT:
                self._kept.pop(next(iter(self._kept)))
        return wait

    def clear(self) -> None:
        with self._lock:
            self._kept.clear()


_near = _Near()


@lru_cache(maxsize=4)
def _far(url: str) -> tuple[redis.Redis, redis.commands.core.Script]:
    client = redis.Redis.from_url(
        url, socket_timeout=_TIMEOUT, socket_connect_timeout=_TIMEOUT, retry=None
    )
    return client, client.register_script(_SCRIPT)


def take(name: str, ident: str, rate: Rate | None) -> float:
    """Take one token from bucket `name` of `ident`; gives 0.0, or how many seconds to wait."""
    if rate is None:
        return 0.0
    key = f"bucket:{name}:{ident}"
    if settings.REDIS_URL:
        try:
            _, script = _far(settings.REDIS_URL)
            return float(script(keys=[key], args=[rate.second, rate.burst]))
        except redis.RedisError:
            pass
    return _near.take(key, rate, time.monotonic())


def forget() -> None:
    """Fill every bucket of this process (for tests)."""
    _near.clear()
