"""Running a script over a machine in virtual time; nothing outside is touched, nothing is kept.

Script lines are those of docs/contracts.md section 2.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from interpreter.document import parse_duration
from interpreter.records import (
    Record,
    from_milliseconds,
    parse_moment,
    rfc3339,
    to_milliseconds,
)
from interpreter.stepping import (
    GuardOutcome,
    Machine,
    Refusal,
    Snapshot,
    Step,
    due,
    refuse_line,
    start_step,
    step,
)

EPOCH = datetime(2026, 1, 1, tzinfo=UTC)
MAX_TIMERS = 1_000
_EXPECTED = ("active", "slots", "refused", "effect", "record", "ended")


@dataclass(frozen=True, slots=True)
class Expectation:
    """Whether an `expect` line was met, and a sentence that says what was found."""

    met: bool
    message: str

    def to_json(self) -> dict[str, Any]:
        """`{"met", "message"}`."""
        return {"met": self.met, "message": self.message}


@dataclass(frozen=True, slots=True, eq=False)
class StepReport:
    """What one script line did. `index` counts lines from 0; the start is -1."""

    index: int
    input: Any
    at_ms: int
    machine: Machine
    snapshot: Snapshot
    moved: bool
    refusal: Refusal | None
    effects: tuple[Mapping[str, Any], ...]
    guards: tuple[GuardOutcome, ...]
    records: tuple[Record, ...]
    hooks: tuple[Mapping[str, Any], ...]
    expectation: Expectation | None = None

    @property
    def value(self) -> dict[str, Any]:
        """Where each region stands after the line."""
        return self.machine.value(self.snapshot)

    @property
    def active(self) -> tuple[str, ...]:
        """The active states after the line."""
        return self.snapshot.active

    @property
    def slots(self) -> dict[str, Any]:
        """All declared slots after the line; an unset one is None."""
        return {key: self.snapshot.slots.get(key) for key in self.machine.slots}

    def to_json(self) -> dict[str, Any]:
        """The shape of docs/contracts.md section 4."""
        return {
            "index": self.index,
            "input": self.input,
            "at": rfc3339(self.at_ms),
            "moved": self.moved,
            "refusal": self.refusal.to_json() if self.refusal else None,
            "value": self.value,
            "active": list(self.active),
            "slots": self.slots,
            "effects": [dict(effect) for effect in self.effects],
            "hooks": [dict(hook) for hook in self.hooks],
            "guards": [guard.to_json() for guard in self.guards],
            "records": [record.to_json() for record in self.records],
            "expectation": self.expectation.to_json() if self.expectation else None,
        }


@dataclass(frozen=True, slots=True, eq=False)
class Report:
    """A dry run: how it began, a report for each line, and whether every expectation was met."""

    start: StepReport
    steps: tuple[StepReport, ...]
    ok: bool

    @property
    def snapshot(self) -> Snapshot:
        """Where it stopped."""
        return (self.steps[-1] if self.steps else self.start).snapshot

    def start_json(self) -> dict[str, Any]:
        """How it began: `{"value", "active", "slots", "records", "effects", ...}`."""
        return self.start.to_json()

    def to_json(self) -> dict[str, Any]:
        """`{"ok", "start", "steps"}`."""
        return {
            "ok": self.ok,
            "start": self.start_json(),
            "steps": [report.to_json() for report in self.steps],
        }


def dry_run(
    machine: Machine,
    lines: Sequence[Any] | Mapping[str, Any],
    *,
    at: datetime | str | None = None,
    slots: Mapping[str, Any] | None = None,
    on_step: Callable[[StepReport], None] | None = None,
) -> Report:
    """Runs a script from a fresh start. Deterministic: the same arguments give the same report.

    `lines` is a list of lines, or `{"script": [...], "slots": {...}, "at": "..."}`; `on_step` gets
    each line's report as it comes. A line that is no line is a refused step. Raises
    ValueError for a script that is no script, and for slots at the start that do not fit.
    """
    script: Any = lines
    if isinstance(lines, Mapping):
        at = at if at is not None else lines.get("at")
        slots = slots if slots is not None else lines.get("slots")
        script = lines.get("script")
    if not isinstance(script, Sequence) or isinstance(script, (str, bytes)):
        raise ValueError("a script is a list of lines")  # noqa: TRY004 - as the docstring says
    if slots is not None and not isinstance(slots, Mapping):
        raise ValueError("the slots of a script are a JSON object")
    moment = _start_of(at)
    player = _Player(machine, start_step(machine, moment, slots=slots))
    reports: list[StepReport] = []
    for index, line in enumerate(script):
        report = player.play(index, line)
        reports.append(report)
        if on_step is not None:
            on_step(report)
    ok = all(r.expectation is None or r.expectation.met for r in reports)
    return Report(player.first, tuple(reports), ok)


def _start_of(at: object) -> datetime:
    if at is None:
        return EPOCH
    if isinstance(at, str):
        return parse_moment(at)
    if not isinstance(at, datetime):
        raise ValueError("the time of a script is a text as RFC 3339 writes it")  # noqa: TRY004
    return at


class _Player:
    """Plays lines one after the other."""

    def __init__(self, machine: Machine, first: Step) -> None:
        self.machine = machine
        self.snapshot = first.snapshot
        self.now = first.snapshot.now
        self.first = self._report(-1, None, [first])
        self.last = self.first

    def play(self, index: int, line: Any) -> StepReport:
        if isinstance(line, Mapping) and set(line) - {"at"} == {"expect"}:
            met = _compare(line["expect"], self.last)
            return self._report(index, line, [], met)
        steps: list[Step] = []
        until = self.now
        timed = _moment_of(line)
        if timed is not None:
            until = max(until, timed)
        advance = isinstance(line, Mapping) and set(line) - {"at"} == {"advance"}
        fault = None
        if advance:
            try:
                until += parse_duration(str(line["advance"]))
            except ValueError as error:
                fault = str(error)
        if fault is None:
            fault = self._pass_time(until, steps)
        if fault is not None:
            self._add(steps, refuse_line(self.machine, self.snapshot, "advance", fault))
        elif not advance:
            self._step(steps, line, self.now)
        self.last = self._report(index, line, steps)
        return self.last

    def _pass_time(self, until: int, steps: list[Step]) -> str | None:
        """Fires what falls due on the way; why it stopped before `until`, or None."""
        limit = from_milliseconds(until)
        for _ in range(MAX_TIMERS):
            timer = due(self.machine, self.snapshot, limit)
            if timer is None:
                self.now = until
                return None
            self._step(steps, {"timer": timer.key}, max(timer.due_ms, self.snapshot.now))
        self.now = self.snapshot.now
        return f"more than {MAX_TIMERS} timers fell due; let less time pass in one line"

    def _step(self, steps: list[Step], line: Any, at: int) -> None:
        self._add(steps, step(self.machine, self.snapshot, line, from_milliseconds(at)))

    def _add(self, steps: list[Step], taken: Step) -> None:
        steps.append(taken)
        self.snapshot = taken.snapshot

    def _report(
        self, index: int, line: Any, steps: list[Step], met: Expectation | None = None
    ) -> StepReport:
        return StepReport(
            index=index,
            input=line,
            at_ms=self.now,
            machine=self.machine,
            snapshot=self.snapshot,
            moved=any(s.moved for s in steps),
            refusal=next((s.refusal for s in steps if s.refusal is not None), None),
            effects=tuple(effect for s in steps for effect in s.effects),
            guards=tuple(guard for s in steps for guard in s.guards),
            records=tuple(record for s in steps for record in s.records),
            hooks=tuple(hook for s in steps for hook in s.hooks),
            expectation=met,
        )


def _moment_of(line: Any) -> int | None:
    if isinstance(line, Mapping) and isinstance(line.get("at"), str):
        try:
            return to_milliseconds(parse_moment(line["at"]))
        except (ValueError, OverflowError):
            return None
    return None


def _compare(expected: Any, report: StepReport) -> Expectation:
    """Looks at the step before: all that is expected must hold."""
    if not isinstance(expected, Mapping) or not expected:
        return Expectation(
            met=False, message="an expectation is a JSON object with at least one field"
        )
    faults = []
    for key, wanted in expected.items():
        if key not in _EXPECTED:
            faults.append(f"'{key}' cannot be expected; {', '.join(_EXPECTED)} can")
        else:
            fault = _LOOKS[key](wanted, report)
            if fault is not None:
                faults.append(fault)
    return Expectation(not faults, "; ".join(faults) or "as expected")


def _as_list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _look_active(wanted: Any, report: StepReport) -> str | None:
    missing = [key for key in _as_list(wanted) if key not in report.active]
    if not missing:
        return None
    return f"expected {missing} to be active, found {list(report.active)}"


def _look_slots(wanted: Any, report: StepReport) -> str | None:
    if not isinstance(wanted, Mapping):
        return "expected slots are a JSON object"
    faults = []
    for key, value in wanted.items():
        found = report.snapshot.slots.get(key)
        if key not in report.machine.slots:
            faults.append(f"there is no slot '{key}'")
        elif found != value or isinstance(found, bool) != isinstance(value, bool):
            faults.append(f"expected slot '{key}' to be {value!r}, found {found!r}")
    return "; ".join(faults) or None


def _look_refused(wanted: Any, report: StepReport) -> str | None:
    found = report.refusal.reason if report.refusal else None
    if wanted is True or wanted is False:
        return None if (found is not None) == wanted else f"expected refused {wanted}, was {found}"
    return None if found == wanted else f"expected a refusal for {wanted!r}, found {found!r}"


def _look_effect(wanted: Any, report: StepReport) -> str | None:
    found = [effect["kind"] for effect in report.effects]
    missing = [kind for kind in _as_list(wanted) if kind not in found]
    return f"expected effects {missing}, found {found}" if missing else None


def _look_record(wanted: Any, report: StepReport) -> str | None:
    found = [record.type for record in report.records]
    missing = [kind for kind in _as_list(wanted) if kind not in found]
    return f"expected records {missing}, found {found}" if missing else None


def _look_ended(wanted: Any, report: StepReport) -> str | None:
    found = report.snapshot.ended
    if wanted is True or wanted is False:
        return None if found == wanted else f"expected ended {wanted}, found {found}"
    outcome = report.snapshot.outcome if found else None
    return None if outcome == wanted else f"expected outcome {wanted!r}, found {outcome!r}"


_LOOKS: dict[str, Callable[[Any, StepReport], str | None]] = {
    "active": _look_active,
    "slots": _look_slots,
    "refused": _look_refused,
    "effect": _look_effect,
    "record": _look_record,
    "ended": _look_ended,
}
