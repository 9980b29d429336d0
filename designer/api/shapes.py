"""The shapes of Agents, drafts and versions, as OpenAPI describes them (the page's types are
made from these).
"""

from typing import Any

from rest_framework import serializers as s


class Answer(s.Serializer[Any]):
    """Something that goes out."""


class PersonSchema(Answer):
    """Someone, as others see them."""

    id = s.UUIDField()
    name = s.CharField()


class MeUserSchema(PersonSchema):
    """Who is signed in."""

    email = s.EmailField()


class MeWorkspaceSchema(Answer):
    """A workspace and one's roles there."""

    slug = s.CharField()
    name = s.CharField()
    roles = s.ListField(child=s.ChoiceField(["designer", "reviewer", "support", "admin"]))


class MeSchema(Answer):
    """The person, their workspace of the moment, the mode of the server."""

    user = MeUserSchema()
    workspace = MeWorkspaceSchema()
    workspaces = MeWorkspaceSchema(many=True)
    mode = s.ChoiceField(["embedded", "scaled"])


class CountsSchema(Answer):
    """How many problems of each severity."""

    error = s.IntegerField()
    warning = s.IntegerField()
    info = s.IntegerField()


class ThumbSchema(Answer):
    """A state's box on the whole canvas."""

    x = s.FloatField()
    y = s.FloatField()
    w = s.FloatField()
    h = s.FloatField()
    speaker = s.BooleanField()


VERSION_STATUS = ["published", "in_review", "returned", "approved", "active", "retired"]


class LatestVersionSchema(Answer):
    """The newest version."""

    number = s.IntegerField()
    status = s.ChoiceField(VERSION_STATUS)
    digest = s.CharField()


class AgentSchema(Answer):
    """An Agent as lists show it."""

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
    """A page of Agents."""

    results = AgentSchema(many=True)
    next = s.CharField(allow_null=True)


class ScriptSchema(Answer):
    """A dry-run script (contracts.md section 2)."""

    name = s.CharField()
    lines = s.ListField(child=s.DictField())


class TemplateSchema(Answer):
    """A chart that ships."""

    key = s.CharField()
    name = s.CharField()
    description = s.CharField()
    states = s.IntegerField()
    slots = s.IntegerField()
    scripts = ScriptSchema(many=True)


class SubjectSchema(Answer):
    """The row a problem is about."""

    kind = s.ChoiceField(["region", "state", "transition", "slot"])
    id = s.UUIDField()


class FixSchema(Answer):
    """What takes a problem away: a batch of operations, and its name."""

    label = s.CharField()  # type: ignore[assignment]
    operations = s.ListField(child=s.DictField())


class CheckProblemSchema(Answer):
    """What `check` says; `subject` and `field` say where."""

    code = s.CharField()
    severity = s.ChoiceField(["error", "warning", "info"])
    path = s.ListField(child=s.JSONField())
    message = s.CharField()
    hint = s.CharField()
    span = s.ListField(child=s.IntegerField(), allow_null=True)
    fix = FixSchema(allow_null=True, required=False)
    subject = SubjectSchema(allow_null=True, required=False)
    field = s.CharField(allow_null=True, required=False)


class BoxSchema(Answer):
    """A place in CSS pixels, relative to the region's box."""

    x = s.FloatField()
    y = s.FloatField()
    w = s.FloatField()
    h = s.FloatField()


class KeyTextSchema(Answer):
    """A prompt."""

    key = s.CharField()
    text = s.CharField(allow_blank=True)


class ToolCallSchema(Answer):
    """How a tool is called."""

    kind = s.ChoiceField(["host", "http"])
    url = s.CharField(allow_null=True)
    method = s.ChoiceField(["GET", "POST", "PUT", "PATCH", "DELETE"], allow_null=True)


class ToolSchema(Answer):
    """A tool; `arguments` is a JSON Schema of type object, or empty."""

    key = s.CharField()
    description = s.CharField(allow_blank=True)
    arguments = s.DictField()
    call = ToolCallSchema()
    approval = s.ChoiceField(["allow", "approve", "deny"])


