"""Where runs can come to, found by running: the engine itself, from the start, over inputs that
stand for all inputs, shortest scripts first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Any

from interpreter.dryrun import EPOCH
from interpreter.records import Record
from interpreter.stepping import Machine, Snapshot, Step, start_step

from .domains import Domains
from .groups import groups
from .keys import Keys
from .offers import Offers
from .playing import Line, play, spelled

BUDGET = 3_000
_MOVES = 12


@dataclass(slots=True, eq=False)
class Stop:
    """A standing that a script can come to; `cost` is the number of lines of its script."""

    snapshot: Snapshot
    now: int
    cost: int
    before: Stop | None
    lines: tuple[Line, ...]
    edges: list[Edge] = field(default_factory=list)
    number: int = -1

    def script(self) -> list[Line]:
        """The lines from the start to here."""
        found: list[Line] = []
        stop: Stop | None = self
        while stop is not None:
            found[:0] = stop.lines
            stop = stop.before
        return found


@dataclass(slots=True, eq=False)
class Edge:
    """What one input did: from a Stop, with lines, over transitions, to a Stop.

    `entered` and `exited` are states passed on the way, `refused` the reason of a refusal, `hit`
    the limits that were hit.
    """

    source: Stop
    lines: tuple[Line, ...]
    taken: tuple[str, ...]
    entered: tuple[str, ...]
    exited: tuple[str, ...]
    refused: str | None
    hit: tuple[str, ...]
    target: Stop

    @property
    def cost(self) -> int:
        """The number of lines from the start to its end."""
        return self.source.cost + len(self.lines)

    def script(self) -> list[Line]:
        """The lines from the start to its end."""
        return [*self.source.script(), *self.lines]


@dataclass(slots=True, eq=False)
class Exploration:
    """What was found for one group of top regions.

    `stops` are in the order of expansion; `entered` has, for each state, the shortest Edge that
    enters it (None at the start); `taken` the same for transitions. `complete`: nothing was left
    when the search ended; `exact`: no other input could lead elsewhere.
    """

    inside: int
    stops: list[Stop] = field(default_factory=list)
    entered: dict[str, Edge | None] = field(default_factory=dict)
    taken: dict[str, Edge] = field(default_factory=dict)
    complete: bool = True
    exact: bool = True

    @property
    def sure(self) -> bool:
        """Whether what was not found cannot be."""
        return self.complete and self.exact

    def edges(self) -> Iterator[Edge]:
        """All inputs that were tried."""
        for stop in self.stops:
            yield from stop.edges


def explore(
    machine: Machine, domains: Domains, wanted: frozenset[str] = frozenset(), budget: int = BUDGET
) -> list[Exploration]:
    """One Exploration for each group of top regions that cannot touch each other.

    `budget` is the number of standings that may be expanded, shared by the groups evenly. Where
    one of the `wanted` states or transitions is not met, the search is made again with finer keys.
    """
    found: list[Exploration] = []
    masks = groups(machine)
    share = max(1, budget // max(1, len(masks)))
    for inside in masks:
        explorer = Explorer(machine, domains, inside, fine=False)
        one = explorer.run(share)
        met = {*one.entered, *one.taken}
        own = wanted & _keys_in(machine, inside)
        if explorer.key.coarse and own - met:
            finer = Explorer(machine, domains, inside, fine=True).run(share)
            if len(own - {*finer.entered, *finer.taken}) < len(own - met) or finer.complete:
                one = finer
        found.append(one)
    return found


def _keys_in(machine: Machine, inside: int) -> set[str]:
    states = {key for key, node in machine.states.items() if node.bit & inside}
    return states | {t.key for t in machine.transitions if t.source.bit & inside}


class Explorer:
    """One use: `run()`."""

    def __init__(self, machine: Machine, domains: Domains, inside: int, *, fine: bool) -> None:
        self.machine = machine
        self.offers = Offers(machine, domains, inside)
        self.key = Keys(machine, self.offers, fine=fine)
        self.found = Exploration(inside)
        self.at: dict[Any, Stop] = {}
        self.waiting: list[tuple[int, int, Stop]] = []
        self.order = 0

    def run(self, budget: int) -> Exploration:
        """The search; the same arguments give the same Exploration."""
        first = start_step(self.machine, EPOCH)
        stop = Stop(first.snapshot, first.snapshot.now, 0, None, ())
        self.found.entered = dict.fromkeys(_of(first.records, "state.entered", "state"))
        for key in _of(first.records, "transition.taken", "transition"):
            self.found.taken[key] = Edge(stop, (), (key,), (), (), None, (), stop)
        self._push(self.key(stop.snapshot, stop.now), stop)
        moves = budget * _MOVES
        while self.waiting:
            cost, _, stop = heappop(self.waiting)
            if stop.number >= 0 or cost > stop.cost:
                continue
            if len(self.found.stops) >= budget or moves <= 0:
                self.found.complete = False
                break
            stop.number = len(self.found.stops)
            self.found.stops.append(stop)
            for lines in self.offers.lines(stop.snapshot, stop.now):
                self._try(stop, lines)
                moves -= 1
            moves -= self._limits(stop)
        self.found.exact = self.offers.exact and self.key.exact
        return self.found

    def _limits(self, stop: Stop) -> int:
        """From the start, what running into the limits does."""
        limits, tried = self.machine.limits, 0
        if stop.before is not None or stop.snapshot.ended or limits.target is None:
            return tried
        for allowed, line in ((limits.turns, _TURN), (limits.refusals, _NOBODY)):
            if allowed is not None and allowed <= _MOST_LINES:
                self._try(stop, (line,) * (allowed + 1))
                tried += allowed + 1
        if limits.seconds is not None:
            self._try(stop, ({"advance": spelled(limits.seconds * 1_000)},))
            tried += 1
        return tried

    def _push(self, key: Any, stop: Stop) -> None:
        self.at[key] = stop
        self.order += 1
        heappush(self.waiting, (stop.cost, self.order, stop))

    def _try(self, stop: Stop, lines: tuple[Line, ...]) -> None:
        steps, now = run_lines(self.machine, stop.snapshot, stop.now, lines)
        snapshot = steps[-1].snapshot if steps else stop.snapshot
        key = self.key(snapshot, now)
        cost = stop.cost + len(lines)
        target = self.at.get(key)
        if target is None:
            target = Stop(snapshot, now, cost, stop, lines)
            self._push(key, target)
        elif cost < target.cost and target.number < 0:
            target.snapshot, target.now, target.cost = snapshot, now, cost
            target.before, target.lines = stop, lines
            self._push(key, target)
        records = [record for taken in steps for record in taken.records]
        edge = Edge(
            stop,
            lines,
            _of(records, "transition.taken", "transition"),
            _of(records, "state.entered", "state"),
            _of(records, "state.exited", "state"),
            next((s.refusal.reason for s in steps if s.refusal is not None), None),
            _of(records, "machine.limit_reached", "limit"),
            target,
        )
        stop.edges.append(edge)
        for state in edge.entered:
            best = self.found.entered.get(state, edge)
            if best is not None and (state not in self.found.entered or cost < best.cost):
                self.found.entered[state] = edge
        for transition in edge.taken:
            if transition not in self.found.taken or cost < self.found.taken[transition].cost:
                self.found.taken[transition] = edge


_MOST_LINES = 200
_TURN: Line = {"caller": "Hello"}
_NOBODY: Line = {"event": "nobody.waits"}


def run_lines(
    machine: Machine, snapshot: Snapshot, now: int, lines: tuple[Line, ...]
) -> tuple[list[Step], int]:
    """The steps of some lines in a row, and the time after them."""
    steps: list[Step] = []
    for line in lines:
        more, now = play(machine, snapshot, now, line)
        steps += more
        if more:
            snapshot = more[-1].snapshot
    return steps, now


def _of(records: list[Record] | tuple[Record, ...], kind: str, field: str) -> tuple[str, ...]:
    return tuple([record.data[field] for record in records if record.type == kind])
