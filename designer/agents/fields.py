"""The fields of each kind of draft row:
how a value must look, and what stands there when nothing is said.
"""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from designer.core.ids import parse_id
from interpreter import parse_duration

KEY = re.compile(r"[a-z][a-z0-9_]{0,63}\Z")
SLOT_TYPES = (
    *("string", "integer", "number", "boolean", "enum", "date", "time", "datetime"),
    *("duration", "email", "phone", "list"),
)
NAME, TEXT, SOURCE, LIST = 200, 20_000, 2_000, 200

Rule = Callable[[Any], str | None]
"""Takes a value, gives what is wrong with it in a sentence, or None."""


def key(value: Any) -> str | None:
    """A key, as machine.md section 2 spells it."""
    if isinstance(value, str) and KEY.match(value):
        return None
    return "A key is a-z, then a-z, 0-9 and _, at most 64 characters."


def text(maximum: int) -> Rule:
    """A string of at most `maximum` characters."""

    def rule(value: Any) -> str | None:
        if not isinstance(value, str):
            return "A text is expected."
        return None if len(value) <= maximum else f"At most {maximum} characters."

    return rule


def one_of(*values: str) -> Rule:
    """One of the named values."""
    return lambda value: None if value in values else f"One of {', '.join(values)} is expected."


def optional(rule: Rule) -> Rule:
    """Null, or what `rule` says."""
    return lambda value: None if value is None else rule(value)


def boolean(value: Any) -> str | None:
    """True or false."""
    return None if isinstance(value, bool) else "True or false is expected."


def count(value: Any) -> str | None:
    """A whole number from 0."""
    good = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 2**31 - 1
    return None if good else "A whole number from 0 is expected."


def number(value: Any) -> str | None:
    """A finite number."""
    good = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    return None if good else "A number is expected."


def share(value: Any) -> str | None:
    """A number from 0 to 1."""
    return number(value) or (None if 0 <= value <= 1 else "A number from 0 to 1 is expected.")


def strings(value: Any) -> str | None:
    """A list of short texts."""
    good = isinstance(value, list) and all(isinstance(i, str) and len(i) <= NAME for i in value)
    if not good:
        return f"A list of texts of at most {NAME} characters is expected."
    return None if len(value) <= LIST else f"At most {LIST} entries."


def objects(value: Any) -> str | None:
    """A list of JSON objects."""
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        return "A list of objects is expected."
    return None if len(value) <= LIST else f"At most {LIST} entries."


def mapping(value: Any) -> str | None:
    """A JSON object."""
    return None if isinstance(value, dict) else "An object is expected."


def entries(fields: Mapping[str, "Field"]) -> Rule:
    """A list of objects that have a key each, no key twice, and no field but those given."""

    def rule(value: Any) -> str | None:
        message = objects(value)
        if message:
            return message
        seen: set[str] = set()
        for item in value:
            message = fault_of_entry(fields, item)
            if message:
                return message
            if item["key"] in seen:
                return f"The key {item['key']} is given twice."
            seen.add(item["key"])
        return None

    return rule


def fault_of_entry(fields: Mapping[str, "Field"], item: Mapping[str, Any]) -> str | None:
    """What is wrong with one entry of a list, in a sentence, or None."""
    if key(item.get("key")):
        return "Every entry needs a key: a-z, then a-z, 0-9 and _."
    for name, value in item.items():
        if name not in fields:
            return f"{name} is no field of an entry."
        message = fields[name].rule(value)
        if message:
            return f"{name}: {message}"
    missing = next((name for name, f in fields.items() if f.needed and name not in item), None)
    return f"{missing} is missing." if missing else None


def shaped(fields: Mapping[str, "Field"]) -> Rule:
    """An object of these fields and no others."""

    def rule(value: Any) -> str | None:
        if not isinstance(value, dict):
            return "An object is expected."
        for name, item in value.items():
            if name not in fields:
                return f"There is no field {name}."
            message = fields[name].rule(item)
            if message:
                return f"{name}: {message}"
        return None

    return rule


def duration(value: Any) -> str | None:
    """A duration, as 3s or PT3S."""
    try:
        parse_duration(value)
    except (TypeError, ValueError):
        return "A duration such as 3s is expected."
    return None


def reference(value: Any) -> str | None:
    """The id of a state."""
    return None if parse_id(value) else "The id of a state is expected."


def anything(value: Any) -> str | None:
    """Any JSON value; `check` judges it."""
    del value
    return None


@dataclass(frozen=True)
class Field:
    """A field of a row:
    its rule, its absent value, the model's column when it has another name, and whether an
    entry of a list must have it.
    """

    rule: Rule
    absent: Any = None
    column: str = ""
    needed: bool = False


def _list(rule: Rule = objects) -> Field:
    return Field(rule, ())


_short, _long = optional(text(NAME)), optional(text(TEXT))

