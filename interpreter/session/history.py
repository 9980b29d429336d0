"""The moves that a Session made, and what can be asked about them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any


@dataclass(frozen=True, slots=True)
class Move:
    """A row of the history: one move that was made.

    `number` counts moves from 1; `stayed_ms` is how long `from_state` had been current, None
    when that is not known.
    """

    from_state: str
    to_state: str
    at: datetime
    confidence: float
    context: Mapping[str, Any]
    number: int = 0
    stayed_ms: int | None = None

    @property
    def path(self) -> str:
        """`A->B`."""
        return f"{self.from_state}->{self.to_state}"

    def to_json(self) -> dict[str, Any]:
        """`{"from", "to", "at", "confidence", "context", "number", "stayed_ms"}`."""
        return {
            "from": self.from_state,
            "to": self.to_state,
            "at": self.at.isoformat(),
            "confidence": self.confidence,
            "context": dict(self.context),
            "number": self.number,
            "stayed_ms": self.stayed_ms,
        }

    @classmethod
    def from_json(cls, row: Mapping[str, Any]) -> Move:
        """The move that `to_json` wrote. Raises KeyError, TypeError or ValueError."""
        return cls(
            from_state=row["from"],
            to_state=row["to"],
            at=datetime.fromisoformat(row["at"]),
            confidence=float(row["confidence"]),
            context=dict(row["context"]),
            number=int(row.get("number", 0)),
            stayed_ms=row.get("stayed_ms"),
        )


class History(list[Move]):
    """Moves, oldest first. A plain list with questions; what it is asked changes nothing."""

    def last(self, count: int = 1) -> list[Move]:
        """The newest `count` moves, oldest first."""
        return self[-count:] if count > 0 else []

    def to(self, state: str) -> list[Move]:
        """The moves into a state."""
        return [move for move in self if move.to_state == state]

    def leaving(self, state: str) -> list[Move]:
        """The moves out of a state."""
        return [move for move in self if move.from_state == state]

    def between(self, source: str, target: str) -> list[Move]:
        """The moves from `source` to `target`."""
        return [m for m in self if (m.from_state, m.to_state) == (source, target)]

    @property
    def sequence(self) -> list[str]:
        """The states in the order they were current; the first one is where the moves began."""
        return [self[0].from_state, *(move.to_state for move in self)] if self else []

    def visits(self, state: str) -> int:
        """How often a state was entered by a move; where the run began does not count."""
        return len(self.to(state))

    def has_visited(self, state: str) -> bool:
        """Whether a state was ever current."""
        return state in self.sequence

    def pattern(self, *states: str) -> int:
        """How often these states followed each other, side by side."""
        seen, wanted = self.sequence, list(states)
        if not wanted:
            return 0
        places = range(len(seen) - len(wanted) + 1)
        return sum(seen[place : place + len(wanted)] == wanted for place in places)

    @property
    def has_cycle(self) -> bool:
        """Whether a state was entered twice. A>B>A is none: A was entered once, not twice."""
        entered = [move.to_state for move in self]
        return len(set(entered)) < len(entered)

    def average_ms(self, state: str | None = None) -> float | None:
        """The mean stay in a state (in any, without one) that ended; None when none did."""
        stays = [
            move.stayed_ms
            for move in self
            if move.stayed_ms is not None and state in (None, move.from_state)
        ]
        return sum(stays) / len(stays) if stays else None

    def summary(self) -> dict[str, Any]:
        """`{"total_transitions", "unique_paths", "transitions_by_path", "transitions_by_stage",
        "average_confidence"}`; by path `A->B`, by the state entered.
        """
        by_path: dict[str, int] = {}
        by_state: dict[str, int] = {}
        for move in self:
            by_path[move.path] = by_path.get(move.path, 0) + 1
            by_state[move.to_state] = by_state.get(move.to_state, 0) + 1
        return {
            "total_transitions": len(self),
            "unique_paths": len(by_path),
            "transitions_by_path": by_path,
            "transitions_by_stage": by_state,
            "average_confidence": sum(m.confidence for m in self) / len(self) if self else 0.0,
        }

    def metrics(self, current: str) -> dict[str, Any]:
        """The figures of a run that stands in `current`; durations in milliseconds.

        `stage_average_durations_ms` holds the states that were left, `overall_average_duration_ms`
        is None when none was.
        """
        sequence = self.sequence or [current]
        left = dict.fromkeys(move.from_state for move in self if move.stayed_ms is not None)
        return {
            "total_transitions": len(self),
            "unique_stages_visited": len(set(sequence)),
            "has_cycles": self.has_cycle,
            "current_stage": current,
            "stage_sequence": sequence,
            "stage_average_durations_ms": {state: self.average_ms(state) for state in left},
            "overall_average_duration_ms": self.average_ms(),
            "stage_visit_counts": {state: self.visits(state) for state in dict.fromkeys(sequence)},
        }
