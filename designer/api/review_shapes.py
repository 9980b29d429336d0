"""Bodies of the review, and the shapes of comments and scenarios, as OpenAPI describes them."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers as s

from designer.api.call_bodies import Body, Whole
from designer.api.shapes import Answer, PersonSchema

NOTE = 2_000
TEXT = 4_000
KINDS = ["agent", "region", "state", "transition", "slot", "prompt"]


class NoteBody(Body):
    """A word with it."""

    note = s.CharField(required=False, allow_blank=True, allow_null=True, max_length=NOTE)


class ReasonBody(Body):
    """Why not."""

    reason = s.CharField(max_length=NOTE)


class AnchorBody(Body):
    """What a comment is on: by id (a draft row's; a prompt's key) or by key."""

    kind = s.ChoiceField(KINDS)
    id = s.CharField(required=False, allow_null=True, max_length=64)
    key = s.CharField(required=False, allow_null=True, max_length=200)


class CommentBody(Body):
    """A comment, or an answer (`parent`), which needs no anchor."""

    anchor = AnchorBody(required=False, allow_null=True)
    version = Whole(required=False, allow_null=True, min_value=1, max_value=2**31 - 1)
    parent = s.UUIDField(required=False, allow_null=True)  # type: ignore[assignment]
    text = s.CharField(max_length=TEXT, trim_whitespace=False)


class CommentPatch(Body):
    """What changes."""

    text = s.CharField(required=False, max_length=TEXT, trim_whitespace=False)
    resolved = s.BooleanField(required=False)


class AnchorSchema(Answer):
    """What a comment is on, as the draft calls it now."""

    kind = s.ChoiceField(KINDS)
    id = s.CharField()
    key = s.CharField()
    gone = s.BooleanField()


class ResolvedSchema(Answer):
    """Who resolved a thread."""

    by = PersonSchema(allow_null=True)
    at = s.DateTimeField()


class CommentSchema(Answer):
    """A comment; an answer has a `parent`."""

    id = s.UUIDField()
    anchor = AnchorSchema()
    version = s.IntegerField(allow_null=True)
    text = s.CharField()
    by = PersonSchema(allow_null=True)
    at = s.DateTimeField()
    edited_at = s.DateTimeField(allow_null=True)
    resolved = ResolvedSchema(allow_null=True)
    parent = s.UUIDField(allow_null=True)  # type: ignore[assignment]


class CommentPageSchema(Answer):
    """A page of comments."""

    results = CommentSchema(many=True)
    next = s.CharField(allow_null=True)


class ScenarioBody(Body):
    """A scenario (contracts.md section 2 has the lines)."""

    name = s.CharField(max_length=200)
    description = s.CharField(required=False, allow_blank=True, max_length=2_000)
    slots = s.DictField(required=False)
    lines = s.ListField(child=s.DictField(), required=False)


class RecordBody(Body):
    """Which Call, up to which of its events."""

    call = s.UUIDField()
    until = Whole(required=False, allow_null=True, min_value=1, max_value=2**53)
    name = s.CharField(max_length=200)


class SuiteBody(Body):
    """Which scenarios; all of them, unless said."""

    scenarios = s.ListField(child=s.UUIDField(), required=False, allow_empty=False)


class LastRunSchema(Answer):
    """How a scenario's newest run went; `version` is a number or `draft`."""

    ok = s.BooleanField()
    at = s.DateTimeField()
    version = s.JSONField()


class ScenarioSchema(Answer):
    """A scenario."""

    id = s.UUIDField()
    name = s.CharField()
    description = s.CharField(allow_blank=True)
    slots = s.DictField()
    lines = s.ListField(child=s.DictField())
    revision = s.IntegerField()
    updated_at = s.DateTimeField()
    updated_by = PersonSchema(allow_null=True)
    last = LastRunSchema(allow_null=True)


class ScenarioPageSchema(Answer):
    """A page of scenarios."""

    results = ScenarioSchema(many=True)
    next = s.CharField(allow_null=True)


class FailureSchema(Answer):
    """A line that did not go as expected; -1 is the start."""

    line = s.IntegerField()
    message = s.CharField()


class ScenarioRunSchema(Answer):
    """How a scenario went; also what a job's `scenario` items carry."""

    id = s.UUIDField()
    name = s.CharField()
    ok = s.BooleanField()
    failures = FailureSchema(many=True)
    steps = s.IntegerField()


class GuardSeenSchema(Answer):
    """How often a guard was seen true and false, and how often it failed."""

    error = s.IntegerField()

    def get_fields(self) -> dict[str, s.Field[Any, Any, Any, Any]]:
        """`true` and `false` are no names of Python's, so they are added here."""
        seen = {"true": s.IntegerField(), "false": s.IntegerField()}
        return seen | super().get_fields()


class MissingSchema(Answer):
    """What no run has seen."""

    states = s.ListField(child=s.CharField())
    transitions = s.ListField(child=s.CharField())
    guards_true = s.ListField(child=s.CharField())
    guards_false = s.ListField(child=s.CharField())


class CoverageSchema(Answer):
    """What the runs have seen, by key."""

    states = s.DictField(child=s.IntegerField())
    transitions = s.DictField(child=s.IntegerField())
    guards = s.DictField(child=GuardSeenSchema())
    missing = MissingSchema()
    whole = s.BooleanField()


class SuiteSchema(Answer):
    """A finished suite."""

    total = s.IntegerField()
    passed = s.IntegerField()
    failed = s.IntegerField()
    coverage = CoverageSchema()
    job = s.UUIDField()
    status = s.CharField()
    scenarios = ScenarioRunSchema(many=True)
