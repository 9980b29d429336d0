"""Verbs of jobs: ask for a dry run or a suite, run a job, cancel it, sweep, purge."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Q

from designer.accounts.actors import Actor
from designer.agents.scenarios import chosen_scenarios, digest_of_rows
from designer.agents.scripts import renamed_script
from designer.core.canonical import digest
from designer.core.clock import now as read_clock
from designer.core.errors import Fault, Refusal, not_found
from designer.core.queue import enqueue, send
from designer.jobs.claim import MAX_ATTEMPTS, Claim, StoppedError, claim, fail, finish
from designer.jobs.dryrun import run_dry
from designer.jobs.models import CANCELLED, DRY_RUN, OPEN, QUEUED, RUNNING, SUITE, Job, JobStep
from designer.jobs.suite import keep_suite, run_suite
from designer.realtime.announce import announce
from designer.realtime.topics import JOB
from designer.versions.selectors import document_and_names

TASK = "designer.run_job"
QUEUE = "dryrun"
OPEN_JOBS = 100


def _checked_lines(lines: Any) -> list[dict[str, Any]]:
    if not isinstance(lines, list) or not lines:
        raise Refusal(
            "script.invalid",
            "A dry run needs a list of one or more script lines.",
            errors=[Fault("/events", "Must be a list of 1 to 1,000 lines.")],
        )
    if len(lines) > settings.DRY_RUN_MAX_LINES:
        raise Refusal(
            "script.too_long",
            f"A dry run takes at most {settings.DRY_RUN_MAX_LINES} lines, this has {len(lines)}.",
            errors=[Fault("/events", "Too many lines.")],
        )
    for place, line in enumerate(lines):
        if not isinstance(line, dict):
            raise Refusal(
                "script.invalid",
                f"Line {place + 1} of the script is not an object.",
                errors=[Fault(f"/events/{place}", "Must be an object.")],
            )
    return lines


def request_dry_run(
    actor: Actor,
    now: datetime,
    *,
    document: dict[str, Any],
    lines: Any,
    slots: dict[str, Any] | None = None,
    at: str | None = None,
) -> Job:
    """Put a dry run of an agent document in the queue; it keeps the document as it is now.

    Raises Refusal `script.invalid`, `script.too_long`, or `quota.jobs` (429).
    """
    lines = _checked_lines(lines)
    params = {"document": document, "events": lines, "slots": slots, "at": at}
    return _queued(actor, now, kind=DRY_RUN, params=params, total=len(lines))


def request_suite(
    actor: Actor,
    now: datetime,
    *,
    agent: UUID,
    version: int | None,
    scenarios: Sequence[UUID] | None = None,
) -> Job:
    """Put scenarios (all of them for None) in the queue, to run on a version or, for None, on the
    draft; the job keeps the document and the scenarios as they are now.

    On a version, what was renamed since is called as the version calls it. Raises 404 `agent.`,
    `version.`, `scenario.not_found`, 422 `scenario.none`, 429 `quota.jobs`.
    """
    document, names = document_and_names(actor, agent, version)
    rows = chosen_scenarios(agent, scenarios)
    if not rows:
        raise Refusal("scenario.none", "This agent has no scenarios to run.")
    frozen = []
    for row in rows:
        slots, lines = renamed_script(row.slots, row.lines, names)
        said = {"id": str(row.id), "name": row.name, "revision": row.revision}
        frozen.append(said | {"slots": slots, "lines": lines})
    params = {
        "document": document,
        "document_digest": digest(document),
        "scenarios_digest": digest_of_rows(rows),
        "agent": str(agent),
        "version": version,
        "whole": scenarios is None,
        "scenarios": frozen,
    }
    return _queued(actor, now, kind=SUITE, params=params, total=len(frozen))


def _queued(actor: Actor, now: datetime, *, kind: str, params: dict[str, Any], total: int) -> Job:
    """Put a job in the queue. Raises 429 `quota.jobs`."""
    if Job.objects.filter(workspace_id=actor.workspace, status__in=OPEN).count() >= OPEN_JOBS:
        raise Refusal(
            "quota.jobs",
            f"{OPEN_JOBS} jobs of this workspace are waiting. Try again soon.",
            status=429,
            headers={"Retry-After": "2"},
        )
    with transaction.atomic():
        job = Job.objects.create(
            workspace_id=actor.workspace,
            kind=kind,
            params=params,
            total=total,
            created_by_id=actor.user,
            created_at=now,
            sent_at=now,
        )
        enqueue(TASK, str(job.id), queue=QUEUE)
    return job


def run(*, job_id: UUID, now: datetime) -> str:
    """Do a job, if it is free; gives what became of it. Called by a worker."""
    claimed = claim(job_id=job_id, now=now)
    if claimed is None:
        return "not free"
    if claimed.attempt > MAX_ATTEMPTS:
        fail(claimed, now, {"code": "job.attempts", "message": "The job failed repeatedly."})
        return "given up"
    return _perform(claimed)


def _perform(claimed: Claim) -> str:
    try:
        done = _WORK[claimed.job.kind](claimed)
    except StoppedError:
        return "stopped"
    except Refusal as refusal:
        fail(
            claimed,
            read_clock(),
            {"code": refusal.code, "message": refusal.detail, **refusal.extra},
        )
        return "failed"
    return "done" if done else "stopped"


def _dry(claimed: Claim) -> bool:
    return finish(claimed, read_clock(), run_dry(claimed, read_clock))


def _suite(claimed: Claim) -> bool:
    run = run_suite(claimed, read_clock)
    now = read_clock()
    with transaction.atomic():
        done = finish(claimed, now, run.result)
        if done:
            keep_suite(claimed, now, run)
    return done


_WORK: dict[str, Callable[[Claim], bool]] = {DRY_RUN: _dry, SUITE: _suite}
"""What each kind of job does: gives whether it was still this worker's when it was done."""


