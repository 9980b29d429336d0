"""The compiled machine: the tree, the names, and the memo on (configuration, event).

A `Configuration` is one set of active states; it keeps which transitions could answer an event
from it, and the plans of the microsteps already met. All of it is derived from the frozen
document, so that sharing it between threads can at worst do the same work twice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from interpreter.budget import MICROSTEPS, RECORDS
from interpreter.compiling.nodes import CompiledTransition, Node
from interpreter.compiling.plans import (
    History,
    Plan,
    Tree,
    forced_plan,
    initial_plan,
    leaves_of,
    nodes_of,
    plan_of,
)
from interpreter.compiling.standing import stand
from interpreter.document import EventTrigger, Limits, OutcomeDoc, PromptDoc, SlotDoc, matches
from interpreter.expressions import Scope, Template

MEMO_CAP = 65_536

# What selection looks for: an event's name, or a tuple for what no outside party can name:
# ("always",), ("done", state key), ("after", transition key), ("propose", target or key).
Lookup = str | tuple[str, ...]


@dataclass(slots=True, eq=False, repr=False)
class Candidate:
    """A transition as one configuration sees it; `plain` when nothing but its guard is asked."""

    transition: CompiledTransition
    backward: bool
    plain: bool
    free: bool


Chains = tuple[tuple[Candidate, ...], ...]


@dataclass(slots=True, eq=False, repr=False)
class Configuration:
    """One set of active states: `active` are state keys in document order.

    `fast` holds what stepping made of the events and proposals that were met here often, by the
    name of the event, and `heat` how often those were met that have no such function yet. Both
    hold declared names and patterns alone (see `Tables.declared_as`).
    """

    tables: Tables
    mask: int
    active: tuple[str, ...]
    leaves: tuple[Node, ...]
    keys: frozenset[str]
    agent: str | None
    ends: str | None
    chains: dict[Lookup, Chains] = field(default_factory=dict)
    plans: dict[tuple[int, ...], Plan] = field(default_factory=dict)
    value: dict[str, Any] | None = None
    next: dict[int, Configuration] = field(default_factory=dict)
    fast: dict[Lookup, Callable[..., Any]] = field(default_factory=dict)
    heat: dict[Lookup, int] = field(default_factory=dict)


@dataclass(eq=False, repr=False, kw_only=True)
class Tables:
    """A compiled chart; immutable but for its memo. Made by `compile_machine`.

    `actions` are hooks that a host runs inside the step: see `conformance`. `begun` is what
    stepping keeps of a start that is the same at every time.
    """

    root: Node
    nodes: list[Node]
    states: Mapping[str, Node]
    regions: Mapping[str, Node]
    transitions: list[CompiledTransition]
    transition_keys: Mapping[str, CompiledTransition]
    slots: Mapping[str, SlotDoc]
    defaults: Mapping[str, Any]
    prompts: Mapping[str, PromptDoc | None] | None
    templates: Mapping[str, Template]
    squad: frozenset[str] | None
    outcomes: Mapping[str, OutcomeDoc] | None
    limits: Limits
    scope: Scope
    fingerprint: Callable[[], str]
    key: str | None = None
    microsteps: int = MICROSTEPS
    record_cap: int = RECORDS
    actions: Mapping[str, Callable[..., None]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.tree = Tree(self.nodes, self.states)
        self.counted = tuple(node.key for node in self.nodes if node.is_state)
        self.places = {key: place for place, key in enumerate(self.counted)}
        self.speaker = next((r for r in self.root.children if r.speaker), None)
        self.finals = tuple(
            node for top in self.root.children for node in top.children if node.kind == "final"
        )
        target = self.limits.target
        self.limit_target = self.states.get(target) if target else None
        self.has_caps = any(node.max_visits is not None for node in self.nodes)
        self.has_always = any(t.trigger == "always" for t in self.transitions)
        self.descriptors = frozenset(
            name
            for transition in self.transitions
            if isinstance(transition.doc.on, EventTrigger)
            for name in transition.doc.on.events
        )
        self.has_patterns = any(name.endswith("*") for name in self.descriptors)
        self.proposals = frozenset(
            name
            for t in self.transitions
            if t.trigger == "propose"
            for name in (t.key, t.doc.target)
            if name
        )
        self.begun: Any = None
        self._by_mask: dict[int, Configuration] = {}
        self._by_active: dict[tuple[str, ...], Configuration] = {}
        self._size = 0

    @cached_property
    def digest(self) -> str:
        """SHA-256 (hex) of the document; made when it is first asked for, since it takes as long
        as all the rest.
        """
        return self.fingerprint()

    # --- configurations --------------------

    def configuration(self, active: tuple[str, ...]) -> Configuration:
        """The configuration of these state keys. Raises SnapshotError when there is none."""
        found = self._by_active.get(active)
        if found is None:
            stand(self.root, self.states, active)
            mask = self.root.bit
            for node in (self.root, *[self.states[key] for key in active]):
                mask |= node.bit
                for region in node.children:
                    mask |= region.bit
            found = self.at_mask(mask)
            self.remember(self._by_active, active, found)
        return found

    def at_mask(self, mask: int) -> Configuration:
        """The configuration of this mask of nodes."""
        found = self._by_mask.get(mask)
        if found is None:
            active = [node for node in reversed(nodes_of(mask, self.nodes)) if node.is_state]
            leaves = tuple(node for node in active if not node.descendants & mask)
            speaking = [n for n in active if n.agent is not None]
            found = Configuration(
                tables=self,
                mask=mask,
                active=tuple(node.key for node in active),
                leaves=leaves,
                keys=frozenset(node.key for node in active),
                agent=speaking[-1].agent if speaking else None,
                ends=self._end_of(mask),
            )
            self.remember(self._by_mask, mask, found)
        return found

    def _end_of(self, mask: int) -> str | None:
        """The final state with which the Call ends: the speaker's, or the last when all are."""
        reached = [node for node in self.finals if node.bit & mask]
        for node in reached:
            if node.parent is self.speaker:
                return node.key
        return reached[-1].key if reached and len(reached) == len(self.root.children) else None

    def remember(self, memo: dict[Any, Any], key: Any, value: Any) -> None:
        """Adds to a memo; a full one is dropped as a whole and begins anew."""
        if self._size >= MEMO_CAP:
            for at in list(self._by_mask.values()):
                for kept in (at.chains, at.plans, at.next, at.fast, at.heat):
                    kept.clear()
            self._by_mask.clear()
            self._by_active.clear()
            self._size = 0
        self._size += 1
        memo[key] = value

    # --- candidates --------------------

    def declares(self, event: str) -> bool:
        """Whether any transition of the machine waits for an event of this name."""
        return self.declared_as(event) is not None

    def declared_as(self, event: str) -> str | None:
        """The name under which an event is kept in a memo; None when no transition waits for it.

        That is its own name where the document says it, else the longest pattern that it matches:
        whatever else matches is a prefix of that. So a memo holds names of the document alone,
        however many an outside party makes up.
        """
        if event in self.descriptors:
            return event
        if not self.has_patterns:
            return None
        prefix, dot = event, "."
        while dot:
            if prefix + ".*" in self.descriptors:
                return prefix + ".*"
            prefix, dot, _ = prefix.rpartition(".")
        return "*" if "*" in self.descriptors else None

    def chains(self, at: Configuration, lookup: Lookup) -> Chains:
        """For each active leaf in document order, who may answer, from the leaf upwards."""
        found = at.chains.get(lookup)
        if found is not None:
            return found
        key: Lookup | None = lookup
        if isinstance(lookup, str):
            key = self.declared_as(lookup)
        elif self._no_proposal(*lookup):
            key = None
        if key is None:
            return ()
        found = at.chains.get(key)
        if found is None:
            found = self._chains(at, lookup)
            self.remember(at.chains, key, found)
        return found

    def _no_proposal(self, kind: str, *names: str) -> bool:
        return kind == "propose" and self.proposals.isdisjoint(names)

    def _chains(self, at: Configuration, lookup: Lookup) -> Chains:
        made: dict[int, Candidate] = {}
        chains = []
        for leaf in at.leaves:
            chain = []
            for node in (leaf, *leaf.ancestors):
                for transition in node.transitions:
                    if _answers(transition, lookup):
                        if transition.index not in made:
                            made[transition.index] = self._candidate(at, transition)
                        chain.append(made[transition.index])
            if chain:
                chains.append(tuple(chain))
        return tuple(dict.fromkeys(chains))

    def _candidate(self, at: Configuration, transition: CompiledTransition) -> Candidate:
        home = transition.home
        backward = False
        steady = False
        if home is not None and transition.target is not None:
            backward = _backward(transition, home, at.mask)
            steady = bool(home.cooldown_ms or (backward and home.backward_confidence))
        capped = transition.target is not None and self.has_caps
        plain = not (
            steady
            or capped
            or transition.max_takes is not None
            or transition.min_confidence is not None
        )
        return Candidate(transition, backward, plain, plain and transition.guard is None)

    # --- plans --------------------

    def plan(
        self, at: Configuration, transitions: tuple[CompiledTransition, ...], history: History
    ) -> Plan:
        """The microstep of these transitions, from the memo when it does not depend on history."""
        key = tuple([t.index for t in transitions])
        found = at.plans.get(key)
        if found is None:
            found = plan_of(at.mask, transitions, self.tree, history)
            if found.whole:
                self.remember(at.plans, key, found)
        return found

    def leaves(self, transition: CompiledTransition, history: History) -> int:
        """The mask of what a transition can exit."""
        return leaves_of(transition, history, self.states)

    def initial_plan(self) -> Plan:
        """Entering the machine."""
        return initial_plan(self.root, self.states, {})

    def limit_plan(self, at: Configuration, history: History) -> Plan | None:
        """Forcing the speaker region into the limits target; None when there is none to enter."""
        target, region = self.limit_target, self.speaker
        if target is None or region is None or not target.is_within(region):
            return None
        return forced_plan(at.mask, region, target, self.tree, history)

    # --- reading --------------------

    def value_of(self, at: Configuration) -> dict[str, Any]:
        """The printed form of a configuration (docs/contracts.md section 3)."""
        if at.value is None:
            at.value = {r.key: _value(r, at.mask) for r in self.root.children}
        return at.value


