"""Checks of a chart: one rule a file, all listed in rules.py."""

from .check import check, check_agent
from .rules import CODES
from .workflow import check_workflow

__all__ = ["CODES", "check", "check_agent", "check_workflow"]