class OfferedAnswerSchema(Answer):
    """An answer of a question."""

    key = s.CharField()
    label = s.CharField(allow_null=True)  # type: ignore[assignment]
    description = s.CharField(allow_blank=True)
    examples = s.ListField(child=s.CharField())
    keywords = s.ListField(child=s.CharField())


class QuestionSchema(Answer):
    """A question about what the caller said."""

    key = s.CharField()
    label = s.CharField(allow_null=True)  # type: ignore[assignment]
    kind = s.ChoiceField(["choice", "yes_no", "several"])
    answers = OfferedAnswerSchema(many=True)

    def get_fields(self) -> dict[str, s.Field[Any, Any, Any, Any]]:
        """`context` is a word of Serializer, so it is added here."""
        return super().get_fields() | {"context": s.BooleanField()}


class QuestionSetSchema(Answer):
    """Questions that are asked together."""

    key = s.CharField()
    label = s.CharField(allow_null=True)  # type: ignore[assignment]
    questions = QuestionSchema(many=True)


class LaneSchema(Answer):
    """Who answers the questions."""

    provider = s.ChoiceField(["embedded", "keywords", "openai"], allow_null=True)
    model = s.CharField(allow_blank=True)
    threshold = s.FloatField()
    timeout = s.CharField()


class KeyLabelSchema(Answer):
    """An outcome."""

    key = s.CharField()
    label = s.CharField(allow_blank=True)  # type: ignore[assignment]


class SquadMemberSchema(Answer):
    """An Agent that may take over."""

    key = s.CharField()
    agent = s.CharField(allow_blank=True)


class PolicySchema(Answer):
    """A rule about a tool; live Calls ask it, dry runs do not."""

    key = s.CharField()
    tool = s.CharField()
    effect = s.ChoiceField(["allow", "deny", "approve"])
    when = s.CharField(allow_null=True)
    message = s.CharField(allow_blank=True)


class SettingsSchema(Answer):
    """What stands beside the machine."""

    instructions = s.CharField(allow_blank=True)
    prompts = KeyTextSchema(many=True)
    tools = ToolSchema(many=True)
    outcomes = KeyLabelSchema(many=True)
    squad = SquadMemberSchema(many=True)
    policies = PolicySchema(many=True)
    question_sets = QuestionSetSchema(many=True)
    lane = LaneSchema()


class LimitsSchema(Answer):
    """Machine-wide limits; `target` is a state's id."""

    turns = s.IntegerField(allow_null=True)
    transitions = s.IntegerField(allow_null=True)
    visits = s.IntegerField(allow_null=True)
    refusals = s.IntegerField(allow_null=True)
    seconds = s.IntegerField(allow_null=True)
    target = s.UUIDField(allow_null=True)


class StabilitySchema(Answer):
    """How reluctantly a region moves."""

    cooldown = s.CharField(required=False)
    backward_confidence = s.FloatField(required=False)


class RegionSchema(Answer):
    """A region's row."""

    id = s.UUIDField()
    key = s.CharField()
    label = s.CharField(allow_null=True)  # type: ignore[assignment]
    parent = s.UUIDField(allow_null=True)  # type: ignore[assignment]
    role = s.ChoiceField(["speaker", "observer"], allow_null=True)
    initial = s.UUIDField(allow_null=True)
    stability = StabilitySchema()
    entry = s.ListField(child=s.DictField())
    exit = s.ListField(child=s.DictField())


class StateSchema(Answer):
    """A state's row."""

    id = s.UUIDField()
    region = s.UUIDField()
    key = s.CharField()
    label = s.CharField(allow_null=True)  # type: ignore[assignment]
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
    """A transition's row; `source` is a state's or a region's id."""

    id = s.UUIDField()
    source = s.UUIDField()  # type: ignore[assignment]
    target = s.UUIDField(allow_null=True)
    key = s.CharField(allow_null=True)
    label = s.CharField(allow_null=True)  # type: ignore[assignment]
    on = s.DictField()
    guard = s.CharField(allow_null=True)
    effects = s.ListField(child=s.DictField())
    internal = s.BooleanField()
    external = s.BooleanField()
    min_confidence = s.FloatField(allow_null=True)
    max_takes = s.IntegerField(allow_null=True)
    notes = s.CharField(allow_null=True)


