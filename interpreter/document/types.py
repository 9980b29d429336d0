"""The frozen value types of a chart (machine.md sections 2 to 8), read by pydantic at the edge.

Field names are those of the JSON, save `raise`, which is a word of Python (`RaiseEffect.raises`).
An absent optional field is None or (); `dump_document` leaves it out again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from pydantic import (
    AfterValidator,
    ConfigDict,
    Discriminator,
    Field,
    StrictBool,
    StringConstraints,
    Tag,
)

from interpreter.document.asking import HOST_CALL, Lane, QuestionSetDoc, ToolCall
from interpreter.document.keys import parse_duration
from interpreter.document.words import (
    CONFIG,
    Confidence,
    Count,
    Duration,
    EventName,
    Key,
    Label,
    Number,
    Source,
    Text,
    clean,
)

MACHINE_FORMAT: Literal["callchart.machine/1"] = "callchart.machine/1"
AGENT_FORMAT: Literal["callchart.agent/1"] = "callchart.agent/1"

SlotType = Literal[
    "string", "integer", "number", "boolean", "enum", "date", "time", "datetime", "duration",
    "email", "phone", "list",
]  # fmt: skip
Writer = Literal["model", "effect", "host"]
StateKind = Literal["state", "final", "history", "choice"]


# --- effects (machine.md section 6) --------------------


@dataclass(frozen=True, slots=True)
class SetEffect:
    """Puts the value of an expression into a slot."""

    set: Key
    value: Source
    kind: ClassVar[str] = "set"
    __pydantic_config__: ClassVar[ConfigDict] = CONFIG


@dataclass(frozen=True, slots=True)
class ClearEffect:
    """Makes a slot unset."""

    clear: Key
    kind: ClassVar[str] = "clear"
    __pydantic_config__: ClassVar[ConfigDict] = CONFIG


@dataclass(frozen=True, slots=True)
class RaiseEffect:
    """Raises an internal event; `data` values are expressions."""

    raises: Annotated[EventName, Field(alias="raise")]
    data: dict[Label, Source] | None = None
    kind: ClassVar[str] = "raise"
    __pydantic_config__: ClassVar[ConfigDict] = CONFIG


@dataclass(frozen=True, slots=True)
class SayEffect:
    """Asks the host to say a prompt."""

    say: Key
    kind: ClassVar[str] = "say"
    __pydantic_config__: ClassVar[ConfigDict] = CONFIG


@dataclass(frozen=True, slots=True)
class CallEffect:
    """Asks the host for a tool; `args` values are expressions."""

    call: Key
    args: dict[Label, Source] | None = None
    kind: ClassVar[str] = "call"
    __pydantic_config__: ClassVar[ConfigDict] = CONFIG


@dataclass(frozen=True, slots=True)
class HandoffEffect:
    """Binds the squad Agent of this key."""

    handoff: Key
    kind: ClassVar[str] = "handoff"
    __pydantic_config__: ClassVar[ConfigDict] = CONFIG


@dataclass(frozen=True, slots=True)
class HookEffect:
    """Dispatches a hook of the host; `data` values are expressions."""

    hook: Key
    data: dict[Label, Source] | None = None
    kind: ClassVar[str] = "hook"
    __pydantic_config__: ClassVar[ConfigDict] = CONFIG


@dataclass(frozen=True, slots=True)
class EndEffect:
    """Ends the Call with an outcome."""

    end: Key
    kind: ClassVar[str] = "end"
    __pydantic_config__: ClassVar[ConfigDict] = CONFIG


Effect = (
    SetEffect | ClearEffect | RaiseEffect | SayEffect
    | CallEffect | HandoffEffect | HookEffect | EndEffect
)  # fmt: skip
EVALUATED = "workflow_evaluated"
"""The hook that a deciding node of a Workflow is compiled to. In an Agent that names its Workflow
the engine answers it, with the record `workflow.evaluated`; no host is asked."""
EFFECT_KINDS = ("set", "clear", "raise", "say", "call", "handoff", "hook", "end")


def _kind_among(kinds: tuple[str, ...], value: Any) -> str | None:
    """The tag of a JSON object that says its kind by the key it holds."""
    if isinstance(value, dict):
        for kind in kinds:
            if kind in value:
                return "~" + kind
        return None
    return "~" + str(getattr(value, "kind", ""))


def _effect_kind(value: Any) -> str | None:
    return _kind_among(EFFECT_KINDS, value)


AnyEffect = Annotated[
    Annotated[SetEffect, Tag("~set")]
    | Annotated[ClearEffect, Tag("~clear")]
    | Annotated[RaiseEffect, Tag("~raise")]
    | Annotated[SayEffect, Tag("~say")]
    | Annotated[CallEffect, Tag("~call")]
    | Annotated[HandoffEffect, Tag("~handoff")]
    | Annotated[HookEffect, Tag("~hook")]
    | Annotated[EndEffect, Tag("~end")],
    Discriminator(
        _effect_kind,
        custom_error_type="effect_kind",
        custom_error_message="an effect holds one of: " + ", ".join(EFFECT_KINDS),
    ),
]


# --- triggers (machine.md section 4) --------------------


@dataclass(frozen=True, slots=True)
class EventTrigger:
    """Enabled by an event whose name matches one of the descriptors."""

    event: EventName | Annotated[tuple[EventName, ...], Field(min_length=1, max_length=50)]
    kind: ClassVar[str] = "event"
    __pydantic_config__: ClassVar[ConfigDict] = CONFIG

    @property
    def events(self) -> tuple[str, ...]:
        """All descriptors."""
        return (self.event,) if isinstance(self.event, str) else self.event


@dataclass(frozen=True, slots=True)
class ProposeTrigger:
    """Enabled by a proposal that names the target or the key; the text is for the model."""

    propose: Text
    kind: ClassVar[str] = "propose"
    __pydantic_config__: ClassVar[ConfigDict] = CONFIG


@dataclass(frozen=True, slots=True)
class AfterTrigger:
    """Enabled when the source has been active that long."""

    after: Duration
    kind: ClassVar[str] = "after"
    __pydantic_config__: ClassVar[ConfigDict] = CONFIG

    @property
    def milliseconds(self) -> int:
        """The delay."""
        return parse_duration(self.after)


@dataclass(frozen=True, slots=True)
class AlwaysTrigger:
    """Enabled by its guard alone."""

    always: Literal[True] = True
    kind: ClassVar[str] = "always"
    __pydantic_config__: ClassVar[ConfigDict] = CONFIG


@dataclass(frozen=True, slots=True)
class DoneTrigger:
    """Enabled when all regions of the source have reached a final state."""

    done: Literal[True] = True
    kind: ClassVar[str] = "done"
    __pydantic_config__: ClassVar[ConfigDict] = CONFIG


Trigger = EventTrigger | ProposeTrigger | AfterTrigger | AlwaysTrigger | DoneTrigger
TRIGGER_KINDS = ("event", "propose", "after", "always", "done")


def _trigger_kind(value: Any) -> str | None:
    return _kind_among(TRIGGER_KINDS, value)


AnyTrigger = Annotated[
    Annotated[EventTrigger, Tag("~event")]
    | Annotated[ProposeTrigger, Tag("~propose")]
    | Annotated[AfterTrigger, Tag("~after")]
    | Annotated[AlwaysTrigger, Tag("~always")]
    | Annotated[DoneTrigger, Tag("~done")],
    Discriminator(
        _trigger_kind,
        custom_error_type="trigger_kind",
        custom_error_message="a trigger holds one of: " + ", ".join(TRIGGER_KINDS),
    ),
]


# --- the chart --------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class TransitionDoc:
    """A guarded move out of a state or of a region."""

    on: AnyTrigger
    key: Key | None = None
    guard: Source | None = None
    effects: tuple[AnyEffect, ...] = ()
    target: Key | None = None
    internal: StrictBool = False
    external: StrictBool = False
    min_confidence: Confidence | None = None
    max_takes: Count | None = None
    label: Label | None = None
    notes: Text | None = None
    __pydantic_config__: ClassVar[ConfigDict] = CONFIG


@dataclass(frozen=True, slots=True, kw_only=True)
class StateDoc:
    """A state; with `regions` it is compound (one) or orthogonal (more)."""

    key: Key
    label: Label | None = None
    kind: StateKind = "state"
    history: Literal["shallow", "deep"] | None = None
    prompt: Key | None = None
    instructions: Text | None = None
    tools: tuple[Key, ...] = ()
    ask: tuple[Key, ...] = ()
    agent: Key | None = None
    keywords: tuple[Label, ...] = ()
    max_visits: Count | None = None
    entry: tuple[AnyEffect, ...] = ()
    exit: tuple[AnyEffect, ...] = ()
    transitions: tuple[TransitionDoc, ...] = ()
    regions: tuple[RegionDoc, ...] = ()
    notes: Text | None = None
    __pydantic_config__: ClassVar[ConfigDict] = CONFIG


@dataclass(frozen=True, slots=True, kw_only=True)
class Stability:
    """How reluctantly a region moves."""

    cooldown: Duration = "0s"
    backward_confidence: Confidence = 0.0
    __pydantic_config__: ClassVar[ConfigDict] = CONFIG


@dataclass(frozen=True, slots=True, kw_only=True)
class RegionDoc:
    """An ordered set of states of which one is active. `initial` may be missing in a draft."""

    key: Key
    label: Label | None = None
    role: Literal["speaker", "observer"] | None = None
    initial: Key | None = None
    stability: Stability | None = None
    states: tuple[StateDoc, ...] = ()
    transitions: tuple[TransitionDoc, ...] = ()
    entry: tuple[AnyEffect, ...] = ()
    exit: tuple[AnyEffect, ...] = ()
    __pydantic_config__: ClassVar[ConfigDict] = CONFIG


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Machine-wide limits (machine.md section 8) and the state they lead to."""

    turns: Count | None = None
    transitions: Count | None = None
    visits: Count | None = None
    refusals: Count | None = None
    seconds: Count | None = None
    target: Key | None = None
    __pydantic_config__: ClassVar[ConfigDict] = CONFIG


