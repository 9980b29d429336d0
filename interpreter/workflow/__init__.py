"""Workflows: the path of a Call as a graph of nodes and edges, made into a chart.

Stands on the document alone: `lay_out` gives an agent document, the interpreter runs it.
"""

from interpreter.workflow.compiling import CompiledWorkflow, compile_workflow, lay_out
from interpreter.workflow.evaluating import Evaluation, evaluate_node
from interpreter.workflow.faults import CODES, graph_problems
from interpreter.workflow.graph import Graph
from interpreter.workflow.reading import dump_workflow, parse_workflow, workflow_schema
from interpreter.workflow.types import NODE_KINDS, WORKFLOW_FORMAT, WorkflowDoc

__all__ = [
    "CODES", "NODE_KINDS", "WORKFLOW_FORMAT", "CompiledWorkflow", "Evaluation", "Graph",
    "WorkflowDoc", "compile_workflow", "dump_workflow", "evaluate_node", "graph_problems",
    "lay_out", "parse_workflow", "workflow_schema",
]  # fmt: skip