class DraftSlotSchema(Answer):
    """A slot's row."""

    id = s.UUIDField()
    key = s.CharField()
    label = s.CharField(allow_null=True)  # type: ignore[assignment]
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
        return super().get_fields() | {"default": s.JSONField()}


class DraftAgentSchema(Answer):
    """Which Agent."""

    id = s.UUIDField()
    key = s.CharField()
    name = s.CharField()


class RowsSchema(Answer):
    """A chart as rows."""

    agent = DraftAgentSchema()
    revision = s.IntegerField()
    settings = SettingsSchema()
    limits = LimitsSchema()
    regions = RegionSchema(many=True)
    states = StateSchema(many=True)
    transitions = TransitionSchema(many=True)
    slots = DraftSlotSchema(many=True)
    layout = s.DictField(child=BoxSchema())
    problems = CheckProblemSchema(many=True)


class DraftSchema(RowsSchema):
    """The draft as the page reads it."""

    status = s.ChoiceField(["draft", *VERSION_STATUS])
    active_version = s.IntegerField(allow_null=True)
    latest_version = LatestVersionSchema(allow_null=True)
    differs = s.BooleanField()


class EditAnswerSchema(Answer):
    """What a batch did, and what undoes it."""

    revision = s.IntegerField()
    operations = s.ListField(child=s.DictField())
    inverse = s.ListField(child=s.DictField())
    problems = CheckProblemSchema(many=True)
    replayed = s.BooleanField()


class FindingSchema(Answer):
    """A problem that a script shows."""

    code = s.CharField()
    path = s.ListField(child=s.JSONField())
    script = s.ListField(child=s.DictField())


class FindingsSchema(Answer):
    """What running the draft shows."""

    revision = s.IntegerField()
    findings = FindingSchema(many=True)


class HistoryEntrySchema(Answer):
    """An edit to take back or do again, and the operations that do it."""

    id = s.UUIDField()
    revision = s.IntegerField()
    title = s.CharField(allow_blank=True)
    inverse = s.ListField(child=s.DictField())


class HistorySchema(Answer):
    """The asker's own edits, newest first."""

    undo = HistoryEntrySchema(many=True)
    redo = HistoryEntrySchema(many=True)


class EditDataSchema(Answer):
    """Who changed what."""

    id = s.UUIDField()
    by = PersonSchema(allow_null=True)
    title = s.CharField(allow_blank=True)
    operations = s.ListField(child=s.DictField())
    problems = CheckProblemSchema(many=True, required=False)


class EditSchema(Answer):
    """An edit in the draft's stream; `seq` is its revision."""

    seq = s.IntegerField()
    type = s.CharField()
    data = EditDataSchema()  # type: ignore[assignment]


class EditPageSchema(Answer):
    """Edits in order, and the draft's revision."""

    events = EditSchema(many=True)
    head = s.IntegerField()


class ReviewSchema(Answer):
    """Who asked for a review."""

    requested_by = PersonSchema(allow_null=True)
    requested_at = s.DateTimeField()
    note = s.CharField(allow_null=True)


class DecisionSchema(Answer):
    """What a reviewer decided."""

    what = s.ChoiceField(["approved", "returned"])
    by = PersonSchema(allow_null=True)
    at = s.DateTimeField()
    note = s.CharField(allow_null=True)


class VoidSchema(Answer):
    """Why an approval does not hold any more."""

    code = s.ChoiceField(["version.changed", "squad.changed", "scenarios.changed"])
    detail = s.CharField()


class SuiteEvidenceSchema(Answer):
    """What the newest run of the whole suite found on a version."""

    total = s.IntegerField()
    passed = s.IntegerField()
    failed = s.IntegerField()
    at = s.DateTimeField()
    job = s.UUIDField()
    stale = s.BooleanField(help_text="The scenarios were changed since.")