@dataclass(frozen=True, slots=True, kw_only=True)
class MachineDoc:
    """A chart: top regions and limits."""

    format: Literal["callchart.machine/1"] = MACHINE_FORMAT
    regions: tuple[RegionDoc, ...] = ()
    limits: Limits | None = None
    __pydantic_config__: ClassVar[ConfigDict] = CONFIG


# --- what stands beside the machine --------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotDoc:
    """Typed memory of the conversation. `writers` None means all of them."""

    key: Key
    type: SlotType
    label: Label | None = None
    choices: tuple[Label, ...] = ()
    default: Any = None
    pattern: Annotated[str, StringConstraints(max_length=500), AfterValidator(clean)] | None = None
    minimum: Number | None = None
    maximum: Number | None = None
    max_length: Count | None = None
    sensitive: StrictBool = False
    writers: tuple[Writer, ...] | None = None
    description: Text | None = None
    __pydantic_config__: ClassVar[ConfigDict] = CONFIG


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptDoc:
    """A named text with `{{ expression }}` places."""

    key: Key
    text: Text = ""
    __pydantic_config__: ClassVar[ConfigDict] = CONFIG


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolDoc:
    """A tool that states may name.

    `arguments` is a JSON Schema of type object (None: none are known), `call` says how it is
    called, `approval` what happens where no policy speaks.
    """

    key: Key
    description: Text = ""
    arguments: dict[str, Any] | None = None
    call: ToolCall = HOST_CALL
    approval: Literal["allow", "approve", "deny"] = "allow"
    __pydantic_config__: ClassVar[ConfigDict] = CONFIG


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeDoc:
    """A named way for a Call to end."""

    key: Key
    label: Label = ""
    __pydantic_config__: ClassVar[ConfigDict] = CONFIG


