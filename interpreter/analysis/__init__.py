"""What can be said of a chart without running it."""

from .behaviour import Comparison, Difference, compare_behaviour
from .coverage import Coverage, coverage
from .cycles import Cycle, endless_always, unbounded_cycles
from .diff import Change, compare_agents
from .index import EffectPlace, Index, RegionPlace, StatePlace, TransitionPlace, index
from .promises import undeclared_moves
from .reach import predecessors, reachable, successors
from .report import AnalysisReport, analyse
from .survey import Finding
from .ways import Ways, ways_to

__all__ = [
    "AnalysisReport",
    "Change",
    "Comparison",
    "Coverage",
    "Cycle",
    "Difference",
    "EffectPlace",
    "Finding",
    "Index",
    "RegionPlace",
    "StatePlace",
    "TransitionPlace",
    "Ways",
    "analyse",
    "compare_agents",
    "compare_behaviour",
    "coverage",
    "endless_always",
    "index",
    "predecessors",
    "reachable",
    "successors",
    "unbounded_cycles",
    "undeclared_moves",
    "ways_to",
]
