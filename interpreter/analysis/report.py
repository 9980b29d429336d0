"""The door of the analysis: a machine in, findings with witnesses out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from interpreter.stepping import Machine

from .explore import BUDGET
from .findings import KINDS
from .survey import Finding, Survey


@dataclass(frozen=True, slots=True)
class AnalysisReport:
    """What an analysis found.

    `explored` is the number of standings that were run from; `complete` is False when the budget
    ended the search: then states that were not met are not told.
    """

    findings: tuple[Finding, ...]
    explored: int
    complete: bool

    def to_json(self) -> dict[str, Any]:
        """`{"findings", "explored", "complete"}`."""
        return {
            "findings": [finding.to_json() for finding in self.findings],
            "explored": self.explored,
            "complete": self.complete,
        }


def analyse(machine: Machine, *, budget: int = BUDGET) -> AnalysisReport:
    """Unreachable states, dead ends, loops and what bounds them, guards that are never true,
    shadowed transitions, overlapping guards, slots read too early, regions that are reset, and a
    limits target that nothing leads to.

    Deterministic: the same machine and `budget` (a number of standings) give the same report.
    """
    survey = Survey(machine, budget)
    findings = tuple(finding for find in KINDS for finding in find(survey))
    explored = sum(len(one.stops) for one in survey.explorations)
    return AnalysisReport(findings, explored, survey.complete)
