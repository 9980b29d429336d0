"""One step by the literal algorithm of the W3C: what the fast path has to agree with."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.compiling import Tables
from interpreter.stepping import refusals
from interpreter.stepping.handling import handle, refuse
from interpreter.stepping.inputs import Input
from interpreter.stepping.outcome import Step
from interpreter.stepping.run import OverBudgetError, Run
from interpreter.stepping.snapshot import Snapshot, bound


def literal_step(machine: Tables, snapshot: Snapshot, one: Input, now: int) -> Step:
    """What an input does to a run at `now` (ms), with everything made at once."""
    return _within_budget(machine, snapshot, now, lambda run: handle(run, one))


def malformed_step(machine: Tables, snapshot: Snapshot, name: str, fault: str, now: int) -> Step:
    """The refusal of what is no input at all; `fault` ends the sentence."""

    def malformed(run: Run) -> None:
        refuse(run, refusals.plain(run, "malformed", fault, name, None))

    return _within_budget(machine, snapshot, now, malformed)


def _within_budget(
    machine: Tables, snapshot: Snapshot, now: int, do: Callable[[Run], None]
) -> Step:
    """A macrostep; one refusal too many sets off another, so that each may go over its budget."""
    before = bound(machine, snapshot)
    run = run_of(machine, before, now)
    try:
        do(run)
    except OverBudgetError as over:
        run = over_budget(machine, lambda: run_of(machine, before, now), over)
    return run.finish()


def run_of(machine: Tables, snapshot: Snapshot, now: int) -> Run:
    """A macrostep about to begin from a bound Snapshot."""
    assert snapshot._at is not None
    return Run(machine, snapshot, now, snapshot._at)


def over_budget(machine: Tables, fresh: Callable[[], Run], over: OverBudgetError) -> Run:
    """The undone macrostep leaves one limit, which names the transition that was one too many.

    Should what follows go over again, the Call ends.
    """
    most = machine.microsteps
    run = fresh()
    try:
        run.hit_limit("microsteps", most, most + 1, over.transition)
        run.settle()
    except OverBudgetError:
        run = fresh()
        run.halt("microsteps", most, most + 1, over.transition)
    return run
