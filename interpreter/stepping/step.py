"""The three verbs: `start`, `step`, `due`. Pure: values in, values out; no clock, no chance."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from interpreter.compiling import Tables
from interpreter.document import why_not
from interpreter.errors import InputError
from interpreter.records import Record, to_milliseconds
from interpreter.stepping.fast import fast_for
from interpreter.stepping.inputs import Input, parse_input
from interpreter.stepping.literal import literal_step, malformed_step, over_budget, run_of
from interpreter.stepping.outcome import Step
from interpreter.stepping.run import SECONDS_TIMER, OverBudgetError, Run
from interpreter.stepping.snapshot import Snapshot, Timer, blank_snapshot
from interpreter.stepping.stories import Begun


def start(
    machine: Tables, at: datetime, *, slots: Mapping[str, Any] | None = None
) -> tuple[Snapshot, tuple[Record, ...]]:
    """A new run, with the records of its first macrostep.

    `slots` are values over the defaults; raises ValueError naming one that is unknown or does not
    fit (they come from the host, not from an outside party).
    """
    first = start_step(machine, at, slots=slots)
    return first.snapshot, first.records


def start_step(machine: Tables, at: datetime, *, slots: Mapping[str, Any] | None = None) -> Step:
    """The same as a Step, with its effects and guards."""
    now = to_milliseconds(at)
    values = {**machine.defaults, **_given(machine, slots)} if slots else dict(machine.defaults)
    blank = blank_snapshot(machine, now, values)
    if machine.begun is not None:
        begun: Step = machine.begun.start(blank)
        return begun
    first = _literal_start(machine, blank)
    machine.begun = Begun.of(first, blank)
    return first


def _literal_start(machine: Tables, blank: Snapshot) -> Step:
    try:
        run = _entered(machine, blank)
        run.settle()
    except OverBudgetError as over:
        run = over_budget(machine, lambda: _entered(machine, blank), over)
    return run.finish()


def _given(machine: Tables, slots: Mapping[str, Any]) -> dict[str, Any]:
    for key, value in slots.items():
        slot = machine.slots.get(key)
        fault = "the machine has no such slot" if slot is None else why_not(slot, value)
        if fault is not None:
            raise ValueError(f"slot '{key}': {fault}")
    return {k: list(v) if isinstance(v, (list, tuple)) else v for k, v in slots.items()}


def _entered(machine: Tables, blank: Snapshot) -> Run:
    run = run_of(machine, blank, blank.now)
    run.record("call.started", {"agent": machine.key, "version": None, "digest": machine.digest})
    if machine.limits.seconds is not None:
        run.arm(SECONDS_TIMER, blank.now + machine.limits.seconds * 1_000, None)
    run.microstep(machine.initial_plan(), None)
    run.moved = False
    return run


def step(
    machine: Tables,
    snapshot: Snapshot,
    input: Input | Mapping[str, Any],
    at: datetime | None = None,
) -> Step:
    """What one input does to a run. The Snapshot that came in stays as it was.

    Never raises for what an outside party sent: that is a refusal. Without `at` (and without one
    in the input) no time passes; time never runs backwards. Raises SnapshotError when the active
    states of the Snapshot are no configuration of this machine.

    An `Input` made once is the fastest to take; what a step leaves is made when asked for.
    """
    now = snapshot.now
    if at is not None:
        now = max(now, to_milliseconds(at))
    if type(input) is Input:
        one = input
    else:
        try:
            one = parse_input(input)
        except InputError as error:
            return malformed_step(machine, snapshot, _name_of(input), str(error), now)
    if at is None and one.at_ms is not None and one.at_ms > now:
        now = one.at_ms
    config = snapshot._at
    if (
        config is not None
        and config.tables is machine
        and now < snapshot._cold.until
        and (one.kind == "event" or one.kind == "transition")
    ):
        lookup = one.name if one.kind == "event" else ("propose", one.name)
        fast = config.fast.get(lookup) or fast_for(config, lookup)
        taken: Step | None = fast(snapshot, one, now)
        if taken is not None:
            return taken
    return literal_step(machine, snapshot, one, now)


def refuse_line(machine: Tables, snapshot: Snapshot, name: str, fault: str) -> Step:
    """The refused step of a script line that is no input at all; `fault` ends the sentence."""
    return malformed_step(machine, snapshot, name, fault, snapshot.now)


def _name_of(line: object) -> str:
    if isinstance(line, Mapping):
        for key in ("event", "timer", "caller", "agent", "propose", "set", "end"):
            if key in line:
                name = line[key]
                return name[:60] if isinstance(name, str) and name.isprintable() else key
    return "input"


def due(machine: Tables, snapshot: Snapshot, at: datetime) -> Timer | None:
    """The armed timer to fire next among those due at `at`: earliest first, then oldest."""
    del machine
    now = to_milliseconds(at)
    best: Timer | None = None
    for timer in snapshot.timers:
        if timer.due_ms <= now and (best is None or timer.due_ms < best.due_ms):
            best = timer
    return best
