"""Guards that are rows of simple comparisons of slots: decided slot by slot, without running."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from interpreter.document import SlotDoc
from interpreter.expressions import ExpressionSyntaxError
from interpreter.expressions.parse import parse
from interpreter.expressions.tree import Node as Part
from interpreter.expressions.tree import constants

from .atoms import ABSENT, constant, named
from .domains import Domain, from_outside, slot_domain

_NUMBERS = ("integer", "number")
_PLAIN = ("boolean", "enum", "string", *_NUMBERS)
_ORDER: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
Held = tuple[str, str, Any]
Inside = Mapping[str, Sequence[Any] | None]


@dataclass(frozen=True, slots=True)
class Narrowed:
    """The values of each slot that pass every comparison, by key, in the order of its Domain.

    `whole` says that there is nothing but such comparisons; `exact` that the values stand for all
    values of their slots.
    """

    values: dict[str, list[Any]]
    whole: bool
    exact: bool

    @property
    def empty(self) -> bool:
        """Whether no value of some slot passes."""
        return not all(self.values.values())


@dataclass(frozen=True, slots=True)
class Row:
    """What a guard asks of each slot, in the comparisons that must all hold.

    `whole` says that there is nothing else; `points` are the constants of the whole guard.
    """

    held: dict[str, list[Held]]
    whole: bool
    points: frozenset[Any]


def row_of(slots: Mapping[str, SlotDoc], guard: Part) -> Row:
    """The comparisons of slots with constants that a guard joins by `&&`."""
    held: dict[str, list[Held]] = {}
    whole = True
    for part in _joined(guard):
        found = _held(slots, part)
        if found is None:
            whole = whole and part.value is True
        else:
            held.setdefault(found[0], []).append(found)
    if whole:
        points = frozenset(value for row in held.values() for _, _, value in row)
    else:
        points = frozenset(constants(guard))
    return Row(held, whole, points)


def never_true(slots: Mapping[str, SlotDoc], row: Row, inside: Inside) -> bool:
    """Whether it is certain that no values of the slots make a guard true."""
    if not row.whole or not any(_may_fail(slots[key], held) for key, held in row.held.items()):
        return False
    passing = narrow(slots, (row,), inside)
    return passing.exact and passing.empty


def _may_fail(slot: SlotDoc, held: list[Held]) -> bool:
    """Whether some value might not be there: one comparison of a free slot always finds one."""
    bounded = slot.minimum is not None or slot.maximum is not None or slot.type == "enum"
    return len(held) > 1 or bounded or not from_outside(slot)


def narrow(slots: Mapping[str, SlotDoc], rows: Sequence[Row], inside: Inside) -> Narrowed:
    """What passes all `rows` at once, slot by slot.

    `inside` gives the values of the slots that effects alone write; None where these are not
    known.
    """
    held: dict[str, list[Held]] = {}
    for row in rows:
        for key, found in row.held.items():
            held[key] = [*held.get(key, ()), *found]
    points = set().union(*(row.points for row in rows))
    values: dict[str, list[Any]] = {}
    exact = True
    for key, asked in held.items():
        known = None if from_outside(slots[key]) else inside.get(key)
        domain = slot_domain(slots[key], points) if known is None else Domain((*known,), True)  # noqa: FBT003
        exact = exact and domain.exact
        values[key] = [v for v in domain.values if all(_passes(one, v) for one in asked)]
    return Narrowed(values, all(row.whole for row in rows), exact)


def _joined(part: Part) -> Iterator[Part]:
    if part.kind == "and":
        for child in part.children:
            yield from _joined(child)
    else:
        yield part


def _held(slots: Mapping[str, SlotDoc], part: Part) -> Held | None:
    """The slot, the operator and the value of a comparison; None for anything else."""
    if part.kind == "path":
        return _of(slots, part, "==", True)  # noqa: FBT003
    if part.kind == "not":
        return _of(slots, part.children[0], "==", False)  # noqa: FBT003
    if part.kind != "compare":
        return None
    left, right = part.children
    sign = str(part.value)
    if named(left) is None:
        left, right, sign = right, left, _TURNED.get(sign, sign)
    value = constant(right)
    return None if value is ABSENT else _of(slots, left, sign, value)


def _of(slots: Mapping[str, SlotDoc], part: Part, sign: str, value: Any) -> Held | None:
    root, _, key = (named(part) or "").partition(".")
    slot = slots.get(key)
    if root != "slots" or slot is None or slot.type not in _PLAIN:
        return None
    if sign in _ORDER and (slot.type not in _NUMBERS or value is None):
        return None
    return (key, sign, value)


def _passes(held: Held, value: Any) -> bool:
    """Kleene's answer to one comparison, unknown being no."""
    _, sign, wanted = held
    if wanted is None:
        return (value is None) == (sign == "==")
    if value is None:
        return False
    if sign in _ORDER:
        return _ORDER[sign](value, wanted)
    return bool(value == wanted) == (sign == "==")


def literals_of(source: str) -> tuple[Any] | None:
    """The value of an expression that is one literal, as a row of one; None for any other, and
    for one that does not parse.
    """
    try:
        value = constant(parse(source))
    except ExpressionSyntaxError:
        return None
    return None if value is ABSENT else (value,)
