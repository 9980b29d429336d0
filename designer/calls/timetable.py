"""What a snapshot waits for."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from interpreter import Snapshot


class Armed(NamedTuple):
    """A delayed transition that is armed."""

    due_at: datetime
    key: str


def armed_timers(snapshot: Snapshot) -> list[Armed]:
    """Give the armed timers of a snapshot, the next one first (ties in the engine's own order)."""
    return sorted(
        (Armed(timer.due, timer.key) for timer in snapshot.timers), key=lambda timer: timer.due_at
    )
