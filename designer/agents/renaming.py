"""Renaming a key rewrites every reference to it; each rewrite is an update of its own."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal

from designer.agents.draft import Draft
from interpreter import rename_in_template, rename_reference

Operation = dict[str, Any]
Renamed = Literal["slot", "state", "decision", "answer"]
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
        "outcomes": [
            {**outcome, "label": rename_in_template(outcome["label"], what, old, new)}
            for outcome in settings["outcomes"]
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


# --- what stands beside the machine --------------------

_EFFECTS = {"prompts": "say", "tools": "call", "outcomes": "end", "squad": "handoff"}
_STATE_FIELDS = {"prompts": "prompt", "squad": "agent", "tools": "tools", "question_sets": "ask"}
Rename = Callable[[str], str]


def entry_rewrites(
    draft: Draft, list: str, before: dict[str, Any], after: dict[str, Any]
) -> Iterator[Operation]:
    """The updates that follow when an entry of a list beside the machine, one of its questions
    or one of their answers is called something else.
    """
    old, new = before["key"], after["key"]
    if old != new:
        yield from _entry_renamed(draft, list, old, new)
    if list != "question_sets":
        return
    for one, other in _renamed(before["questions"], after["questions"]):
        old, new = one["key"], other["key"]
        events = _event(f"decision.{old}.", f"decision.{new}.")
        yield from _lane_renamed(draft, "decision", old, new, events)
    for one in before["questions"]:
        now = next((q for q in after["questions"] if q["key"] == one["key"]), None)
        for answer, called in _renamed(one["answers"], now["answers"] if now else []):
            asked = f"{one['key']}.{answer['key']}"
            events = _event(f"decision.{asked}", f"decision.{one['key']}.{called['key']}")
            yield from _lane_renamed(draft, "answer", asked, called["key"], events)


def _renamed(
    before: Sequence[dict[str, Any]], after: Sequence[dict[str, Any]]
) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Which of the same number of things have another key in the same place, old and new."""
    if len(before) != len(after):
        return
    olds, news = {one["key"] for one in before}, {one["key"] for one in after}
    for one, other in zip(before, after, strict=True):
        if one["key"] != other["key"] and one["key"] not in news and other["key"] not in olds:
            yield one, other


def _event(old: str, new: str) -> Rename:
    """Renames an event, and the events below it when `old` ends with a dot."""

    def rename(name: str) -> str:
        if old.endswith("."):
            return new + name.removeprefix(old) if name.startswith(old) else name
        return new if name == old else name

    return rename


def _entry_renamed(draft: Draft, list: str, old: str, new: str) -> Iterator[Operation]:
    verb, field = _EFFECTS.get(list), _STATE_FIELDS.get(list)
    events = _event(f"tool.{old}.", f"tool.{new}.") if list == "tools" else None

    def change(row: dict[str, Any]) -> dict[str, Any]:
        out: dict[str, Any] = {}
        value = row.get(field) if field else None
        if value == old:
            out[field or ""] = new
        elif isinstance(value, Sequence) and not isinstance(value, str) and old in value:
            out[field or ""] = [new if item == old else item for item in value]
        for name in ("entry", "exit", "effects"):
            if verb and any(effect.get(verb) == old for effect in row.get(name) or ()):
                out[name] = [e | {verb: new} if e.get(verb) == old else e for e in row[name]]
        return out

    yield from _rows_changed(draft, events, change)
    if list == "tools":
        for policy in draft.settings["policies"]:
            if policy["tool"] == old:
                yield {
                    "op": "entry.update",
                    "list": "policies",
                    "key": policy["key"],
                    "fields": {"tool": new},
                }


def _lane_renamed(
    draft: Draft, what: Renamed, old: str, new: str, events: Rename
) -> Iterator[Operation]:
    """Of a question, or of an answer (`old` is then `question.answer`): events and expressions."""
    yield from _rows_changed(draft, events, lambda row: _row_fields(row, what, old, new))
    fields = _changed(_settings(draft.settings, what, old, new), draft.settings)
    if fields:
        yield {"op": "settings.update", "fields": fields}


def _rows_changed(
    draft: Draft, events: Rename | None, change: Callable[[dict[str, Any]], dict[str, Any]] | None
) -> Iterator[Operation]:
    """An update for each row that `change` changes, or that names an event which is renamed."""
    for kind in ("region", "state", "transition"):
        for id, row in draft.rows[kind].items():
            fields = change(row) if change is not None else {}
            if events is not None:
                fields = _with_events(row, events) | fields
            fields = _changed(fields, row)
            if fields:
                yield {"op": f"{kind}.update", "id": id, "fields": fields}


def _with_events(row: dict[str, Any], rename: Rename) -> dict[str, Any]:
    """The row's trigger with its events renamed."""
    event = row.get("on", {}).get("event")
    if isinstance(event, str):
        return {"on": row["on"] | {"event": rename(event)}}
    if isinstance(event, Sequence) and all(isinstance(name, str) for name in event):
        return {"on": row["on"] | {"event": [rename(name) for name in event]}}
    return {}
