"""Bodies and answers of the Call routes: checked on the way in, described for OpenAPI on both."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

NAME = 200
TEXT = 20_000


class Body(serializers.Serializer[Any]):
    """A body whose unknown fields are refused."""

    def to_internal_value(self, data: Any) -> Any:
        """Check the fields; one that is not declared is named."""
        if isinstance(data, Mapping):
            unknown = {
                name: ["This field is not known here."] for name in data if name not in self.fields
            }
            if unknown:
                raise serializers.ValidationError(unknown, code="unknown")
            wrong = {
                name: [fault]
                for name, field in self.fields.items()
                if name in data and (fault := _not_as_said(field, data[name]))
            }
            if wrong:
                raise serializers.ValidationError(wrong, code="invalid")
        return super().to_internal_value(data)


_SAID: tuple[tuple[type[serializers.Field[Any, Any, Any, Any]], type, str], ...] = (
    (serializers.BooleanField, bool, "true or false is expected."),
    (serializers.IntegerField, int, "A whole number is expected."),
    (serializers.CharField, str, "A text is expected."),
    (serializers.ChoiceField, str, "A text is expected."),
    (serializers.UUIDField, str, "An id is expected, as a text."),
    (serializers.DateTimeField, str, "A moment is expected, as a text."),
)


def _not_as_said(field: Any, value: Any) -> str | None:
    """Why a value is not of the JSON type that OpenAPI says for its field; None when it is.

    DRF would read 0 as the text "0", "yes" as true, "3" as 3.
    """
    if value is None:
        return None
    if isinstance(field, serializers.ListField):
        if not isinstance(value, list):
            return None
        return next((fault for one in value if (fault := _not_as_said(field.child, one))), None)
    for kind, wanted, fault in _SAID:
        if isinstance(field, kind):
            fits = isinstance(value, wanted) and (wanted is bool or not isinstance(value, bool))
            return None if fits else fault
    return None


def checked(kind: type[Body], data: Any) -> dict[str, Any]:
    """Give the checked fields of a body. Raises DRF's ValidationError (422 with pointers)."""
    body = kind(data=data)
    body.is_valid(raise_exception=True)
    return dict(body.validated_data)


class Number(serializers.FloatField):
    """A JSON number; DRF would also take the text "NaN" and true."""

    def to_internal_value(self, data: Any) -> float:
        """Check that it is one."""
        if isinstance(data, bool) or not isinstance(data, int | float):
            self.fail("invalid")
        return super().to_internal_value(data)


class Whole(serializers.IntegerField):
    """A whole JSON number; DRF would also take texts and true."""

    def to_internal_value(self, data: Any) -> int:
        """Check that it is one."""
        if type(data) is not int:
            self.fail("invalid")
        return super().to_internal_value(data)


class Confident(Body):
    """Something said with a confidence."""

    confidence = Number(required=False, min_value=0, max_value=1)


class EventInput(Confident):
    """An external event."""

    event = serializers.CharField(max_length=NAME, trim_whitespace=False)
    data = serializers.DictField(required=False)  # type: ignore[assignment]


class SlotInput(Body):
    """A slot and its value."""

    slot = serializers.CharField(max_length=64)
    value = serializers.JSONField(allow_null=True)


class ProposalInput(Confident):
    """Exactly one of a move, a slot's value or a handoff."""

    transition = serializers.CharField(required=False, max_length=NAME)
    set_slot = SlotInput(required=False)
    handoff = serializers.CharField(required=False, max_length=NAME)
    based_on_seq = Whole(required=False, min_value=0, max_value=2**53)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Exactly one of the three."""
        _one_of(attrs, "transition", "set_slot", "handoff")
        return attrs


class TurnInput(Body):
    """What the caller or the Agent said."""

    caller = serializers.CharField(required=False, max_length=TEXT, trim_whitespace=False)
    agent = serializers.CharField(required=False, max_length=TEXT, trim_whitespace=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Exactly one of the two."""
        _one_of(attrs, "caller", "agent")
        return attrs


class EndInput(Body):
    """Why the Call ends."""

    reason = serializers.CharField(required=False, allow_null=True, max_length=NAME)


class CallStart(Body):
    """On what a Call starts."""

    agent = serializers.UUIDField()
    version = Whole(required=False, min_value=1, max_value=2**31 - 1)
    slots = serializers.DictField(required=False)


