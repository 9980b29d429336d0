"""The dry-run job: a script against a frozen copy of a document, its steps written as they come.

It runs no Policy and writes no Call, slot or version. The engine is deterministic, so an attempt
that follows a dead worker's runs from the start and writes on from the first step that is not
there yet.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from django.conf import settings

from designer.agents.documents import compiled
from designer.core.errors import Refusal
from designer.jobs.claim import Claim, write_steps
from interpreter import StepReport, dry_run, start_step

BATCH = 32
EPOCH = datetime(2026, 1, 1, tzinfo=UTC)
BATCH_AGE = timedelta(milliseconds=40)
Clock = Callable[[], datetime]


class _Writer:
    """Collects steps, writes them in small batches; StoppedError when the job is not ours."""

    def __init__(self, claimed: Claim, clock: Clock) -> None:
        self._claimed, self._clock = claimed, clock
        self._written = claimed.job.done
        self._seen = 0
        self._batch: list[dict[str, Any]] = []
        self._started = self._flushed = clock()

    def take(self, step: StepReport) -> None:
        """Take the next step of the run; raises Refusal `job.too_slow` after the time limit."""
        now = self._clock()
        if now - self._started > timedelta(seconds=settings.DRY_RUN_SECONDS):
            limit = settings.DRY_RUN_SECONDS
            raise Refusal("job.too_slow", f"The dry run took more than {limit} seconds.")
        self._seen += 1
        if self._seen > self._written:
            self._batch.append(step.to_json())
        if len(self._batch) >= BATCH or now - self._flushed >= BATCH_AGE:
            self.flush(now)
        if settings.DRY_RUN_STEP_PAUSE:
            time.sleep(settings.DRY_RUN_STEP_PAUSE)

    def flush(self, now: datetime) -> None:
        """Write what is collected, and renew the lease."""
        write_steps(self._claimed, now, self._written, self._batch)
        self._written += len(self._batch)
        self._batch = []
        self._flushed = now


def run_dry(claimed: Claim, clock: Clock) -> dict[str, Any]:
    """Run the job; gives `{ok, start}`. Raises StoppedError, or Refusal for a broken chart."""
    params = claimed.job.params
    machine = compiled(params["document"])
    writer = _Writer(claimed, clock)
    at = datetime.fromisoformat(params["at"]) if params["at"] else None
    try:
        start_step(machine, at or EPOCH, slots=params["slots"])
    except ValueError as fault:
        raise Refusal("slots.invalid", str(fault)) from None
    report = dry_run(machine, params["events"], at=at, slots=params["slots"], on_step=writer.take)
    writer.flush(clock())
    return {"ok": report.ok, "start": report.start_json()}
