"""Bodies of the review, and the shapes of comments and scenarios, as OpenAPI describes them."""

from __future__ import annotations

from rest_framework import serializers as s

from designer.api.call_bodies import Body

NOTE = 2_000


class NoteBody(Body):
    """A word with it."""

    note = s.CharField(required=False, allow_blank=True, allow_null=True, max_length=NOTE)


class ReasonBody(Body):
    """Why not."""

    reason = s.CharField(max_length=NOTE)
