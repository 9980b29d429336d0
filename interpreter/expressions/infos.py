"""What the type checker knows of a node, and how it says so."""

import difflib
from collections.abc import Iterable
from dataclasses import dataclass, field

from .problems import ExpressionProblem

NUMBERS = frozenset({"integer", "number"})
SLOT_TYPES = {"email": "string", "phone": "string", "enum": "string"}
EVENT = {"name": "string", "confidence": "number"}
MACHINE = {
    "turns": "integer",
    "transitions": "integer",
    "refusals": "integer",
    "elapsed": "number",
}
ROOTS = ("slots", "event", "machine", "visits", "decision")
_SAID = {
    "boolean": "true/false",
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "list": "a list",
    "null": "null",
    "any": "anything",
}

_MANY = {"string": "texts", "number": "numbers", "integer": "numbers", "boolean": "true/false"}


@dataclass(frozen=True, slots=True)
class Info:
    """What is known of a node: its type, an enum's choices, the type of a list literal's items."""

    type: str
    choices: tuple[str, ...] = ()
    items: str = "string"


ANY, BOOLEAN, STRING = Info("any"), Info("boolean"), Info("string")


@dataclass(slots=True)
class Typed:
    """The outcome: an Info per node id, the dotted names read, and what is wrong."""

    infos: dict[int, Info] = field(default_factory=dict)
    refs: set[str] = field(default_factory=set)
    problems: list[ExpressionProblem] = field(default_factory=list)


def said(kind: str) -> str:
    """A type as the author reads it."""
    return _SAID.get(kind, f"a {kind}")


def many(kind: str) -> str:
    """The items of a list of that type."""
    return _MANY.get(kind, kind)


def near(word: str, names: Iterable[str]) -> str:
    """``did you mean 'x'?`` or nothing."""
    found = nearest(word, names)
    return f"did you mean '{found}'?" if found else ""


def nearest(word: str, names: Iterable[str]) -> str | None:
    """The name that ``word`` may be a misspelling of."""
    found = difflib.get_close_matches(word, list(names), 1, 0.6)
    return found[0] if found else None
