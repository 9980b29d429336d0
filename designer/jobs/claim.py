"""Owning a job: claim, lease, fence, finish. backend-notes.md section 6.

Every write of a worker is one transaction fenced by `attempt`: a worker that lost its lease
updates no row, and stops.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q

from designer.jobs.models import CANCELLED, DONE, FAILED, QUEUED, RUNNING, Job, JobStep
from designer.realtime.announce import announce
from designer.realtime.topics import JOB

MAX_ATTEMPTS = 5


class StoppedError(Exception):
    """The job is no longer this worker's: it was cancelled, or another attempt owns it."""


@dataclass(frozen=True)
class Claim:
    """A job that this worker owns until `lease_until`, as it stood when it was claimed."""

    job: Job
    attempt: int


def _lease(now: datetime) -> datetime:
    return now + timedelta(seconds=settings.JOB_LEASE_SECONDS)


def claim(*, job_id: UUID, now: datetime) -> Claim | None:
    """Take a job that is waiting, or whose worker's lease ran out; None when it is not free."""
    free = Q(status=QUEUED) | Q(status=RUNNING, lease_until__lt=now)
    with transaction.atomic():
        taken = Job.objects.filter(free, id=job_id).update(
            status=RUNNING, attempt=F("attempt") + 1, lease_until=_lease(now)
        )
        if not taken:
            return None
        job = Job.objects.get(id=job_id)
    return Claim(job, job.attempt)


def _close(claimed: Claim, now: datetime, status: str, **fields: Any) -> bool:
    """End the job if it is still this attempt's; its last item is the end itself."""
    mine = Job.objects.filter(id=claimed.job.id, attempt=claimed.attempt, status=RUNNING)
    with transaction.atomic():
        if not mine.update(status=status, finished_at=now, head_seq=F("head_seq") + 1, **fields):
            return False
        job = Job.objects.get(id=claimed.job.id)
        data = {"done": job.done, "total": job.total, "result": job.result, "error": job.error}
        JobStep.objects.create(job=job, seq=job.head_seq, type=status, data=data)
        announce(JOB, str(job.id), job.head_seq)
    return True


def write_steps(
    claimed: Claim,
    now: datetime,
    first: int,
    steps: Sequence[dict[str, Any]],
    *,
    kind: str = "step",
) -> None:
    """Append steps `first`.. (counted from 0) and renew the lease. Raises StoppedError."""
    last = first + len(steps)
    mine = Job.objects.filter(
        id=claimed.job.id, attempt=claimed.attempt, status=RUNNING, cancel_requested=False
    )
    with transaction.atomic():
        written = mine.update(done=last, head_seq=last, lease_until=_lease(now))
        if written:
            JobStep.objects.bulk_create(
                JobStep(job_id=claimed.job.id, seq=first + n + 1, type=kind, data=step)
                for n, step in enumerate(steps)
            )
            announce(JOB, str(claimed.job.id), last)
    if not written:
        if Job.objects.filter(id=claimed.job.id, cancel_requested=True).exists():
            _close(claimed, now, CANCELLED)
        raise StoppedError


def finish(claimed: Claim, now: datetime, result: dict[str, Any]) -> bool:
    """Mark the job done with its result; False when it is no longer this worker's."""
    return _close(claimed, now, DONE, result=result)


def fail(claimed: Claim, now: datetime, error: dict[str, Any]) -> bool:
    """Mark the job failed with a coded error for people; False when no longer this worker's."""
    return _close(claimed, now, FAILED, error=error)
