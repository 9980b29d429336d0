"""The frozen value types of a workflow document (`callchart.workflow/1`), read at the edge.

A Workflow is a graph: nodes say what happens at a point of a Call, edges where it goes on. Field
names are those of the JSON. An absent optional field is None or (). Product.md section 5.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from pydantic import ConfigDict, Discriminator, Field, StrictBool, Tag

from interpreter.document import (
    Limits,
    OutcomeDoc,
    PromptDoc,
    QuestionDoc,
    SlotDoc,
    SquadDoc,
    ToolDoc,
)
from interpreter.document.words import CONFIG, Count, Duration, EventName, Key, Label, Source, Text

WORKFLOW_FORMAT: Literal["callchart.workflow/1"] = "callchart.workflow/1"
Events = EventName | Annotated[tuple[EventName, ...], Field(min_length=1, max_length=50)]
Answers = Key | Annotated[tuple[Key, ...], Field(min_length=1, max_length=200)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """A slot and the expression that gives its value; without one the slot is cleared."""

    slot: Key
    value: Source | None = None
    __pydantic_config__: ClassVar[ConfigDict] = CONFIG


@dataclass(frozen=True, slots=True, kw_only=True)
class StartNode:
    """Where a Call begins. Exactly one in a Workflow."""

    key: Key
    kind: Literal["start"]
    label: Label | None = None
    notes: Text | None = None
    __pydantic_config__: ClassVar[ConfigDict] = CONFIG


@dataclass(frozen=True, slots=True, kw_only=True)
class _Node:
    """What every node but the start may hold. `max_visits` is a loop bound."""

    key: Key
    label: Label | None = None
    notes: Text | None = None
    max_visits: Annotated[Count, Field(ge=1)] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SayNode(_Node):
    """The Agent says a text of its own or a declared prompt, and the Call goes on at once."""

    kind: Literal["say"]
    text: Text | None = None
    prompt: Key | None = None
    __pydantic_config__: ClassVar[ConfigDict] = CONFIG


@dataclass(frozen=True, slots=True, kw_only=True)
class AskNode(_Node):
    """Waits until `slot` is filled; one that is filled already is not asked for.

    Without an answer for `timeout` the Call goes on by the `otherwise` edge.
    """

    slot: Key
    kind: Literal["ask"]
    text: Text | None = None
    prompt: Key | None = None
    instructions: Text | None = None
    tools: tuple[Key, ...] = ()
    timeout: Duration | None = None
    __pydantic_config__: ClassVar[ConfigDict] = CONFIG


@dataclass(frozen=True, slots=True, kw_only=True)
class DecideNode(_Node):
    """Takes the first edge whose `when` is true, else `otherwise`. `ruleset` is not served yet."""

    kind: Literal["decide"]
    ruleset: Label | None = None
    __pydantic_config__: ClassVar[ConfigDict] = CONFIG


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionNode(_Node):
    """The decision lane answers `question` about what the caller says; edges take its answers.

    `otherwise` takes what no edge takes: other answers, unsure, failed, and the `timeout`.
    """

    question: Key
    kind: Literal["question"]
    text: Text | None = None
    prompt: Key | None = None
    instructions: Text | None = None
    tools: tuple[Key, ...] = ()
    timeout: Duration | None = None
    __pydantic_config__: ClassVar[ConfigDict] = CONFIG


@dataclass(frozen=True, slots=True, kw_only=True)
class SetNode(_Node):
    """Writes slots, in order."""

    set: Annotated[tuple[Assignment, ...], Field(min_length=1, max_length=50)]
    kind: Literal["set"]
    __pydantic_config__: ClassVar[ConfigDict] = CONFIG


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolNode(_Node):
    """Asks for a tool and waits. Its result (`event.data`) may be kept by `save`.

    A failure, a refusal and the `timeout` go on by the `otherwise` edge.
    """

    tool: Key
    kind: Literal["tool"]
    args: dict[Label, Source] | None = None
    save: Annotated[tuple[Assignment, ...], Field(max_length=50)] = ()
    timeout: Duration | None = None
    __pydantic_config__: ClassVar[ConfigDict] = CONFIG


@dataclass(frozen=True, slots=True, kw_only=True)
class HandoffNode(_Node):
    """Binds a squad Agent. The Call goes on at once, or when an event of `until` has come."""

    agent: Key
    kind: Literal["handoff"]
    until: Events | None = None
    timeout: Duration | None = None
    __pydantic_config__: ClassVar[ConfigDict] = CONFIG


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitNode(_Node):
    """Waits for an event, or for the `timeout`, or for the event at most so long."""

    kind: Literal["wait"]
    event: Events | None = None
    instructions: Text | None = None
    tools: tuple[Key, ...] = ()
    timeout: Duration | None = None
    __pydantic_config__: ClassVar[ConfigDict] = CONFIG


@dataclass(frozen=True, slots=True, kw_only=True)
class EndNode(_Node):
    """Ends the Call with an outcome."""

    kind: Literal["end"]
    outcome: Key | None = None
    text: Text | None = None
    prompt: Key | None = None
    __pydantic_config__: ClassVar[ConfigDict] = CONFIG


Node = (
    StartNode | SayNode | AskNode | DecideNode | QuestionNode
    | SetNode | ToolNode | HandoffNode | WaitNode | EndNode
)  # fmt: skip
NODE_KINDS = (
    "start", "say", "ask", "decide", "question", "set", "tool", "handoff", "wait", "end",
)  # fmt: skip
DECIDING = frozenset({"decide", "question"})


def _node_kind(value: Any) -> str | None:
    kind = value.get("kind") if isinstance(value, dict) else getattr(value, "kind", None)
    return f"~{kind}" if kind in NODE_KINDS else None


AnyNode = Annotated[
    Annotated[StartNode, Tag("~start")]
    | Annotated[SayNode, Tag("~say")]
    | Annotated[AskNode, Tag("~ask")]
    | Annotated[DecideNode, Tag("~decide")]
    | Annotated[QuestionNode, Tag("~question")]
    | Annotated[SetNode, Tag("~set")]
    | Annotated[ToolNode, Tag("~tool")]
    | Annotated[HandoffNode, Tag("~handoff")]
    | Annotated[WaitNode, Tag("~wait")]
    | Annotated[EndNode, Tag("~end")],
    Discriminator(
        _node_kind,
        custom_error_type="node_kind",
        custom_error_message="the kind of a node is one of: " + ", ".join(NODE_KINDS),
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """Where the Call goes on after a node.

    `when` (an expression) and `answer` belong to edges of deciding nodes; `otherwise` marks the
    edge for what no other edge takes. `max_takes` is a loop bound: an edge taken so often is
    passed over. One without a `key` is called `<source>_<n>`, its place among those of its source.
    """

    source: Key
    target: Key
    key: Key | None = None
    when: Source | None = None
    answer: Answers | None = None
    otherwise: StrictBool = False
    max_takes: Annotated[Count, Field(ge=1)] | None = None
    label: Label | None = None
    notes: Text | None = None
    __pydantic_config__: ClassVar[ConfigDict] = CONFIG

    @property
    def answers(self) -> tuple[str, ...]:
        """The answers that it names."""
        if self.answer is None:
            return ()
        return (self.answer,) if isinstance(self.answer, str) else self.answer


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowDoc:
    """A Workflow: the graph, and what its nodes name.

    The decision lane, the policies and the instructions are the Agent's.
    """

    key: Key
    format: Literal["callchart.workflow/1"] = WORKFLOW_FORMAT
    name: Label = ""
    scope: Literal["conversation", "process"] = "conversation"
    nodes: tuple[AnyNode, ...] = ()
    edges: tuple[Edge, ...] = ()
    slots: tuple[SlotDoc, ...] = ()
    questions: Annotated[tuple[QuestionDoc, ...], Field(max_length=100)] = ()
    prompts: tuple[PromptDoc, ...] = ()
    tools: tuple[ToolDoc, ...] = ()
    outcomes: tuple[OutcomeDoc, ...] = ()
    squad: tuple[SquadDoc, ...] = ()
    limits: Limits | None = None
    __pydantic_config__: ClassVar[ConfigDict] = CONFIG
