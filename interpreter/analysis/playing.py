"""One script line over a Snapshot, as a dry run plays it: what falls due before it fires first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from interpreter.document import parse_duration
from interpreter.records import from_milliseconds
from interpreter.stepping import Machine, Snapshot, Step, due, step

Line = Mapping[str, Any]
_TIMERS = 100


def play(machine: Machine, snapshot: Snapshot, now: int, line: Line) -> tuple[list[Step], int]:
    """The steps that a line makes, and the time after it, in milliseconds since 1970."""
    until = now
    if "advance" in line:
        until += parse_duration(line["advance"])
    steps: list[Step] = []
    if snapshot.timers:
        snapshot = _fire(machine, snapshot, until, steps)
    if "advance" not in line:
        steps.append(step(machine, snapshot, line, from_milliseconds(until)))
    return steps, until


def _fire(machine: Machine, snapshot: Snapshot, until: int, steps: list[Step]) -> Snapshot:
    limit = from_milliseconds(until)
    for _ in range(_TIMERS):
        timer = due(machine, snapshot, limit)
        if timer is None:
            break
        at = from_milliseconds(max(timer.due_ms, snapshot.now))
        steps.append(step(machine, snapshot, {"timer": timer.key}, at))
        snapshot = steps[-1].snapshot
    return snapshot


def spelled(milliseconds: int) -> str:
    """A duration as scripts write it."""
    for unit, size in (("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000)):
        if milliseconds and milliseconds % size == 0:
            return f"{milliseconds // size}{unit}"
    return f"{milliseconds}ms"
