"""A comment on something of a chart; it hangs on the draft's row and so follows its renames."""

from typing import Any, ClassVar

from django.conf import settings
from django.db import models

from designer.agents.models import Agent
from designer.core.ids import new_id

KINDS = ("agent", "region", "state", "transition", "slot", "prompt")


class Comment(models.Model):
    """What someone said of a row. `row` is the id of a draft row (of the Agent, for the whole
    chart; the key, for a prompt), `key` what the row was called when it was last seen.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    agent = models.ForeignKey(Agent, models.CASCADE, related_name="comments")
    kind = models.CharField(max_length=16)
    row = models.CharField(max_length=64)
    key = models.CharField(max_length=200, blank=True)
    version = models.PositiveIntegerField(null=True)
    parent = models.ForeignKey("self", models.CASCADE, null=True, related_name="replies")
    text = models.TextField()
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField()
    edited_at = models.DateTimeField(null=True)
    resolved_at = models.DateTimeField(null=True)
    resolved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )

    class Meta:
        indexes: ClassVar[list[Any]] = [
            models.Index(fields=["agent", "created_at", "id"], name="comments_in_order")
        ]
