"""What the course checker reports."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

Pair = tuple[str, str]


class Faulty(Exception):  # noqa: N818 - it is a finding, not an error of ours
    """The first failure: what happened, and a hint."""

    def __init__(self, said: str, hint: str) -> None:
        super().__init__(f"{said}; {hint}.")


@dataclass(frozen=True, slots=True)
class Judgement:
    """Whether a machine passes. `message` is empty then, else one sentence with a hint.

    `scenarios` are those that passed, in order. `edges` are the declared pairs (state, event) and
    `refusals` the others; `taken` and `refused` are those of them that were exercised.
    """

    passed: bool
    message: str = ""
    scenarios: tuple[str, ...] = ()
    edges: tuple[Pair, ...] = ()
    refusals: tuple[Pair, ...] = ()
    taken: tuple[Pair, ...] = ()
    refused: tuple[Pair, ...] = ()

    @property
    def coverage(self) -> str:
        """`6 of 6 edges and 29 of 29 refusals exercised`."""
        return (
            f"{len(self.taken)} of {len(self.edges)} edges and "
            f"{len(self.refused)} of {len(self.refusals)} refusals exercised"
        )

    @property
    def missing(self) -> tuple[Pair, ...]:
        """The pairs that were not exercised."""
        done = {*self.taken, *self.refused}
        return tuple(pair for pair in (*self.edges, *self.refusals) if pair not in done)

    def to_json(self) -> dict[str, Any]:
        """The judgement as JSON; pairs as lists."""
        pairs = {
            name: [list(pair) for pair in getattr(self, name)]
            for name in ("edges", "refusals", "taken", "refused", "missing")
        }
        return {
            "passed": self.passed,
            "message": self.message,
            "scenarios": list(self.scenarios),
            "coverage": self.coverage,
            **pairs,
        }


@dataclass(eq=False)
class Tally:
    """What was exercised of the pairs of a machine."""

    declared: tuple[Pair, ...]
    undeclared: tuple[Pair, ...]
    taken: set[Pair] = field(default_factory=set)
    refused: set[Pair] = field(default_factory=set)

    def told(self, message: str, scenarios: tuple[str, ...] = ()) -> Judgement:
        """The Judgement; passed where there is nothing to say."""
        return Judgement(
            not message,
            message,
            scenarios,
            self.declared,
            self.undeclared,
            tuple(pair for pair in self.declared if pair in self.taken),
            tuple(pair for pair in self.undeclared if pair in self.refused),
        )
