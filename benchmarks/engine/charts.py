"""The charts that every engine is given, in a form that belongs to none of them.

A `State` has a `key`, a `kind` ("simple", "compound" or "parallel"), its children (the first one
is the initial one), its moves by event, and `counted`: entering it adds 1 to the datum `enters`,
leaving it 1 to `exits`. A `Move` goes to the state `target`; `when` is a pair (datum, value) that
must hold, `then` are pairs (datum, value) to write, where the value `+1` adds one.
Run as a module, it prints all charts as JSON, for engines that are not Python.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field

ADD_ONE = "+1"
CHECKED_EVENTS = 40


@dataclass(frozen=True)
class Move:
    target: str
    when: tuple[str, str] | None = None
    then: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class State:
    key: str
    kind: str = "simple"
    children: tuple[State, ...] = ()
    moves: dict[str, tuple[Move, ...]] = field(default_factory=dict)
    counted: bool = False

    def walk(self) -> Iterator[State]:
        yield self
        for child in self.children:
            yield from child.walk()


@dataclass(frozen=True)
class Workload:
    """A chart, the events to send in turn, and what must hold after `CHECKED_EVENTS` of them."""

    root: State
    data: dict[str, str | int]
    events: tuple[str, ...]
    leaves: tuple[str, ...]
    ends_with: dict[str, str | int]


TALK = ("welcome", "need", "detail", "offer", "accept", "perform", "farewell")
SAID = ("opened", "told", "described", "offered", "agreed", "performed", "reopened")


def _ring(moves: Callable[[str], tuple[Move, ...]]) -> State:
    states = [
        State(key, moves={event: moves(TALK[(place + 1) % len(TALK)])})
        for place, (key, event) in enumerate(zip(TALK, SAID, strict=True))
    ]
    return State("talk", "compound", tuple(states))


def ring() -> Workload:
    """(a) a ring of seven states, each left by an event of its own."""
    return Workload(_ring(lambda target: (Move(target),)), {}, SAID, (TALK[40 % 7],), {})


def guarded_ring() -> Workload:
    """(b) the ring; two guarded moves an event, each of which writes two data."""

    def moves(target: str) -> tuple[Move, ...]:
        return tuple(
            Move(target, ("side", here), (("side", there), ("turns", ADD_ONE)))
            for here, there in (("right", "left"), ("left", "right"))
        )

    data: dict[str, str | int] = {"side": "left", "turns": 0}
    return Workload(_ring(moves), data, SAID, (TALK[40 % 7],), {"side": "left", "turns": 40})


def _regions(event: Callable[[int], str]) -> State:
    regions = []
    for lane in range(4):
        keys = [f"lane{lane}_{place}" for place in range(5)]
        states = [
            State(key, moves={event(lane): (Move(keys[(place + 1) % 5]),)})
            for place, key in enumerate(keys)
        ]
        regions.append(State(f"lane{lane}", "compound", tuple(states)))
    return State("chart", "compound", (State("lanes", "parallel", tuple(regions)),))


AT_FIRST = tuple(f"lane{lane}_0" for lane in range(4))


def one_region_moves() -> Workload:
    """(c) four regions of five states; an event moves one of them."""
    events = tuple(f"go{lane}" for lane in range(4))
    return Workload(_regions(lambda lane: f"go{lane}"), {}, events, AT_FIRST, {})


def all_regions_move() -> Workload:
    """(e) the same four regions; the one event moves them all in one microstep."""
    return Workload(_regions(lambda _: "go"), {}, ("go",), AT_FIRST, {})


def three_levels() -> Workload:
    """(d) three levels of two, every state counted; a move on each level, then a refused event."""

    def level(prefix: str, names: tuple[tuple[str, str], ...], events: tuple[str, ...]) -> State:
        pair = names[0]
        return State(
            prefix or "chart",
            "compound",
            tuple(
                State(
                    prefix + name,
                    "compound" if names[1:] else "simple",
                    level(prefix + name, names[1:], events[1:]).children if names[1:] else (),
                    {events[0]: (Move(prefix + other),)},
                    counted=True,
                )
                for name, other in (pair, pair[::-1])
            ),
        )

    root = level("", (("up", "down"), ("_in", "_out"), ("_near", "_far")), ("far", "mid", "near"))
    events = ("near", "mid", "far", "nobody")
    ends = {"enters": 63, "exits": 60}
    return Workload(root, {"enters": 0, "exits": 0}, events, ("up_in_near",), ends)


def groups(states: int) -> State:
    """Groups of ten states, a ring in each, and from each group a move to the next."""
    count = max(1, states // 10)
    made = []
    for group in range(count):
        keys = [f"group{group}_{place}" for place in range(10)]
        ringed = [
            State(
                key,
                moves={
                    "next": (Move(keys[(place + 1) % 10]),),
                    "back": (Move(keys[(place - 1) % 10]),),
                },
            )
            for place, key in enumerate(keys)
        ]
        onward = {"jump": (Move(f"group{(group + 1) % count}"),)} if count > 1 else {}
        made.append(State(f"group{group}", "compound", tuple(ringed), onward))
    return State("chart", "compound", tuple(made))


WORKLOADS: dict[str, Callable[[], Workload]] = {
    "a": ring,
    "b": guarded_ring,
    "c": one_region_moves,
    "d": three_levels,
    "e": all_regions_move,
}
NAMES = {
    "a": "flat ring",
    "b": "guards and sets",
    "c": "4 regions, 1 moves",
    "d": "3 levels, entry, exit",
    "e": "4 regions, all move",
}


def as_json() -> str:
    """All workloads as one JSON object by letter."""
    made = {letter: asdict(make()) for letter, make in WORKLOADS.items()}
    return json.dumps({"workloads": made, "checked_events": CHECKED_EVENTS})


if __name__ == "__main__":
    print(as_json())