class EvidenceSchema(Answer):
    """What speaks for a version, and whether it is asked for."""

    scenarios = SuiteEvidenceSchema(allow_null=True)

    def get_fields(self) -> dict[str, s.Field[Any, Any, Any, Any]]:
        """`required` is a word of Serializer, so it is added here."""
        return super().get_fields() | {"required": s.BooleanField()}


class AnchorsSchema(Answer):
    """The ids of the draft's rows by key, as they were at publish."""

    region = s.DictField(child=s.UUIDField())
    state = s.DictField(child=s.UUIDField())
    transition = s.DictField(child=s.UUIDField())
    slot = s.DictField(child=s.UUIDField())


class VersionSchema(Answer):
    """A version."""

    id = s.UUIDField()
    number = s.IntegerField()
    status = s.ChoiceField(VERSION_STATUS)
    digest = s.CharField()
    published_at = s.DateTimeField()
    published_by = PersonSchema(allow_null=True)
    problems = CheckProblemSchema(many=True)
    anchors = AnchorsSchema()
    review = ReviewSchema(allow_null=True)
    decision = DecisionSchema(allow_null=True)
    void = VoidSchema(allow_null=True)
    base = s.IntegerField(allow_null=True)
    evidence = EvidenceSchema()


class FullVersionSchema(VersionSchema):
    """A version with its document, layout and rows."""

    document = s.DictField()
    layout = s.DictField()
    rows = RowsSchema()


class VersionPageSchema(Answer):
    """A page of versions."""

    results = VersionSchema(many=True)
    next = s.CharField(allow_null=True)


class FieldChangeSchema(Answer):
    """A field before and after; null where there was nothing."""

    name = s.CharField()
    before = s.JSONField()
    after = s.JSONField()


class ChangeSchema(Answer):
    """One thing that was added, removed, changed or moved."""

    change = s.ChoiceField(["added", "removed", "changed", "moved"])
    kind = s.CharField()
    key = s.CharField(allow_null=True)
    within = s.CharField(allow_null=True)
    target = s.CharField(allow_null=True)
    group = s.ChoiceField(["behaviour", "words", "tools", "squad", "cosmetic"])
    id = s.CharField(allow_null=True, help_text="The id of its row; a prompt's key.")

    def get_fields(self) -> dict[str, s.Field[Any, Any, Any, Any]]:
        """`label` and `fields` are words of Serializer, so they are added here."""
        return super().get_fields() | {
            "label": s.CharField(allow_null=True),
            "fields": FieldChangeSchema(many=True),
        }


class ChangeCountsSchema(Answer):
    """How many changes of each sort."""

    added = s.IntegerField()
    removed = s.IntegerField()
    changed = s.IntegerField()
    moved = s.IntegerField()


class ComparisonSchema(Answer):
    """What became of a version."""

    before = s.IntegerField()
    after = s.JSONField(help_text="A version's number, or `draft`.")
    counts = ChangeCountsSchema()
    changes = ChangeSchema(many=True)


class WhyRefusedSchema(Answer):
    """Why a line was refused."""

    reason = s.CharField()
    message = s.CharField()


class SeenSchema(Answer):
    """What a line did; `slots` are those it changed."""

    line = s.DictField(allow_null=True)
    active = s.ListField(child=s.CharField())
    refusal = WhyRefusedSchema(allow_null=True)
    taken = s.ListField(child=s.CharField())
    slots = s.DictField()


class PartingSchema(Answer):
    """A script by which the two part at line `parts_at` (-1: at the start)."""

    lines = s.ListField(child=s.DictField())
    parts_at = s.IntegerField()
    about = s.ListField(
        child=s.ChoiceField(["active", "refused", "slots", "effects", "ended"]),
    )
    before = SeenSchema(many=True)
    after = SeenSchema(many=True)


class BehaviourSchema(Answer):
    """Scripts that tell two charts apart; `complete`: there are no others of another sort."""

    scripts = PartingSchema(many=True)
    explored = s.IntegerField()
    complete = s.BooleanField()


class HealthSchema(Answer):
    """Whether the service lives."""

    ok = s.BooleanField()
    database = s.BooleanField()
    mode = s.ChoiceField(["embedded", "scaled"])
