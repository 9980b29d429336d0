"""What a set of scripts ran over: states, transitions, and guards both ways."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from interpreter.dryrun import Report, dry_run
from interpreter.stepping import Machine

Script = Sequence[Any] | Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Coverage:
    """How often each thing was met, in document order; 0 where it never was.

    `states` counts entries, `transitions` how often each was taken, `guards` (by the key of the
    transition) how often its guard was true, false, and failed.
    """

    states: Mapping[str, int]
    transitions: Mapping[str, int]
    guards: Mapping[str, Mapping[str, int]]

    @property
    def missing(self) -> dict[str, tuple[str, ...]]:
        """What was never met: `states`, `transitions`, and guards never `true` or `false`."""
        return {
            "states": tuple(key for key, count in self.states.items() if not count),
            "transitions": tuple(key for key, count in self.transitions.items() if not count),
            "guards_true": tuple(key for key, said in self.guards.items() if not said["true"]),
            "guards_false": tuple(key for key, said in self.guards.items() if not said["false"]),
        }

    @property
    def whole(self) -> bool:
        """Whether nothing is missing."""
        return not any(self.missing.values())

    def to_json(self) -> dict[str, Any]:
        """`{"states", "transitions", "guards", "missing", "whole"}`."""
        return {
            "states": dict(self.states),
            "transitions": dict(self.transitions),
            "guards": {key: dict(said) for key, said in self.guards.items()},
            "missing": {kind: list(keys) for kind, keys in self.missing.items()},
            "whole": self.whole,
        }


def coverage(machine: Machine, scripts: Iterable[Script]) -> Coverage:
    """The Coverage of scripts, each from a fresh start.

    History states are never entered and are not counted, nor are their default transitions.
    Raises ValueError for a script that is no script.
    """
    return cover(machine, [dry_run(machine, script) for script in scripts])


def cover(machine: Machine, reports: Iterable[Report]) -> Coverage:
    """The same of dry runs that were made."""
    entered: Counter[str] = Counter()
    taken: Counter[str] = Counter()
    asked: Counter[tuple[str, str]] = Counter()
    for report in reports:
        for one in (report.start, *report.steps):
            for record in one.records:
                if record.type == "state.entered":
                    entered[record.data["state"]] += 1
                elif record.type == "transition.taken":
                    taken[record.data["transition"]] += 1
            asked.update((guard.transition.key, guard.outcome) for guard in one.guards)
    states = [key for key, node in machine.states.items() if node.kind != "history"]
    transitions = [t for t in machine.transitions if t.source.kind != "history"]
    return Coverage(
        {key: entered[key] for key in states},
        {t.key: taken[t.key] for t in transitions},
        {
            t.key: {outcome: asked[t.key, outcome] for outcome in ("true", "false", "error")}
            for t in transitions
            if t.guard is not None
        },
    )
