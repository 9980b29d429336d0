"""Ready-made hooks for any Session: a line of log per move, and counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from interpreter import Session

METRICS_PRIORITY = 100
LOG_PRIORITY = -100


class Metrics:
    """Counts of a run: `total_transitions`, `transitions` by `A->B`, `stage_entries` by state."""

    def __init__(self) -> None:
        self.total_transitions = 0
        self.transitions: dict[str, int] = {}
        self.stage_entries: dict[str, int] = {}

    def attach(self, session: Session) -> Metrics:
        """Counts what this run does from now on."""
        session.hooks.add("transition", (), METRICS_PRIORITY, self._moved)
        session.hooks.add("enter", (), METRICS_PRIORITY, self._entered)
        return self

    def _moved(self, old: str, new: str, context: Mapping[str, Any]) -> None:
        del context
        self.total_transitions += 1
        path = f"{old}->{new}"
        self.transitions[path] = self.transitions.get(path, 0) + 1

    def _entered(self, state: str, context: Mapping[str, Any]) -> None:
        del context
        self.stage_entries[state] = self.stage_entries.get(state, 0) + 1


def log_moves(
    session: Session, write: Callable[[Mapping[str, str]], None], *, run_id: str
) -> Callable[[], bool]:
    """Calls `write` with `{"event": "moved", "from", "to", "run_id"}` for each move.

    A host's logger is what `write` is for; the answer takes the hook away.
    """

    def line(old: str, new: str, context: Mapping[str, Any]) -> None:
        del context
        write({"event": "moved", "from": old, "to": new, "run_id": run_id})

    return session.hooks.add("transition", (), LOG_PRIORITY, line)
