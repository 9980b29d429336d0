"""A Workflow as a chart: each node becomes a state, each edge a transition, one function a kind.

What comes out is an ordinary agent document with a machine of one region. The same interpreter
runs it; nothing in it is particular to Workflows but the pin and the hook `EVALUATED` on the
transitions of deciding nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from interpreter.document import (
    EVALUATED,
    AfterTrigger,
    AgentDoc,
    AlwaysTrigger,
    CallEffect,
    ClearEffect,
    Effect,
    EndEffect,
    EventTrigger,
    HandoffEffect,
    HookEffect,
    MachineDoc,
    OutcomeDoc,
    PromptDoc,
    QuestionSetDoc,
    RegionDoc,
    SetEffect,
    StateDoc,
    ToolDoc,
    TransitionDoc,
    Trigger,
    WorkflowPin,
    digest_of,
    parse_agent,
)
from interpreter.errors import DocumentError, Path
from interpreter.workflow.faults import graph_problems
from interpreter.workflow.graph import Graph, fresh
from interpreter.workflow.reading import dump_workflow, parse_workflow
from interpreter.workflow.types import Assignment, Edge, Node, WorkflowDoc

_Keyed = TypeVar("_Keyed", bound=PromptDoc | ToolDoc | OutcomeDoc | QuestionSetDoc)
REGION = "path"
"""The key of the one region of a compiled Workflow."""
_ALWAYS = AlwaysTrigger()
_WORDS = {"call": "tool", "handoff": "agent", "end": "outcome", "set": "slot", "clear": "slot"}
"""What an effect calls the thing it names, and what a node calls it."""


@dataclass(frozen=True, slots=True)
class CompiledWorkflow:
    """A Workflow and the chart that it became.

    `agent` is the agent document that `compile_agent` takes. `states` gives the states of a node
    by its key (the first is the one that is entered, and has the node's key), `transitions` the
    transitions of an edge; `places` where a piece of the agent document comes from, by its path.
    """

    workflow: WorkflowDoc
    agent: AgentDoc
    states: Mapping[str, tuple[str, ...]]
    transitions: Mapping[str, tuple[str, ...]]
    places: Mapping[Path, Path] = field(repr=False)

    @property
    def digest(self) -> str:
        """SHA-256 (hex) of the Workflow's own document."""
        return digest_of(dump_workflow(self.workflow))

    def node_of(self, state: str) -> str | None:
        """The node that a state belongs to."""
        return next((node for node, keys in self.states.items() if state in keys), None)

    def edge_of(self, transition: str) -> str | None:
        """The edge that a transition belongs to; None for one inside a node."""
        return next((e for e, keys in self.transitions.items() if transition in keys), None)

    def place_of(self, path: Path) -> Path | None:
        """Where in the Workflow a piece of the agent document comes from; None: from nowhere."""
        for length in range(len(path), 0, -1):
            found = self.places.get(path[:length])
            if found is not None:
                return (*found, *path[length:])
        return None

    def to_json(self) -> dict[str, Any]:
        """`{"states", "transitions"}`: the way from the graph to the chart."""
        return {
            "states": {key: list(keys) for key, keys in self.states.items()},
            "transitions": {key: list(keys) for key, keys in self.transitions.items()},
        }


def compile_workflow(
    workflow: object, *, version: int | None = None, agent: object = None
) -> CompiledWorkflow:
    """The chart of a workflow document, and the way from one to the other.

    `version` goes into the records `workflow.evaluated` (None: the draft). `agent` is the
    document of the Agent whose Workflow this is, without machine, slots and squad: what it
    declares is kept, and the Workflow's own prompts, tools and outcomes are added.
    Raises DocumentError with all faults of shape, or else all errors of the graph. Whether the
    expressions are right is seen by `check_workflow`, or when the agent document is compiled.
    """
    graph = Graph(parse_workflow(workflow))
    errors = [p for p in graph_problems(graph) if p.severity == "error"]
    if errors:
        raise DocumentError(errors)
    return lay_out(graph, version=version, agent=None if agent is None else parse_agent(agent))


def lay_out(
    graph: Graph, *, version: int | None = None, agent: AgentDoc | None = None
) -> CompiledWorkflow:
    """The same, also for a graph with faults: what leads nowhere is left out."""
    return _Layout(graph, agent).whole(version)


class _Layout:
    """One use: lays states and transitions out in the order of the nodes."""

    def __init__(self, graph: Graph, agent: AgentDoc | None) -> None:
        self.graph = graph
        self.workflow = graph.workflow
        self.agent = agent if agent is not None else AgentDoc(key=self.workflow.key)
        self.rows: list[StateDoc] = []
        self.prompts: list[PromptDoc] = list(self.workflow.prompts)
        self.places: dict[Path, Path] = {}
        self.states: dict[str, list[str]] = {}
        self.transitions: dict[str, list[str]] = {key: [] for key, _ in graph.named}
        self.taken_states = set(graph.nodes)
        self.taken_transitions = set(self.transitions)
        self.taken_prompts = {p.key for p in (*self.workflow.prompts, *self.agent.prompts)}

    # --- the whole --------------------

    def whole(self, version: int | None) -> CompiledWorkflow:
        workflow = self.workflow
        for node in self.graph.nodes.values():
            self.states[node.key] = []
            _KINDS[node.kind](self, node)
        start = self.graph.start
        region = RegionDoc(
            key=REGION,
            role="speaker",
            initial=start.key if start is not None else None,
            states=tuple(self.rows),
        )
        pin = WorkflowPin(
            key=workflow.key, version=version, digest=digest_of(dump_workflow(workflow))
        )
        asked = [QuestionSetDoc(key=q.key, questions=(q,)) for q in workflow.questions]
        for place in range(len(asked)):
            self.places[("question_sets", place, "questions", 0)] = ("questions", place)
        for name in ("slots", "tools", "outcomes", "squad", "prompts"):
            for place in range(len(getattr(workflow, name))):
                self.places[(name, place)] = (name, place)
        for limits in (("slots",), ("squad",)):
            self.places[limits] = limits
        self.places[("machine", "limits")] = ("limits",)
        made = replace(
            self.agent,
            prompts=_joined(self.prompts, self.agent.prompts),
            tools=_joined(workflow.tools, self.agent.tools),
            outcomes=_joined(workflow.outcomes, self.agent.outcomes),
            squad=workflow.squad,
            question_sets=_joined(asked, self.agent.question_sets),
            slots=workflow.slots,
            machine=MachineDoc(regions=(region,), limits=workflow.limits),
            workflow=pin,
        )
        return CompiledWorkflow(
            workflow,
            made,
            {key: tuple(keys) for key, keys in self.states.items()},
            {key: tuple(keys) for key, keys in self.transitions.items()},
            self.places,
        )

    # --- states --------------------

    def state(
        self,
        node: Any,
        ways: list[tuple[TransitionDoc, Path]],
        *,
        key: str | None = None,
        effects: tuple[tuple[Effect, Path], ...] = (),
        speaks: bool = True,
        **more: Any,
    ) -> None:
        """One state of a node; `ways` and `effects` come with their places in the Workflow."""
        here: Path = ("machine", "regions", 0, "states", len(self.rows))
        there: Path = ("nodes", self.graph.places[node.key])
        prompt = self._prompt(node) if speaks else None
        self.places[here] = there
        self.places[(*here, "ask", 0)] = (*there, "question")
        for place, (effect, origin) in enumerate(effects):
            self._effect_place((*here, "entry", place), effect, origin)
        for place, (way, origin) in enumerate(ways):
            self.places[(*here, "transitions", place)] = origin
            self.places[(*here, "transitions", place, "guard")] = (*origin, "when")
            for n, effect in enumerate(way.effects):  # a tool's result is kept as its node says
                if not isinstance(effect, HookEffect):
                    at = (*here, "transitions", place, "effects", n)
                    self._effect_place(at, effect, (*there, "save", n))
        if speaks:
            more["instructions"] = getattr(node, "instructions", None)
            more["tools"] = getattr(node, "tools", ())
        made = StateDoc(
            key=key or node.key,
            label=node.label,
            notes=node.notes,
            prompt=prompt,
            entry=tuple(effect for effect, _ in effects),
            transitions=tuple(way for way, _ in ways),
            max_visits=getattr(node, "max_visits", None) if key is None else None,
            **more,
        )
        self.states[node.key].append(made.key)
        self.rows.append(made)

    def _effect_place(self, path: Path, effect: Effect, origin: Path) -> None:
        self.places[path] = origin
        if effect.kind in _WORDS:
            self.places[(*path, effect.kind)] = (*origin, _WORDS[effect.kind])

    def _prompt(self, node: Any) -> str | None:
        text = getattr(node, "text", None)
        if text is None:
            return getattr(node, "prompt", None)
        key = fresh(node.key, self.taken_prompts)
        self.taken_prompts.add(key)
        there: Path = ("nodes", self.graph.places[node.key], "text")
        self.places[("prompts", len(self.prompts), "text")] = there
        self.prompts.append(PromptDoc(key=key, text=text))
        return key

    def inner(self, key: str) -> str:
        """The key of a further state of a node."""
        made = fresh(key, self.taken_states)
        self.taken_states.add(made)
        return made

    # --- transitions --------------------

    def way(
        self,
        edge: Edge | None,
        on: Trigger,
        *,
        suffix: str = "",
        guard: str | None = None,
        effects: tuple[Effect, ...] = (),
    ) -> list[tuple[TransitionDoc, Path]]:
        """The transition of an edge, with its place; none without an edge or its target."""
        if edge is None or edge.target not in self.graph.nodes:
            return []
        edge_key = self.graph.key_of(edge)
        key = edge_key
        if self.transitions[edge_key]:
            key = fresh(edge_key + suffix, self.taken_transitions)
            self.taken_transitions.add(key)
        self.transitions[edge_key].append(key)
        made = TransitionDoc(
            key=key,
            on=on,
            guard=guard,
            effects=effects,
            target=edge.target,
            max_takes=edge.max_takes,
            label=edge.label,
            notes=edge.notes,
        )
        return [(made, ("edges", self.graph.edge_places[id(edge)]))]

    def timeout(self, node: Any, edge: Edge | None) -> list[tuple[TransitionDoc, Path]]:
        """The way on when the time of a node has run out."""
        if node.timeout is None:
            return []
        return self.way(edge, AfterTrigger(node.timeout), suffix="_timeout")


def _joined(own: Sequence[_Keyed], agents: Sequence[_Keyed]) -> tuple[_Keyed, ...]:
    """What the Workflow declares, then what only the Agent does."""
    keys = {one.key for one in own}
    return (*own, *[one for one in agents if one.key not in keys])


def evaluated(node: Node, edge: str, outcome: str, question: str | None = None) -> HookEffect:
    """What an edge of a deciding node leaves; `outcome` is an expression."""
    data = {"node": f"'{node.key}'", "edge": f"'{edge}'", "outcome": outcome}
    if question is not None:
        data["question"] = f"'{question}'"
    return HookEffect(EVALUATED, data)


def _writes(node: Any, name: str) -> tuple[tuple[Effect, Path], ...]:
    """The assignments of a node as effects."""
    rows: tuple[Assignment, ...] = getattr(node, name)
    return tuple((_write(row), (name, place)) for place, row in enumerate(rows))


def _write(row: Assignment) -> Effect:
    return ClearEffect(row.slot) if row.value is None else SetEffect(row.slot, row.value)


# --- one function a kind --------------------


def _start(layout: _Layout, node: Any) -> None:
    ways = layout.way(layout.graph.plain(node), _ALWAYS)
    layout.state(node, ways, kind="choice", speaks=False)


def _say(layout: _Layout, node: Any) -> None:
    layout.state(node, layout.way(layout.graph.plain(node), _ALWAYS))


def _ask(layout: _Layout, node: Any) -> None:
    """Two states: a slot that is filled already is passed by, else the second asks for it."""
    edge, filled = layout.graph.plain(node), f"slots.{node.slot} != null"
    asking = layout.inner(node.key + "_asking")
    inside = TransitionDoc(on=_ALWAYS, target=asking)
    place: Path = ("nodes", layout.graph.places[node.key])
    ways = layout.way(edge, _ALWAYS, guard=filled)
    layout.state(node, [*ways, (inside, place)], kind="choice", speaks=False)
    ways = layout.way(edge, _ALWAYS, guard=filled, suffix="_filled")
    ways += layout.timeout(node, layout.graph.otherwise(node))
    layout.state(node, ways, key=asking)


def _decide(layout: _Layout, node: Any) -> None:
    ways = []
    for edge in layout.graph.leaving[node.key]:
        outcome = "'otherwise'" if edge.otherwise else "'when'"
        said = evaluated(node, layout.graph.key_of(edge), outcome)
        ways += layout.way(edge, _ALWAYS, guard=edge.when, effects=(said,))
    layout.state(node, ways, kind="choice", speaks=False)


def _question(layout: _Layout, node: Any) -> None:
    """Answers by the edges that take them, in order; all else by `otherwise`."""
    graph, question = layout.graph, node.question
    said, answered = f"decision.{question}", "decision." + question + "."
    ways = []
    for edge in graph.leaving[node.key]:
        if edge.otherwise:
            continue
        names = tuple(answered + answer for answer in edge.answers or graph.offered(node))
        effect = evaluated(node, graph.key_of(edge), said, question)
        on = EventTrigger(names if len(names) != 1 else names[0])
        ways += layout.way(edge, on, guard=edge.when, effects=(effect,))
    last = graph.otherwise(node)
    if last is not None:
        rest: list[tuple[str, str, Trigger]] = [
            ("unsure", "'unsure'", EventTrigger(answered + "unsure")),
            ("failed", "'failed'", EventTrigger(answered + "failed")),
            ("other", said, EventTrigger(answered + "*")),
        ]
        if node.timeout is not None:
            rest.append(("timeout", "'timeout'", AfterTrigger(node.timeout)))
        for suffix, outcome, trigger in rest:
            effect = evaluated(node, graph.key_of(last), outcome, question)
            ways += layout.way(last, trigger, suffix="_" + suffix, effects=(effect,))
    layout.state(node, ways, ask=(question,))


def _set(layout: _Layout, node: Any) -> None:
    place: Path = ("nodes", layout.graph.places[node.key])
    effects = tuple((effect, (*place, *path)) for effect, path in _writes(node, "set"))
    ways = layout.way(layout.graph.plain(node), _ALWAYS)
    layout.state(node, ways, kind="choice", effects=effects, speaks=False)


def _tool(layout: _Layout, node: Any) -> None:
    graph, event = layout.graph, f"tool.{node.tool}."
    place: Path = ("nodes", graph.places[node.key])
    save = tuple(effect for effect, _ in _writes(node, "save"))
    ways = layout.way(graph.plain(node), EventTrigger(event + "ok"), effects=save)
    ways += layout.way(graph.otherwise(node), EventTrigger(event + "*"))
    ways += layout.timeout(node, graph.otherwise(node))
    layout.state(node, ways, effects=((CallEffect(node.tool, node.args), place),))


def _handoff(layout: _Layout, node: Any) -> None:
    on = _ALWAYS if node.until is None else EventTrigger(node.until)
    ways = layout.way(layout.graph.plain(node), on)
    if node.until is not None:
        ways += layout.timeout(node, layout.graph.otherwise(node))
    place: Path = ("nodes", layout.graph.places[node.key])
    kind = "choice" if node.until is None else "state"
    layout.state(node, ways, kind=kind, effects=((HandoffEffect(node.agent), place),))


def _wait(layout: _Layout, node: Any) -> None:
    plain = layout.graph.plain(node)
    if node.event is None:
        ways = layout.timeout(node, plain)
    else:
        ways = layout.way(plain, EventTrigger(node.event))
        ways += layout.timeout(node, layout.graph.otherwise(node))
    layout.state(node, ways)


def _end(layout: _Layout, node: Any) -> None:
    place: Path = ("nodes", layout.graph.places[node.key])
    effects = () if node.outcome is None else ((EndEffect(node.outcome), place),)
    layout.state(node, [], kind="final", effects=effects)


_KINDS: dict[str, Callable[[_Layout, Any], None]] = {
    "start": _start,
    "say": _say,
    "ask": _ask,
    "decide": _decide,
    "question": _question,
    "set": _set,
    "tool": _tool,
    "handoff": _handoff,
    "wait": _wait,
    "end": _end,
}
