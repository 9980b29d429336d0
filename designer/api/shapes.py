"""The shapes of Agents, drafts and versions, as OpenAPI describes them (the page's types are made from these)."""

from typing import Any

from rest_framework import serializers as s




class Answer(s.Serializer[Any]):
    """Something that goes out."""


class PersonSchema(Answer):
    id = s.UUIDField()
    name = s.CharField()


class MeUserSchema(PersonSchema):
    email = s.EmailField()


class MeWorkspaceSchema(Answer):
    slug = s.CharField()
    name = s.CharField()
    roles = s.ListField(child=s.ChoiceField(["designer", "reviewer", "support", "admin"]))


class MeSchema(Answer):
    user = MeUserSchema()
    workspace = MeWorkspaceSchema()
    workspaces = MeWorkspaceSchema(many=True)
    mode = s.ChoiceField(["embedded", "scaled"])


class CountsSchema(Answer):
    error = s.IntegerField()
    warning = s.IntegerField()
    info = s.IntegerField()


class ThumbSchema(Answer):
    x = s.FloatField()
    y = s.FloatField()
    w = s.FloatField()
    h = s.FloatField()
    speaker = s.BooleanField()


VERSION_STATUS = ["published", "approved", "active", "retired"]


class LatestVersionSchema(Answer):
    number = s.IntegerField()
    status = s.ChoiceField(VERSION_STATUS)
    digest = s.CharField()


class AgentSchema(Answer):
    id = s.UUIDField()
    key = s.CharField()
    name = s.CharField()
    revision = s.IntegerField()
    status = s.ChoiceField(["draft", *VERSION_STATUS])
    active_version = s.IntegerField(allow_null=True)
    latest_version = LatestVersionSchema(allow_null=True)
    differs = s.BooleanField()
    problems = CountsSchema()
    live_calls = s.IntegerField()
    states = s.IntegerField()
    updated_at = s.DateTimeField()
    updated_by = PersonSchema(allow_null=True)
    thumbnail = ThumbSchema(many=True)


class AgentPageSchema(Answer):
    results = AgentSchema(many=True)
    next = s.CharField(allow_null=True)


class TemplateSchema(Answer):
    key = s.CharField()
    name = s.CharField()
    description = s.CharField()
    states = s.IntegerField()
    slots = s.IntegerField()


class SubjectSchema(Answer):
    kind = s.ChoiceField(["region", "state", "transition", "slot"])
    id = s.UUIDField()


class ProblemSchema(Answer):
    code = s.CharField()
    severity = s.ChoiceField(["error", "warning", "info"])
    path = s.ListField(child=s.JSONField())
    message = s.CharField()
    hint = s.CharField()
    span = s.ListField(child=s.IntegerField(), allow_null=True)
    fix = s.DictField(required=False)
    subject = SubjectSchema(allow_null=True, required=False)
    field = s.CharField(allow_null=True, required=False)

    class Meta:
        ref_name = "CheckProblem"


ProblemSchema.__name__ = "CheckProblemSchema"


class BoxSchema(Answer):
    x = s.FloatField()
    y = s.FloatField()
    w = s.FloatField()
    h = s.FloatField()


class KeyTextSchema(Answer):
    key = s.CharField()
    text = s.CharField(allow_blank=True)


class KeyDescriptionSchema(Answer):
    key = s.CharField()
    description = s.CharField(allow_blank=True)


class KeyLabelSchema(Answer):
    key = s.CharField()
    label = s.CharField(allow_blank=True)


class SquadMemberSchema(Answer):
    key = s.CharField()
    agent = s.CharField(allow_blank=True)


class SettingsSchema(Answer):
    instructions = s.CharField(allow_blank=True)
    prompts = KeyTextSchema(many=True)
    tools = KeyDescriptionSchema(many=True)
    outcomes = KeyLabelSchema(many=True)
    squad = SquadMemberSchema(many=True)


class LimitsSchema(Answer):
    turns = s.IntegerField(allow_null=True)
    transitions = s.IntegerField(allow_null=True)
    visits = s.IntegerField(allow_null=True)
    refusals = s.IntegerField(allow_null=True)
    seconds = s.IntegerField(allow_null=True)
    target = s.UUIDField(allow_null=True)


class StabilitySchema(Answer):
    cooldown = s.CharField(required=False)
    backward_confidence = s.FloatField(required=False)


