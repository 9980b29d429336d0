"""Our expressions in ECMAScript, for the readers of an SCXML document that we write.

Kleene's unknown has no counterpart there: a comparison with an unset slot is written so that it
is false, as a guard has it. What ECMAScript and SCXML have no name for raises UnsayableError.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import ClassVar

from interpreter.expressions import ExpressionSyntaxError
from interpreter.expressions.parse import parse
from interpreter.expressions.tree import Node

_WORDS = frozenset({
    "arguments", "await", "break", "case", "catch", "class", "const", "continue", "debugger",
    "default", "delete", "do", "else", "enum", "eval", "export", "extends", "false", "finally",
    "for", "function", "if", "implements", "import", "in", "instanceof", "interface", "let", "new",
    "null", "package", "private", "protected", "public", "return", "static", "super", "switch",
    "this", "throw", "true", "try", "typeof", "var", "void", "while", "with", "yield",
})  # fmt: skip
_METHODS = {"startsWith": "startsWith", "endsWith": "endsWith", "contains": "includes"}


class UnsayableError(Exception):
    """An expression that ECMAScript cannot say; the message is the end of a sentence."""


def variable(key: str) -> str:
    """The name of a slot as a variable."""
    return f"{key}_" if key in _WORDS else key


def say_guard(source: str, ids: Mapping[str, str]) -> str:
    """A guard; `ids` are the ids of states by key. Raises UnsayableError."""
    return _Sayer(ids).truth(_parsed(source), side=True)


def say_value(source: str, ids: Mapping[str, str]) -> str:
    """The value of an expression. Raises UnsayableError."""
    return _Sayer(ids).value(_parsed(source))


def _parsed(source: str) -> Node:
    try:
        return parse(source)
    except ExpressionSyntaxError as error:
        raise UnsayableError(error.problems[0].message) from None


class _Sayer:
    def __init__(self, ids: Mapping[str, str]) -> None:
        self.ids = ids

    def truth(self, node: Node, *, side: bool) -> str:
        """What is true exactly when the node is `side`; unknown is neither."""
        if node.kind == "literal" and isinstance(node.value, bool):
            return json.dumps(node.value is side)
        if node.kind == "not":
            return self.truth(node.children[0], side=not side)
        if node.kind in ("and", "or"):
            word = " && " if (node.kind == "and") == side else " || "
            return "(" + word.join(self.truth(one, side=side) for one in node.children) + ")"
        if node.kind == "compare":
            return self._compared(node, side=side)
        if node.kind == "in":
            return self._among(node, side=side)
        if node.kind == "call" and node.value in ("active", "has"):
            said = self.value(node)
            return said if side else f"!{said}"
        return f"({self.value(node)} === {json.dumps(side)})"

    def _compared(self, node: Node, *, side: bool) -> str:
        left, right = node.children
        test = f"{self.value(left)} {node.value} {self.value(right)}"
        if not (left.is_null or right.is_null):
            known = [
                f"{self.value(one)} != null" for one in node.children if one.kind != "literal"
            ]
            return "(" + " && ".join([*known, test if side else f"!({test})"]) + ")"
        return f"({test})" if side else f"!({test})"

    def _among(self, node: Node, *, side: bool) -> str:
        item, items = node.children
        if items.kind != "list":
            raise UnsayableError("'in' a list that is not written out")
        sign, word = ("==", " || ") if side else ("!=", " && ")
        said = self.value(item)
        tests = word.join(f"{said} {sign} {self.value(one)}" for one in items.children)
        return f"({said} != null && ({tests or json.dumps(not side)}))"

    def value(self, node: Node) -> str:
        """The value of a node."""
        return self._KINDS[node.kind](self, node)

    def _literal(self, node: Node) -> str:
        return json.dumps(node.value)

    def _list(self, node: Node) -> str:
        return "[" + ", ".join(map(self.value, node.children)) + "]"

    def _path(self, node: Node) -> str:
        root, *rest = [name.text for name in node.names]
        if root == "slots" and rest:
            return variable(rest[0])
        if root == "event" and rest and rest[0] in ("name", "data"):
            return "_event." + ".".join(rest)
        raise UnsayableError(f"SCXML has no '{node.dotted}'")

    def _minus(self, node: Node) -> str:
        return f"(-{self.value(node.children[0])})"

    def _arithmetic(self, node: Node) -> str:
        left, right = map(self.value, node.children)
        return f"({left} {node.value} {right})"

    def _choose(self, node: Node) -> str:
        test, yes, no = node.children
        return f"({self.truth(test, side=True)} ? {self.value(yes)} : {self.value(no)})"

    def _call(self, node: Node) -> str:
        name, first = str(node.value), node.children[0] if node.children else None
        if first is None:
            raise UnsayableError(f"ECMAScript has no '{name}'")
        if name == "active":
            return f"In({json.dumps(self.ids.get(str(first.value), str(first.value)))})"
        said = self.value(first)
        if name == "has":
            return f"({said} != null)"
        if name == "size":
            return f"{said}.length"
        if name == "lower":
            return f"{said}.toLowerCase()"
        if name in _METHODS and len(node.children) == 2:
            return f"{said}.{_METHODS[name]}({self.value(node.children[1])})"
        raise UnsayableError(f"ECMAScript has no '{name}'")

    def _truth(self, node: Node) -> str:
        return self.truth(node, side=True)

    _KINDS: ClassVar[dict[str, Callable[[_Sayer, Node], str]]] = {
        "literal": _literal,
        "list": _list,
        "path": _path,
        "minus": _minus,
        "arithmetic": _arithmetic,
        "choose": _choose,
        "call": _call,
        "not": _truth,
        "and": _truth,
        "or": _truth,
        "compare": _truth,
        "in": _truth,
    }
