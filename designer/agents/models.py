"""An Agent and its draft, as rows. The JSON document is built from them and loaded into them."""

from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from designer.accounts.models import Workspace
from designer.core.ids import new_id


class Agent(models.Model):
    """An Agent, the scalar part of its draft, and what lists show of it (caches of the rows)."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    workspace = models.ForeignKey(Workspace, models.CASCADE, related_name="+")
    key = models.CharField(max_length=64)
    name = models.CharField(max_length=200)
    instructions = models.TextField(blank=True, default="")
    prompts = models.JSONField(default=list)
    tools = models.JSONField(default=list)
    outcomes = models.JSONField(default=list)
    squad = models.JSONField(default=list)
    policies = models.JSONField(default=list)
    question_sets = models.JSONField(default=list)
    lane = models.JSONField(default=dict)
    limits = models.JSONField(default=dict)

    revision = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()
    updated_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    archived_at = models.DateTimeField(null=True)

    draft_digest = models.CharField(max_length=64, default="")
    problem_counts = models.JSONField(default=dict)
    state_count = models.PositiveIntegerField(default=0)
    thumbnail = models.JSONField(default=list)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["workspace", "key"],
                condition=Q(archived_at__isnull=True),
                name="agent_key_in_workspace",
            )
        ]
        indexes = [models.Index(fields=["workspace", "-updated_at", "id"], name="agents_newest")]


class DraftRow(models.Model):
    """What every row of a draft has: its Agent, its place among its siblings."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    position = models.PositiveIntegerField(default=0)

    class Meta:
        abstract = True


class Region(DraftRow):
    """A region: of the machine (no parent) or of a state."""

    agent = models.ForeignKey(Agent, models.CASCADE, related_name="regions")
    parent = models.ForeignKey("designer.State", models.CASCADE, null=True, related_name="regions")
    key = models.CharField(max_length=64)
    label = models.CharField(max_length=200, null=True)
    role = models.CharField(max_length=16, null=True)
    initial = models.ForeignKey(
        "designer.State", models.SET_NULL, null=True, related_name="+", db_index=False
    )
    stability = models.JSONField(default=dict)
    entry = models.JSONField(default=list)
    exit = models.JSONField(default=list)
    layout = models.JSONField(null=True)


class State(DraftRow):
    """A state of a region."""

    agent = models.ForeignKey(Agent, models.CASCADE, related_name="states")
    region = models.ForeignKey(Region, models.CASCADE, related_name="states")
    key = models.CharField(max_length=64)
    label = models.CharField(max_length=200, null=True)
    kind = models.CharField(max_length=16, default="state")
    history = models.CharField(max_length=16, null=True)
    prompt = models.CharField(max_length=64, null=True)
    instructions = models.TextField(null=True)
    tools = models.JSONField(default=list)
    ask = models.JSONField(default=list)
    squad_agent = models.CharField(max_length=64, null=True)
    keywords = models.JSONField(default=list)
    max_visits = models.PositiveIntegerField(null=True)
    entry = models.JSONField(default=list)
    exit = models.JSONField(default=list)
    notes = models.TextField(null=True)
    layout = models.JSONField(null=True)


class Transition(DraftRow):
    """A transition out of a state or of a region (exactly one of them)."""

    agent = models.ForeignKey(Agent, models.CASCADE, related_name="transitions")
    source_state = models.ForeignKey(State, models.CASCADE, null=True, related_name="outgoing")
    source_region = models.ForeignKey(Region, models.CASCADE, null=True, related_name="outgoing")
    target = models.ForeignKey(State, models.CASCADE, null=True, related_name="incoming")
    key = models.CharField(max_length=64, null=True)
    label = models.CharField(max_length=200, null=True)
    trigger = models.JSONField(default=dict)
    guard = models.TextField(null=True)
    effects = models.JSONField(default=list)
    internal = models.BooleanField(null=True)
    external = models.BooleanField(null=True)
    min_confidence = models.FloatField(null=True)
    max_takes = models.PositiveIntegerField(null=True)
    notes = models.TextField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(source_state__isnull=True, source_region__isnull=False)
                | Q(source_state__isnull=False, source_region__isnull=True),
                name="transition_has_one_source",
            )
        ]


class Slot(DraftRow):
    """A typed memory of the conversation."""

    agent = models.ForeignKey(Agent, models.CASCADE, related_name="slots")
    key = models.CharField(max_length=64)
    label = models.CharField(max_length=200, null=True)
    type = models.CharField(max_length=16)
    choices = models.JSONField(default=list)
    default = models.JSONField(null=True)
    pattern = models.CharField(max_length=500, null=True)
    minimum = models.JSONField(null=True)
    maximum = models.JSONField(null=True)
    max_length = models.PositiveIntegerField(null=True)
    sensitive = models.BooleanField(null=True)
    writers = models.JSONField(null=True)
    description = models.TextField(null=True)


class DraftEdit(models.Model):
    """One applied batch of operations: the draft's history, and the stream its watchers read.

    `undoes` and `redoes` name the batch that this one takes back, or does again.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    agent = models.ForeignKey(Agent, models.CASCADE, related_name="edits")
    revision = models.PositiveIntegerField()
    batch = models.UUIDField()
    body_sha256 = models.CharField(max_length=64)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    at = models.DateTimeField()
    operations = models.JSONField(default=list)
    inverse = models.JSONField(default=list)
    problems = models.JSONField(default=list)
    title = models.CharField(max_length=200, default="")
    undoes = models.UUIDField(null=True)
    redoes = models.UUIDField(null=True)

    class Meta:
        indexes = [models.Index(fields=["agent", "actor", "-revision"], name="edits_of_a_person")]
        constraints = [
            models.UniqueConstraint(fields=["agent", "revision"], name="one_edit_a_revision"),
            models.UniqueConstraint(fields=["agent", "batch"], name="one_edit_a_batch"),
        ]

    ANSWER: ClassVar[tuple[str, ...]] = ("revision", "operations", "inverse", "problems")

    def answer(self, *, replayed: bool) -> dict[str, Any]:
        """What the editor is told; the same for every replay of the batch."""
        return {name: getattr(self, name) for name in self.ANSWER} | {"replayed": replayed}
