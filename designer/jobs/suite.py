"""The suite job: scenarios against a frozen copy of a document, each written as it is done.

The engine is deterministic, so an attempt that follows a dead worker's runs all from the start
and writes on from the first scenario that is not there yet.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings

from designer.agents.documents import compiled
from designer.agents.scenarios import keep_result, mark_last
from designer.core.errors import Refusal
from designer.jobs.claim import Claim, write_steps
from designer.jobs.dryrun import Clock
from interpreter import Machine, Report, StepReport, cover, dry_run

STEP = "scenario"
TOUCH = timedelta(seconds=1)
START = -1
"""The line that a fault at the start is told of, as a dry run numbers its start."""
Failure = dict[str, Any]


@dataclass
class SuiteRun:
    """What came of a suite: the result for people, and how each scenario went."""

    result: dict[str, Any]
    runs: dict[UUID, tuple[int, bool]] = field(default_factory=dict)


class _Watch:
    """Renews the lease, stops when the job is cancelled or takes too long."""

    def __init__(self, claimed: Claim, clock: Clock) -> None:
        self._claimed, self._clock = claimed, clock
        self._started = self._touched = clock()
        self.written = claimed.job.done

    def look(self, _: StepReport) -> None:
        """Called after each line. Raises StoppedError, Refusal `job.too_slow`."""
        now = self._clock()
        if now - self._started > timedelta(seconds=settings.SUITE_SECONDS):
            limit = settings.SUITE_SECONDS
            raise Refusal("job.too_slow", f"The scenarios took more than {limit} seconds.")
        if now - self._touched >= TOUCH:
            self.write([], now)
        if settings.DRY_RUN_STEP_PAUSE:
            time.sleep(settings.DRY_RUN_STEP_PAUSE)

    def write(self, steps: list[dict[str, Any]], now: datetime) -> None:
        """Appends to the job's stream. Raises StoppedError."""
        write_steps(self._claimed, now, self.written, steps, kind=STEP)
        self.written += len(steps)
        self._touched = now


def run_suite(claimed: Claim, clock: Clock) -> SuiteRun:
    """Runs the scenarios; raises StoppedError, or Refusal for a broken chart."""
    params = claimed.job.params
    machine = compiled(params["document"])
    watch = _Watch(claimed, clock)
    runs: dict[UUID, tuple[int, bool]] = {}

    def reports() -> Iterator[Report]:
        for place, scenario in enumerate(params["scenarios"]):
            told, report = _one(machine, scenario, watch)
            runs[UUID(scenario["id"])] = (scenario["revision"], told["ok"])
            if place >= watch.written:
                watch.write([told], clock())
            if report is not None:
                yield report

    covered = cover(machine, reports())
    passed = sum(ok for _, ok in runs.values())
    result = {"total": len(runs), "passed": passed, "failed": len(runs) - passed}
    return SuiteRun(result | {"coverage": covered.to_json()}, runs)


def _one(
    machine: Machine, scenario: dict[str, Any], watch: _Watch
) -> tuple[dict[str, Any], Report | None]:
    """Runs one scenario: `{id, name, ok, failures: [{line, message}], steps}`, and its report
    (None when it did not start).
    """
    report = None
    try:
        report = dry_run(
            machine, scenario["lines"], slots=scenario["slots"] or None, on_step=watch.look
        )
    except ValueError as fault:
        failures: list[Failure] = [{"line": START, "message": str(fault)}]
    else:
        failures = _failures(report)
    told = {
        "id": scenario["id"],
        "name": scenario["name"],
        "ok": not failures,
        "failures": failures,
        "steps": len(report.steps) if report else 0,
    }
    return told, report


def _failures(report: Report) -> list[Failure]:
    """Expectations that were not met, and lines that are none (unless that is expected)."""
    found: list[Failure] = []
    following = [*report.steps[1:], None]
    for step, after in zip(report.steps, following, strict=True):
        if step.expectation is not None and not step.expectation.met:
            found.append({"line": step.index, "message": step.expectation.message})
        broken = step.refusal is not None and step.refusal.reason == "malformed"
        if broken and step.refusal and (after is None or after.expectation is None):
            found.append({"line": step.index, "message": step.refusal.message})
    return found


def keep_suite(claimed: Claim, now: datetime, run: SuiteRun) -> None:
    """Keeps what the suite found beyond its job; in the transaction that ends the job."""
    params = claimed.job.params
    mark_last(now, version=params["version"], runs=run.runs)
    if params["whole"]:
        keep_result(
            now,
            agent=UUID(params["agent"]),
            version=params["version"],
            document_digest=params["document_digest"],
            scenarios_digest=params["scenarios_digest"],
            job=claimed.job.id,
            **run.result,
        )
