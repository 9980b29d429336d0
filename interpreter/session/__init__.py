"""The small face for code: one run of one machine, with host callables, hooks and topics."""

from interpreter.session.hooks import Hooks, Topics
from interpreter.session.session import Move, Result, Session

__all__ = ["Hooks", "Move", "Result", "Session", "Topics"]
