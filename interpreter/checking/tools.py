"""Tools can be called: their arguments are described by a JSON Schema, and calls fit it."""

from collections.abc import Iterator, Mapping
from typing import Any

from interpreter.document import CallEffect, ToolDoc
from interpreter.errors import Path
from interpreter.expressions import near

from .chart import Chart
from .rule import Code, Found, Rule

_TYPES = ("string", "integer", "number", "boolean", "array", "object", "null")
_DEEPEST = 10


def find(chart: Chart) -> Iterator[Found]:
    """Schemas that are none, HTTP tools without an address, calls whose arguments do not fit."""
    for number, tool in enumerate(chart.tools):
        yield from _declared(tool, number)
    tools = {tool.key: tool for tool in chart.tools}
    for effect in chart.index.effects:
        if isinstance(effect.doc, CallEffect) and effect.doc.call in tools:
            yield from _called(tools[effect.doc.call], effect.doc, effect.path)


def _declared(tool: ToolDoc, number: int) -> Iterator[Found]:
    path: Path = ("tools", number)
    if tool.arguments:
        fault = schema_fault(tool.arguments)
        if fault is not None:
            message = f"the arguments of the tool '{tool.key}' are no JSON Schema: {fault}"
            hint = 'As in {"type": "object", "properties": {"order": {"type": "string"}}}.'
            yield Found("tool.arguments", (*path, "arguments"), message, hint)
    if tool.call.kind == "http":
        url = tool.call.url or ""
        if not url.startswith(("https://", "http://")):
            message = f"the tool '{tool.key}' is called by HTTP and has no address"
            yield Found("tool.url", (*path, "call"), message, "Give a URL, as in https://...")


def schema_fault(schema: Mapping[str, Any]) -> str | None:
    """What is wrong with a JSON Schema of a tool's arguments, in words, or None.

    Its top is an object; the words that are looked at are those of models' tools: ``type``,
    ``properties``, ``required``, ``items``, ``enum``.
    """
    if schema.get("type") != "object":
        return "its type is not object"
    return _fault(schema, "", 0)


def _fault(schema: Any, at: str, depth: int) -> str | None:
    where = f" of {at}" if at else ""
    if not isinstance(schema, dict):
        return f"the schema{where} is no object"
    if depth > _DEEPEST:
        return f"it is more than {_DEEPEST} levels deep"
    kind = schema.get("type")
    kinds = kind if isinstance(kind, list) else [kind]
    if "type" in schema and not all(one in _TYPES for one in kinds):
        return f"the type{where} is none of {', '.join(_TYPES)}"
    properties = schema.get("properties", {})
    if not isinstance(properties, dict):
        return f"the properties{where} are no object"
    required = schema.get("required", [])
    if not isinstance(required, list) or not all(isinstance(name, str) for name in required):
        return f"required{where} is no list of names"
    if "enum" in schema and (not isinstance(schema["enum"], list) or not schema["enum"]):
        return f"the enum{where} is no list of values"
    inner = [(f"{at}.{name}" if at else name, one) for name, one in properties.items()]
    if "items" in schema:
        inner.append((f"{at}[]", schema["items"]))
    faults = (_fault(one, name, depth + 1) for name, one in inner)
    return next((fault for fault in faults if fault is not None), None)


def _called(tool: ToolDoc, call: CallEffect, path: Path) -> Iterator[Found]:
    schema = tool.arguments or {}
    if not schema or schema_fault(schema) is not None:
        return
    properties, given = schema.get("properties", {}), call.args or {}
    if schema.get("additionalProperties") is not True:
        for name in given:
            if name not in properties:
                message = f"the tool '{tool.key}' takes no argument '{name}'"
                hint = near(name, properties) or "Remove it, or add it to the tool's arguments."
                yield Found(
                    "tool.argument", (*path, "args", name), message, hint[0].upper() + hint[1:]
                )
    for name in schema.get("required", []):
        if name not in given:
            message = f"a call of the tool '{tool.key}' leaves out its argument '{name}'"
            yield Found("tool.argument", (*path, "call"), message, f"Give '{name}' a value.")


RULE = Rule(
    (
        Code("tool.arguments", "error", "A tool's arguments are no JSON Schema of an object."),
        Code("tool.url", "error", "A tool is called by HTTP and has no address."),
        Code("tool.argument", "warning", "A call of a tool does not fit the tool's arguments."),
    ),
    find,
)
