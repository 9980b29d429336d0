"""Rate limits: what comes into Calls by workspace, the rest by token or person, else by address.

The rates are settings that the environment may change (`CALLCHART_RATE_*`).
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from rest_framework import exceptions
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from designer.accounts.actors import Actor
from designer.core.buckets import Rate, take


def address_of(request: Any) -> str:
    """The peer's address as the server saw it (behind a trusted proxy: as the proxy says)."""
    return str(request.META.get("REMOTE_ADDR") or "")[:64]


class BucketThrottle(BaseThrottle):
    """One token a request. A view that takes inputs of Calls says `bucket = "inputs"`."""

    def __init__(self) -> None:
        self._wait = 0.0

    def allow_request(self, request: Request, view: Any) -> bool:
        """Whether there is a token left."""
        self._wait = take(*_bucket(request, view))
        return not self._wait

    def wait(self) -> float:
        """Seconds until there is one again."""
        return self._wait


def _bucket(request: Request, view: Any) -> tuple[str, str, Rate | None]:
    if not isinstance(request.auth, Actor):
        return "address", address_of(request), settings.RATES["strangers"]
    if request.method == "POST" and getattr(view, "bucket", "") == "inputs":
        return "inputs", str(request.auth.workspace), settings.RATES["inputs"]
    return "actor", str(request.auth.token or request.auth.user), settings.RATES["actor"]


def count_stranger(request: Any) -> None:
    """Count a request without good credentials. Raises 429 when its address has sent too many.

    Only such requests are refused: who has good credentials at the same address is not.
    """
    wait = take("stranger", address_of(request), settings.RATES["strangers"])
    if wait:
        raise exceptions.Throttled(wait)
