"""JSON in, JSON out: a workflow document, and the JSON Schema of its format."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from interpreter.document import dump_document, json_schema, read_as
from interpreter.errors import DocumentError, Problem
from interpreter.workflow.types import WorkflowDoc

NOT_SERVED = "capability_not_available"


def parse_workflow(workflow: object) -> WorkflowDoc:
    """A workflow document (`callchart.workflow/1`) from its JSON value.

    Raises DocumentError with one Problem (code `document.*`) for each fault of shape; a node of
    the kind `human_task` is `capability_not_available`.
    """
    try:
        return read_as(WorkflowDoc, workflow)
    except DocumentError as error:
        raise DocumentError([_known_later(workflow, p) for p in error.problems]) from None


def dump_workflow(workflow: WorkflowDoc) -> dict[str, Any]:
    """Its JSON value; `parse_workflow(dump_workflow(x)) == x`."""
    return dump_document(workflow)


def workflow_schema() -> dict[str, Any]:
    """JSON Schema (2020-12) of the format, for editors and browsers."""
    return json_schema(WorkflowDoc)


def _known_later(workflow: Any, problem: Problem) -> Problem:
    if problem.code != "document.node" or len(problem.path) != 2:
        return problem
    node = workflow["nodes"][problem.path[1]]
    if not isinstance(node, dict) or node.get("kind") != "human_task":
        return problem
    message = "human tasks are not available yet"
    return replace(problem, code=NOT_SERVED, path=(*problem.path, "kind"), message=message)
