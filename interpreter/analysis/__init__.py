"""What can be said of a chart without running it."""

from .behaviour import Comparison, Difference, compare_behaviour
from .conjunctions import Narrowed, Row, literals_of, narrow, never_true, row_of
from .coverage import Coverage, cover, coverage
from .cycles import Cycle, endless_always, unbounded_cycles
from .diff import Change, compare_agents
from .index import EffectPlace, Index, RegionPlace, StatePlace, TransitionPlace, index
from .logic import same_guard
from .promises import undeclared_moves
from .reach import predecessors, reachable, reached, successors
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
    "Narrowed",
    "RegionPlace",
    "Row",
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
    "literals_of",
    "narrow",
    "never_true",
    "predecessors",
    "reachable",
    "reached",
    "row_of",
    "same_guard",
    "successors",
    "unbounded_cycles",
    "undeclared_moves",
    "ways_to",
]