_KEYED = {"key": Field(key, needed=True)}
ANSWER: Mapping[str, Field] = MappingProxyType(
    _KEYED
    | {
        "label": Field(_short),
        "description": Field(text(TEXT), ""),
        "examples": _list(strings),
        "keywords": _list(strings),
    }
)
QUESTION: Mapping[str, Field] = MappingProxyType(
    _KEYED
    | {
        "label": Field(_short),
        "kind": Field(one_of("choice", "yes_no", "several"), "choice"),
        "context": Field(boolean, absent=False),
        "answers": _list(entries(ANSWER)),
    }
)
CALL: Mapping[str, Field] = MappingProxyType(
    {
        "kind": Field(one_of("host", "http"), "host"),
        "url": Field(optional(text(SOURCE))),
        "method": Field(optional(one_of("GET", "POST", "PUT", "PATCH", "DELETE"))),
    }
)
LANE: Mapping[str, Field] = MappingProxyType(
    {
        "provider": Field(optional(one_of("embedded", "keywords", "openai"))),
        "model": Field(text(NAME), ""),
        "threshold": Field(share, 0.6),
        "timeout": Field(duration, "3s"),
    }
)
ENTRIES: Mapping[str, Mapping[str, Field]] = MappingProxyType(
    {
        name: MappingProxyType(_KEYED | fields)
        for name, fields in {
            "prompts": {"text": Field(text(TEXT), "")},
            "tools": {
                "description": Field(text(TEXT), ""),
                "arguments": Field(mapping, MappingProxyType({})),
                "call": Field(shaped(CALL), MappingProxyType({"kind": "host"})),
                "approval": Field(one_of("allow", "approve", "deny"), "allow"),
            },
            "outcomes": {"label": Field(text(NAME), "")},
            "squad": {"agent": Field(text(NAME), "")},
            "policies": {
                "tool": Field(key, needed=True),
                "effect": Field(one_of("allow", "deny", "approve"), needed=True),
                "when": Field(optional(text(SOURCE))),
                "message": Field(text(TEXT), ""),
            },
            "question_sets": {"label": Field(_short), "questions": _list(entries(QUESTION))},
        }.items()
    }
)
"""The lists beside the machine, and what an entry of each may say (known by its key)."""

FIELDS: Mapping[str, Mapping[str, Field]] = MappingProxyType(
    {
        "region": {
            "key": Field(key),
            "label": Field(_short),
            "role": Field(optional(one_of("speaker", "observer"))),
            "initial": Field(optional(reference), column="initial_id"),
            "stability": Field(mapping, MappingProxyType({})),
            "entry": _list(),
            "exit": _list(),
        },
        "state": {
            "key": Field(key),
            "label": Field(_short),
            "kind": Field(one_of("state", "final", "history", "choice"), "state"),
            "history": Field(optional(one_of("shallow", "deep"))),
            "prompt": Field(optional(key)),
            "instructions": Field(_long),
            "tools": _list(strings),
            "ask": _list(strings),
            "agent": Field(optional(key), column="squad_agent"),
            "keywords": _list(strings),
            "max_visits": Field(optional(count)),
            "entry": _list(),
            "exit": _list(),
            "notes": Field(_long),
        },
        "transition": {
            "target": Field(optional(reference), column="target_id"),
            "key": Field(optional(key)),
            "label": Field(_short),
            "on": Field(mapping, MappingProxyType({}), column="trigger"),
            "guard": Field(optional(text(SOURCE))),
            "effects": _list(),
            "internal": Field(boolean, absent=False),
            "external": Field(boolean, absent=False),
            "min_confidence": Field(optional(share)),
            "max_takes": Field(optional(count)),
            "notes": Field(_long),
        },
        "slot": {
            "key": Field(key),
            "label": Field(_short),
            "type": Field(one_of(*SLOT_TYPES), "string"),
            "choices": _list(strings),
            "default": Field(anything),
            "pattern": Field(optional(text(500))),
            "minimum": Field(optional(number)),
            "maximum": Field(optional(number)),
            "max_length": Field(optional(count)),
            "sensitive": Field(boolean, absent=False),
            "writers": Field(optional(strings)),
            "description": Field(_long),
        },
    }
)
SETTINGS: Mapping[str, Field] = MappingProxyType(
    {
        "name": Field(text(NAME), ""),
        "instructions": Field(text(TEXT), ""),
        **{name: _list(entries(fields)) for name, fields in ENTRIES.items()},
        "lane": Field(shaped(LANE), MappingProxyType({})),
    }
)
LIMITS: Mapping[str, Field] = MappingProxyType(
    {
        name: Field(optional(count))
        for name in ["turns", "transitions", "visits", "refusals", "seconds"]
    }
    | {"target": Field(optional(reference))}
)
KINDS = tuple(FIELDS)
PARENT: Mapping[str, str | None] = MappingProxyType(
    {"region": "parent", "state": "region", "transition": "source", "slot": None}
)
"""The field that names a row's parent; a slot has none."""


def absent(field: Field) -> Any:
    """A fresh copy of the absent value."""
    if isinstance(field.absent, tuple):
        return []
    return dict(field.absent) if isinstance(field.absent, Mapping) else field.absent


def filled(fields: Mapping[str, Field], given: Mapping[str, Any]) -> dict[str, Any]:
    """An object with every field, whether said or not: as the page has it."""
    out = {name: given.get(name, absent(field)) for name, field in fields.items()}
    for name, inner in (("questions", QUESTION), ("answers", ANSWER)):
        if name in out and name in fields:
            out[name] = [filled(inner, item) for item in out[name]]
    if "call" in out and "approval" in fields:
        out["call"] = filled(CALL, out["call"])
    return out


def said(fields: Mapping[str, Field], given: Mapping[str, Any]) -> dict[str, Any]:
    """The same object without what is absent or a default: as a document has it."""
    out = {
        name: given[name]
        for name, field in fields.items()
        if name in given and (field.needed or given[name] != absent(field))
    }
    for name, inner in (("questions", QUESTION), ("answers", ANSWER)):
        if name in out:
            out[name] = [said(inner, item) for item in out[name]]
    if "call" in out and "approval" in fields:
        out["call"] = said(CALL, out["call"])
        if not out["call"]:
            del out["call"]
    return out


def blank(kind: str) -> dict[str, Any]:
    """All fields of a row of `kind`, with nothing said."""
    return {name: absent(field) for name, field in FIELDS[kind].items()}
