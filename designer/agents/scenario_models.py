"""Scenarios of an Agent, and what their newest runs found."""

from typing import Any, ClassVar

from django.conf import settings
from django.db import models

from designer.agents.models import Agent
from designer.core.ids import new_id


class Scenario(models.Model):
    """A named script with expectations; `last` is a cache of its newest run."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    agent = models.ForeignKey(Agent, models.CASCADE, related_name="scenarios")
    name = models.CharField(max_length=200)
    description = models.TextField(blank=True, default="")
    slots = models.JSONField(default=dict)
    lines = models.JSONField(default=list)
    revision = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()
    updated_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    last = models.JSONField(null=True)

    class Meta:
        indexes: ClassVar[list[Any]] = [
            models.Index(fields=["agent", "name", "id"], name="scenarios_by_name")
        ]


class SuiteResult(models.Model):
    """What a run of the whole suite found, kept when its job is long gone.

    `version` is None for the draft; the digests say of which document and of which scenarios.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    agent = models.ForeignKey(Agent, models.CASCADE, related_name="suite_results")
    version = models.PositiveIntegerField(null=True)
    document_digest = models.CharField(max_length=64)
    scenarios_digest = models.CharField(max_length=64)
    job = models.UUIDField(unique=True)
    at = models.DateTimeField()
    total = models.PositiveIntegerField()
    passed = models.PositiveIntegerField()
    failed = models.PositiveIntegerField()
    coverage = models.JSONField(default=dict)

    class Meta:
        indexes: ClassVar[list[Any]] = [
            models.Index(fields=["agent", "version", "-at"], name="suite_results_newest")
        ]
