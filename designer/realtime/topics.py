"""Streams by name: which rows a watcher follows."""

from __future__ import annotations

import re
from typing import NamedTuple

_CHANNEL = re.compile(r"^hint\.([a-z]{1,16})\.([0-9a-f-]{36})$")

CALL = "call"
JOB = "job"
DRAFT = "draft"


class Topic(NamedTuple):
    """One stream: a kind and the id (a UUID's text) of the row that numbers its items."""

    kind: str
    id: str

    @property
    def channel(self) -> str:
        """Name of the Redis channel of this stream's hints; built by the server alone."""
        return f"hint.{self.kind}.{self.id}"


def topic_of(channel: str) -> Topic | None:
    """Give the stream a channel name stands for, or None when the name is not one of ours."""
    found = _CHANNEL.match(channel)
    return Topic(found[1], found[2]) if found else None
