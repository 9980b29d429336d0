"""A run that goes to and fro rests for a while."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Thrashing:
    """After `moves` within `window_seconds`, moves are refused for `pause_seconds` after the last.

    Raises ValueError for figures that are not positive.
    """

    moves: int
    window_seconds: float
    pause_seconds: float

    def __post_init__(self) -> None:
        if self.moves < 1 or self.window_seconds <= 0 or self.pause_seconds <= 0:
            raise ValueError("moves, window and pause of thrashing are positive")

    def fault(self, recent: Sequence[int], now_ms: int) -> str | None:
        """Why there is a rest now, after moves at these times (milliseconds), oldest first."""
        made = [at for at in recent if now_ms - at < self.window_seconds * 1_000]
        if len(made) < self.moves or now_ms - made[-1] >= self.pause_seconds * 1_000:
            return None
        window, pause = self.window_seconds, self.pause_seconds
        return f"{len(made)} moves in {window:g} seconds; it rests for {pause:g}"
