"""A Job: work done beside the request. The row is the truth; the broker only wakes a worker up."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from designer.accounts.models import Workspace
from designer.core.ids import new_id

QUEUED, RUNNING, DONE, FAILED, CANCELLED = "queued", "running", "done", "failed", "cancelled"
OPEN = (QUEUED, RUNNING)
DRY_RUN, SUITE = "dry_run", "suite"


class Job(models.Model):
    """Claimed by compare-and-set, leased, fenced by `attempt`, cancelled by a column."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    workspace = models.ForeignKey(Workspace, models.CASCADE, related_name="+")
    kind = models.CharField(max_length=32)
    status = models.CharField(max_length=16, default=QUEUED)
    params = models.JSONField(default=dict)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    head_seq = models.PositiveBigIntegerField(default=0)
    attempt = models.PositiveIntegerField(default=0)
    lease_until = models.DateTimeField(null=True)
    sent_at = models.DateTimeField(null=True)
    cancel_requested = models.BooleanField(default=False)
    result = models.JSONField(null=True)
    error = models.JSONField(null=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [
            models.Index(
                fields=["created_at"], condition=Q(status__in=OPEN), name="jobs_not_finished"
            )
        ]


class JobStep(models.Model):
    """One item of a job's stream: `seq` from 1 without gaps, in commit order."""

    pk = models.CompositePrimaryKey("job_id", "seq")
    job = models.ForeignKey(Job, models.CASCADE, related_name="steps")
    seq = models.PositiveBigIntegerField()
    type = models.CharField(max_length=16)
    data = models.JSONField()