class RegionSchema(Answer):
    id = s.UUIDField()
    key = s.CharField()
    label = s.CharField(allow_null=True)
    parent = s.UUIDField(allow_null=True)
    role = s.ChoiceField(["speaker", "observer"], allow_null=True)
    initial = s.UUIDField(allow_null=True)
    stability = StabilitySchema()
    entry = s.ListField(child=s.DictField())
    exit = s.ListField(child=s.DictField())


class StateSchema(Answer):
    id = s.UUIDField()
    region = s.UUIDField()
    key = s.CharField()
    label = s.CharField(allow_null=True)
    kind = s.ChoiceField(["state", "final", "history", "choice"])
    history = s.ChoiceField(["shallow", "deep"], allow_null=True)
    prompt = s.CharField(allow_null=True)
    instructions = s.CharField(allow_null=True)
    tools = s.ListField(child=s.CharField())
    ask = s.ListField(child=s.CharField())
    agent = s.CharField(allow_null=True)
    keywords = s.ListField(child=s.CharField())
    max_visits = s.IntegerField(allow_null=True)
    entry = s.ListField(child=s.DictField())
    exit = s.ListField(child=s.DictField())
    notes = s.CharField(allow_null=True)


class TransitionSchema(Answer):
    id = s.UUIDField()
    source = s.UUIDField()
    target = s.UUIDField(allow_null=True)
    key = s.CharField(allow_null=True)
    label = s.CharField(allow_null=True)
    on = s.DictField()
    guard = s.CharField(allow_null=True)
    effects = s.ListField(child=s.DictField())
    internal = s.BooleanField()
    external = s.BooleanField()
    min_confidence = s.FloatField(allow_null=True)
    max_takes = s.IntegerField(allow_null=True)
    notes = s.CharField(allow_null=True)


class DraftSlotSchema(Answer):
    id = s.UUIDField()
    key = s.CharField()
    label = s.CharField(allow_null=True)
    type = s.CharField()
    choices = s.ListField(child=s.CharField())
    pattern = s.CharField(allow_null=True)
    minimum = s.FloatField(allow_null=True)
    maximum = s.FloatField(allow_null=True)
    max_length = s.IntegerField(allow_null=True)
    sensitive = s.BooleanField()
    writers = s.ListField(child=s.CharField(), allow_null=True)
    description = s.CharField(allow_null=True)

    def get_fields(self) -> dict[str, s.Field[Any, Any, Any, Any]]:
        """`default` is a word of Serializer, so it is added here."""
        return super().get_fields() | {"default": s.JSONField(allow_null=True)}


class DraftAgentSchema(Answer):
    id = s.UUIDField()
    key = s.CharField()
    name = s.CharField()


class RowsSchema(Answer):
    agent = DraftAgentSchema()
    revision = s.IntegerField()
    settings = SettingsSchema()
    limits = LimitsSchema()
    regions = RegionSchema(many=True)
    states = StateSchema(many=True)
    transitions = TransitionSchema(many=True)
    slots = DraftSlotSchema(many=True)
    layout = s.DictField(child=BoxSchema())
    problems = ProblemSchema(many=True)


class DraftSchema(RowsSchema):
    status = s.ChoiceField(["draft", *VERSION_STATUS])
    active_version = s.IntegerField(allow_null=True)
    latest_version = LatestVersionSchema(allow_null=True)
    differs = s.BooleanField()


class EditAnswerSchema(Answer):
    revision = s.IntegerField()
    operations = s.ListField(child=s.DictField())
    inverse = s.ListField(child=s.DictField())
    problems = ProblemSchema(many=True)
    replayed = s.BooleanField()


class EditDataSchema(Answer):
    id = s.UUIDField()
    by = PersonSchema(allow_null=True)
    operations = s.ListField(child=s.DictField())
    problems = ProblemSchema(many=True, required=False)


class EditSchema(Answer):
    seq = s.IntegerField()
    type = s.CharField()
    data = EditDataSchema()


class EditPageSchema(Answer):
    events = EditSchema(many=True)
    head = s.IntegerField()


class VersionSchema(Answer):
    id = s.UUIDField()
    number = s.IntegerField()
    status = s.ChoiceField(VERSION_STATUS)
    digest = s.CharField()
    published_at = s.DateTimeField()
    published_by = PersonSchema(allow_null=True)
    problems = ProblemSchema(many=True)


class FullVersionSchema(VersionSchema):
    document = s.DictField()
    layout = s.DictField()
    rows = RowsSchema()


class VersionPageSchema(Answer):
    results = VersionSchema(many=True)
    next = s.CharField(allow_null=True)


class HealthSchema(Answer):
    ok = s.BooleanField()
    database = s.BooleanField()
    mode = s.ChoiceField(["embedded", "scaled"])
