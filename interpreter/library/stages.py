"""The seven coding stages with the constants of the source system's code.

Any stage may follow; going back needs 0.85 of confidence, or 0.50 where going back is natural.
Two seconds lie between moves, and after eight within two minutes it rests for ten seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from interpreter import Machine, Session

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
MAX_MOVES = 8
WINDOW = timedelta(seconds=120)
PAUSE = timedelta(seconds=10)
HISTORY_LIMIT = 100


def stage_machine(
    *,
    stage_tools: Mapping[str, Iterable[str]] | None = None,
    keywords: Mapping[str, Iterable[str]] | None = None,
) -> Machine:
    """The stages as a machine; every move is a proposal of the stage to go to."""
    return Machine.from_stages(
        STAGES,
        initial=STAGES[0],
        transitions={source: _moves(source) for source in STAGES},
        stage_tools=stage_tools,
        keywords=keywords,
        cooldown_seconds=COOLDOWN_SECONDS,
        backward_threshold=0.0,
    )


def _moves(source: str) -> list[Any]:
    moves: list[Any] = []
    for target in STAGES:
        if STAGES.index(target) > STAGES.index(source):
            moves.append(target)
        elif target != source:
            natural = (source, target) in NATURAL_BACKWARD
            floor = NATURAL_CONFIDENCE if natural else BACKWARD_CONFIDENCE
            moves.append({"target": target, "min_confidence": floor})
    return moves


def stage_session(clock: Callable[[], datetime], **more: Any) -> Session:
    """A run of the stages that rests when it thrashes; `more` is passed on to Session."""
    session = Session(stage_machine(), clock=clock, history_limit=HISTORY_LIMIT, **more)
    session.validators.insert(0, _thrashing(session, clock))
    return session


def _thrashing(
    session: Session, clock: Callable[[], datetime]
) -> Callable[[str, str, Mapping[str, Any]], tuple[bool, str | None]]:
    def rested(current: str, target: str, context: Mapping[str, Any]) -> tuple[bool, str | None]:
        del current, target, context
        now = clock()
        moves = [move.at for move in session.history if now - move.at < WINDOW]
        if len(moves) < MAX_MOVES or now - moves[-1] >= PAUSE:
            return True, None
        said = f"{len(moves)} moves in {WINDOW.seconds} seconds; it rests for {PAUSE.seconds}"
        return False, said

    return rested
