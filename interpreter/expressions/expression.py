"""Analyse an expression (never raises) or compile it to a callable."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from .generate import PARAMETERS, generate
from .parse import parse
from .problems import EvaluationError, ExpressionProblem, ExpressionSyntaxError
from .runtime import RUNTIME, dig
from .scope import Environment, Scope, SlotLike
from .tree import Node, constants
from .types import check_types

Want = str | SlotLike | None


@dataclass(frozen=True, slots=True)
class Analysis:
    """What the checker says: problems in source order, the dotted names read, the type of the
    whole; and the tree, where the source parses.
    """

    problems: tuple[ExpressionProblem, ...]
    refs: frozenset[str]
    type: str
    tree: Node | None = field(default=None, compare=False, repr=False)


class Expression:
    """A compiled expression; immutable and safe to share between threads.

    ``code`` is Python over the names in ``PARAMETERS`` and ``RUNTIME``, generated from the checked
    tree alone.
    """

    __slots__ = ("_function", "code", "refs", "source", "type")

    def __init__(self, source: str, refs: frozenset[str], kind: str, code: str) -> None:
        self.source = source
        self.refs = refs
        self.type = kind
        self.code = code
        self._function = _function(code)

    def __call__(self, env: Environment) -> Any:
        """The value, ``None`` when unknown; a guard gives True only when true. Raises
        EvaluationError.
        """
        try:
            return self._function(
                env.slots, env.event, env.machine, env.visits, env.active, env.decision
            )
        except (TypeError, ValueError, AttributeError, KeyError, ArithmeticError) as error:
            raise EvaluationError(
                f"a value has an unexpected type: {error}", 0, len(self.source)
            ) from error

    def reads(self, env: Environment) -> dict[str, Any]:
        """The value of every name the expression reads, by dotted name, in alphabetical order."""
        return {name: _read(name, env) for name in sorted(self.refs)}

    def __repr__(self) -> str:
        return f"Expression({self.source!r})"


def _read(name: str, env: Environment) -> Any:
    if name.startswith("active("):
        return env.active(name[8:-2])
    root, key, *rest = name.split(".")
    if root == "event" and key == "data":
        return dig(env.event.data, *rest)
    if root in ("event", "machine"):
        return getattr(env.event if root == "event" else env.machine, key, None)
    if root == "visits":
        return env.visits.get(key, 0)
    return (env.slots if root == "slots" else env.decision).get(key)


@lru_cache(maxsize=8192)
def _function(code: str) -> Callable[..., Any]:
    compiled = compile(f"lambda {PARAMETERS}: {code}", "<expression>", "eval")
    names = {"__builtins__": {}, **RUNTIME}
    made: Callable[..., Any] = eval(compiled, names)  # noqa: S307 - from the checked tree alone
    return made


def analyse(source: str, scope: Scope, want: Want = None) -> Analysis:
    """All problems of ``source``; never raises. ``want`` is ``"boolean"`` (a guard), a slot type,
    a slot, or None.
    """
    try:
        tree = parse(source)
    except ExpressionSyntaxError as error:
        return Analysis(error.problems, frozenset(), "any")
    typed = check_types(tree, scope, want)
    problems = tuple(sorted(typed.problems, key=lambda problem: (problem.start, problem.end)))
    return Analysis(problems, frozenset(typed.refs), typed.infos[tree.id].type, tree)


def compile_expression(source: str, scope: Scope, want: Want = None) -> Expression:
    """The compiled expression. ``want="boolean"`` makes a guard: True when true, else False.

    Raises ExpressionSyntaxError with all problems.
    """
    tree = parse(source)
    typed = check_types(tree, scope, want)
    if typed.problems:
        raise ExpressionSyntaxError(
            tuple(sorted(typed.problems, key=lambda problem: problem.start))
        )
    code = generate(tree, typed.infos, guard=want == "boolean")
    return Expression(source, frozenset(typed.refs), typed.infos[tree.id].type, code)


def literals(source: str) -> list[str | int | float | bool]:
    """The constants that ``source`` names, in order; none if it does not parse."""
    try:
        return constants(parse(source))
    except ExpressionSyntaxError:
        return []
