"""The embedded broker: kombu's messages in files, but written whole or not at all.

kombu opens a message's file and then fills it; a worker that looks in between reads nothing, and
dies of it (seen under load). Bindings stay in memory: each side declares its queues itself, and
kombu's shared file of them has the same fault.
"""

from __future__ import annotations

import os
import uuid
from pathlib import Path
from time import monotonic_ns
from typing import Any

from kombu.exceptions import ChannelError
from kombu.transport import TRANSPORT_ALIASES, filesystem, virtual
from kombu.utils.json import dumps

SCHEME = "files"


class Channel(filesystem.Channel):
    """A channel whose messages appear in their folder by a rename."""

    def _put(self, queue: str, message: Any, **kwargs: Any) -> None:  # type: ignore[override]
        name = f"{monotonic_ns() // 1_000_000}_{uuid.uuid1()}.{queue}.msg"
        folder = Path(self.data_folder_out)
        part = folder / f"{name}.part"
        try:
            part.write_text(dumps(message), encoding="utf-8")
            os.replace(part, folder / name)
        except OSError as fault:
            raise ChannelError(f"Cannot add {name} to the queue") from fault

    def get_table(self, exchange: str) -> Any:
        """Give the bindings of an exchange, as this process declared them."""
        return virtual.Channel.get_table(self, exchange)

    def _queue_bind(self, exchange: str, routing_key: Any, pattern: Any, queue: Any) -> None:
        """Keep the binding in memory alone, which the caller has done."""


class Transport(filesystem.Transport):
    """The transport of `files://`."""

    Channel = Channel


TRANSPORT_ALIASES[SCHEME] = f"{__name__}:Transport"
