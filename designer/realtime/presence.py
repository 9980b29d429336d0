"""Who is at a draft, and where: told over the channel layer, never stored.

Each open socket says where its person is and listens to the others of the same draft. A message
that is lost loses nothing: everybody says it again every few seconds, and who is silent for 15 s
is gone. A channel layer that is away makes people invisible for a while, and nothing else.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any

from channels.layers import get_channel_layer
from redis import RedisError

from designer.core.ids import new_id
from designer.realtime.frames import Here, Person, Presence, encode_frame

log = logging.getLogger(__name__)
SILENCE = 15.0
TOLD_EVERY = 0.2
AGAIN = 5.0
MOST_SELECTED, LONGEST = 50, 200
_AWAY = (RedisError, OSError)
Send = Callable[[str], Awaitable[None]]


def parse_here(message: Mapping[str, Any]) -> Here | None:
    """Read a `here` message; None when it is not a correct one."""
    if not set(message) <= {"op", "selection", "field", "cursor"}:
        return None
    selection, field = message.get("selection", []), message.get("field")
    if not isinstance(selection, list) or len(selection) > MOST_SELECTED:
        return None
    texts = [*selection, field if field is not None else ""]
    if not all(isinstance(text, str) and len(text) <= LONGEST for text in texts):
        return None
    cursor = message.get("cursor")
    if cursor is not None and not _is_point(cursor):
        return None
    return Here(selection, field, cursor)


def _is_point(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and set(value) == {"x", "y"}
        and all(
            isinstance(part, int | float) and not isinstance(part, bool) and math.isfinite(part)
            for part in value.values()
        )
    )


class Attendance:
    """One person's place at one draft, and who else is there."""

    def __init__(self, agent: str, user: Mapping[str, str], send: Send) -> None:
        self.session = str(new_id())
        self._group = f"presence.{agent}"
        self._user = dict(user)
        self._send = send
        self._here = Here([], None, None)
        self._others: dict[str, tuple[float, Person]] = {}
        self._said_anew = asyncio.Event()
        self._seen_anew = asyncio.Event()
        self._told: list[Person] = []
        self._layer: Any = get_channel_layer()  # type: ignore[no-untyped-call]

    def say(self, here: Here) -> None:
        """Take where the person is now; it is passed on within 200 ms, the newest only."""
        self._here = here
        self._said_anew.set()

    async def run(self) -> None:
        """Take part until cancelled, then tell the others that one is gone."""
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._insist(self._listen))
                group.create_task(self._insist(self._speak))
                group.create_task(self._show())
        finally:
            with suppress(*_AWAY, TimeoutError):
                async with asyncio.timeout(1):
                    await self._tell("gone")

    async def _insist(self, work: Callable[[], Awaitable[None]]) -> None:
        while True:
            try:
                await work()
            except _AWAY as fault:
                log.warning("presence is away: %s", fault.__class__.__name__)
                await asyncio.sleep(1)

    async def _tell(self, what: str) -> None:
        await self._layer.group_send(
            self._group,
            {
                "type": "presence",
                "what": what,
                "session": self.session,
                "user": self._user,
                "selection": self._here.selection,
                "field": self._here.field,
                "cursor": self._here.cursor,
            },
        )

    async def _speak(self) -> None:
        while True:
            self._said_anew.clear()
            await self._tell("here")
            await asyncio.sleep(TOLD_EVERY)
            with suppress(TimeoutError):
                async with asyncio.timeout(AGAIN):
                    await self._said_anew.wait()

    async def _listen(self) -> None:
        channel = await self._layer.new_channel()
        await self._layer.group_add(self._group, channel)
        try:
            await self._tell("asks")
            while True:
                self._hear(await self._layer.receive(channel))
        finally:
            with suppress(*_AWAY):
                await self._layer.group_discard(self._group, channel)

    def _hear(self, message: Mapping[str, Any]) -> None:
        session = message["session"]
        if session == self.session:
            return
        if message["what"] == "gone":
            self._others.pop(session, None)
        else:
            person = Person(
                session,
                message["user"],
                message["selection"],
                message["field"],
                message["cursor"],
            )
            self._others[session] = (time.monotonic(), person)
        if message["what"] == "asks":
            self._said_anew.set()
        self._seen_anew.set()

    async def _show(self) -> None:
        """Tell the client who is there when that has changed, at most five times a second."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(1):
                    await self._seen_anew.wait()
            self._seen_anew.clear()
            oldest = time.monotonic() - SILENCE
            self._others = {
                session: (at, person)
                for session, (at, person) in self._others.items()
                if at >= oldest
            }
            people = [self._others[session][1] for session in sorted(self._others)]
            if people != self._told:
                self._told = people
                with suppress(TimeoutError):  # a slow client is cut off by who sends it edits
                    await self._send(encode_frame(Presence(people)))
                await asyncio.sleep(TOLD_EVERY)