@dataclass(frozen=True, slots=True, kw_only=True)
class SquadDoc:
    """An Agent that may take over; `version` and `digest` once it is pinned."""

    key: Key
    agent: Label = ""
    version: Count | None = None
    digest: str | None = None
    __pydantic_config__: ClassVar[ConfigDict] = CONFIG


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyDoc:
    """A rule about a tool, decided when a live Call asks for it; `when` None means always.

    The engine never runs it: a tool request is an effect, and the host is asked (no dry run has
    a host).
    """

    key: Key
    tool: Key
    effect: Literal["allow", "deny", "approve"]
    when: Source | None = None
    message: Text = ""
    __pydantic_config__: ClassVar[ConfigDict] = CONFIG


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowPin:
    """The Workflow that an Agent's machine was compiled from; no `version`: its draft."""

    key: Key
    version: Count | None = None
    digest: str | None = None
    __pydantic_config__: ClassVar[ConfigDict] = CONFIG


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentDoc:
    """What a Version freezes (docs/contracts.md section 1)."""

    key: Key
    format: Literal["callchart.agent/1"] = AGENT_FORMAT
    name: Label = ""
    instructions: Text = ""
    prompts: tuple[PromptDoc, ...] = ()
    tools: tuple[ToolDoc, ...] = ()
    outcomes: tuple[OutcomeDoc, ...] = ()
    squad: tuple[SquadDoc, ...] = ()
    policies: tuple[PolicyDoc, ...] = ()
    question_sets: tuple[QuestionSetDoc, ...] = ()
    lane: Lane | None = None
    slots: tuple[SlotDoc, ...] = ()
    machine: MachineDoc | None = None
    workflow: WorkflowPin | None = None
    __pydantic_config__: ClassVar[ConfigDict] = CONFIG
