"""A Call, what came in, what it left behind, and what it waits for. reliability.md 3.1."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from designer.accounts.models import Workspace
from designer.agents.models import Agent
from designer.core.ids import new_id
from designer.versions.models import Version

RUNNING, ENDED = "running", "ended"


class Call(models.Model):
    """One conversation on one frozen version. The row is the state; its lock orders inputs."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    workspace = models.ForeignKey(Workspace, models.CASCADE, related_name="+")
    agent = models.ForeignKey(Agent, models.PROTECT, related_name="calls")
    version = models.ForeignKey(Version, models.PROTECT, related_name="calls")
    status = models.CharField(max_length=16, default=RUNNING)
    outcome = models.CharField(max_length=64, null=True)
    epoch = models.PositiveIntegerField(default=1)
    head_seq = models.PositiveBigIntegerField(default=0)
    in_seq = models.PositiveBigIntegerField(default=0)
    moved_seq = models.PositiveBigIntegerField(default=0)
    pruned_before_seq = models.PositiveBigIntegerField(default=0)
    snapshot = models.JSONField()
    snapshot_sha256 = models.CharField(max_length=64)
    chain_sha256 = models.CharField(max_length=64)
    logical_now = models.DateTimeField()
    started_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    started_at = models.DateTimeField()
    updated_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [
            models.Index(fields=["workspace", "-started_at", "-id"], name="calls_newest"),
            models.Index(fields=["agent", "status"], name="calls_of_agent"),
        ]


class CallInput(models.Model):
    """One accepted input, the moment it was taken, the answer it got; `replay` reads these."""

    pk = models.CompositePrimaryKey("call_id", "in_seq")
    call = models.ForeignKey(Call, models.CASCADE, related_name="inputs")
    in_seq = models.PositiveBigIntegerField()
    key = models.CharField(max_length=128, null=True)
    body_sha256 = models.CharField(max_length=64)
    source = models.CharField(max_length=16)
    actor = models.CharField(max_length=64)
    at = models.DateTimeField()
    based_on_seq = models.PositiveBigIntegerField(null=True)
    payload = models.JSONField()
    first_seq = models.PositiveBigIntegerField()
    last_seq = models.PositiveBigIntegerField()
    result = models.JSONField()
    snapshot_sha256 = models.CharField(max_length=64)
    chain_sha256 = models.CharField(max_length=64)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["call", "key"], condition=Q(key__isnull=False), name="one_input_a_key"
            )
        ]


class CallEvent(models.Model):
    """A Call event: append-only, `seq` from 1 without gaps; `in_seq` is the input behind it."""

    pk = models.CompositePrimaryKey("call_id", "seq")
    call = models.ForeignKey(Call, models.CASCADE, related_name="events")
    seq = models.PositiveBigIntegerField()
    in_seq = models.PositiveBigIntegerField()
    type = models.CharField(max_length=64)
    data = models.JSONField()
    at = models.DateTimeField()


class CallTimer(models.Model):
    """A delayed transition that is armed; the row goes when it fires or is cancelled."""

    pk = models.CompositePrimaryKey("call_id", "key")
    call = models.ForeignKey(Call, models.CASCADE, related_name="timers")
    key = models.CharField(max_length=200)
    due_at = models.DateTimeField(db_index=True)
