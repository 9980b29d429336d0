"""The graph of a Workflow with its faults: what hangs together, what is bounded, who can win."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from interpreter.document import QuestionDoc
from interpreter.workflow.types import DECIDING, Edge, Node, QuestionNode, WaitNode, WorkflowDoc


class Graph:
    """A Workflow by its keys. Nothing here raises for a graph with faults.

    Of two nodes with one key the first counts. `edges` are those of known nodes, by their keys;
    `named` gives every edge its key, in document order.
    """

    def __init__(self, workflow: WorkflowDoc) -> None:
        self.workflow = workflow
        self.nodes: dict[str, Node] = {}
        self.places: dict[str, int] = {}
        for place, node in enumerate(workflow.nodes):
            if node.key not in self.nodes:
                self.nodes[node.key] = node
                self.places[node.key] = place
        self.named = _named(workflow)
        self.edge_places = {id(edge): n for n, edge in enumerate(workflow.edges)}
        self.keys = {id(edge): key for key, edge in self.named}
        self.questions: dict[str, QuestionDoc] = {}
        for question in workflow.questions:
            self.questions.setdefault(question.key, question)

    @property
    def start(self) -> Node | None:
        """The first start node."""
        return next((node for node in self.nodes.values() if node.kind == "start"), None)

    @cached_property
    def leaving(self) -> dict[str, list[Edge]]:
        """The edges out of every node, in document order, `otherwise` last."""
        found: dict[str, list[Edge]] = {key: [] for key in self.nodes}
        for edge in self.workflow.edges:
            if edge.source in found:
                found[edge.source].append(edge)
        return {key: sorted(edges, key=lambda e: e.otherwise) for key, edges in found.items()}

    def key_of(self, edge: Edge) -> str:
        """The key of an edge, its own or the given one."""
        return self.keys[id(edge)]

    def decides(self, node: Node) -> bool:
        """Whether its edges are chosen by what is true or was answered."""
        return node.kind in DECIDING

    def conditional(self, edge: Edge) -> bool:
        """Whether another edge may be taken in the place of this one."""
        source = self.nodes.get(edge.source)
        return source is not None and self.decides(source) and not edge.otherwise

    def bounded(self, edge: Edge) -> bool:
        """Whether the edge can be taken only so often."""
        target = self.nodes.get(edge.target)
        if edge.max_takes is not None:
            return True
        return target is not None and getattr(target, "max_visits", None) is not None

    def plain(self, node: Node) -> Edge | None:
        """The edge by which a node that decides nothing goes on."""
        return next((e for e in self.leaving[node.key] if not e.otherwise), None)

    def otherwise(self, node: Node) -> Edge | None:
        """The edge for what no other edge takes."""
        return next((e for e in self.leaving[node.key] if e.otherwise), None)

    def may_fail(self, node: Node) -> bool:
        """Whether a node that decides nothing uses its `otherwise` edge."""
        if node.kind == "tool":
            return True
        if isinstance(node, WaitNode) and node.event is None:
            return False
        return getattr(node, "timeout", None) is not None

    def offered(self, node: QuestionNode) -> tuple[str, ...]:
        """The answers of the question that a node asks."""
        question = self.questions.get(node.question)
        return question.offered if question is not None else ()

    def reached(self) -> set[str]:
        """The nodes that edges lead to from the start, whatever is decided."""
        if self.start is None:
            return set()
        found = {self.start.key}
        waiting = [self.start.key]
        while waiting:
            for edge in self.leaving[waiting.pop()]:
                if edge.target in self.nodes and edge.target not in found:
                    found.add(edge.target)
                    waiting.append(edge.target)
        return found

    def unbounded_loops(self) -> Iterator[list[Edge]]:
        """Loops without a bound, each once, by the edge that closes it (depth first)."""
        done: set[str] = set()
        for first in self.nodes:
            if first in done:
                continue
            path: list[Edge] = []
            on_path = [first]
            turns = [iter(self._unbounded(first))]
            while turns:
                edge = next(turns[-1], None)
                if edge is None:
                    turns.pop()
                    done.add(on_path.pop())
                    path = path[:-1]
                elif edge.target in on_path:
                    yield [*path[on_path.index(edge.target) :], edge]
                elif edge.target not in done:
                    path.append(edge)
                    on_path.append(edge.target)
                    turns.append(iter(self._unbounded(edge.target)))

    def _unbounded(self, key: str) -> list[Edge]:
        return [e for e in self.leaving[key] if e.target in self.nodes and not self.bounded(e)]


def _named(workflow: WorkflowDoc) -> list[tuple[str, Edge]]:
    """Every edge with its key: its own, else `<source>_<n>`, made different where it is taken."""
    taken = {edge.key for edge in workflow.edges if edge.key is not None}
    counts: dict[str, int] = {}
    named = []
    for edge in workflow.edges:
        counts[edge.source] = counts.get(edge.source, 0) + 1
        key = edge.key
        if key is None:
            key = fresh(f"{edge.source}_{counts[edge.source]}", taken)
            taken.add(key)
        named.append((key, edge))
    return named


def fresh(key: str, taken: set[str]) -> str:
    """A key that is not taken: the wanted one, cut to 64 characters, else with a number behind."""
    made, number = key[:64], 1
    while made in taken:
        number += 1
        tail = f"_{number}"
        made = key[: 64 - len(tail)] + tail
    return made
