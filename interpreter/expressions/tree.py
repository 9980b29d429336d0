"""The parsed form of an expression: immutable nodes, each with its range in the source."""

from dataclasses import dataclass
from typing import NamedTuple

Constant = str | int | float | bool | None

MAX_LENGTH = 2_000
MAX_DEPTH = 30
MAX_NODES = 200
MAX_NUMBER = 10**15
MAX_STRING = 4_096


class Name(NamedTuple):
    """One part of a dotted path."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Node:
    """``kind`` is literal, path, not, minus, and, or, compare, arithmetic, in, list, call or
    choose.

    ``value`` holds a literal's value, or the operator or function name. ``id`` is unique in its
    tree, children have lower ids than their parent, and ``depth`` is 1 for a leaf.
    """

    id: int
    kind: str
    start: int
    end: int
    value: Constant = None
    children: tuple["Node", ...] = ()
    names: tuple[Name, ...] = ()
    depth: int = 1

    @property
    def dotted(self) -> str:
        """The path as one text."""
        return ".".join(name.text for name in self.names)

    @property
    def is_null(self) -> bool:
        """Whether this is the literal null."""
        return self.kind == "literal" and self.value is None


def walk(node: Node) -> list[Node]:
    """Every node of the tree, parents before children, in source order of siblings."""
    found: list[Node] = []
    waiting = [node]
    while waiting:
        current = waiting.pop()
        found.append(current)
        waiting.extend(reversed(current.children))
    return found


def constants(node: Node) -> list[str | int | float | bool]:
    """The literals of a tree in source order, without null."""
    found = [part.value for part in walk(node) if part.kind == "literal"]
    return [value for value in found if value is not None]
