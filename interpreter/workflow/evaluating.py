"""One deciding node by itself: which edge it takes for a sample, and what its guards read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from interpreter.budget import why_no_json
from interpreter.document import why_not
from interpreter.errors import DocumentError, Problem
from interpreter.expressions import (
    CountersView,
    Environment,
    EvaluationError,
    EventView,
    Expression,
    ExpressionSyntaxError,
    Scope,
    compile_expression,
)
from interpreter.workflow.faults import graph_problems
from interpreter.workflow.graph import Graph
from interpreter.workflow.reading import parse_workflow
from interpreter.workflow.types import Edge, Node, QuestionNode

NO_ANSWER = ("unsure", "failed", "timeout")
"""What a question may come to in the place of an answer."""
_COUNTERS = ("turns", "transitions", "refusals", "elapsed")


@dataclass(frozen=True, slots=True)
class Asked:
    """One guard that was asked; `outcome` is `true`, `false`, `error`, or `spent`: not asked,
    since a loop bound is used up.
    """

    edge: str
    guard: str | None
    outcome: str
    reads: Mapping[str, Any] = field(default_factory=dict)
    error: str | None = None

    def to_json(self) -> dict[str, Any]:
        """`{"edge", "guard", "outcome", "reads", "error"}`."""
        return {
            "edge": self.edge,
            "guard": self.guard,
            "outcome": self.outcome,
            "reads": dict(self.reads),
            "error": self.error,
        }


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What a deciding node takes: `edge`, `target`, `outcome` and `inputs` as in the record
    `workflow.evaluated`; or why it cannot be asked: `reason` and `message`.
    """

    node: str
    edge: str | None = None
    target: str | None = None
    outcome: str | None = None
    inputs: Mapping[str, Any] = field(default_factory=dict)
    guards: tuple[Asked, ...] = ()
    reason: str | None = None
    message: str | None = None

    @property
    def ok(self) -> bool:
        """Whether it was asked."""
        return self.reason is None

    def to_json(self) -> dict[str, Any]:
        """All fields, as JSON."""
        return {
            "node": self.node,
            "edge": self.edge,
            "target": self.target,
            "outcome": self.outcome,
            "inputs": dict(self.inputs),
            "guards": [guard.to_json() for guard in self.guards],
            "reason": self.reason,
            "message": self.message,
        }


