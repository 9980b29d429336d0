"""Bodies of the review, and the shapes of comments and scenarios, as OpenAPI describes them."""

from __future__ import annotations

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
