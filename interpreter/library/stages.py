"""The coding stages with the constants of the source system's code.

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

Validator = Callable[[str, str, Mapping[str, Any]], tuple[bool, str | None]]


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
    session = Session(stage_machine(), clock=clock, **{"history_limit": HISTORY_LIMIT, **more})
    session.validators.insert(0, thrashing(session, clock))
    return session


def thrashing(
    session: Session,
    clock: Callable[[], datetime],
    *,
    moves: int = MAX_MOVES,
    window: timedelta = WINDOW,
    pause: timedelta = PAUSE,
) -> Validator:
    """A validator for `session`: after `moves` within `window` it refuses for `pause`.

    It counts the rows of the session's history, so that must hold at least `moves` of them.
    """

    def rested(current: str, target: str, context: Mapping[str, Any]) -> tuple[bool, str | None]:
        del current, target, context
        now = clock()
        made = [move.at for move in session.history if now - move.at < window]
        if len(made) < moves or now - made[-1] >= pause:
            return True, None
        said = f"{len(made)} moves in {window.seconds} seconds; it rests for {pause.seconds}"
        return False, said

    return rested
