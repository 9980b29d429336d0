"""Top regions that can touch each other; the others are looked at apart."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.compiling import CompiledTransition, Node, Tables
from interpreter.document import matches

from .atoms import placed_effects


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

    for one, two in _touching(machine, tops):
        low, high = sorted((find(one), find(two)))
        leader[high] = low
    masks: dict[int, int] = {}
    for number, top in enumerate(tops):
        masks[find(number)] = masks.get(find(number), 0) | top.bit | top.descendants
    return list(masks.values())


def _touching(machine: Tables, tops: list[Node]) -> Iterator[tuple[int, int]]:
    number_of = {id(n): number for number, top in enumerate(tops) for n in top.walk()}
    reads: dict[str, set[int]] = {}
    writes: dict[str, set[int]] = {}
    waits: list[tuple[str, int]] = []
    raised: list[tuple[str, int]] = []

    def home(place: Node | CompiledTransition) -> int:
        return number_of.get(id(place.source if isinstance(place, CompiledTransition) else place), 0)

    for transition in machine.transitions:
        here = home(transition)
        on = transition.doc.on
        waits += [(name, here) for name in getattr(on, "events", ())]
        for ref in transition.guard.refs if transition.guard is not None else ():
            reads.setdefault(ref, set()).add(here)
            place = _state_in(machine, ref)
            if place is not None:
                yield here, number_of[id(place)]
        if transition.target is not None:
            yield here, number_of[id(transition.target)]
        if transition.domain is machine.root:
            yield from ((here, other) for other in range(len(tops)))
    for spot, effect in placed_effects(machine):
        here = home(spot)
        if effect.kind in ("set", "clear"):
            writes.setdefault(f"slots.{effect.key}", set()).add(here)
        if effect.kind == "raise":
            raised.append((effect.key, here))
        for _, value in effect.values if effect.kind in ("set", "raise") else ():
            for ref in value.refs:
                reads.setdefault(ref, set()).add(here)
    for ref, writers in writes.items():
        yield from ((one, two) for one in writers for two in reads.get(ref, ()))
    for name, source in raised:
        yield from ((source, waiter) for wanted, waiter in waits if matches(wanted, name))
    for wanted, waiter in waits:
        for key, region in machine.regions.items():
            if matches(wanted, f"done.region.{key}") and id(region) in number_of:
                yield waiter, number_of[id(region)]


def _state_in(machine: Tables, ref: str) -> Node | None:
    """The state that `visits.x` or `active('x')` names."""
    if ref.startswith("visits."):
        return machine.states.get(ref[7:])
    return machine.states.get(ref[8:-2]) if ref.startswith("active(") else None
