"""The in-memory channel layer, made safe to send to from worker threads."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from channels.layers import InMemoryChannelLayer


class ThreadSafeInMemoryChannelLayer(InMemoryChannelLayer):
    """Sends hop onto the loop that serves the sockets.

    The stock layer puts on an asyncio queue from whichever loop calls, and a put from another
    thread does not wake its reader (0.46 s late at the median; stack.md trap 2).
    """

    _home: asyncio.AbstractEventLoop | None = None

    async def receive(self, channel: str) -> dict[str, Any]:
        """Wait for a message; the loop that waits is the home of all queues."""
        self._home = self._home or asyncio.get_running_loop()
        message: dict[str, Any] = await super().receive(channel)
        return message

    async def send(self, channel: str, message: dict[str, Any]) -> None:
        """Send to one channel, from any thread."""
        await self._at_home(super().send, channel, message)

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        """Send to a group, from any thread."""
        await self._at_home(super().group_send, group, message)

    async def _at_home(self, work: Callable[..., Awaitable[None]], *args: Any) -> None:
        home = self._home
        if home is None or home.is_closed() or home is asyncio.get_running_loop():
            await work(*args)
            return

        async def hop() -> None:
            await work(*args)

        await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(hop(), home))
