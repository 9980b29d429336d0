"""What a run remembers beside its Snapshot, and how both are read back from JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from interpreter.errors import SnapshotError
from interpreter.session.history import History, Move
from interpreter.stepping import Machine, Snapshot


@dataclass(slots=True)
class Saved:
    """What a run remembers beside its Snapshot.

    `since_ms` is when the state became current, `recent` when the last moves were made, for a
    Session that minds thrashing.
    """

    previous: str
    visited: list[str]
    since_ms: int | None
    count: int = 0
    history: History = field(default_factory=History)
    recent: list[int] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """The fields of a saved run beside `snapshot`."""
        return {
            "previous": self.previous,
            "visited": list(self.visited),
            "count": self.count,
            "since_ms": self.since_ms,
            "recent": list(self.recent),
            "history": [move.to_json() for move in self.history],
        }


def read_saved(value: object, machine: Machine) -> tuple[Snapshot, Saved]:
    """A saved run of this machine. Raises SnapshotError, naming the culprit."""
    if not isinstance(value, Mapping):
        raise SnapshotError("a saved run is a JSON object")
    try:
        snapshot = Snapshot.from_json(value["snapshot"], machine)
        moves = History(Move.from_json(row) for row in value["history"])
        since = value.get("since_ms")
        saved = Saved(
            previous=value["previous"],
            visited=list(value["visited"]),
            since_ms=None if since is None else int(since),
            count=int(value["count"]),
            history=moves,
            recent=[int(at) for at in value.get("recent", ())],
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise SnapshotError(f"this is no saved run: {error!r}") from None
    for state in (saved.previous, *saved.visited, *moves.sequence):
        if not isinstance(state, str) or state not in machine.states:
            raise SnapshotError(f"the machine has no state '{state}'")
    return snapshot, saved
