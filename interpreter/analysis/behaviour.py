"""Two charts by what they do: scripts whose outcome differs, the shortest first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Any

from interpreter.dryrun import EPOCH
from interpreter.stepping import Machine, Snapshot, Step, start_step

from .domains import Domains
from .explore import run_lines
from .keys import Keys
from .offers import Offers
from .playing import Line

BUDGET = 500
MOST = 20
_MOVES = 12


@dataclass(frozen=True, slots=True)
class Difference:
    """A script after whose last line two charts stand differently.

    `about` names what differs, of `active`, `refused`, `slots`, `effects`, `ended`; `first` and
    `second` have each of these as the charts left it.
    """

    script: tuple[Line, ...]
    about: tuple[str, ...]
    first: Mapping[str, Any]
    second: Mapping[str, Any]

    def to_json(self) -> dict[str, Any]:
        """`{"script", "about", "first", "second"}`."""
        return {
            "script": [dict(line) for line in self.script],
            "about": list(self.about),
            "first": dict(self.first),
            "second": dict(self.second),
        }


@dataclass(frozen=True, slots=True)
class Comparison:
    """The differences of two charts; `complete` is False when the budget ended the search."""

    differences: tuple[Difference, ...]
    explored: int
    complete: bool

    def to_json(self) -> dict[str, Any]:
        """`{"differences", "explored", "complete"}`."""
        return {
            "differences": [one.to_json() for one in self.differences],
            "explored": self.explored,
            "complete": self.complete,
        }


@dataclass(slots=True, eq=False)
class _Pair:
    """Both charts after one script."""

    snapshots: tuple[Snapshot, Snapshot]
    nows: tuple[int, int]
    script: tuple[Line, ...]


def compare_behaviour(
    first: Machine, second: Machine, *, budget: int = BUDGET, most: int = MOST
) -> Comparison:
    """Scripts that tell two charts apart, shortest first; states are known by their keys.

    Both are run side by side from the start over inputs that stand for all inputs of either; what
    lies behind a difference is not looked at. Deterministic; `budget` is a number of pairs of
    standings, `most` of differences. Counts of visits and the time of timers are told apart
    only where nothing else differs.
    """
    coarse = _Search(first, second, fine=False)
    found = coarse.run(budget, most)
    if found.differences or not any(key.coarse for key in coarse.keys):
        return found
    return _Search(first, second, fine=True).run(budget, most)


class _Search:
    """One use: `run()`."""

    def __init__(self, first: Machine, second: Machine, *, fine: bool) -> None:
        self.machines = (first, second)
        domains = [Domains(machine) for machine in self.machines]
        everything = [m.root.descendants | m.root.bit for m in self.machines]
        self.offers = tuple(
            Offers(machine, domain, inside)
            for machine, domain, inside in zip(self.machines, domains, everything, strict=True)
        )
        self.keys = tuple(
            Keys(machine, offers, fine=fine)
            for machine, offers in zip(self.machines, self.offers, strict=True)
        )
        self.slots = sorted({*first.slots, *second.slots})
        self.found: list[Difference] = []
        self.seen: set[Any] = set()
        self.waiting: list[tuple[int, int, _Pair]] = []
        self.order = 0

    def run(self, budget: int, most: int) -> Comparison:
        """The search, in the order of the length of scripts."""
        begun = [start_step(machine, EPOCH) for machine in self.machines]
        nows = (begun[0].snapshot.now, begun[1].snapshot.now)
        pair = _Pair((begun[0].snapshot, begun[1].snapshot), nows, ())
        self._look(pair, [[begun[0]], [begun[1]]])
        explored, moves = 0, budget * _MOVES
        while self.waiting and len(self.found) < most:
            if explored >= budget or moves <= 0:
                break
            _, _, pair = heappop(self.waiting)
            explored += 1
            for lines in self._inputs(pair):
                moves -= 1
                self._try(pair, lines)
        done = not self.waiting
        found = sorted(self.found, key=lambda one: len(one.script))[:most]
        return Comparison(tuple(found), explored, done)

    def _inputs(self, pair: _Pair) -> Iterator[tuple[Line, ...]]:
        """What either chart could be sent, once."""
        told: set[str] = set()
        for offers, snapshot, now in zip(self.offers, pair.snapshots, pair.nows, strict=True):
            for lines in offers.lines(snapshot, now):
                mark = repr(lines)
                if mark not in told:
                    told.add(mark)
                    yield lines

    def _try(self, pair: _Pair, lines: tuple[Line, ...]) -> None:
        """Line by line, so that a difference is told at the line that makes it."""
        for line in lines:
            taken: list[list[Step]] = []
            snapshots, nows = [], []
            for machine, snapshot, now in zip(
                self.machines, pair.snapshots, pair.nows, strict=True
            ):
                steps, after = run_lines(machine, snapshot, now, (line,))
                taken.append(steps)
                snapshots.append(steps[-1].snapshot if steps else snapshot)
                nows.append(after)
            pair = _Pair((snapshots[0], snapshots[1]), (nows[0], nows[1]), (*pair.script, line))
            if line is lines[-1]:
                self._look(pair, taken)
            elif self._differs(pair, taken):
                return

    def _look(self, pair: _Pair, taken: list[list[Step]]) -> None:
        if self._differs(pair, taken):
            return
        key = tuple(
            key(snapshot, now)
            for key, snapshot, now in zip(self.keys, pair.snapshots, pair.nows, strict=True)
        )
        if key not in self.seen:
            self.seen.add(key)
            self.order += 1
            heappush(self.waiting, (len(pair.script), self.order, pair))

    def _differs(self, pair: _Pair, taken: list[list[Step]]) -> bool:
        """Whether the charts stand differently; a difference of a new sort is kept."""
        outcomes = [
            self._outcome(snapshot, steps)
            for snapshot, steps in zip(pair.snapshots, taken, strict=True)
        ]
        about = tuple(name for name in outcomes[0] if outcomes[0][name] != outcomes[1][name])
        if not about:
            return False
        parts = [{name: outcome[name] for name in about} for outcome in outcomes]
        mark = ("difference", repr((pair.script[-1:], parts)))
        if mark not in self.seen:
            self.seen.add(mark)
            self.found.append(Difference(pair.script, about, parts[0], parts[1]))
        return True

    def _outcome(self, snapshot: Snapshot, steps: list[Step]) -> dict[str, Any]:
        refusal = next((s.refusal for s in steps if s.refusal is not None), None)
        effects = [effect for one in steps for effect in one.effects]
        return {
            "active": list(snapshot.active),
            "refused": refusal.reason if refusal is not None else None,
            "slots": {key: snapshot.slots.get(key) for key in self.slots},
            "effects": [{k: v for k, v in e.items() if k not in _ORIGIN} for e in effects],
            "ended": snapshot.outcome if snapshot.ended else False,
        }


_ORIGIN = ("from", "call")
