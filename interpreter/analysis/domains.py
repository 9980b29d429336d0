"""Values that stand for all values: for each name that guards read, one of each kind that they can
tell apart.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from interpreter.compiling import Tables
from interpreter.document import SlotDoc, why_not

from .atoms import Atoms, Constant
from .samples import sample

_FEW = 12
_FRESH = {
    "string": "other",
    "email": "other@example.com",
    "phone": "+15550100",
    "date": "2026-01-01",
    "datetime": "2026-01-01T00:00:00Z",
    "time": "12:00",
    "duration": "20s",
}
_COUNTERS = ("turns", "transitions", "refusals", "elapsed")


@dataclass(frozen=True, slots=True)
class Domain:
    """`values` in a fixed order, None last; `exact` when no guard can tell more values apart."""

    values: tuple[Any, ...]
    exact: bool


class Domains:
    """The Domain of every name, worked out once a machine; `atoms`: for these questions alone."""

    def __init__(self, machine: Tables, atoms: Atoms | None = None) -> None:
        self.machine = machine
        self.atoms = Atoms(machine) if atoms is None else atoms
        self._made: dict[str, Domain] = {}

    def of(self, name: str) -> Domain:
        """The Domain of a dotted name (`slots.x`, `event.data.x`, `visits.s` and so on)."""
        found = self._made.get(name)
        if found is None:
            found = self._made[name] = self._make(name)
        return found

    def outside(self, key: str) -> bool:
        """Whether the model or the host may write this slot."""
        return from_outside(self.machine.slots[key])

    def _make(self, name: str) -> Domain:
        asked = self.atoms.of(name)
        root, _, key = name.partition(".")
        if root == "slots" and key in self.machine.slots:
            return slot_domain(self.machine.slots[key], asked.constants, rich=asked.rich)
        if root == "visits" or (root == "machine" and key in _COUNTERS):
            numbers = [n for n in _around(asked.constants, whole=key != "elapsed") if n >= 0]
            return Domain((0, *[n for n in numbers if n]), not asked.rich)
        if name == "event.confidence":
            numbers = [n for n in _around(asked.constants, whole=False) if 0 <= n <= 1]
            return Domain((1.0, *[n for n in numbers if n != 1]), not asked.rich)
        linked = [
            value
            for other in sorted(asked.links)
            if other.startswith("slots.")
            for value in self.of(other).values
        ]
        return _any(asked.constants, linked, rich=asked.rich)


def from_outside(slot: SlotDoc) -> bool:
    """Whether the model or the host may write this slot."""
    return slot.writers is None or bool({"model", "host"} & set(slot.writers))


def _any(constants: set[Constant], more: list[Any], *, rich: bool) -> Domain:
    """Event data and verdicts: of any type, or absent."""
    found: list[Any] = [v for v in constants if isinstance(v, bool)]
    found.sort()
    found += _around(constants, whole=False)
    texts = sorted(v for v in constants if isinstance(v, str))
    found += [*texts, _fresh("other", texts)]
    values = _unlike([*found, *[v for v in more if v is not None]])
    return Domain((*values, None), not rich)


def _unlike(values: Iterable[Any]) -> list[Any]:
    """Each value once; true and 1 are two."""
    kept: dict[str, Any] = {}
    for value in values:
        kept.setdefault(repr(value), value)
    return list(kept.values())


def slot_domain(slot: SlotDoc, constants: set[Constant], *, rich: bool = False) -> Domain:
    """The Domain of a slot that is held against these constants; `rich`: and asked more."""
    if slot.type == "boolean":
        return Domain((True, False, None), exact=True)
    if slot.type == "enum":
        return Domain((*slot.choices, None), exact=True)
    values, exact = _VALUES.get(slot.type, _texts)(slot, constants, rich)
    fitting = [value for value in _unlike(values) if why_not(slot, value) is None]
    return Domain((*fitting, None), exact and bool(fitting))


def _numbers(slot: SlotDoc, constants: set[Constant], rich: bool) -> tuple[list[Any], bool]:  # noqa: FBT001
    whole = slot.type == "integer"
    low, high = slot.minimum, slot.maximum
    if whole and low is not None and high is not None and high - low < _FEW:
        return list(range(math.ceil(low), math.floor(high) + 1)), True
    ends = [end for end in (low, high) if end is not None]
    if whole:
        ends = [math.ceil(low)] if low is not None else []
        ends += [math.floor(high)] if high is not None else []
    around = _around({*constants, *ends}, whole=whole)
    return around or [0], not rich


def _around(constants: Iterable[Constant], *, whole: bool) -> list[Any]:
    """The numbers among the constants, and one in each gap between and beyond them."""
    points = sorted(
        {n for n in constants if isinstance(n, int | float) and not isinstance(n, bool)}
    )
    if not points:
        return []
    if whole:
        near = {math.floor(n) + by for n in points for by in (-1, 0, 1)}
        return sorted(near)
    gaps = [(a + b) / 2 for a, b in itertools.pairwise(points)]
    return sorted({*points, *gaps, points[0] - 1, points[-1] + 1})


def _texts(slot: SlotDoc, constants: set[Constant], rich: bool) -> tuple[list[Any], bool]:  # noqa: FBT001
    texts = sorted(v for v in constants if isinstance(v, str))
    simple = slot.pattern is None and not rich and slot.type in ("string", "email", "phone")
    only_null = not texts and not rich
    fresh = _fresh(_FRESH.get(slot.type, "other"), texts)
    fitting = sample(slot.pattern) if slot.pattern is not None else None
    return [*texts, fresh, *([fitting] if fitting else [])], simple or only_null


def _fresh(text: str, taken: list[str]) -> str:
    while text in taken:
        text = "x" + text
    return text


def _dates(slot: SlotDoc, constants: set[Constant], rich: bool) -> tuple[list[Any], bool]:  # noqa: FBT001
    found: list[Any] = []
    exact = slot.pattern is None and not rich
    for text in sorted(v for v in constants if isinstance(v, str)):
        try:
            if slot.type == "date":
                day = date.fromisoformat(text)
                found += [(day + timedelta(by)).isoformat() for by in (-1, 0, 1)]
            else:
                moment = datetime.fromisoformat(text)
                found += [(moment + timedelta(0, by)).isoformat() for by in (-1, 0, 1)]
        except (ValueError, OverflowError):
            exact = False
    return found or [_FRESH[slot.type]], exact


def _lists(slot: SlotDoc, constants: set[Constant], rich: bool) -> tuple[list[Any], bool]:  # noqa: FBT001
    return [[], ["other"]], not (rich or constants - {None})


_VALUES = {
    "integer": _numbers,
    "number": _numbers,
    "date": _dates,
    "datetime": _dates,
    "list": _lists,
}
