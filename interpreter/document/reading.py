"""JSON in: every fault at once, each with its path; unknown keys are refused."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from interpreter.document.types import (
    AgentDoc,
    MachineDoc,
    OutcomeDoc,
    PromptDoc,
    SlotDoc,
    SquadDoc,
    ToolDoc,
)
from interpreter.errors import DocumentError, Path, Problem

_Doc = TypeVar("_Doc")


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def parse_document(machine: object) -> MachineDoc:
    """A machine document (`callchart.machine/1`) from its JSON value.

    Raises DocumentError with one Problem (code `document.*`) for each fault of shape.
    """
    read: MachineDoc = _read(MachineDoc, machine, ())
    return read


def parse_agent(agent: object) -> AgentDoc:
    """An agent document (`callchart.agent/1`) from its JSON value; raises as `parse_document`."""
    read: AgentDoc = _read(AgentDoc, agent, ())
    return read


def read_as(kind: type[_Doc], value: object) -> _Doc:
    """Any document type from its JSON value; raises as `parse_document`."""
    read: _Doc = _read(kind, value, ())
    return read


def parse_slots(slots: Sequence[object]) -> tuple[SlotDoc, ...]:
    """Slots that stand beside a machine; paths start with `slots`."""
    return _read_list(SlotDoc, slots, "slots")


def parse_prompts(prompts: Sequence[object]) -> tuple[PromptDoc, ...]:
    """Prompts beside a machine: objects, or keys alone."""
    return _read_list(PromptDoc, _keyed(prompts), "prompts")


def parse_tools(tools: Sequence[object]) -> tuple[ToolDoc, ...]:
    """Tools beside a machine: objects, or keys alone."""
    return _read_list(ToolDoc, _keyed(tools), "tools")


def parse_outcomes(outcomes: Sequence[object]) -> tuple[OutcomeDoc, ...]:
    """Outcomes beside a machine: objects, or keys alone."""
    return _read_list(OutcomeDoc, _keyed(outcomes), "outcomes")


def parse_squad(squad: Sequence[object]) -> tuple[SquadDoc, ...]:
    """Squad members beside a machine: objects, or keys alone."""
    return _read_list(SquadDoc, _keyed(squad), "squad")


def json_schema(kind: type = AgentDoc) -> dict[str, Any]:
    """JSON Schema (2020-12) of a document type, for editors and browsers."""
    return _adapter(kind).json_schema()


def _keyed(items: Sequence[object]) -> Sequence[object]:
    if not isinstance(items, (list, tuple)):
        return items
    return [{"key": item} if isinstance(item, str) else item for item in items]


def _read_list(kind: type[_Doc], items: Sequence[object], name: str) -> tuple[_Doc, ...]:
    if isinstance(items, tuple) and all(isinstance(item, kind) for item in items):
        return items
    read: tuple[_Doc, ...] = _read(tuple[kind, ...], items, (name,))  # type: ignore[valid-type]
    return read


def _read(kind: Any, value: object, prefix: Path) -> Any:
    if isinstance(kind, type) and isinstance(value, kind):
        return value
    try:
        return _adapter(kind).validate_python(value)
    except ValidationError as error:
        faults = error.errors(include_url=False, include_context=False, include_input=False)
        problems: dict[Path, Problem] = {}
        for fault in faults:
            problem = _problem(fault, prefix)
            problems.setdefault(problem.path, problem)
        raise DocumentError(list(problems.values())) from None


_CODES = {
    "missing": "document.missing",
    "unexpected_keyword_argument": "document.unknown_key",
    "string_pattern_mismatch": "document.spelling",
    "effect_kind": "document.effect",
    "trigger_kind": "document.trigger",
    "node_kind": "document.node",
    "value_error": "document.value",
    "literal_error": "document.value",
    "string_too_long": "document.too_long",
    "too_long": "document.too_long",
    "recursion_loop": "document.too_deep",
}


def _problem(fault: ErrorDetails, prefix: Path) -> Problem:
    path = prefix + tuple(part for part in fault["loc"] if not _is_tag(part))
    kind = fault["type"]
    name = path[-1] if path else ""
    hint = ""
    message = _worded(fault["msg"])
    if kind == "unexpected_keyword_argument":
        message = f"{name!r} is not a field here"
        hint = "Remove it, or look for a misspelling."
    elif kind == "missing":
        message = f"{name!r} is missing"
    elif kind == "string_pattern_mismatch":
        message = f"{name!r} is not spelled as a key or an event name"
        hint = "Keys are a-z, then a-z, 0-9 and _, at most 64 characters."
    elif kind == "value_error":
        message = message.removeprefix("Value error, ")
    return Problem(_CODES.get(kind, "document.type"), "error", path, message, hint)


def _worded(message: str) -> str:
    message = re.sub(r"dictionary or an instance of \w+", "JSON object", message)
    message = message.replace("valid tuple", "list").replace("valid dictionary", "JSON object")
    return message.replace("Input should be", "this should be")


def _is_tag(part: str | int) -> bool:
    """pydantic puts the member of a union into the path; ours begin with `~` or hold `[`."""
    return isinstance(part, str) and (
        part.startswith("~") or "[" in part or part in ("constrained-str", "int", "float")
    )
