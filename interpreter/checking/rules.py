"""The list of rules, in the order in which their findings are told."""

from interpreter.errors import Severity

from . import (
    dead_ends,
    keys,
    limits,
    loops,
    overlap,
    questions,
    references,
    repeats,
    shadowed,
    slots,
    speaking,
    squad,
    structure,
    tools,
    triggers,
    unreachable,
    written,
)
from .rule import Code, Rule

RULES: tuple[Rule, ...] = (
    structure.RULE,
    keys.RULE,
    references.RULE,
    written.RULE,
    slots.RULE,
    limits.RULE,
    squad.RULE,
    questions.RULE,
    tools.RULE,
    loops.RULE,
    repeats.RULE,
    triggers.RULE,
    unreachable.RULE,
    dead_ends.RULE,
    shadowed.RULE,
    overlap.RULE,
    speaking.RULE,
)

CODES: dict[str, Code] = {code.code: code for rule in RULES for code in rule.codes}
SEVERITIES: dict[str, Severity] = {name: code.severity for name, code in CODES.items()}
