"""Renaming a key rewrites every reference to it; each rewrite is an update of its own."""

from collections.abc import Iterator
from typing import Any, Literal

from designer.agents.draft import Draft
from interpreter import rename_in_template, rename_reference

Operation = dict[str, Any]
Renamed = Literal["slot", "state"]
RENAMED: dict[str, Renamed] = {"slot": "slot", "state": "state"}
EXPRESSION_FIELDS = {"set": "value", "raise": "data", "call": "args", "hook": "data"}


def _expressions(value: Any, kind: Renamed, old: str, new: str) -> Any:
    if isinstance(value, str):
        return rename_reference(value, kind, old, new)
    if isinstance(value, dict):
        return {name: _expressions(item, kind, old, new) for name, item in value.items()}
    return value


def _effect(effect: dict[str, Any], kind: Renamed, old: str, new: str) -> dict[str, Any]:
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


def _row_fields(row: dict[str, Any], what: Renamed, old: str, new: str) -> dict[str, Any]:
    """The fields of a row that name a slot or a state, renamed."""
    out: dict[str, Any] = {}
    for name in ("entry", "exit", "effects"):
        if row.get(name):
            out[name] = [_effect(effect, what, old, new) for effect in row[name]]
    if row.get("guard"):
        out["guard"] = rename_reference(row["guard"], what, old, new)
    if row.get("instructions"):
        out["instructions"] = rename_in_template(row["instructions"], what, old, new)
    return out


def _settings(settings: dict[str, Any], what: Renamed, old: str, new: str) -> dict[str, Any]:
    return {
        "prompts": [
            {**prompt, "text": rename_in_template(prompt["text"], what, old, new)}
            if prompt.get("text")
            else prompt
            for prompt in settings["prompts"]
        ],
        "instructions": rename_in_template(settings["instructions"], what, old, new),
        "policies": [
            {**policy, "when": rename_reference(policy["when"], what, old, new)}
            if policy.get("when")
            else policy
            for policy in settings["policies"]
        ],
    }


def _changed(fields: dict[str, Any], old: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value != old[name]}


def rewrites(draft: Draft, what: str, old: str, new: str) -> Iterator[Operation]:
    """The updates that follow when the slot, state or region called `old` is called `new`."""
    renamed = RENAMED.get(what)
    if renamed is None and what != "region":
        return
    for kind in ("region", "state", "transition"):
        for id, row in draft.rows[kind].items():
            if renamed is not None:
                fields = _row_fields(row, renamed, old, new)
            else:
                fields = {"on": _trigger(row["on"], old, new)} if kind == "transition" else {}
            fields = _changed(fields, row)
            if fields:
                yield {"op": f"{kind}.update", "id": id, "fields": fields}
    if renamed is not None:
        fields = _changed(_settings(draft.settings, renamed, old, new), draft.settings)
        if fields:
            yield {"op": "settings.update", "fields": fields}
