"""The chart as a document: frozen value types, JSON in, JSON out."""

from interpreter.document.asking import Lane, QuestionDoc, QuestionSetDoc, ToolCall
from interpreter.document.keys import KEY_PATTERN, matches, parse_duration
from interpreter.document.patterns import pattern_fault
from interpreter.document.reading import (
    json_schema,
    parse_agent,
    parse_document,
    parse_outcomes,
    parse_prompts,
    parse_slots,
    parse_squad,
    parse_tools,
    read_as,
)
from interpreter.document.types import (
    AGENT_FORMAT,
    EFFECT_KINDS,
    EVALUATED,
    MACHINE_FORMAT,
    TRIGGER_KINDS,
    AfterTrigger,
    AgentDoc,
    AlwaysTrigger,
    CallEffect,
    ClearEffect,
    DoneTrigger,
    Effect,
    EndEffect,
    EventTrigger,
    HandoffEffect,
    HookEffect,
    Limits,
    MachineDoc,
    OutcomeDoc,
    PolicyDoc,
    PromptDoc,
    ProposeTrigger,
    RaiseEffect,
    RegionDoc,
    SayEffect,
    SetEffect,
    SlotDoc,
    SlotType,
    SquadDoc,
    Stability,
    StateDoc,
    ToolDoc,
    TransitionDoc,
    Trigger,
    WorkflowPin,
)
from interpreter.document.values import why_not
from interpreter.document.widening import (
    NOT_WIDENED,
    Branch,
    Initial,
    Widening,
    is_loose,
    loose_slot,
)
from interpreter.document.writing import digest_of, dump_document

__all__ = [
    "AGENT_FORMAT", "EFFECT_KINDS", "EVALUATED", "KEY_PATTERN", "MACHINE_FORMAT", "NOT_WIDENED",
    "TRIGGER_KINDS", "AfterTrigger", "AgentDoc", "AlwaysTrigger", "Branch", "CallEffect",
    "ClearEffect", "DoneTrigger", "Effect", "EndEffect", "EventTrigger", "HandoffEffect",
    "HookEffect", "Initial", "Lane", "Limits", "MachineDoc", "OutcomeDoc", "PolicyDoc",
    "PromptDoc", "ProposeTrigger", "QuestionDoc", "QuestionSetDoc", "RaiseEffect", "RegionDoc",
    "SayEffect", "SetEffect", "SlotDoc", "SlotType", "SquadDoc", "Stability", "StateDoc",
    "ToolCall", "ToolDoc", "TransitionDoc", "Trigger", "Widening", "WorkflowPin", "digest_of",
    "dump_document", "is_loose", "json_schema", "loose_slot", "matches", "parse_agent",
    "parse_document", "parse_duration", "parse_outcomes", "parse_prompts", "parse_slots",
    "parse_squad", "parse_tools", "pattern_fault", "read_as", "why_not",
]  # fmt: skip
