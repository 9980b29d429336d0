"""HTTP between uvicorn and Django: bodies are bounded before they are kept, and requests of the
API run on threads that stay.

Django's own ASGI handler takes a new thread, and with it a new database connection, for every
request, and changes threads for every middleware: two thirds of the time of a small request. What
must wait without a thread (a dry run) and pages go Django's way.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.core.handlers.asgi import ASGIHandler, ASGIRequest
from django.core.handlers.base import BaseHandler
from django.db import connections
from django.http import HttpResponseBadRequest, HttpResponseBase
from servestatic.middleware import ServeStaticMiddleware

from designer.core.answers import plain
from designer.core.errors import Refusal

LARGEST_BODY = 2 * 1024 * 1024 + 64 * 1024  # parsers judge more closely
BODY_SECONDS = 20.0
MOST_DROPPED = 32 * 1024 * 1024  # bytes of a refused body that are read to the end
DROP_SECONDS = 5.0
THREADS = 16
Scope = dict[str, Any]
Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


class StaticFiles(ServeStaticMiddleware):
    """Files for pages. The API's requests pass it by: in a chain without async it is not there."""

    sync_capable = True

    def __new__(cls, get_response: Any, *args: Any) -> Any:
        """Itself before an async handler; else the handler as it is."""
        if not asyncio.iscoroutinefunction(get_response):
            return get_response
        return super().__new__(cls)


class _TooLargeError(Exception):
    """More came than is taken."""


async def _read(scope: Scope, receive: Receive) -> bytes | None:
    """The whole body; None when the client went away, TimeoutError when it takes too long."""
    declared = dict(scope["headers"]).get(b"content-length", b"")
    if declared.isdigit() and (len(declared) > 15 or int(declared) > LARGEST_BODY):
        raise _TooLargeError
    parts: list[bytes] = []
    size = 0
    async with asyncio.timeout(BODY_SECONDS):
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return None
            part = message.get("body", b"")
            size += len(part)
            if size > LARGEST_BODY:
                raise _TooLargeError
            parts.append(part)
            if not message.get("more_body", False):
                return b"".join(parts)


async def _drop_the_rest(receive: Receive) -> None:
    """Read what is still being sent, and keep none of it.

    A client that is cut off while it sends sees a broken pipe and never reads why. Bounded in
    bytes and seconds: beyond that it is cut off all the same.
    """
    left = MOST_DROPPED
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(DROP_SECONDS):
            while left > 0:
                message = await receive()
                left -= len(message.get("body", b""))
                if message["type"] == "http.disconnect" or not message.get("more_body", False):
                    return


def _given(body: bytes, receive: Receive) -> Receive:
    """A `receive` that gives the body at once, then what the server says."""
    messages = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return messages.pop() if messages else await receive()

    return again


class Http(ASGIHandler):
    """The HTTP half of the application."""

    def __init__(self) -> None:
        super().__init__()
        self._direct = BaseHandler()
        self._direct.load_middleware()
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="api")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        try:
            body = await _read(scope, receive)
        except _TooLargeError:
            message = f"The body may have at most {LARGEST_BODY} bytes."
            await _drop_the_rest(receive)
            await self._refuse(Refusal("body.too_large", message, status=413), send)
            return
        except TimeoutError:
            message = f"The request did not come within {BODY_SECONDS:.0f} s."
            await self._refuse(Refusal("request.timeout", message, status=408), send)
            return
        if body is None:
            return
        receive = _given(body, receive)
        if _is_quick(scope["path"]):
            await self._answer(scope, receive, send)
        else:
            await super().__call__(scope, receive, send)

    async def _refuse(self, refusal: Refusal, send: Send) -> None:
        answer = plain(refusal)
        answer["Connection"] = "close"
        with contextlib.suppress(OSError):
            await self.send_response(answer, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = await self.read_body(receive)
        request, error = self.create_request(scope, body)
        if request is None:
            await self.send_response(error or HttpResponseBadRequest(), send)
            return
        loop = asyncio.get_running_loop()
        response = await loop.run_in_executor(self._threads, self._respond, request)
        await self.send_response(response, send)

    def _respond(self, request: ASGIRequest) -> HttpResponseBase:
        """On a thread that stays, and keeps its database connection."""
        for connection in connections.all(initialized_only=True):
            connection.health_check_done = False  # type: ignore[attr-defined]
            if connection.errors_occurred:
                connection.close()
        response = self._direct.get_response(request)
        for closer in response._resource_closers:  # type: ignore[attr-defined]
            closer()
        return response


def _is_quick(path: str) -> bool:
    return (path.startswith("/v1/") and not path.endswith("/dry-run")) or path == "/healthz"
