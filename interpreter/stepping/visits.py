"""How often each state was entered: one count a state, in rows that Snapshots share.

A step copies what it changes: the one row of a chart of up to `ROW` states, or of a bigger one the
list of rows and the rows touched. So a step costs the same in a chart of thousands of states.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from interpreter.compiling import Tables
from interpreter.errors import SnapshotError

ROW = 64
_NEVER = [0] * ROW
Rows = list[Any]
"""Counts by the place of the state; for a wide chart, rows of `ROW` counts."""


def is_wide(machine: Tables) -> bool:
    """Whether the counts of this machine need more than one row."""
    return len(machine.counted) > ROW


def blank(machine: Tables) -> Rows:
    """No state was ever entered; the rows of a wide chart are one and the same."""
    if not is_wide(machine):
        return [0] * len(machine.counted)
    return [_NEVER] * -(-len(machine.counted) // ROW)


def rows_of(machine: Tables, visits: Mapping[str, int]) -> Rows:
    """The rows of counts by state; SnapshotError when one is of no state of the machine."""
    rows = blank(machine)
    wide = is_wide(machine)
    for key, count in visits.items():
        place = machine.places.get(key)
        if place is None:
            raise SnapshotError(f"the machine has no state '{key}' that could be visited")
        if not wide:
            rows[place] = count
            continue
        if rows[place // ROW] is _NEVER:
            rows[place // ROW] = _NEVER[:]
        rows[place // ROW][place % ROW] = count
    return rows


def counts_of(machine: Tables, rows: Rows) -> dict[str, int]:
    """The counts of the states that were entered, in document order."""
    names = machine.counted
    if not is_wide(machine):
        return {key: count for key, count in zip(names, rows, strict=True) if count}
    found: dict[str, int] = {}
    for number, row in enumerate(rows):
        if row is not _NEVER:
            some = names[number * ROW : (number + 1) * ROW]
            found.update((key, count) for key, count in zip(some, row, strict=False) if count)
    return found


def with_count(rows: Rows, place: int, count: int, *, wide: bool) -> Rows:
    """The rows with one count changed; what came in stays as it was."""
    rows = rows[:]
    if wide:
        row = rows[place // ROW] = rows[place // ROW][:]
        row[place % ROW] = count
    else:
        rows[place] = count
    return rows


class Visits(Mapping[str, int]):
    """Rows as a map of the states that were entered, in document order."""

    __slots__ = ("_machine", "_wide", "rows")

    def __init__(self, machine: Tables, rows: Rows) -> None:
        self._machine = machine
        self._wide = is_wide(machine)
        self.rows = rows

    def at(self, place: int) -> int:
        """The count of a state by its place."""
        count: int = self.rows[place // ROW][place % ROW] if self._wide else self.rows[place]
        return count

    def entered(self, place: int) -> Visits:
        """The same with one visit more."""
        rows = with_count(self.rows, place, self.at(place) + 1, wide=self._wide)
        return Visits(self._machine, rows)

    def get(self, key: str, default: Any = None) -> Any:
        """The count of a state; `default` when it was never entered."""
        place = self._machine.places.get(key)
        return default if place is None else self.at(place) or default

    def __getitem__(self, key: str) -> int:
        count = self.at(self._machine.places[key])
        if not count:
            raise KeyError(key)
        return count

    def __iter__(self) -> Iterator[str]:
        for place, key in enumerate(self._machine.counted):
            if self.at(place):
                yield key

    def __len__(self) -> int:
        return sum(1 for _ in self)
