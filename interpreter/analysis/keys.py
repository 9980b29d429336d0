"""What of a Snapshot can matter to what comes after."""

from __future__ import annotations

from typing import Any

from interpreter.compiling import CompiledTransition, Node
from interpreter.stepping import Machine, Snapshot

from .atoms import asked_in, grows_only, placed_effects
from .domains import Domains
from .offers import Offers, elapsing, resting


class Keys:
    """Two Snapshots with one key go on alike.

    Slots that may be written from outside are left out: before each input the search gives them
    what values it needs. A `fine` key counts visits, takes and the time of timers as well.
    `exact` is False where two Snapshots with one key may go on differently.
    """

    def __init__(self, machine: Machine, offers: Offers, *, fine: bool) -> None:
        self.machine = machine
        self.fine = fine
        domains = offers.domains
        atoms = domains.atoms.by_name
        everything = machine.root.descendants | machine.root.bit
        self.all = offers.inside | machine.root.bit == everything
        self.inside = frozenset(
            key for key, node in machine.states.items() if node.bit & offers.inside
        )
        self.slots = [key for key in offers.read if not domains.outside(key)]
        self.tops = {
            key: top for key in self.slots if (top := self._top(domains, key)) is not None
        }
        self.counters = [
            (name[8:], _beyond(domains, name))
            for name in sorted(atoms)
            if name[:8] == "machine." and name[8:] in ("turns", "transitions", "refusals")
        ]
        self.elapsing = elapsing(domains)
        self.visits: dict[str, int] = {
            name[7:]: _beyond(domains, name) for name in sorted(atoms) if name[:7] == "visits."
        }
        self.caps = any(n.max_visits is not None for n in machine.nodes if n.key in self.inside)
        if fine:
            for node in machine.nodes:
                if node.max_visits is not None and node.key in self.inside:
                    self.visits[node.key] = max(self.visits.get(node.key, 0), node.max_visits)
        self.takes = any(t.max_takes is not None for t in machine.transitions)
        self.rests = any(t.home is not None and t.home.cooldown_ms for t in machine.transitions)
        timed = [t for t in machine.transitions if t.trigger == "after"]
        self.crossing = len(timed) > 1 and not _apart(machine, timed)
        self.exact = self._exact(offers)

    @property
    def coarse(self) -> bool:
        """Whether a fine key would tell more Snapshots apart."""
        return not self.fine and (self.caps or self.takes or self.crossing)

    def _top(self, domains: Domains, key: str) -> float | None:
        """Where a slot that effects only make greater is above all that it is held against."""
        name = f"slots.{key}"
        asked = domains.atoms.of(name)
        grown = False
        for _, effect in placed_effects(self.machine):
            for _, value in effect.values if effect.kind in ("set", "raise") else ():
                if name in value.refs:
                    if effect.key != key or not grows_only(value, name):
                        return None
                    grown = True
        guards = [t.guard for t in self.machine.transitions if t.guard is not None]
        rich = any(name in g.refs and asked_in(g.source, name).rich for g in guards)
        if not grown or rich or self.machine.slots[key].maximum is not None:
            return None
        return max([*[n for n in asked.constants if isinstance(n, int | float)], 0]) + 1

    def _exact(self, offers: Offers) -> bool:
        domains, limits = offers.domains, self.machine.limits
        names = [name for name in domains.atoms.by_name if name[:6] in ("event.", "visits")]
        names += [f"slots.{key}" for key in offers.read if domains.outside(key)]
        bound = limits.transitions is not None or limits.visits is not None
        target = self.machine.limit_target
        on = target is not None and target.kind != "final"
        counted = any(name.startswith(("machine.", "decision.")) for name in domains.atoms.by_name)
        known = all(
            domains.of(name).exact and not domains.atoms.of(name).carried for name in names
        )
        steady = not (self.rests or self.crossing or bound or on or counted or self.coarse)
        return known and steady

    def __call__(self, snapshot: Snapshot, now: int) -> Any:
        """The key; hashable."""
        active: Any = snapshot.active
        history: Any = snapshot.history
        if not self.all:
            active = tuple([key for key in active if key in self.inside])
            history = {k: v for k, v in history.items() if k in self.inside}
        slots = snapshot.slots
        more: tuple[Any, ...] = ()
        if self.visits:
            visits = snapshot.visits
            more += tuple([min(visits.get(key, 0), cap) for key, cap in self.visits.items()])
        if self.counters:
            more += tuple([min(getattr(snapshot, name), top) for name, top in self.counters])
        if self.elapsing:
            elapsed = (now - snapshot.started) / 1_000
            more += (sum(elapsed > seconds for seconds in self.elapsing),)
        if snapshot.timers:
            more += tuple(
                [
                    (t.transition, t.due_ms - now if self.fine else 0)
                    for t in snapshot.timers
                    if t.transition is not None
                ]
            )
        if self.rests:
            more += tuple(resting(self.machine, snapshot, now))
        if self.fine:
            more += tuple(sorted(snapshot.takes.items()))
        return (
            active,
            snapshot.status,
            tuple(sorted(history.items())),
            tuple([self._slot(key, slots.get(key)) for key in self.slots]),
            tuple(sorted(snapshot.decision.items())),
            snapshot.limits_hit,
            more,
        )

    def _slot(self, key: str, value: Any) -> Any:
        top = self.tops.get(key)
        if top is not None and isinstance(value, int | float) and value > top:
            return repr(top)
        return repr(value)


def _beyond(domains: Domains, name: str) -> int:
    numbers = [n for n in domains.atoms.of(name).constants if isinstance(n, int | float)]
    return int(max([*numbers, 0])) + 1


def _apart(machine: Machine, timed: list[CompiledTransition]) -> bool:
    """Whether no two of these can wait at once."""
    weights: dict[Node, int] = {}
    for transition in timed:
        weights[transition.source] = weights.get(transition.source, 0) + 1
    together: dict[Node, int] = {}
    for node in reversed(machine.nodes):
        inside = [together[child] for child in node.children]
        most = max(inside, default=0) if node.kind == "region" else sum(inside)
        together[node] = weights.get(node, 0) + most
    return together[machine.root] <= 1


def exclusive(one: Node, two: Node) -> bool:
    """Whether two nodes are never active together: they lie in different states of a region."""
    if one is two or one.is_within(two) or two.is_within(one):
        return False
    around = {id(node) for node in one.ancestors}
    meeting = next(node for node in two.ancestors if id(node) in around)
    return meeting.kind == "region"
