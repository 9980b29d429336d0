"""The functions of the language: one row each. A receiver counts as the first argument."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Function:
    """``takes`` names the kinds of the arguments; ``style`` says how it may be written."""

    name: str
    takes: tuple[str, ...]
    gives: str
    style: str  # "function", "method" or "both"
    example: str


_ROWS = (
    Function("size", ("text or list",), "integer", "both", "size(slots.name)"),
    Function("startsWith", ("text", "text"), "boolean", "method", "slots.name.startsWith('A')"),
    Function("endsWith", ("text", "text"), "boolean", "method", "slots.name.endsWith('z')"),
    Function("contains", ("text", "text"), "boolean", "method", "slots.name.contains('an')"),
    Function("lower", ("text",), "string", "both", "lower(slots.name)"),
    Function("has", ("name",), "boolean", "function", "has(slots.name)"),
    Function("active", ("state",), "boolean", "function", "active('greeting')"),
)
FUNCTIONS = {row.name: row for row in _ROWS}
