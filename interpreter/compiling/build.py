"""From the document to the compiled tree; collects every structural fault on the way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from interpreter.compiling.effects import EffectCompiler
from interpreter.compiling.nodes import CompiledEffect, CompiledTransition, Node
from interpreter.compiling.plans import domain_of, leaves_under
from interpreter.document import (
    NOT_WIDENED,
    AfterTrigger,
    MachineDoc,
    RegionDoc,
    SayEffect,
    StateDoc,
    TransitionDoc,
    Widening,
    parse_duration,
)
from interpreter.errors import Path, Problem


class TreeBuilder:
    """One use: `build()` gives the root and fills `states`, `regions`, `transitions`."""

    def __init__(
        self, machine: MachineDoc, compiler: EffectCompiler, wider: Widening = NOT_WIDENED
    ) -> None:
        self.machine = machine
        self.wider = wider
        self.compiler = compiler
        self.problems: list[Problem] = compiler.problems
        self.nodes: list[Node] = []
        self.states: dict[str, Node] = {}
        self.regions: dict[str, Node] = {}
        self.transitions: list[CompiledTransition] = []
        self.transition_keys: dict[str, CompiledTransition] = {}
        self.places = 0

    def build(self) -> Node:
        """The root of the tree; look at `problems` before using it."""
        root = self._node("root", "", (), None, None)
        if not self.machine.regions:
            self._fault("machine.empty", ("regions",), "the machine has no region")
        for place, region in enumerate(self.machine.regions):
            self._region(region, root, ("regions", place), speaker=region.role == "speaker")
        self._number(root)
        self._name_transitions()
        for node in self.nodes:
            self._wire(node)
        return root

    def _fault(self, code: str, path: Path, message: str, hint: str = "") -> None:
        self.problems.append(Problem(code, "error", path, message, hint))

    def _node(
        self,
        kind: Literal["root", "region", "state", "final", "history", "choice"],
        key: str,
        path: Path,
        parent: Node | None,
        doc: StateDoc | RegionDoc | None,
    ) -> Node:
        depth = parent.depth + 1 if parent else 0
        node = Node(len(self.nodes), kind, key, path, parent, depth, doc)
        node.bit = 1 << node.index
        node.is_state = kind in ("state", "final", "choice")
        if node.is_state:
            node.place = self.places
            self.places += 1
        node.region = parent.key if parent is not None else ""
        node.ancestors = (parent, *parent.ancestors) if parent else ()
        self.nodes.append(node)
        if parent is not None:
            parent.children.append(node)
        return node

    def _region(self, doc: RegionDoc, parent: Node, path: Path, *, speaker: bool) -> None:
        node = self._node("region", doc.key, path, parent, doc)
        node.speaker = speaker
        node.frame = doc.key in self.wider.frames
        node.silent = doc.key in self.wider.silent
        if doc.key in self.regions:
            self._fault("key.duplicate", (*path, "key"), f"two regions have the key '{doc.key}'")
        self.regions.setdefault(doc.key, node)
        if doc.stability is not None:
            node.cooldown_ms = parse_duration(doc.stability.cooldown)
            node.backward_confidence = doc.stability.backward_confidence
        node.entry = self.compiler.block(doc.entry, (*path, "entry"), speaker=speaker)
        node.exit = self.compiler.block(doc.exit, (*path, "exit"), speaker=speaker)
        self._transitions(doc.transitions, node, path)
        for place, state in enumerate(doc.states):
            self._state(state, node, (*path, "states", place), speaker=speaker)
        if not doc.states:
            self._fault("region.empty", (*path, "states"), f"region '{doc.key}' has no state")

    def _state(self, doc: StateDoc, parent: Node, path: Path, *, speaker: bool) -> None:
        node = self._node(doc.kind, doc.key, path, parent, doc)
        node.speaker = speaker
        if doc.key in self.states:
            self._fault("key.duplicate", (*path, "key"), f"two states have the key '{doc.key}'")
        self.states.setdefault(doc.key, node)
        node.deep = doc.history == "deep"
        done_data = self.wider.done_data.get(doc.key)
        node.done_data = self.compiler.values(done_data, (*path, "done_data"))
        node.agent = doc.agent if speaker else None
        if speaker and doc.prompt is not None and SayEffect(doc.prompt) not in doc.entry:
            node.speech = (CompiledEffect("say", doc.prompt),)  # else the entry itself says it
        node.max_visits = doc.max_visits
        node.entry = self.compiler.block(doc.entry, (*path, "entry"), speaker=speaker)
        node.exit = self.compiler.block(doc.exit, (*path, "exit"), speaker=speaker)
        if doc.agent is not None:
            self.compiler.squad_member(doc.agent, (*path, "agent"))
        if doc.prompt is not None:
            self.compiler.prompt(doc.prompt, (*path, "prompt"))
        self._transitions(doc.transitions, node, path)
        self._shape(doc, path)
        if node.kind == "history":
            parent.histories.append(node)
        for place, region in enumerate(doc.regions):
            self._region(region, node, (*path, "regions", place), speaker=speaker)

    def _shape(self, doc: StateDoc, path: Path) -> None:
        if doc.kind == "final" and (doc.regions or doc.transitions):
            held = "regions" if doc.regions else "transitions"
            self._fault("final.holds", (*path, held), f"the final state '{doc.key}' holds {held}")
        if doc.kind in ("history", "choice") and doc.regions:
            self._fault(
                f"{doc.kind}.holds", (*path, "regions"), f"'{doc.key}' ({doc.kind}) holds regions"
            )
        if doc.kind == "history" and (
            len(doc.transitions) != 1 or doc.transitions[0].target is None
        ):
            self._fault(
                "history.default",
                (*path, "transitions"),
                f"the history state '{doc.key}' needs one transition with a target: its default",
            )

    def _transitions(self, docs: Sequence[TransitionDoc], source: Node, path: Path) -> None:
        for place, doc in enumerate(docs):
            here = (*path, "transitions", place)
            key = doc.key or ""
            node = CompiledTransition(len(self.transitions), key, source, doc, here, doc.on.kind)
            node.guard = self.compiler.guard(doc.guard, (*here, "guard"))
            node.effects = self.compiler.block(
                doc.effects, (*here, "effects"), speaker=source.speaker
            )
            node.min_confidence, node.max_takes = doc.min_confidence, doc.max_takes
            if isinstance(doc.on, AfterTrigger):
                node.after_ms = doc.on.milliseconds
                source.afters.append(node)
            self.transitions.append(node)
            source.transitions.append(node)

    def _name_transitions(self) -> None:
        for transition in self.transitions:
            if not transition.key:
                continue
            if transition.key in self.transition_keys:
                self._fault(
                    "key.duplicate",
                    (*transition.path, "key"),
                    f"two transitions have the key '{transition.key}'",
                )
            self.transition_keys.setdefault(transition.key, transition)
        for transition in self.transitions:
            if transition.key:
                continue
            place = transition.source.transitions.index(transition) + 1
            key = f"{transition.source.key}_{place}"
            while key in self.transition_keys:
                key += "_"
            transition.key = key
            self.transition_keys[key] = transition

    def _number(self, node: Node) -> int:
        mask = 0
        for child in node.children:
            mask |= child.bit | self._number(child)
        node.descendants = mask
        return mask

    def _wire(self, node: Node) -> None:
        if isinstance(node.doc, RegionDoc):
            self._initial(node, node.doc)
        for transition in node.transitions:
            self._target(transition)

    def _initial(self, node: Node, doc: RegionDoc) -> None:
        path = (*node.path, "initial")
        wider = self.wider.initials.get(doc.key)
        if wider is not None:
            found = [self.states[key] for key in wider.targets if key in self.states]
            node.initials = tuple(one for one in found if one.is_within(node))
            node.initial_effects = self.compiler.block(wider.effects, path, speaker=node.speaker)
            if len(node.initials) == len(wider.targets) > 0:
                return
        if doc.initial is None:
            if doc.states:
                self._fault("region.initial", path, f"region '{doc.key}' has no initial state")
            return
        for child in node.children:
            if child.key == doc.initial:
                node.initial = child
                return
        where = "is in another region" if doc.initial in self.states else "does not exist"
        self._fault(
            "region.initial",
            path,
            f"the initial state '{doc.initial}' of region '{doc.key}' {where}",
        )

    def _target(self, transition: CompiledTransition) -> None:
        name = transition.doc.target
        if name is None:
            return
        target = self.states.get(name)
        if target is None:
            self._fault(
                "transition.target",
                (*transition.path, "target"),
                f"the target '{name}' of a transition of '{transition.source.key}' does not exist",
            )
            return
        transition.target = target
        if transition.source.kind == "history" and target.kind != "history":
            region = transition.source.parent
            if region is not None and not target.is_within(region):
                self._fault(
                    "history.outside",
                    (*transition.path, "target"),
                    f"the default '{name}' of the history state '{transition.source.key}' "
                    "is outside its region",
                )
        elif transition.source.kind == "history":
            self._fault(
                "history.chain",
                (*transition.path, "target"),
                f"the default of '{transition.source.key}' is another history state",
            )
        more = self.wider.targets.get(transition.key, ())
        others = [self.states[key] for key in more if key in self.states]
        set_domain(transition, target, tuple(one for one in others if one is not target))


def set_domain(
    transition: CompiledTransition, target: Node, others: tuple[Node, ...] = ()
) -> None:
    """What a transition leaves, as far as no history decides it, and the region that it moves."""
    source = transition.source
    transition.targets = (target, *others)
    transition.domain = domain_of(transition, transition.targets)
    transition.leaves = leaves_under(source, transition.domain)
    around = (source, *source.ancestors) if source.kind == "region" else source.ancestors
    transition.home = next(
        (node for node in around if node.kind == "region" and target.is_within(node)), None
    )
