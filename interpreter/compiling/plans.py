"""What one microstep exits and enters: W3C SCXML appendix D, over masks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from interpreter.compiling.nodes import CompiledEffect, CompiledTransition, Node

History = Mapping[str, Sequence[str]]
Remembered = tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(slots=True, eq=False, repr=False)
class Plan:
    """A microstep made ready: transitions taken together from one configuration.

    `remembers` are the values of the history states whose region is left; `defaults` the effects
    of a history's default transition by the index of the region they follow; `whole` is False when
    the plan depends on what a history state remembers and must not be kept.
    """

    transitions: tuple[CompiledTransition, ...]
    exits: tuple[Node, ...]
    entries: tuple[Node, ...]
    mask: int
    remembers: Remembered = ()
    defaults: dict[int, tuple[CompiledEffect, ...]] = field(default_factory=dict)
    capped: tuple[Node, ...] = ()
    stamps: tuple[str, ...] = ()
    binds: bool = False
    whole: bool = True
    finals: dict[int, tuple[str | None, tuple[str, ...]]] = field(default_factory=dict)


class _Entry:
    """W3C's computeEntrySet: which nodes are entered. What is `kept` is never entered again."""

    def __init__(self, states: Mapping[str, Node], history: History, kept: int) -> None:
        self.states = states
        self.history = history
        self.mask = kept
        self.nodes: list[Node] = []
        self.defaults: dict[int, tuple[CompiledEffect, ...]] = {}
        self.used_history = False

    def add(self, node: Node) -> None:
        if not self.mask & node.bit:
            self.mask |= node.bit
            self.nodes.append(node)

    def descend(self, node: Node) -> None:
        """W3C's addDescendantStatesToEnter."""
        if node.kind == "history":
            self._recall(node)
            return
        self.add(node)
        if node.kind == "region":
            if not self.mask & node.descendants:
                self._begin(node)
        else:
            self.fill(node)

    def _begin(self, region: Node) -> None:
        if region.initials:
            self.defaults[region.index] = region.initial_effects
            for node in region.initials:
                self.descend(node)
            for node in _effective(region.initials, self.history, self.states):
                self.ascend(node, region)
        elif region.initial is not None:
            self.descend(region.initial)

    def fill(self, node: Node) -> None:
        """Enters every region of an AND node into which nothing leads yet."""
        for region in node.children:
            if not self.mask & (region.descendants | region.bit):
                self.descend(region)

    def ascend(self, node: Node, upto: Node | None) -> None:
        """W3C's addAncestorStatesToEnter; `upto` None goes above the root."""
        for ancestor in node.ancestors:
            if ancestor is upto:
                return
            if ancestor.kind != "root":
                self.add(ancestor)
            if ancestor.kind != "region":
                self.fill(ancestor)

    def _recall(self, node: Node) -> None:
        self.used_history = True
        region = node.parent
        remembered = [self.states[key] for key in self.history.get(node.key, ())]
        if remembered:
            for state in remembered:
                if node.deep:
                    self.add(state)
                else:
                    self.descend(state)
            for state in remembered:
                self.ascend(state, region)
            return
        default = node.transitions[0]
        if region is not None:
            before = self.defaults.get(region.index, ())
            self.defaults[region.index] = (*before, *default.effects)
        for target in default.targets:
            self.descend(target)
        for target in default.targets:
            self.ascend(target, region)


def initial_plan(root: Node, states: Mapping[str, Node], history: History) -> Plan:
    """Entering the machine."""
    entry = _Entry(states, history, root.bit)
    entry.fill(root)
    return _finish((), (), (), entry, root.bit)


def forced_plan(mask: int, region: Node, target: Node, tree: Tree, history: History) -> Plan:
    """Leaving what is active in `region` for `target` inside it, by no transition."""
    left = mask & region.descendants
    exits = nodes_of(left, tree.nodes)
    remembers = _remembered(exits, mask)
    entry = _Entry(tree.states, {**history, **dict(remembers)}, mask & ~left)
    entry.descend(target)
    for node in _effective((target,), entry.history, tree.states):
        entry.ascend(node, region)
    return _finish((), exits, remembers, entry, mask & ~left)


@dataclass(slots=True, eq=False, repr=False)
class Tree:
    """The nodes of a chart, by index and by key."""

    nodes: list[Node]
    states: Mapping[str, Node]


def plan_of(
    mask: int, transitions: tuple[CompiledTransition, ...], tree: Tree, history: History
) -> Plan:
    """The microstep of `transitions` (already free of conflicts) from the configuration `mask`."""
    left = 0
    for transition in transitions:
        left |= mask & leaves_of(transition, history, tree.states)
    left &= ~1
    exits = nodes_of(left, tree.nodes)
    remembers = _remembered(exits, mask)
    entry = _Entry(tree.states, {**history, **dict(remembers)}, mask & ~left)
    for transition in transitions:
        for target in transition.targets:
            entry.descend(target)
    for transition in transitions:
        if transition.targets:
            domain = _domain(transition, entry.history, tree.states)
            for node in _effective(transition.targets, entry.history, tree.states):
                entry.ascend(node, domain)
    return _finish(transitions, exits, remembers, entry, mask & ~left)