class _RefusedError(Exception):
    """A sample or a node that nothing can be decided of."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


def evaluate_node(workflow: object, node: str, sample: object = None) -> Evaluation:
    """Asks the deciding node `node` once; nothing is run and nothing is kept.

    `sample`: `{"slots": {key: value}, "answer": "<answer>|unsure|failed|timeout" (a question, and
    only there), "event": {"name", "data", "confidence"}, "decisions": {question: answer},
    "machine": {"turns", "transitions", "refusals", "elapsed"}, "visits": {node: n},
    "takes": {edge: n}}`, all optional but the answer. Slots that it leaves out have their
    default. What cannot be asked comes back with a `reason`: `unknown_node`, `decides_nothing`,
    `malformed`, `unknown_slot`, `type`, `answer`. Raises DocumentError for a Workflow with errors
    in its graph or in the conditions of this node.
    """
    graph = Graph(parse_workflow(workflow))
    errors = [problem for problem in graph_problems(graph) if problem.severity == "error"]
    if errors:
        raise DocumentError(errors)
    try:
        return _evaluate(graph, _deciding(graph, node), {} if sample is None else sample)
    except _RefusedError as no:
        return Evaluation(str(node), reason=no.reason, message=str(no))


def _deciding(graph: Graph, key: str) -> Node:
    node = graph.nodes.get(key) if isinstance(key, str) else None
    if node is None:
        raise _RefusedError("unknown_node", f"there is no node {str(key)[:100]!r}")
    if not graph.decides(node):
        message = f"'{key}' is a node of the kind '{node.kind}', which decides nothing"
        raise _RefusedError("decides_nothing", message)
    return node


def _evaluate(graph: Graph, node: Node, sample: object) -> Evaluation:
    if not isinstance(sample, Mapping):
        raise _RefusedError("malformed", "a sample is a JSON object")
    fields = ("slots", "answer", "event", "decisions", "machine", "visits", "takes")
    for name in sample:
        if name not in fields:
            message = f"{str(name)[:60]!r} is no field of a sample; it has: {', '.join(fields)}"
            raise _RefusedError("malformed", message)
    fault = why_no_json(dict(sample))
    if fault is not None:
        raise _RefusedError("malformed", fault)
    guards = _guards(graph, node)
    answer = _answer(graph, node, sample)
    env = _environment(graph, node, sample, answer)
    takes = _counts(sample, "takes")
    asked: list[Asked] = []
    inputs: dict[str, Any] = {}
    if isinstance(node, QuestionNode):
        inputs[f"decision.{node.question}"] = answer
    for edge in graph.leaving[node.key]:
        if not _meant(graph, node, edge, answer):
            continue
        key = graph.key_of(edge)
        one = _ask(graph, edge, guards.get(key), env, takes)
        if one.outcome == "spent" or one.guard is not None:
            asked.append(one)
        inputs.update(one.reads)
        if one.outcome == "true":
            outcome = answer or ("otherwise" if edge.otherwise else "when")
            told = dict(sorted(inputs.items()))
            return Evaluation(node.key, key, edge.target, outcome, told, tuple(asked))
    raise AssertionError("a graph without errors has an edge that is always free")


def _guards(graph: Graph, node: Node) -> dict[str, Expression]:
    workflow = graph.workflow
    asked = {one.question for one in workflow.nodes if isinstance(one, QuestionNode)}
    slots = {slot.key: slot for slot in workflow.slots}
    scope = Scope(slots, frozenset(graph.nodes), frozenset(asked))
    made: dict[str, Expression] = {}
    problems: list[Problem] = []
    for edge in graph.leaving[node.key]:
        if edge.when is None:
            continue
        try:
            made[graph.key_of(edge)] = compile_expression(edge.when, scope, "boolean")
        except ExpressionSyntaxError as error:
            path = ("edges", graph.edge_places[id(edge)], "when")
            problems += [
                Problem(f"expression.{p.code}", "error", path, p.message, p.hint, (p.start, p.end))
                for p in error.problems
            ]
    if problems:
        raise DocumentError(problems)
    return made


def _answer(graph: Graph, node: Node, sample: Mapping[str, Any]) -> str | None:
    if not isinstance(node, QuestionNode):
        if sample.get("answer") is not None:
            raise _RefusedError("answer", f"'{node.key}' asks no question")
        return None
    offered = (*graph.offered(node), *NO_ANSWER)
    answer = sample.get("answer")
    if answer not in offered:
        message = f"'{node.key}' needs an answer: one of {', '.join(offered)}"
        raise _RefusedError("answer", message)
    return str(answer)


def _meant(graph: Graph, node: Node, edge: Edge, answer: str | None) -> bool:
    """Whether an edge is asked at all for this answer."""
    if edge.otherwise or answer is None or not isinstance(node, QuestionNode):
        return True
    return answer in (edge.answers or graph.offered(node))


def _ask(
    graph: Graph,
    edge: Edge,
    guard: Expression | None,
    env: Environment,
    takes: Mapping[str, int],
) -> Asked:
    key = graph.key_of(edge)
    cap = getattr(graph.nodes[edge.target], "max_visits", None)
    taken = edge.max_takes is not None and takes.get(key, 0) >= edge.max_takes
    if taken or (cap is not None and env.visits.get(edge.target, 0) >= cap):
        return Asked(key, edge.when, "spent")
    if guard is None:
        return Asked(key, None, "true")
    try:
        passed = guard(env) is True
    except EvaluationError as error:
        return Asked(key, edge.when, "error", guard.reads(env), error.message)
    return Asked(key, edge.when, "true" if passed else "false", guard.reads(env))


def _environment(
    graph: Graph, node: Node, sample: Mapping[str, Any], answer: str | None
) -> Environment:
    decisions = dict(_object(sample, "decisions"))
    event = _object(sample, "event")
    if isinstance(node, QuestionNode) and answer not in (*NO_ANSWER, None):
        decisions[node.question] = answer
        event = {"name": f"decision.{node.question}.{answer}", **event}
    counters = _object(sample, "machine")
    for name, value in counters.items():
        if name not in _COUNTERS or isinstance(value, bool) or not isinstance(value, (int, float)):
            raise _RefusedError("malformed", f"'machine' holds numbers: {', '.join(_COUNTERS)}")
    return Environment(
        _slots(graph, sample),
        _event(event),
        CountersView(**counters),
        {node.key: 1, **_counts(sample, "visits")},
        partial(str.__eq__, node.key),
        decisions,
    )


def _event(event: Mapping[str, Any]) -> EventView:
    name, data = event.get("name"), event.get("data", {})
    confidence = event.get("confidence", 1.0)
    right: dict[str, Callable[[], bool]] = {
        "name": lambda: name is None or isinstance(name, str),
        "data": lambda: isinstance(data, Mapping),
        "confidence": lambda: type(confidence) in (int, float) and 0 <= confidence <= 1,
    }
    for key in (*event, *right):
        if key not in right or not right[key]():
            message = "an event has a 'name', 'data' (an object), a 'confidence' from 0 to 1"
            raise _RefusedError("malformed", message)
    return EventView(name, data, float(confidence))


def _slots(graph: Graph, sample: Mapping[str, Any]) -> dict[str, Any]:
    slots = {slot.key: slot for slot in graph.workflow.slots}
    values = {slot.key: slot.default for slot in slots.values() if slot.default is not None}
    for key, value in _object(sample, "slots").items():
        slot = slots.get(key)
        if slot is None:
            raise _RefusedError("unknown_slot", f"there is no slot {key[:60]!r}")
        fault = why_not(slot, value)
        if fault is not None:
            raise _RefusedError("type", f"slot '{key}' ({slot.type}): {fault}")
        values[key] = value
    return values


def _counts(sample: Mapping[str, Any], name: str) -> dict[str, int]:
    found = dict(_object(sample, name))
    for value in found.values():
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise _RefusedError("malformed", f"'{name}' holds whole numbers from 0")
    return found


def _object(sample: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = sample.get(name)
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise _RefusedError("malformed", f"'{name}' of a sample is a JSON object")
    return value