def cancel(actor: Actor, now: datetime, *, job_id: UUID) -> Job:
    """Ask a job to stop: at once when it waits, within one batch when it runs. 404 when absent."""
    with transaction.atomic():
        job = (
            Job.objects.select_for_update().filter(workspace_id=actor.workspace, id=job_id).first()
        )
        if job is None:
            raise not_found("job", job_id)
        if job.status == QUEUED:
            job.status, job.finished_at, job.head_seq = CANCELLED, now, job.head_seq + 1
            data = {"done": job.done, "total": job.total, "result": None, "error": None}
            JobStep.objects.create(job=job, seq=job.head_seq, type=CANCELLED, data=data)
            announce(JOB, str(job.id), job.head_seq)
        job.cancel_requested = job.cancel_requested or job.status in (RUNNING, CANCELLED)
        job.save(update_fields=["status", "finished_at", "head_seq", "cancel_requested"])
    return job


def sweep(*, now: datetime, fresh: bool = False) -> int:
    """Send the wake-up again for jobs that no worker owns; gives how many.

    Safe anywhere, any number of times. `fresh`: nothing else runs yet (start of an embedded
    server), so leases of the process before are void and every open job is sent again.
    """
    if fresh:
        Job.objects.filter(status=RUNNING).update(lease_until=now - timedelta(seconds=1))
    resend = timedelta(seconds=settings.JOB_RESEND_SECONDS)
    waiting = Q(status=QUEUED) & (Q(sent_at=None) | Q(sent_at__lt=now - resend))
    orphaned = Q(status=RUNNING, lease_until__lt=now) & (
        Q(sent_at=None) | Q(sent_at__lt=now - timedelta(seconds=settings.JOB_LEASE_SECONDS / 3))
    )
    lost = Q(status__in=OPEN) if fresh else waiting | orphaned
    ids = list(Job.objects.filter(lost).order_by("created_at").values_list("id", flat=True)[:500])
    for job_id in ids:
        send(TASK, (str(job_id),), QUEUE)
        Job.objects.filter(id=job_id).update(sent_at=now)
    return len(ids)


def purge(*, now: datetime, keep: timedelta | None = None) -> int:
    """Delete finished jobs older than `keep` (settings.JOB_KEEP_SECONDS); gives how many."""
    keep = timedelta(seconds=settings.JOB_KEEP_SECONDS) if keep is None else keep
    old = Job.objects.exclude(status__in=OPEN).filter(finished_at__lte=now - keep)
    ids = list(old.values_list("id", flat=True)[:500])
    JobStep.objects.filter(job_id__in=ids).delete()
    Job.objects.filter(id__in=ids).delete()
    return len(ids)
