"""Compiling: document order, masks, domains, candidate tables, plans."""

from interpreter.compiling.compile import IMPLICIT, compile_agent_tables, compile_tables
from interpreter.compiling.nodes import CompiledEffect, CompiledTransition, Node
from interpreter.compiling.plans import History, Plan, region_final
from interpreter.compiling.scope import questions_asked, scope_of, states_of
from interpreter.compiling.standing import inside
from interpreter.compiling.tables import Candidate, Chains, Configuration, Lookup, Tables

__all__ = [
    "IMPLICIT", "Candidate", "Chains", "CompiledEffect", "CompiledTransition", "Configuration",
    "History", "Lookup", "Node", "Plan", "Tables", "compile_agent_tables", "compile_tables",
    "inside", "questions_asked", "region_final", "scope_of", "states_of",
]  # fmt: skip
