"""What can be said of a chart without running it."""

from .cycles import Cycle, endless_always, unbounded_cycles
from .diff import Change, compare_agents
from .index import EffectPlace, Index, RegionPlace, StatePlace, TransitionPlace, index
from .promises import undeclared_moves
from .reach import predecessors, reachable, successors
from .report import AnalysisReport, analyse
from .survey import Finding

__all__ = [
    "AnalysisReport",
    "Change",
    "Cycle",
    "EffectPlace",
    "Finding",
    "Index",
    "RegionPlace",
    "StatePlace",
    "TransitionPlace",
    "analyse",
    "compare_agents",
    "endless_always",
    "index",
    "predecessors",
    "reachable",
    "successors",
    "unbounded_cycles",
    "undeclared_moves",
]
