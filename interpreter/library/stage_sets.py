"""Sets of stages: the ready-made ones, and sets of one's own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from interpreter import Machine
from interpreter.library.stage_tables import KEYWORDS, PREDICTIONS, PURPOSES, TOOLS, WEAK
from interpreter.library.stages import STAGES, stage_machine

FIRST, LAST = "INITIAL", "COMPLETION"


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage. `order` is its place among the others, from low to high.

    `min_confidence` is what a move into it needs at least; `next_stages` what usually follows,
    by probability.
    """

    name: str
    order: int
    purpose: str = ""
    keywords: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    min_confidence: float = 0.0
    next_stages: Mapping[str, float] = field(default_factory=dict)


class StageSet:
    """Stages in their order. Raises ValueError naming what is missing, doubled or unknown."""

    def __init__(self, name: str, stages: Iterable[Stage]) -> None:
        self.name = name
        self.stages = tuple(sorted(stages, key=lambda stage: stage.order))
        names = self.names
        for needed in (FIRST, LAST):
            if needed not in names:
                raise ValueError(f"the set '{name}' has no stage {needed}")
        for stage in self.stages:
            if names.count(stage.name) > 1:
                raise ValueError(f"the set '{name}' has the stage {stage.name} twice")
            if not 0 <= stage.min_confidence <= 1:
                raise ValueError(f"the confidence of {stage.name} is not from 0 to 1")
            for follower in stage.next_stages:
                if follower not in names:
                    raise ValueError(f"{stage.name} is followed by {follower}, which is no stage")
        if names[0] != FIRST:
            raise ValueError(f"the set '{name}' begins with {names[0]} and not with {FIRST}")

    @property
    def names(self) -> tuple[str, ...]:
        """The names in order."""
        return tuple(stage.name for stage in self.stages)

    def __getitem__(self, name: str) -> Stage:
        for stage in self.stages:
            if stage.name == name:
                return stage
        raise KeyError(name)

    def registered(self, stage: Stage) -> StageSet:
        """A set that has one more stage, in the place that its order says."""
        return StageSet(self.name, (*self.stages, stage))

    @property
    def keywords(self) -> dict[str, tuple[str, ...]]:
        """The keywords by stage, in order."""
        return {stage.name: stage.keywords for stage in self.stages}

    def machine(self) -> Machine:
        """The set as a machine: any stage may follow (see `stage_machine`)."""
        return stage_machine(
            self.names,
            stage_tools={stage.name: stage.tools for stage in self.stages},
            keywords=self.keywords,
            least={stage.name: stage.min_confidence for stage in self.stages},
        )


def _coding() -> StageSet:
    return StageSet(
        "coding",
        [
            Stage(
                name,
                number,
                PURPOSES[name],
                KEYWORDS[name],
                TOOLS[name],
                next_stages=PREDICTIONS[name],
            )
            for number, name in enumerate(STAGES)
        ],
    )


Row = tuple[str, str, tuple[str, ...], tuple[str, ...]]


def _plain(name: str, rows: Iterable[Row]) -> StageSet:
    return StageSet(
        name,
        [
            Stage(key, number, purpose, keywords, tools)
            for number, (key, purpose, keywords, tools) in enumerate(rows)
        ],
    )


DATA_ANALYSIS = (
    ("INITIAL", "Understand the question", ("what", "explain", "help"), ("ls", "read")),
    ("DATA_LOADING", "Load the data", ("load", "import", "csv"), ("read", "load_data")),
    ("EXPLORATION", "Look at the data", ("explore", "describe", "show"), ("describe", "sql")),
    ("ANALYSIS", "Find what it says", ("analyze", "compare", "model"), ("sql", "statistics")),
    ("VISUALIZATION", "Draw it", ("plot", "chart", "graph"), ("plot",)),
    ("REPORTING", "Write it up", ("report", "write"), ("write",)),
    ("COMPLETION", "Done", ("done", "finish"), ()),
)
RESEARCH = (
    ("INITIAL", "Understand the question", ("what", "explain", "help"), ("web_search",)),
    ("SEARCHING", "Look for sources", ("search", "find"), ("web_search", "web_fetch")),
    ("READING", "Read the sources", ("read", "look at"), ("read", "web_fetch")),
    ("SYNTHESIS", "Bring them together", ("compare", "summarize"), ("read",)),
    ("WRITING", "Write it up", ("write", "draft"), ("write", "edit")),
    ("VERIFICATION", "Check the facts", ("verify", "check"), ("web_search", "read")),
    ("COMPLETION", "Done", ("done", "finish"), ()),
)
DEFAULT = (
    ("INITIAL", "Start", ("what", "help"), ()),
    ("EXECUTION", "Do it", ("do", "make"), ()),
    ("COMPLETION", "Done", ("done", "finish"), ()),
)

SETS: Mapping[str, StageSet] = MappingProxyType(
    {
        "coding": _coding(),
        "data_analysis": _plain("data_analysis", DATA_ANALYSIS),
        "research": _plain("research", RESEARCH),
        "default": _plain("default", DEFAULT),
    }
)
"""The ready-made sets. `coding` is the source's; the page names the others only, so that their
stages are our own."""

__all__ = ["FIRST", "LAST", "SETS", "WEAK", "Stage", "StageSet"]
