"""The small face for code: one run of one machine, with host callables, hooks and topics."""

from interpreter.session.detectors import keyword_detector, keyword_scores
from interpreter.session.history import History, Move
from interpreter.session.hooks import Hooks, Topics
from interpreter.session.session import Result, Session
from interpreter.session.thrashing import Thrashing

__all__ = [
    "History", "Hooks", "Move", "Result", "Session", "Thrashing", "Topics",
    "keyword_detector", "keyword_scores",
]  # fmt: skip
