"""Checks of a chart: one rule a file, all listed in rules.py."""

from .check import check, check_agent
from .rules import CODES

__all__ = ["CODES", "check", "check_agent"]
