"""What can be said of a chart without running it."""

from .behaviour import Comparison, Difference, compare_behaviour
from .coverage import Coverage, cover, coverage
from .cycles import Cycle, endless_always, unbounded_cycles
from .diff import Change, compare_agents
from .index import EffectPlace, Index, RegionPlace, StatePlace, TransitionPlace, index
from .logic import same_guard
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
    "cover",
    "coverage",
    "endless_always",
    "index",
    "predecessors",
    "reachable",
    "same_guard",
    "successors",
    "unbounded_cycles",
    "undeclared_moves",
    "ways_to",
]
