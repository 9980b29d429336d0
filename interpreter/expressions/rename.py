"""Renaming what expressions refer to, to the letter: only the characters of the name change."""

from collections.abc import Iterator
from typing import Literal

from .parse import parse
from .problems import ExpressionSyntaxError
from .templates import holes
from .tree import Node, walk

Kind = Literal["slot", "state", "decision", "answer"]
_ROOT = {"slot": "slots", "state": "visits", "decision": "decision"}


def rename_reference(source: str, kind: Kind, old: str, new: str) -> str:
    """``source`` with every reference to ``old`` changed; unchanged if it does not parse.

    An answer is called ``question.answer`` in ``old``; it is renamed where it is compared with
    ``decision.question``, or stands in the list that this is looked for in.
    """
    try:
        tree = parse(source)
    except ExpressionSyntaxError:
        return source
    for start, end in sorted(_ranges(tree, kind, old), reverse=True):
        source = source[:start] + new + source[end:]
    return source


def rename_in_template(text: str, kind: Kind, old: str, new: str) -> str:
    """The same inside every ``{{ }}`` of a text."""
    try:
        found = list(holes(text))
    except ExpressionSyntaxError:
        return text
    for hole in reversed(found):
        renamed = rename_reference(hole.source, kind, old, new)
        text = text[: hole.at] + renamed + text[hole.at + len(hole.source) :]
    return text


def _answers(tree: Node, old: str) -> Iterator[tuple[int, int]]:
    question, _, answer = old.partition(".")
    for node in walk(tree):
        if node.kind not in ("compare", "in"):
            continue
        if any(part.dotted == f"decision.{question}" for part in node.children):
            for part in (p for child in node.children for p in (child, *child.children)):
                plain = part.end - part.start == len(answer) + 2
                if part.kind == "literal" and part.value == answer and plain:
                    yield part.start + 1, part.end - 1


def _ranges(tree: Node, kind: Kind, old: str) -> Iterator[tuple[int, int]]:
    if kind == "answer":
        yield from _answers(tree, old)
        return
    for node in walk(tree):
        if node.kind == "path" and len(node.names) > 1:
            name = node.names[1]
            if node.names[0].text == _ROOT[kind] and name.text == old:
                yield name.start, name.end
        elif kind == "state" and node.kind == "call" and node.value == "active" and node.children:
            argument = node.children[0]
            if argument.kind == "literal" and argument.value == old:
                yield argument.start + 1, argument.end - 1
