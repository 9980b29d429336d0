"""The expression language.

A strict, typed subset of CEL with Kleene's nulls, compiled to Python.
"""

from .expression import Analysis, Expression, analyse, compile_expression, literals
from .functions import FUNCTIONS
from .generate import PARAMETERS
from .infos import near, nearest
from .moments import duration_seconds
from .problems import EvaluationError, ExpressionProblem, ExpressionSyntaxError
from .rename import rename_in_template, rename_reference
from .runtime import RUNTIME
from .scope import CountersView, Environment, EventView, Scope, SlotLike
from .templates import Template, analyse_template, compile_template, show_bounded

__all__ = [
    "FUNCTIONS",
    "PARAMETERS",
    "RUNTIME",
    "Analysis",
    "CountersView",
    "Environment",
    "EvaluationError",
    "EventView",
    "Expression",
    "ExpressionProblem",
    "ExpressionSyntaxError",
    "Scope",
    "SlotLike",
    "Template",
    "analyse",
    "analyse_template",
    "compile_expression",
    "compile_template",
    "duration_seconds",
    "literals",
    "near",
    "nearest",
    "rename_in_template",
    "rename_reference",
    "show_bounded",
]
