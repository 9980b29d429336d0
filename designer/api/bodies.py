"""Bodies that come in for Agents and drafts; what is not declared is refused."""

from typing import Any

from rest_framework import serializers as s

from designer.api.call_bodies import Body


class AgentCreate(Body):
    """`{key, name, template?}` or `{document, layout?}` (key and name then come from the
    document).
    """

    key = s.CharField(required=False, max_length=64)
    name = s.CharField(required=False, max_length=200)
    template = s.CharField(required=False, max_length=64)
    document = s.DictField(required=False)
    layout = s.DictField(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """A key is needed where no document brings one."""
        if "document" in attrs and "template" in attrs:
            raise s.ValidationError({"template": ["A document or a template, not both."]})
        if "document" not in attrs:
            missing = [name for name in ("key", "name") if name not in attrs]
            if missing:
                raise s.ValidationError({name: ["This field is needed."] for name in missing})
        return attrs


class AgentPatch(Body):
    """What changes."""

    key = s.CharField(required=False, max_length=64)
    name = s.CharField(required=False, max_length=200)


class OperationBatch(Body):
    """A batch: `id` makes it idempotent, `base` is the revision the sender saw.

    `title` names it in the sender's history; `undoes` and `redoes` are ids of that history.
    """

    id = s.UUIDField()
    base = s.IntegerField(required=False, min_value=0, allow_null=True)
    operations = s.ListField(child=s.DictField(), allow_empty=False)
    title = s.CharField(required=False, max_length=200, allow_blank=True)
    undoes = s.UUIDField(required=False, allow_null=True)
    redoes = s.UUIDField(required=False, allow_null=True)


class DraftReplace(Body):
    """An agent document (as it is, or as `document` beside a `layout`)."""

    document = s.DictField()
    layout = s.DictField(required=False)


class Nothing(Body):
    """No fields."""
