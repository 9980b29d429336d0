"""A Version: the immutable, numbered document of an Agent."""

from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from designer.agents.models import Agent
from designer.core.ids import new_id

PUBLISHED, IN_REVIEW, RETURNED = "published", "in_review", "returned"
APPROVED, ACTIVE, RETIRED = "approved", "active", "retired"

FROZEN_COLUMNS = (
    "id",
    "agent_id",
    "number",
    "digest",
    "draft_digest",
    "document",
    "layout",
    "problems",
    "squad",
    "published_at",
    "published_by_id",
    "revision",
    "base",
    "authors",
    "anchors",
)
"""What no one can change once it is written: a trigger of the database refuses it."""


class Version(models.Model):
    """Frozen but for its status, its review and who decided.

    `revision` is the draft's when it was published, `base` the number of the version that was
    active then, `authors` the ids of who edited the draft between the two; `anchors` has for each
    kind of row the ids of the draft's rows by key.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    agent = models.ForeignKey(Agent, models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField()
    digest = models.CharField(max_length=64)
    draft_digest = models.CharField(max_length=64)
    document = models.JSONField()
    layout = models.JSONField(default=dict)
    problems = models.JSONField(default=list)
    squad = models.JSONField(default=list)
    published_at = models.DateTimeField()
    published_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )

    revision = models.PositiveIntegerField(default=0)
    base = models.PositiveIntegerField(null=True)
    authors = models.JSONField(default=list)
    anchors = models.JSONField(default=dict)

    status = models.CharField(max_length=16, default=PUBLISHED)
    requested_at = models.DateTimeField(null=True)
    requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    request_note = models.TextField(blank=True, default="")
    decision = models.CharField(max_length=16, blank=True, default="")
    decided_at = models.DateTimeField(null=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    decision_note = models.TextField(blank=True, default="")
    closure = models.JSONField(default=dict)
    closure_digest = models.CharField(max_length=64, blank=True, default="")
    activated_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["agent", "number"], name="one_number_a_version"),
            models.UniqueConstraint(
                fields=["agent"], condition=Q(status="active"), name="one_active_version"
            ),
        ]

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        """Refuses."""
        raise TypeError("A version is never deleted.")
