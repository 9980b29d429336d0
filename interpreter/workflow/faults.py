"""What is wrong with the graph of a Workflow: one function a question, one table of codes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from interpreter.errors import Path, Problem
from interpreter.expressions import (
    Environment,
    EvaluationError,
    ExpressionSyntaxError,
    Scope,
    compile_expression,
    near,
)
from interpreter.workflow.graph import Graph
from interpreter.workflow.reading import NOT_SERVED
from interpreter.workflow.types import (
    AskNode,
    DecideNode,
    Edge,
    Node,
    QuestionNode,
    SetNode,
    ToolNode,
    WaitNode,
)

CODES: dict[str, tuple[Literal["error", "warning"], str]] = {
    NOT_SERVED: ("error", "A Ruleset, a human task or the scope 'process': not served yet."),
    "start.missing": ("error", "No node of a Workflow is its start."),
    "start.several": ("error", "A Workflow has more than one start."),
    "start.entered": ("error", "An edge leads to the start."),
    "key.duplicate": ("error", "Two things of one kind have the same key."),
    "node.dead_end": ("error", "A node that is no end has no edge by which the Call goes on."),
    "node.otherwise": ("error", "A node that may find no edge has no 'otherwise' edge."),
    "node.words": ("error", "A node has both a text and a prompt."),
    "node.unreachable": ("warning", "No edge leads to a node from the start."),
    "node.waits": ("error", "A wait has neither an event nor a timeout."),
    "end.leaves": ("error", "An end has an edge out of it."),
    "edge.source": ("error", "An edge comes from a node that does not exist."),
    "edge.target": ("error", "An edge leads to a node that does not exist."),
    "edge.several": ("error", "A node has more edges of one sort than it can use."),
    "edge.condition": ("error", "An edge has a condition that its node does not use, or none."),
    "edge.never": ("warning", "An edge can never be taken."),
    "edge.sure": ("error", "An edge that must always be free has a loop bound."),
    "answer.unknown": ("error", "An edge takes an answer that the question does not offer."),
    "loop.unbounded": ("error", "A loop has no bound."),
    "slot.unknown": ("error", "A node names a slot that the Workflow does not declare."),
    "question.unknown": ("error", "A node asks a question that the Workflow does not declare."),
}
"""The codes of a Workflow's graph, with severity and meaning. Codes that a chart has too mean the
same there."""


@dataclass(frozen=True, slots=True)
class _Fault:
    code: str
    path: Path
    message: str
    hint: str = ""

    def problem(self) -> Problem:
        return Problem(self.code, CODES[self.code][0], self.path, self.message, self.hint)


def graph_problems(graph: Graph) -> list[Problem]:
    """All faults of the graph, in the order of the rules; [] for one that can be compiled."""
    return [fault.problem() for rule in _RULES for fault in rule(graph)]


def _node_path(graph: Graph, node: Node) -> Path:
    return ("nodes", graph.places[node.key])


def _edge_path(graph: Graph, edge: Edge) -> Path:
    return ("edges", graph.edge_places[id(edge)])


def _each_edge(graph: Graph) -> Iterator[tuple[str, Edge, Path]]:
    for place, (key, edge) in enumerate(graph.named):
        yield key, edge, ("edges", place)


# --- what is not served --------------------


def _not_served(graph: Graph) -> Iterator[_Fault]:
    if graph.workflow.scope == "process":
        message = "Workflows of the scope 'process' are not available yet"
        yield _Fault(NOT_SERVED, ("scope",), message, "Use the scope 'conversation'.")
    for place, node in enumerate(graph.workflow.nodes):
        if isinstance(node, DecideNode) and node.ruleset is not None:
            message = (
                f"the node '{node.key}' names the Ruleset '{node.ruleset}', "
                "and Rulesets are not available yet"
            )
            hint = "Take the Ruleset away and give its edges a 'when'."
            yield _Fault(NOT_SERVED, ("nodes", place, "ruleset"), message, hint)


# --- keys and names --------------------


def _keys(graph: Graph) -> Iterator[_Fault]:
    seen: set[str] = set()
    for place, node in enumerate(graph.workflow.nodes):
        if node.key in seen:
            message = f"two nodes have the key '{node.key}'"
            yield _Fault("key.duplicate", ("nodes", place, "key"), message)
        seen.add(node.key)
    seen = set()
    for key, _, path in _each_edge(graph):
        if key in seen:
            yield _Fault("key.duplicate", (*path, "key"), f"two edges have the key '{key}'")
        seen.add(key)
    for group in ("slots", "questions", "prompts", "tools", "outcomes", "squad"):
        seen = set()
        for place, one in enumerate(getattr(graph.workflow, group)):
            if one.key in seen:
                message = f"two of the {group} have the key '{one.key}'"
                yield _Fault("key.duplicate", (group, place, "key"), message)
            seen.add(one.key)


def _names(graph: Graph) -> Iterator[_Fault]:
    slots = {slot.key for slot in graph.workflow.slots}
    for place, node in enumerate(graph.workflow.nodes):
        for slot, path in _slots_of(node):
            if slot not in slots:
                message = (
                    f"the node '{node.key}' fills the slot '{slot}', "
                    "which the Workflow does not declare"
                )
                hint = _hint(near(slot, slots), f"Declare the slot '{slot}'.")
                yield _Fault("slot.unknown", ("nodes", place, *path), message, hint)
        if isinstance(node, QuestionNode) and node.question not in graph.questions:
            message = f"the node '{node.key}' asks '{node.question}', which is not declared"
            hint = _hint(near(node.question, graph.questions), "Add it to 'questions'.")
            yield _Fault("question.unknown", ("nodes", place, "question"), message, hint)
        words = getattr(node, "text", None), getattr(node, "prompt", None)
        if None not in words:
            message = f"the node '{node.key}' has both a text and a prompt"
            yield _Fault("node.words", ("nodes", place, "prompt"), message, "Keep one of them.")


def _slots_of(node: Node) -> Iterator[tuple[str, Path]]:
    if isinstance(node, AskNode):
        yield node.slot, ("slot",)
    if isinstance(node, SetNode):
        for place, one in enumerate(node.set):
            yield one.slot, ("set", place, "slot")
    if isinstance(node, ToolNode):
        for place, one in enumerate(node.save):
            yield one.slot, ("save", place, "slot")


def _hint(found: str, instead: str) -> str:
    return (found[:1].upper() + found[1:]) if found else instead


def _ends_of_edges(graph: Graph) -> Iterator[_Fault]:
    for key, edge, path in _each_edge(graph):
        if edge.source not in graph.nodes:
            message = f"the edge '{key}' comes from the node '{edge.source}', which does not exist"
            hint = _hint(near(edge.source, graph.nodes), "")
            yield _Fault("edge.source", (*path, "source"), message, hint)
        target = graph.nodes.get(edge.target)
        if target is None:
            message = (
                f"the edge '{key}' from '{edge.source}' leads to the node '{edge.target}', "
                "which does not exist"
            )
            hint = _hint(near(edge.target, graph.nodes), f"Add the node '{edge.target}'.")
            yield _Fault("edge.target", (*path, "target"), message, hint)
        elif target.kind == "start":
            message = f"the edge '{key}' from '{edge.source}' leads back to the start"
            hint = "Let it lead to the node after the start."
            yield _Fault("start.entered", (*path, "target"), message, hint)


# --- the shape --------------------


def _starts(graph: Graph) -> Iterator[_Fault]:
    starts = [
        (place, node) for place, node in enumerate(graph.workflow.nodes) if node.kind == "start"
    ]
    if not starts:
        hint = "Add a node of the kind 'start'."
        yield _Fault("start.missing", ("nodes",), "the Workflow has no start", hint)
    for place, node in starts[1:]:
        message = f"the Workflow has two starts, '{starts[0][1].key}' and '{node.key}'"
        yield _Fault("start.several", ("nodes", place), message, "Keep one of them.")


def _ways_on(graph: Graph) -> Iterator[_Fault]:
    """Each kind has the edges it needs, and no more."""
    for node in graph.nodes.values():
        edges = graph.leaving[node.key]
        if node.kind == "end":
            for edge in edges:
                message = f"the end '{node.key}' has the edge '{graph.key_of(edge)}' out of it"
                yield _Fault("end.leaves", _edge_path(graph, edge), message, "Remove it.")
        elif graph.decides(node):
            yield from _deciding(graph, node)
        else:
            yield from _going_on(graph, node)


def _deciding(graph: Graph, node: Node) -> Iterator[_Fault]:
    path = _node_path(graph, node)
    if graph.otherwise(node) is None:
        message = f"'{node.key}' has no 'otherwise' edge: the Call may find no way on"
        yield _Fault("node.otherwise", path, message, "Mark one of its edges as 'otherwise'.")
    yield from _too_many(graph, node, graph.leaving[node.key], otherwise=True)
    question = isinstance(node, QuestionNode)
    for edge in graph.leaving[node.key]:
        key, here = graph.key_of(edge), _edge_path(graph, edge)
        if edge.otherwise and (edge.when is not None or edge.answer is not None):
            message = f"the 'otherwise' edge '{key}' of '{node.key}' has a condition"
            yield _Fault("edge.condition", here, message, "Take the condition or the mark away.")
        elif edge.answer is not None and not question:
            message = f"the edge '{key}' takes an answer, and '{node.key}' asks no question"
            yield _Fault("edge.condition", (*here, "answer"), message, "Use 'when'.")
        elif not edge.otherwise and edge.when is None and edge.answer is None:
            what = "an 'answer' or a 'when'" if question else "a 'when'"
            message = f"the edge '{key}' of '{node.key}' has no condition"
            yield _Fault("edge.condition", here, message, f"Give it {what}, or mark 'otherwise'.")
        elif isinstance(node, QuestionNode):
            yield from _answers(graph, node, edge)


def _answers(graph: Graph, node: QuestionNode, edge: Edge) -> Iterator[_Fault]:
    offered = graph.offered(node)
    for answer in edge.answers:
        if node.question in graph.questions and answer not in offered:
            message = (
                f"the edge '{graph.key_of(edge)}' takes the answer '{answer}', "
                f"which '{node.question}' does not offer"
            )
            hint = _hint(near(answer, offered), f"It offers: {', '.join(offered)}.")
            yield _Fault("answer.unknown", (*_edge_path(graph, edge), "answer"), message, hint)


def _going_on(graph: Graph, node: Node) -> Iterator[_Fault]:
    path = _node_path(graph, node)
    if isinstance(node, WaitNode) and node.event is None and node.timeout is None:
        message = f"'{node.key}' waits for nothing"
        yield _Fault("node.waits", path, message, "Give it an event, a timeout, or both.")
    if graph.plain(node) is None:
        message = f"'{node.key}' is no end, and no edge leads on from it"
        yield _Fault("node.dead_end", path, message, "Add an edge, or make it an end.")
    if graph.may_fail(node) and graph.otherwise(node) is None:
        why = "the tool may fail" if node.kind == "tool" else "its time may run out"
        message = f"'{node.key}' has no 'otherwise' edge, and {why}"
        yield _Fault("node.otherwise", path, message, "Add an edge marked 'otherwise'.")
    edges = graph.leaving[node.key]
    yield from _too_many(graph, node, edges, otherwise=True)
    yield from _too_many(graph, node, edges, otherwise=False)
    for edge in edges:
        key, here = graph.key_of(edge), _edge_path(graph, edge)
        if edge.when is not None or edge.answer is not None:
            message = f"the edge '{key}' has a condition, and '{node.key}' decides nothing"
            hint = "Put a node of the kind 'decide' between."
            yield _Fault("edge.condition", here, message, hint)
        if edge.otherwise and not graph.may_fail(node):
            message = (
                f"the 'otherwise' edge '{key}' can never be taken: '{node.key}' always goes on"
            )
            yield _Fault(
                "edge.never", here, message, "Give the node a timeout, or remove the edge."
            )


def _too_many(graph: Graph, node: Node, edges: list[Edge], *, otherwise: bool) -> Iterator[_Fault]:
    alike = [edge for edge in edges if edge.otherwise == otherwise]
    for edge in alike[1:]:
        kind = "'otherwise' edge" if otherwise else "edge"
        message = f"'{node.key}' has a second {kind}, '{graph.key_of(edge)}'"
        hint = "Keep one of them." if otherwise else "Use a node of the kind 'decide'."
        yield _Fault("edge.several", _edge_path(graph, edge), message, hint)


def _sure(graph: Graph) -> Iterator[_Fault]:
    """When a bound is spent there is another edge: the last way out is never bounded."""
    for key, edge, path in _each_edge(graph):
        if edge.source not in graph.nodes or graph.conditional(edge) or not graph.bounded(edge):
            continue
        if edge.max_takes is not None:
            bound, where = f"its bound of {edge.max_takes}", (*path, "max_takes")
        else:
            bound, where = f"the bound of '{edge.target}'", path
        message = (
            f"the edge '{key}' is the only way on from '{edge.source}', "
            f"and none is left when {bound} is spent"
        )
        hint = "Put the bound on an edge of a deciding node, which has another way on."
        yield _Fault("edge.sure", where, message, hint)


def _loops(graph: Graph) -> Iterator[_Fault]:
    for loop in graph.unbounded_loops():
        names = [edge.source for edge in loop]
        shown = names if len(names) <= 6 else [*names[:5], "..."]
        message = f"{' -> '.join([*shown, names[0]])} is a loop without a bound"
        hint = "Give an edge of a deciding node in it 'max_takes', or its target 'max_visits'."
        bounding = next((edge for edge in loop if graph.conditional(edge)), loop[-1])
        yield _Fault("loop.unbounded", _edge_path(graph, bounding), message, hint)


def _unreachable(graph: Graph) -> Iterator[_Fault]:
    if graph.start is None:
        return
    reached = graph.reached()
    for node in graph.nodes.values():
        if node.key not in reached and node.kind != "start":
            message = f"no edge leads to '{node.key}' from the start"
            yield _Fault("node.unreachable", _node_path(graph, node), message)


# --- who can win --------------------


def _never(graph: Graph) -> Iterator[_Fault]:
    """Edges of deciding nodes that an earlier one always beats, and those that are never true."""
    for node in graph.nodes.values():
        if not graph.decides(node):
            continue
        earlier: list[Edge] = []
        for edge in graph.leaving[node.key]:
            winner = None if edge.otherwise else _beaten(graph, node, edge, earlier)
            key, path = graph.key_of(edge), _edge_path(graph, edge)
            if winner is not None:
                message = (
                    f"the edge '{key}' of '{node.key}' can never be taken: "
                    f"'{graph.key_of(winner)}' always comes first"
                )
                yield _Fault("edge.never", path, message, "Put it first, or change a condition.")
            elif edge.when is not None and _constant(edge.when) is False:
                message = (
                    f"the edge '{key}' of '{node.key}' can never be taken: its 'when' is false"
                )
                yield _Fault("edge.never", (*path, "when"), message)
            earlier.append(edge)
        yield from _all_taken(graph, node, earlier)


def _all_taken(graph: Graph, node: Node, edges: list[Edge]) -> Iterator[_Fault]:
    """The `otherwise` edge of a `decide` with an edge that is always true."""
    last = graph.otherwise(node)
    if last is None or node.kind != "decide":
        return
    for edge in edges:
        if not edge.otherwise and not graph.bounded(edge) and _always(edge):
            message = (
                f"the 'otherwise' edge '{graph.key_of(last)}' of '{node.key}' can never be taken: "
                f"'{graph.key_of(edge)}' always comes first"
            )
            yield _Fault("edge.never", _edge_path(graph, last), message)
            return


def _beaten(graph: Graph, node: Node, edge: Edge, earlier: list[Edge]) -> Edge | None:
    """The last of the earlier edges that together take all that this one could take."""
    left = set(_claimed(graph, node, edge))
    for other in earlier:
        if graph.bounded(other) or not (_always(other) or other.when == edge.when):
            continue
        left -= set(_claimed(graph, node, other))
        if not left:
            return other
    return None


def _claimed(graph: Graph, node: Node, edge: Edge) -> tuple[str, ...]:
    """The answers for which an edge is asked; of a `decide` there is one moment, named ''."""
    if isinstance(node, QuestionNode):
        return edge.answers or graph.offered(node) or ("",)
    return ("",)


def _always(edge: Edge) -> bool:
    if edge.when is None:
        return edge.answer is not None
    return _constant(edge.when) is True


def _constant(source: str) -> object:
    """The value of an expression that reads nothing; None where it is unknown or has faults."""
    try:
        expression = compile_expression(source, Scope({}, frozenset()), "boolean")
        return expression(Environment())
    except (ExpressionSyntaxError, EvaluationError):
        return None


_RULES: tuple[Callable[[Graph], Iterator[_Fault]], ...] = (
    _not_served,
    _keys,
    _names,
    _ends_of_edges,
    _starts,
    _ways_on,
    _sure,
    _loops,
    _never,
    _unreachable,
)
