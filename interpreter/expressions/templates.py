"""Prompt texts with ``{{ expression }}`` in them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .expression import Analysis, Expression, analyse, compile_expression
from .problems import EvaluationError, ExpressionProblem, ExpressionSyntaxError
from .scope import Environment, Scope
from .tree import MAX_STRING


@dataclass(frozen=True, slots=True)
class Hole:
    """An expression in a text: its source, and where that source starts; ``start``/``end`` take in
    the braces.
    """

    source: str
    at: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Template:
    """A compiled text: strings and expressions in turn."""

    text: str
    parts: tuple[str | Expression, ...]
    refs: frozenset[str]

    def __call__(self, env: Environment) -> str:
        """The text with every hole filled.

        An unset value leaves nothing. Raises EvaluationError.
        """
        return "".join(part if isinstance(part, str) else _shown(part, env) for part in self.parts)

    def reads(self, env: Environment) -> dict[str, Any]:
        """The value of every name that the holes read."""
        found: dict[str, Any] = {}
        for part in self.parts:
            if isinstance(part, Expression):
                found.update(part.reads(env))
        return dict(sorted(found.items()))


def _shown(part: Expression, env: Environment) -> str:
    return show_bounded(part(env), len(part.source))


def show_bounded(value: Any, end: int = 0) -> str:
    """A value as people read it. Raises EvaluationError, up to `end`, when it is too long."""
    text = value if type(value) is str else show(value)
    if len(text) > MAX_STRING:
        raise EvaluationError(f"the text would be longer than {MAX_STRING} characters", 0, end)
    return text


def show(value: Any) -> str:
    """A value as people read it in a sentence."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else repr(value)
    if isinstance(value, list | tuple):
        return ", ".join(show(item) for item in value)
    return str(value)


def holes(text: str) -> Iterator[Hole]:
    """The holes of ``text`` in order; quotes inside one may hold braces. Raises
    ExpressionSyntaxError.
    """
    position = 0
    while (start := text.find("{{", position)) >= 0:
        end = _closing(text, start + 2)
        if end < 0:
            message = "this '{{' is never closed"
            raise ExpressionSyntaxError(
                (ExpressionProblem("syntax", message, start, start + 2, "write '}}'"),)
            )
        yield Hole(text[start + 2 : end], start + 2, start, end + 2)
        position = end + 2


def _closing(text: str, position: int) -> int:
    quote = ""
    while position < len(text):
        character = text[position]
        if quote:
            if character == "\\":
                position += 1
            elif character in (quote, "\n"):
                quote = ""
        elif character in "\"'":
            quote = character
        elif text.startswith("}}", position):
            return position
        position += 1
    return -1


def analyse_template(text: str, scope: Scope) -> Analysis:
    """Problems with positions in ``text``, and all names read; never raises."""
    try:
        found = list(holes(text))
    except ExpressionSyntaxError as error:
        return Analysis(error.problems, frozenset(), "string")
    problems: list[ExpressionProblem] = []
    refs: set[str] = set()
    for hole in found:
        analysis = analyse(hole.source, scope)
        problems += [problem.moved(hole.at) for problem in analysis.problems]
        refs |= analysis.refs
    return Analysis(tuple(problems), frozenset(refs), "string")


def compile_template(text: str, scope: Scope) -> Template:
    """Raises ExpressionSyntaxError with all problems, positions in ``text``."""
    analysis = analyse_template(text, scope)
    if analysis.problems:
        raise ExpressionSyntaxError(analysis.problems)
    parts: list[str | Expression] = []
    position = 0
    for hole in holes(text):
        parts += [text[position : hole.start], compile_expression(hole.source, scope)]
        position = hole.end
    parts.append(text[position:])
    return Template(text, tuple(part for part in parts if part != ""), analysis.refs)