def _value(region: Node, mask: int) -> Any:
    for child in region.children:
        if child.bit & mask:
            if not child.children:
                return child.key
            return {child.key: {inner.key: _value(inner, mask) for inner in child.children}}
    return None


def _answers(transition: CompiledTransition, lookup: Lookup) -> bool:
    on = transition.doc.on
    if isinstance(lookup, str):
        return isinstance(on, EventTrigger) and any(matches(name, lookup) for name in on.events)
    kind, *names = lookup
    if kind == "done":
        if isinstance(on, EventTrigger):
            return any(matches(name, "done.state." + names[0]) for name in on.events)
        return transition.trigger == "done" and transition.source.key == names[0]
    if transition.trigger != kind:
        return False
    if kind == "always":
        return True
    if kind == "after":
        return transition.key == names[0]
    return names[0] in (transition.doc.target, transition.key)


def _backward(transition: CompiledTransition, home: Node, mask: int) -> bool:
    """Whether the target's place in the region that moves precedes the source's."""
    target = transition.target
    if target is None:
        return False
    if transition.source is home:
        here = next((child for child in home.children if child.bit & mask), None)
    else:
        here = _child_towards(home, transition.source)
    there = _child_towards(home, target)
    return here is not None and there is not None and there.index < here.index


def _child_towards(region: Node, node: Node) -> Node | None:
    return next((one for one in (node, *node.ancestors) if one.parent is region), None)
