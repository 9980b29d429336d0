"""The socket all streams share. docs/contracts.md section 7; limits: R-15 to R-22."""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from contextlib import suppress
from typing import Any
from uuid import UUID
from weakref import WeakKeyDictionary

from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.db import Error as DatabaseError

from designer.consumers.door import Verdict, credentials_of, headers_of, judge, origin_allowed
from designer.consumers.streams import Streams
from designer.core.ids import parse_id
from designer.realtime.follow import Cursor, Follower, parse_watch
from designer.realtime.frames import CLOSE_CODES, SUBPROTOCOL
from designer.realtime.hub import Hub
from designer.realtime.reading import read_in_thread
from designer.realtime.topics import Topic

WATCH_WITHIN = 5.0
SEND_WITHIN = 30.0
ASK_AGAIN = 4.0
LARGEST_MESSAGE = 64 * 1024
MESSAGES_A_SECOND = 20
UNKNOWN_OPS = 3

_hubs: WeakKeyDictionary[asyncio.AbstractEventLoop, Hub] = WeakKeyDictionary()
_open: Counter[UUID] = Counter()


def hub() -> Hub:
    """Give the one hub of the running loop."""
    loop = asyncio.get_running_loop()
    if loop not in _hubs:
        _hubs[loop] = Hub(Streams())
    return _hubs[loop]


class StreamSocket(AsyncWebsocketConsumer):
    """Lets one client follow one stream. The subclass says the stream's kind."""

    kind: str
    channel_layer_alias = "none"  # hints come by the hub; a layer would add a connection a socket

    async def connect(self) -> None:
        """Accept a known person from our own page; refuse the handshake otherwise."""
        self._user: UUID | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._following: asyncio.Task[None] | None = None
        self._closing = False
        self._unknown = 0
        self._bucket = (float(MESSAGES_A_SECOND), time.monotonic())
        headers = headers_of(self.scope)
        if not origin_allowed(headers):
            await self.close()  # before accept: HTTP 403
            return
        self._credentials = credentials_of(headers)
        offered = self.scope.get("subprotocols") or ()
        await self.accept(SUBPROTOCOL if SUBPROTOCOL in offered else None)
        key = parse_id(self.scope["url_route"]["kwargs"]["id"])
        if key is None:
            await self._shut(CLOSE_CODES["not_found"])
            return
        self._topic = Topic(self.kind, str(key))
        if await self._admit(await self._ask()):
            self._later(self._expect_watch())
            self._later(self._keep_asking())

    async def _ask(self) -> Verdict:
        return await read_in_thread(judge, self._credentials, self._topic)

    async def _admit(self, verdict: Verdict) -> bool:
        if verdict.close is not None or verdict.user is None:
            await self._shut(verdict.close or CLOSE_CODES["unauthenticated"])
            return False
        full = _open[verdict.user] >= settings.SOCKETS_PER_USER
        if full or _open.total() >= settings.SOCKETS_PER_PROCESS:
            await self._shut(CLOSE_CODES["too_many"])
            return False
        self._user, self._name = verdict.user, verdict.name
        _open[self._user] += 1
        return True

    async def disconnect(self, code: int) -> None:
        """Leave the feed and give the place back."""
        self._closing = True
        tasks = [task for task in (*self._tasks, self._following) if task is not None]
        for task in tasks:
            if task is not asyncio.current_task():
                task.cancel()
        if self._user is not None:
            _open[self._user] -= 1
            if not _open[self._user]:
                del _open[self._user]
            self._user = None

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Take a client's message: `watch`, and what the subclass knows beside it."""
        if self._closing or self._user is None:
            return
        if bytes_data is not None or text_data is None:
            await self._shut(CLOSE_CODES["bad_watch"])
        elif len(text_data.encode("utf-8", "surrogatepass")) > LARGEST_MESSAGE:
            await self._shut(CLOSE_CODES["too_big"])
        elif not self._within_rate():
            await self._shut(CLOSE_CODES["too_many"])
        else:
            await self._understand(text_data)

    def _within_rate(self) -> bool:
        tokens, then = self._bucket
        instant = time.monotonic()
        tokens = min(MESSAGES_A_SECOND, tokens + (instant - then) * MESSAGES_A_SECOND) - 1
        self._bucket = (tokens, instant)
        return tokens >= 0

    async def _understand(self, text: str) -> None:
        try:
            message = json.loads(text)
        except (ValueError, RecursionError):
            message = None
        if isinstance(message, dict) and message.get("op") == "watch":
            cursor = parse_watch(message)
            if cursor is None:
                await self._shut(CLOSE_CODES["bad_watch"])
            else:
                await self._watch(cursor)
            return
        if isinstance(message, dict) and await self._other(message):
            return
        self._unknown += 1
        if message is None or self._unknown >= UNKNOWN_OPS:
            await self._shut(CLOSE_CODES["bad_watch"])

    async def _other(self, message: dict[str, Any]) -> bool:
        """Take a message that is no `watch`; gives whether it was understood."""
        return False

    async def _watch(self, cursor: Cursor) -> None:
        verdict = await self._ask()
        if verdict.close is not None:
            await self._shut(verdict.close)
            return
        if self._following is not None:
            self._following.cancel()
            with suppress(asyncio.CancelledError):
                await self._following
        if not self._closing:
            self._following = asyncio.create_task(self._follow(cursor))

    async def _follow(self, cursor: Cursor) -> None:
        try:
            if not await Follower(hub(), self._topic, self._give).run(cursor):
                await self._shut(CLOSE_CODES["not_found"])
        except TimeoutError:
            await self._shut(CLOSE_CODES["too_slow"])

    async def _give(self, text: str) -> None:
        async with asyncio.timeout(SEND_WITHIN):
            await self.send(text_data=text)

    async def _expect_watch(self) -> None:
        await asyncio.sleep(WATCH_WITHIN)
        if self._following is None:
            await self._shut(CLOSE_CODES["too_slow"])

    async def _keep_asking(self) -> None:
        while True:
            await asyncio.sleep(ASK_AGAIN)
            try:
                verdict = await self._ask()
            except DatabaseError:
                continue  # the database is away; nobody can be judged, nothing new can be read
            if verdict.close is not None:
                await self._shut(verdict.close)
                return

    async def _shut(self, code: int) -> None:
        if self._closing:
            return
        self._closing = True
        if self._following is not None and self._following is not asyncio.current_task():
            self._following.cancel()
        with suppress(TimeoutError):
            async with asyncio.timeout(1):
                await self.close(code=code)

    def _later(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
