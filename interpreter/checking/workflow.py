"""All problems of a Workflow: those of its graph, and those of the chart that it becomes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from interpreter.document import AgentDoc, parse_agent
from interpreter.errors import DocumentError, Problem
from interpreter.workflow import Graph, WorkflowDoc, graph_problems, lay_out, parse_workflow

from .check import check_agent

_ORDER = {"error": 0, "warning": 1, "info": 2}
_SAME = ("guard", "effect", "prompt", "slot", "squad", "tool", "question")
"""Groups of codes that mean the same in a chart. What a chart says of its states and transitions
the graph has said of its nodes and edges."""
_NAMES = frozenset({"state.unknown", "outcome.unknown", "agent.unknown", "limit.target"})
_MEANT = "guard.overlap"
"""A warning for a chart; of the edges of a node the first that is true wins, and is meant to."""
_TWICE = ("prompts", "tools", "outcomes")


def check_workflow(workflow: object, *, agent: object = None) -> list[Problem]:
    """All problems of a workflow document, errors first; paths lead into this document.

    `agent` is the document of its Agent, as far as it is known: nodes may name what it declares.
    Never raises for what an author wrote: faults of shape are problems too (code `document.*`).
    """
    try:
        doc = parse_workflow(workflow)
        beside = None if agent is None else parse_agent(agent)
    except DocumentError as error:
        return list(error.problems)
    graph = Graph(doc)
    problems = [*graph_problems(graph), *_declared_twice(doc, beside)]
    problems += _inside(graph, beside, {(one.code, one.path) for one in problems})
    return sorted(problems, key=lambda problem: _ORDER[problem.severity])


def _inside(
    graph: Graph, agent: AgentDoc | None, told: set[tuple[str, object]]
) -> Iterator[Problem]:
    """What a check of the chart finds, where it stands in the Workflow."""
    made = lay_out(graph, agent=agent)
    for problem in check_agent(made.agent):
        group = problem.code.partition(".")[0]
        path = made.place_of(problem.path)
        same = group in _SAME or problem.code in _NAMES
        if path is None or not same or problem.code == _MEANT:
            continue
        if (problem.code, path) not in told:
            told.add((problem.code, path))
            yield replace(problem, path=path, fix=None)


def _declared_twice(workflow: WorkflowDoc, agent: AgentDoc | None) -> Iterator[Problem]:
    for name in _TWICE if agent is not None else ():
        keys = {one.key for one in getattr(agent, name)}
        for place, one in enumerate(getattr(workflow, name)):
            if one.key in keys:
                message = f"the Agent declares '{one.key}' among its {name} too"
                hint = "Keep one of them."
                yield Problem("key.duplicate", "error", (name, place, "key"), message, hint)
