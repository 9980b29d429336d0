"""The cache of the scaled form: Redis, and this process's memory while Redis is away (R-59)."""

from __future__ import annotations

from typing import Any

from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError


class FallbackRedisCache(RedisCache):
    """Sign-in counts its failures here: without Redis it goes on, and still counts."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._near = LocMemCache("fallback", {})

    def add(self, *args: Any, **kwargs: Any) -> bool:
        """As Django says."""
        try:
            return bool(super().add(*args, **kwargs))
        except RedisError:
            return bool(self._near.add(*args, **kwargs))

    def get(self, *args: Any, **kwargs: Any) -> Any:
        """As Django says."""
        try:
            return super().get(*args, **kwargs)
        except RedisError:
            return self._near.get(*args, **kwargs)

    def set(self, *args: Any, **kwargs: Any) -> None:
        """As Django says."""
        try:
            super().set(*args, **kwargs)
        except RedisError:
            self._near.set(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> bool:
        """As Django says."""
        try:
            return bool(super().delete(*args, **kwargs))
        except RedisError:
            return bool(self._near.delete(*args, **kwargs))

    def incr(self, *args: Any, **kwargs: Any) -> int:
        """As Django says."""
        try:
            return int(super().incr(*args, **kwargs))
        except RedisError:
            return int(self._near.incr(*args, **kwargs))
