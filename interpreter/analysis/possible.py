"""What could happen at all, whatever comes: more than any run does, never less.

A guard is decided over the values that its names can have; where these are not simple it is taken
to be able to hold.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any, Literal

from interpreter.compiling import CompiledEffect, CompiledTransition, Node
from interpreter.expressions import CountersView, Environment, EventView, Expression
from interpreter.stepping import Machine

from .atoms import constant, descriptors, parsed, placed_effects
from .domains import Domains
from .keys import exclusive
from .offers import reserved, truth

Holds = Literal["can", "never", "may"]
_MOST = 4_000


class Possible:
    """States (`nodes`) and transitions that no argument of this kind rules out."""

    def __init__(self, machine: Machine, domains: Domains) -> None:
        self.machine = machine
        self.domains = domains
        self.nodes: set[Node] = set()
        self.transitions: set[CompiledTransition] = set()
        self._held: list[CompiledTransition] = []
        self._waiting: list[Node] = []
        self._begun: set[Node] = set()
        self._decided: dict[tuple[tuple[str, ...], ...], tuple[Holds, dict[str, Any]]] = {}
        self._effects: list[tuple[Node | CompiledTransition, CompiledEffect]] = [
            (place, effect)
            for place, effect in placed_effects(machine)
            if effect.kind in ("set", "clear")
        ]
        self._run()

    # --- the walk --------------------

    def _run(self) -> None:
        for top in self.machine.root.children:
            self._enter(top)
        limits, target = self.machine.limits, self.machine.limit_target
        counted = (
            limits.turns,
            limits.transitions,
            limits.visits,
            limits.refusals,
            limits.seconds,
        )
        hit = any(number is not None for number in counted) or self._endless()
        if target is not None and hit:
            self._enter(target)
        while True:
            while self._waiting:
                for transition in self._waiting.pop().transitions:
                    self._consider(transition)
            held, self._held = self._held, []
            before = len(self.transitions), len(self.nodes)
            for transition in held:
                self._consider(transition)
            if (len(self.transitions), len(self.nodes)) == before:
                return

    def _endless(self) -> bool:
        """Whether the limit of microsteps could be hit: something follows by itself."""
        return any(
            t.trigger in ("always", "done") or (t.trigger == "after" and t.after_ms == 0)
            for t in self.machine.transitions
        ) or any(e.kind == "raise" for _, e in placed_effects(self.machine))

    def _consider(self, transition: CompiledTransition) -> None:
        if transition in self.transitions:
            return
        if self.barred(transition) or self.holds(transition) == "never":
            self._held.append(transition)
            return
        self.transitions.add(transition)
        for target in transition.targets:
            self._enter(target)

    def _enter(self, node: Node) -> None:
        """A node is entered, with all that its entry brings along."""
        if node in self._begun or node.kind == "root":
            return
        self._begun.add(node)
        self._stand(node)
        if node.kind == "region":
            for initial in node.initials or (node.initial,):
                if initial is not None:
                    self._enter(initial)
        else:
            for child in node.children:
                self._enter(child)
        if node.parent is not None:
            self._around(node.parent)

    def _stand(self, node: Node) -> None:
        if node not in self.nodes:
            self.nodes.add(node)
            self._waiting.append(node)

    def _around(self, node: Node) -> None:
        """The nodes around one that is entered: a region so entered need not begin."""
        if node.kind == "region" and node not in self.nodes:
            self._stand(node)
            if node.parent is not None:
                self._around(node.parent)
        elif node.kind not in ("region", "root"):
            self._enter(node)

    # --- why not --------------------

    def barred(self, transition: CompiledTransition) -> str | None:
        """Why it can never be taken whatever its guard says, as the end of a sentence."""
        source = transition.source
        if source not in self.nodes and not (
            source.kind == "region" and source.parent in self.nodes
        ):
            return f"'{source.key}' cannot be reached"
        if transition.max_takes == 0:
            return "its max_takes is 0"
        target = transition.target
        if target is not None and target.max_visits == 0:
            return f"the max_visits of '{target.key}' is 0"
        if transition.trigger == "done":
            return self._undone(source)
        names = descriptors(transition)
        if names and all(self._unheard(name) for name in names):
            return f"nothing raises '{names[0]}'"
        return None

    def _undone(self, source: Node) -> str | None:
        for region in source.children:
            if not any(n.kind == "final" and n in self.nodes for n in region.children):
                return f"the region '{region.key}' reaches no final state"
        return None if source.children else f"'{source.key}' holds no regions"

    def _unheard(self, name: str) -> bool:
        """Whether the machine alone raises this event, and cannot."""
        if name.endswith("*") or not reserved(name) or name.startswith("error."):
            return False
        kind, _, key = name.removeprefix("done.").partition(".")
        known = self.machine.regions if kind == "region" else self.machine.states
        owner = known.get(key)
        if owner is None:
            return not any(
                e.kind == "raise" and e.key == name for _, e in placed_effects(self.machine)
            )
        if any(e.kind == "raise" and e.key == name for _, e in placed_effects(self.machine)):
            return False
        regions = [owner] if kind == "region" else owner.children
        return not regions or any(
            not any(n.kind == "final" and n in self.nodes for n in region.children)
            for region in regions
        )

    # --- guards --------------------

    def holds(self, transition: CompiledTransition) -> Holds:
        """Whether its guard can be true."""
        if transition.guard is None:
            return "can"
        return self.together(transition, (transition.guard,))[0]

    def together(
        self,
        transition: CompiledTransition,
        yes: tuple[Expression, ...],
        no: tuple[Expression, ...] = (),
    ) -> tuple[Holds, dict[str, Any]]:
        """Whether guards can hold (`yes`) while others do not (`no`), where the transition's
        source is active; with values that show it.
        """
        names = sorted({ref for guard in (*yes, *no) for ref in guard.refs})
        if not all(self._fixed(name) for name in names):
            return self._decide(transition, names, yes, no)
        key = (tuple(g.source for g in yes), tuple(g.source for g in no))
        if key not in self._decided:
            self._decided[key] = self._decide(transition, names, yes, no)
        return self._decided[key]

    def _fixed(self, name: str) -> bool:
        """Whether its values are the same at every transition and stay so."""
        if name.startswith("slots."):
            return self.domains.outside(name[6:])
        return name.startswith("event.") and name != "event.name"

    def _decide(
        self,
        transition: CompiledTransition,
        names: list[str],
        yes: tuple[Expression, ...],
        no: tuple[Expression, ...],
    ) -> tuple[Holds, dict[str, Any]]:
        ranges = [self._values(name, transition) for name in names]
        count, simple = 1, all(self.domains.of(name).exact for name in names if _valued(name))
        for values in ranges:
            count *= len(values)
        for values in itertools.islice(itertools.product(*ranges), _MOST):
            chosen = dict(zip(names, values, strict=True))
            env = environment(chosen)
            if all(truth(g, env) is True for g in yes) and not any(truth(g, env) for g in no):
                return "can", chosen
        if count > _MOST or not simple:
            return "may", {}
        return "never", {}

    def _values(self, name: str, transition: CompiledTransition) -> tuple[Any, ...]:
        if name.startswith("active("):
            return self._activity(name[8:-2], transition.source)
        if name.startswith("slots."):
            return self._slot_values(name[6:])
        if name.startswith("visits."):
            return self._visits(name, transition.source)
        if name == "event.name":
            names = list(descriptors(transition))
            if names and not any(n.endswith("*") for n in names):
                return tuple(names)
            asked = sorted(v for v in self.domains.atoms.of(name).constants if isinstance(v, str))
            return tuple(dict.fromkeys((*names, *asked, "anything", None)))
        return (*self.domains.of(name).values, None)

    def _activity(self, key: str, source: Node) -> tuple[bool, ...]:
        node = self.machine.states.get(key)
        if node is None or node.kind == "history":
            return (False,)
        if node is source or source.is_within(node):
            return (True,)
        if exclusive(node, source) or node not in self.nodes:
            return (False,)
        return (True, False)

    def _visits(self, name: str, source: Node) -> tuple[int, ...]:
        node = self.machine.states.get(name[7:])
        if node is None or node not in self.nodes:
            return (0,)
        values = self.domains.of(name).values
        if node is source or source.is_within(node):
            return tuple(sorted({1, *[value for value in values if value]}))
        return values

    def _slot_values(self, key: str) -> tuple[Any, ...]:
        domain = self.domains.of(f"slots.{key}").values
        if self.domains.outside(key):
            return domain
        found: list[Any] = [self.machine.defaults.get(key)]
        for place, effect in self._effects:
            if effect.key != key or not self._runs(place):
                continue
            for _, value in effect.values:
                literal = constant(parsed(value.source))
                if not _plain(literal):
                    return (*domain, *[v for v in found if v not in domain])
                found.append(literal)
            if effect.kind == "clear":
                found.append(None)
        return tuple({repr(value): value for value in found}.values())

    def _runs(self, place: Node | CompiledTransition) -> bool:
        if isinstance(place, Node):
            return place in self.nodes
        return place in self.transitions or place.source.kind == "history"


def _plain(value: object) -> bool:
    return value is None or isinstance(value, bool | int | float | str)


def _valued(name: str) -> bool:
    """Whether its Domain decides what is tried for it."""
    return not name.startswith("active(") and name != "event.name"


def environment(chosen: dict[str, Any]) -> Environment:
    """What a guard reads, from a value for each name it refers to."""
    slots: dict[str, Any] = {}
    data: dict[str, Any] = {}
    visits: dict[str, int] = {}
    decision: dict[str, Any] = {}
    counters: dict[str, Any] = {}
    active: set[str] = set()
    confidence, event = None, None
    for name, value in chosen.items():
        root, _, rest = name.partition(".")
        if name.startswith("active("):
            active |= {name[8:-2]} if value else set()
        elif root == "slots":
            slots[rest] = value
        elif root == "visits":
            visits[rest] = value
        elif root == "decision":
            decision[rest] = value
        elif root == "machine":
            counters[rest] = value or 0
        elif name == "event.confidence":
            confidence = value
        elif name == "event.name":
            event = value
        else:
            _put(data, rest.split(".")[1:], value)
    view = EventView(event, data, confidence)
    counts = CountersView(**counters)
    return Environment(slots, view, counts, visits, active.__contains__, decision)


def _put(data: dict[str, Any], path: Iterable[str], value: Any) -> None:
    *around, last = path
    for part in around:
        inner = data.setdefault(part, {})
        if not isinstance(inner, dict):
            return
        data = inner
    if value is not None:
        data[last] = value