def _one_of(attrs: Mapping[str, Any], *names: str) -> None:
    given = [name for name in names if name in attrs]
    if len(given) != 1:
        words = ", ".join(names)
        raise serializers.ValidationError(f"Give exactly one of {words}.", code="one_of")


class AgentRef(serializers.Serializer[Any]):
    """An Agent, by id, key and name."""

    id = serializers.UUIDField()
    key = serializers.CharField()
    name = serializers.CharField()


class CallSummarySchema(serializers.Serializer[Any]):
    """What a Call is."""

    id = serializers.UUIDField()
    agent = AgentRef()
    version = serializers.IntegerField()
    digest = serializers.CharField()
    status = serializers.ChoiceField(["running", "ended"])
    outcome = serializers.CharField(allow_null=True)
    epoch = serializers.IntegerField()
    head_seq = serializers.IntegerField()
    started_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)


class CountersSchema(serializers.Serializer[Any]):
    """What the limits count."""

    turns = serializers.IntegerField()
    transitions = serializers.IntegerField()
    refusals = serializers.IntegerField()
    elapsed = serializers.FloatField()
    visits = serializers.DictField(child=serializers.IntegerField())


class CallListedSchema(CallSummarySchema):
    """A Call in a list, with where it stands."""

    value = serializers.DictField()
    active = serializers.ListField(child=serializers.CharField())
    counters = CountersSchema()


class SlotSchema(serializers.Serializer[Any]):
    """A slot of a Call; a sensitive value is masked."""

    key = serializers.CharField()
    type = serializers.CharField()
    label = serializers.CharField(allow_null=True)  # type: ignore[assignment]
    value = serializers.JSONField(allow_null=True)
    sensitive = serializers.BooleanField()
    masked = serializers.BooleanField()


class AllowedItemSchema(serializers.Serializer[Any]):
    """One thing that could be tried, and why not."""

    key = serializers.CharField()
    target = serializers.CharField(allow_null=True)
    trigger = serializers.CharField()
    allowed = serializers.BooleanField()
    reason = serializers.CharField(allow_null=True)
    message = serializers.CharField(allow_null=True)


class AllowedSchema(serializers.Serializer[Any]):
    """What is allowed now."""

    events = AllowedItemSchema(many=True)
    proposals = AllowedItemSchema(many=True)
    handoffs = AllowedItemSchema(many=True)
    slots = AllowedItemSchema(many=True)


class CallSchema(CallListedSchema):
    """A Call as it stands."""

    slots = SlotSchema(many=True)
    limits = serializers.DictField()
    allowed = AllowedSchema()


class CallPageSchema(serializers.Serializer[Any]):
    """A page of Calls."""

    results = CallListedSchema(many=True)
    next = serializers.CharField(allow_null=True)


class CallEventSchema(serializers.Serializer[Any]):
    """A Call event."""

    seq = serializers.IntegerField()
    at = serializers.DateTimeField()
    type = serializers.CharField()
    data = serializers.DictField()  # type: ignore[assignment]
    in_seq = serializers.IntegerField()


class EventPageSchema(serializers.Serializer[Any]):
    """A page of Call events."""

    events = CallEventSchema(many=True)
    head = serializers.IntegerField()
    epoch = serializers.IntegerField()


class AnswerSchema(serializers.Serializer[Any]):
    """What came of an input."""

    epoch = serializers.IntegerField()
    first_seq = serializers.IntegerField()
    last_seq = serializers.IntegerField()
    status = serializers.ChoiceField(["running", "ended"])
    active = serializers.ListField(child=serializers.CharField())
    value = serializers.DictField()
    events = CallEventSchema(many=True)
    refusal = serializers.DictField(allow_null=True)
    replayed = serializers.BooleanField()


class SnapshotSchema(serializers.Serializer[Any]):
    """The engine's snapshot, for support."""

    epoch = serializers.IntegerField()
    seq = serializers.IntegerField()
    status = serializers.CharField()
    snapshot = serializers.DictField()
    snapshot_sha256 = serializers.CharField()
    chain_sha256 = serializers.CharField()


class VerdictSchema(serializers.Serializer[Any]):
    """What a replay found."""

    identical = serializers.BooleanField()
    inputs = serializers.IntegerField()
    events = serializers.IntegerField()
    first_difference = serializers.DictField(allow_null=True)
