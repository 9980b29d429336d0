"""Whether two guards are the same question."""

from __future__ import annotations

import itertools
from typing import Any

from interpreter.expressions import Expression, ExpressionSyntaxError, compile_expression
from interpreter.expressions.tree import Node as Part
from interpreter.stepping import Machine

from .atoms import Atoms, parsed
from .domains import Domains
from .offers import truth
from .possible import environment

_MOST = 4_000
_TURNED = {">": "<", ">=": "<="}
_EITHER_WAY = ("==", "!=")


def same_guard(machine: Machine, one: str | None, other: str | None) -> bool:
    """Whether two guards pass, fail and err for the same values, in this machine's slots and
    states; no guard is `true`.

    They are asked for one value of each kind that they can tell apart, nulls included. Where that
    decides nothing (arithmetic, slots held against slots, too many names), and where one does not
    fit the machine, only the same question in another spelling counts. Never raises.
    """
    sources = (one or "true", other or "true")
    if sources[0] == sources[1]:
        return True
    try:
        guards = [compile_expression(source, machine.scope, "boolean") for source in sources]
    except ExpressionSyntaxError:
        return _same_spelling(*sources)
    told = _told_apart(machine, guards)
    return _same_spelling(*sources) if told is None else not told


def _told_apart(machine: Machine, guards: list[Expression]) -> bool | None:
    """Whether some values are answered differently; None where trying decides nothing."""
    domains = Domains(machine, Atoms.among(guards))
    names = sorted(guards[0].refs | guards[1].refs)
    ranges: list[tuple[Any, ...]] = []
    count, exact = 1, True
    for name in names:
        if name.startswith("active("):
            ranges.append((True, False))
        else:
            domain = domains.of(name)
            exact = exact and domain.exact
            ranges.append(tuple({repr(v): v for v in (*domain.values, None)}.values()))
        count *= len(ranges[-1])
    for values in itertools.islice(itertools.product(*ranges), _MOST):
        env = environment(dict(zip(names, values, strict=True)))
        if truth(guards[0], env) != truth(guards[1], env):
            return True
    return False if exact and count <= _MOST else None


def _same_spelling(one: str, other: str) -> bool:
    try:
        return bool(_shape(parsed(one)) == _shape(parsed(other)))
    except ExpressionSyntaxError:
        return False


def _shape(part: Part) -> Any:
    """A tree without its places in the source: both sides of `and`, `or`, `==` and `!=` in one
    order, no double `not`, `>` as `<`.
    """
    children = [_shape(child) for child in part.children]
    if part.kind in ("and", "or"):
        flat: list[Any] = []
        for child in children:
            flat += child[1] if child[0] == part.kind else [child]
        return (part.kind, sorted(flat, key=repr))
    if part.kind == "not" and part.children[0].kind == "not":
        return children[0][2][0]
    value = part.value
    if part.kind == "compare" and value in _TURNED:
        value, children = _TURNED[str(value)], children[::-1]
    elif part.kind == "compare" and value in _EITHER_WAY:
        children = sorted(children, key=repr)
    return (part.kind, repr(value), children, part.dotted)