def leaves_of(transition: CompiledTransition, history: History, states: Mapping[str, Node]) -> int:
    """The mask of what a transition can exit; none without a target."""
    if not transition.targets:
        return 0
    if not _recalls(transition):
        return transition.leaves
    return leaves_under(transition.source, _domain(transition, history, states))


def leaves_under(source: Node, domain: Node | None) -> int:
    """Everything inside a domain; of the whole machine when it is None."""
    return (domain or source.ancestors[-1]).descendants


def _domain(
    transition: CompiledTransition, history: History, states: Mapping[str, Node]
) -> Node | None:
    """The domain of a transition; what a history state stands for may lie deeper than itself."""
    if not _recalls(transition):
        return transition.domain
    return domain_of(transition, _effective(transition.targets, history, states))


def _recalls(transition: CompiledTransition) -> bool:
    return any(target.kind == "history" for target in transition.targets)


def domain_of(transition: CompiledTransition, targets: Sequence[Node]) -> Node | None:
    """W3C's getTransitionDomain; what lies above the root is None: everything is left.

    A region's own transition is internal unless it says `external`; so is a transition that says
    `internal` from a compound state (one region) to a descendant. A silent region is no element
    of SCXML, so that it is not left while its state stays.
    """
    source = transition.source
    if source.kind == "region":
        internal = not transition.doc.external
    else:
        internal = transition.doc.internal and len(source.children) == 1
    if internal and all(target.is_within(source) for target in targets):
        only = source.children[0]
        return only if only.silent else source
    return next(
        (
            node
            for node in source.ancestors
            if node.kind == "region"
            and not node.frame
            and all(target.is_within(node) for target in targets)
        ),
        None,
    )


def _effective(
    targets: Sequence[Node], history: History, states: Mapping[str, Node]
) -> list[Node]:
    """W3C's getEffectiveTargetStates."""
    found: list[Node] = []
    for target in targets:
        if target.kind != "history":
            found.append(target)
        elif history.get(target.key):
            found += [states[key] for key in history[target.key]]
        else:
            found += target.transitions[0].targets
    return found


def nodes_of(mask: int, nodes: Sequence[Node]) -> tuple[Node, ...]:
    """The nodes of a mask in exit order: reverse document order."""
    found = []
    while mask:
        index = mask.bit_length() - 1
        found.append(nodes[index])
        mask ^= 1 << index
    return tuple(found)


def _finish(
    transitions: tuple[CompiledTransition, ...],
    exits: tuple[Node, ...],
    remembers: Remembered,
    entry: _Entry,
    kept: int,
) -> Plan:
    entries = tuple(sorted(entry.nodes, key=lambda node: node.index))
    mask = entry.mask
    homes = [t.home.key for t in transitions if t.target and t.home and t.home.cooldown_ms]
    return Plan(
        transitions=transitions,
        exits=exits,
        entries=entries,
        mask=mask,
        remembers=remembers,
        defaults=entry.defaults,
        capped=tuple(node for node in entries if node.max_visits is not None),
        stamps=tuple(dict.fromkeys(homes)),
        binds=any(node.agent for node in (*exits, *entries)),
        whole=not entry.used_history,
        finals=_finals(entries, kept),
    )


def _remembered(exits: tuple[Node, ...], before: int) -> Remembered:
    """What the history states of the regions left remember of the configuration `before`."""
    found = []
    for region in exits:
        for history in region.histories:
            inside = [node for node in region.walk() if node.bit & before and node.is_state]
            if history.deep:
                inside = [node for node in inside if not node.descendants & before]
            else:
                inside = [node for node in inside if node.parent is region]
            found.append((history.key, tuple(node.key for node in inside)))
    return tuple(found)


def _finals(entries: tuple[Node, ...], kept: int) -> dict[int, tuple[str | None, tuple[str, ...]]]:
    """For each final state entered: its region, and the states that are done with it.

    That is the region's state when all its regions rest in final states; where a frame holds that
    state, also the state around the frame (a `<parallel>`). The region is None when it is silent.
    Looked at as it is entered: of regions that finish together, the last finishes the state.
    """
    found: dict[int, tuple[str | None, tuple[str, ...]]] = {}
    mask = kept
    for node in entries:
        mask |= node.bit
        if node.kind != "final" or node.parent is None:
            continue
        region: Node | None = node.parent
        name = None if node.parent.silent else node.parent.key
        done: list[str] = []
        while region is not None and (region is node.parent or region.frame):
            owner = region.parent
            if owner is None or owner.kind != "state" or not all_final(owner, mask):
                break
            done.append(owner.key)
            region = owner.parent
        found[node.index] = (name, tuple(done))
    return found


def all_final(node: Node, mask: int) -> bool:
    """Whether every region of an AND node rests in a final state."""
    return all(region_final(region, mask) for region in node.children)


def region_final(region: Node, mask: int) -> bool:
    """Whether the active state of a region is final; a frame is as its state is."""
    if region.frame:
        inner = next((child for child in region.children if child.children), None)
        return inner is not None and all_final(inner, mask)
    return any(child.kind == "final" and child.bit & mask for child in region.children)
