"""Top regions that can touch each other; the others are looked at apart."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

from interpreter.compiling import CompiledTransition, Node, Tables
from interpreter.document import matches

from .atoms import descriptors, placed_effects


def groups(machine: Tables) -> list[int]:
    """Masks of nodes, one a group of top regions, in document order.

    Two regions are of one group where a guard or an effect of the one reads what the other
    writes, an event raised in the one is waited for in the other, or a transition leads across.
    """
    tops = machine.root.children
    leader = list(range(len(tops)))

    def find(number: int) -> int:
        while leader[number] != number:
            number = leader[number]
        return number

    for one, two in _Traffic(machine).touching():
        low, high = sorted((find(one), find(two)))
        leader[high] = low
    masks: dict[int, int] = {}
    for number, top in enumerate(tops):
        masks[find(number)] = masks.get(find(number), 0) | top.bit | top.descendants
    return list(masks.values())


class _Traffic:
    """Who reads, writes, raises and waits, by the number of the top region; None is the root."""

    def __init__(self, machine: Tables) -> None:
        self.machine = machine
        self.number_of = {
            id(node): number
            for number, top in enumerate(machine.root.children)
            for node in top.walk()
        }
        self.reads: dict[str, set[int]] = {}
        self.writes: dict[str, set[int]] = {}
        self.waits: list[tuple[str, int]] = []
        self.raised: list[tuple[str, int]] = []
        for transition in machine.transitions:
            here = self.home(transition)
            self.waits += [(name, here) for name in descriptors(transition)]
            self._read(transition.guard.refs if transition.guard is not None else (), here)
        for place, effect in placed_effects(machine):
            here = self.home(place)
            if effect.kind in ("set", "clear"):
                self.writes.setdefault(f"slots.{effect.key}", set()).add(here)
            if effect.kind == "raise":
                self.raised.append((effect.key, here))
            if effect.kind in ("set", "raise"):
                for _, value in effect.values:
                    self._read(value.refs, here)

    def home(self, place: Node | CompiledTransition) -> int:
        """The number of the top region in which something lies."""
        node = place.source if isinstance(place, CompiledTransition) else place
        return self.number_of.get(id(node), 0)

    def _read(self, refs: Iterable[str], here: int) -> None:
        for ref in refs:
            self.reads.setdefault(ref, set()).add(here)

    def touching(self) -> Iterator[tuple[int, int]]:
        """Pairs of top regions that touch each other."""
        yield from self._by_transitions()
        for ref, readers in self.reads.items():
            place = _state_in(self.machine, ref)
            others = {self.home(place)} if place is not None else self.writes.get(ref, set())
            yield from itertools.product(readers, others)
        for name, source in self.raised:
            yield from ((source, waiter) for wanted, waiter in self.waits if matches(wanted, name))
        for wanted, waiter in self.waits:
            if wanted.startswith(("done", "*")):
                yield from self._by_done(wanted, waiter)

    def _by_transitions(self) -> Iterator[tuple[int, int]]:
        for transition in self.machine.transitions:
            here = self.home(transition)
            yield from ((here, self.home(target)) for target in transition.targets)
            if transition.targets and transition.domain is self.machine.root:
                yield from ((here, other) for other in range(len(self.machine.root.children)))

    def _by_done(self, wanted: str, waiter: int) -> Iterator[tuple[int, int]]:
        for key, region in self.machine.regions.items():
            if matches(wanted, f"done.region.{key}"):
                yield waiter, self.home(region)
        for key, state in self.machine.states.items():
            if state.children and matches(wanted, f"done.state.{key}"):
                yield waiter, self.home(state)


def _state_in(machine: Tables, ref: str) -> Node | None:
    """The state that `visits.x` or `active('x')` names."""
    if ref.startswith("visits."):
        return machine.states.get(ref[7:])
    return machine.states.get(ref[8:-2]) if ref.startswith("active(") else None
