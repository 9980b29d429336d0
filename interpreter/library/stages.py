"""The coding stages with the constants of the source system's code.

Any stage may follow; going back needs 0.85 of confidence, or 0.50 where going back is natural.
Two seconds lie between moves, and after eight within two minutes it rests for ten seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any

from interpreter import Machine, Session, Thrashing

STAGES = (
    "INITIAL", "PLANNING", "READING", "ANALYSIS", "EXECUTION", "VERIFICATION", "COMPLETION",
)  # fmt: skip
COOLDOWN_SECONDS = 2.0
BACKWARD_CONFIDENCE = 0.85
NATURAL_CONFIDENCE = 0.50
NATURAL_BACKWARD = (
    ("EXECUTION", "READING"),
    ("EXECUTION", "ANALYSIS"),
    ("ANALYSIS", "READING"),
    ("VERIFICATION", "EXECUTION"),
    ("VERIFICATION", "ANALYSIS"),
    ("COMPLETION", "VERIFICATION"),
)
THRASHING = Thrashing(moves=8, window_seconds=120, pause_seconds=10)
HISTORY_LIMIT = 100


def stage_machine(
    stages: Iterable[str] = STAGES,
    *,
    stage_tools: Mapping[str, Iterable[str]] | None = None,
    keywords: Mapping[str, Iterable[str]] | None = None,
    least: Mapping[str, float] | None = None,
) -> Machine:
    """The stages as a machine; every move is a proposal of the stage to go to.

    `least` is the confidence that a move into a stage needs at least, whatever its direction.
    """
    names = list(stages)
    floors = least or {}
    return Machine.from_stages(
        names,
        initial=names[0],
        transitions={source: _moves(source, names, floors) for source in names},
        stage_tools=stage_tools,
        keywords=keywords,
        cooldown_seconds=COOLDOWN_SECONDS,
        backward_threshold=0.0,
    )


def _moves(source: str, names: list[str], least: Mapping[str, float]) -> list[dict[str, Any]]:
    moves: list[dict[str, Any]] = []
    for target in names:
        if target == source:
            continue
        floor = least.get(target, 0.0)
        if names.index(target) < names.index(source):
            natural = (source, target) in NATURAL_BACKWARD
            floor = max(floor, NATURAL_CONFIDENCE if natural else BACKWARD_CONFIDENCE)
        moves.append({"target": target, "min_confidence": floor or None})
    return moves


def stage_session(clock: Callable[[], datetime], **more: Any) -> Session:
    """A run of the stages that rests when it thrashes; `more` is passed on to Session."""
    given = {"history_limit": HISTORY_LIMIT, "thrashing": THRASHING, **more}
    return Session(stage_machine(), clock=clock, **given)
