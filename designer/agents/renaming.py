"""Renaming a key rewrites every reference to it; each rewrite is an update of its own."""

from collections.abc import Iterator
from typing import Any

from designer.agents.draft import Draft
from interpreter import rename_in_template, rename_reference

Operation = dict[str, Any]
EXPRESSION_FIELDS = {"set": "value", "raise": "data", "call": "args", "hook": "data"}


def _expressions(value: Any, kind: str, old: str, new: str) -> Any:
    if isinstance(value, str):
        return rename_reference(value, kind, old, new)
    if isinstance(value, dict):
        return {name: _expressions(item, kind, old, new) for name, item in value.items()}
    return value


def _effect(effect: dict[str, Any], kind: str, old: str, new: str) -> dict[str, Any]:
    out = dict(effect)
    for name, holder in EXPRESSION_FIELDS.items():
        if name in out and holder in out:
            out[holder] = _expressions(out[holder], kind, old, new)
    if kind == "slot":
        for name in ("set", "clear"):
            if out.get(name) == old:
                out[name] = new
    return out


def _trigger(trigger: dict[str, Any], old: str, new: str) -> dict[str, Any]:
    """`done.region.<key>` follows its region."""
    name, renamed = f"done.region.{old}", f"done.region.{new}"
    event = trigger.get("event")
    if event == name:
        return trigger | {"event": renamed}
    if isinstance(event, list) and name in event:
        return trigger | {"event": [renamed if item == name else item for item in event]}
    return trigger


def _row_fields(kind: str, row: dict[str, Any], what: str, old: str, new: str) -> dict[str, Any]:
    """The fields of a row that change."""
    out: dict[str, Any] = {}
    if what == "region":
        if kind == "transition":
            out["on"] = _trigger(row["on"], old, new)
    else:
        for name in ("entry", "exit", "effects"):
            if row.get(name):
                out[name] = [_effect(effect, what, old, new) for effect in row[name]]
        if row.get("guard"):
            out["guard"] = rename_reference(row["guard"], what, old, new)
        if kind == "state" and row.get("instructions"):
            out["instructions"] = rename_in_template(row["instructions"], what, old, new)
    return {name: value for name, value in out.items() if value != row[name]}


def rewrites(draft: Draft, what: str, old: str, new: str) -> Iterator[Operation]:
    """The updates that follow when the `what` (slot, state, region) called `old` is called `new`."""
    if what not in ("slot", "state", "region"):
        return
    for kind in ("region", "state", "transition"):
        for id, row in draft.rows[kind].items():  # noqa: A001
            fields = _row_fields(kind, row, what, old, new)
            if fields:
                yield {"op": f"{kind}.update", "id": id, "fields": fields}
    if what == "region":
        return
    settings: dict[str, Any] = {
        "prompts": [
            {**prompt, "text": rename_in_template(prompt.get("text", ""), what, old, new)}
            if prompt.get("text")
            else prompt
            for prompt in draft.settings["prompts"]
        ],
        "instructions": rename_in_template(draft.settings["instructions"], what, old, new),
    }
    changed = {name: text for name, text in settings.items() if text != draft.settings[name]}
    if changed:
        yield {"op": "settings.update", "fields": changed}
