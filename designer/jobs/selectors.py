"""Reads of jobs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from designer.accounts.actors import Actor
from designer.core.errors import not_found
from designer.jobs.models import OPEN, Job, JobStep


def job_of(actor: Actor, job_id: UUID) -> Job:
    """Give a job of the actor's workspace. Raises 404 for an absent or a foreign one."""
    job = Job.objects.filter(workspace_id=actor.workspace, id=job_id).defer("params").first()
    if job is None:
        raise not_found("job", job_id)
    return job


def workspace_of_job(job_id: UUID) -> UUID | None:
    """Give the id of the workspace a job belongs to, or None when there is no such job."""
    return Job.objects.filter(id=job_id).values_list("workspace_id", flat=True).first()


def is_open(job_id: UUID) -> bool:
    """Whether the job is still waiting or running."""
    return Job.objects.filter(id=job_id, status__in=OPEN).exists()


def job_json(job: Job) -> dict[str, Any]:
    """Give a job as the API shows it."""
    return {
        "id": str(job.id),
        "kind": job.kind,
        "status": job.status,
        "done": job.done,
        "total": job.total,
        "result": job.result,
        "error": job.error,
    }


def steps_after(job_id: UUID, seq: int, limit: int) -> list[dict[str, Any]]:
    """Give the items of a job's stream after `seq`: `{seq, type, data}`."""
    rows = JobStep.objects.filter(job_id=job_id, seq__gt=seq).order_by("seq")[:limit]
    return [dict(row) for row in rows.values("seq", "type", "data")]


def step_data(job_id: UUID) -> list[dict[str, Any]]:
    """Give all steps of a job, without its end."""
    rows = JobStep.objects.filter(job_id=job_id, type__in=("step", "scenario")).order_by("seq")
    return list(rows.values_list("data", flat=True))


def heads(job_ids: Iterable[UUID]) -> dict[UUID, int]:
    """Give the newest number of each job's stream."""
    rows = Job.objects.filter(id__in=list(job_ids)).values_list("id", "head_seq")
    return dict(rows)


def watched_job(job_id: UUID) -> dict[str, Any]:
    """Give a job as a socket's reset shows it."""
    return job_json(Job.objects.defer("params").get(id=job_id))
