"""Celery's tasks: each reads the clock, calls one service, and carries ids only."""

from __future__ import annotations

from uuid import UUID

from celery import shared_task

from designer.core.clock import now
from designer.jobs import services


@shared_task(name="designer.run_job")
def run_job(job_id: str) -> str:
    """Do a job if it is free; a second delivery of the same message finds it taken."""
    return services.run(job_id=UUID(job_id), now=now())
