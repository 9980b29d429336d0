"""What `check` would do about a problem, as operations on the draft.

`check` speaks of the document (`{do, path, value}`); the draft is rows that are known by id.
"""

import copy
from collections.abc import Mapping
from typing import Any
from uuid import UUID, uuid5

from designer.agents.documents import Built, Path, pointer
from designer.agents.fields import ENTRIES, FIELDS, LIMITS, absent

Operation = dict[str, Any]
_IDS = UUID("5f0c1f7e-6f0e-4a52-9c1f-0b7a5f3f2d11")
_REFERENCES = frozenset({"initial", "target"})


def fix_of(built: Built, fix: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """`{label, operations}` for the fix of a problem; None when there is none for this draft.

    Ids of what is added are made of the place, so that one draft always says the same.
    """
    if fix is None:
        return None
    operations = [_operation(built, edit) for edit in fix["edits"]]
    if not operations or any(operation is None for operation in operations):
        return None
    return {"label": fix["label"], "operations": operations}


def _operation(built: Built, edit: Mapping[str, Any]) -> Operation | None:
    path: Path = tuple(edit["path"])
    place = built.place(path)
    if place is not None:
        return _on_row(built, edit, *place)
    if path[0] in ENTRIES:
        return _on_entry(built, edit, path)
    if edit["do"] == "add" and path == ("slots",):
        fresh = _fresh(built, path, edit)
        return {"op": "slot.add", "id": fresh, "fields": edit["value"]}
    if edit["do"] == "set" and path[:2] == ("machine", "limits") and path[2:][0] in LIMITS:
        return {"op": "limits.update", "fields": {str(path[2]): _state(built, edit["value"])}}
    if edit["do"] == "set" and path == ("instructions",):
        return {"op": "settings.update", "fields": {"instructions": edit["value"]}}
    return None


def _fresh(built: Built, path: Path, edit: Mapping[str, Any]) -> str:
    return str(uuid5(_IDS, f"{built.draft.id}{pointer(path)}{edit['value']!r}"))


def _state(built: Built, key: str | None) -> str | None:
    """The id of the state called `key`."""
    rows = built.draft.rows["state"]
    return next((id for id, row in rows.items() if row["key"] == key), None)


def _on_row(
    built: Built, edit: Mapping[str, Any], kind: str, id: str, rest: Path
) -> Operation | None:
    do, value = edit["do"], edit["value"]
    if do == "remove" and not rest:
        return {"op": f"{kind}.remove", "id": id}
    if do == "move" and not rest and kind == "transition":
        source = built.draft.rows[kind][id]["source"]
        return {"op": "transition.move", "id": id, "source": source, "index": value}
    if do == "add" and rest == ("transitions",):
        fields = {n: _state(built, v) if n == "target" else v for n, v in value.items()}
        fresh = _fresh(built, tuple(edit["path"]), edit)
        return {"op": "transition.add", "id": fresh, "source": id, "fields": fields}
    if do != "set" or not rest or rest[0] not in FIELDS[kind]:
        return None
    name = str(rest[0])
    if len(rest) > 1:
        value = _inside(built.draft.rows[kind][id][name], rest[1:], value)
    elif value is None:
        value = absent(FIELDS[kind][name])
    elif name in _REFERENCES:
        value = _state(built, value)
    return {"op": f"{kind}.update", "id": id, "fields": {name: value}}


def _on_entry(built: Built, edit: Mapping[str, Any], path: Path) -> Operation | None:
    name = str(path[0])
    if edit["do"] == "add" and len(path) == 1:
        return {"op": "entry.add", "list": name, "fields": edit["value"]}
    if edit["do"] != "set" or len(path) < 3:
        return None
    entry, field = built.draft.settings[name][path[1]], str(path[2])
    value = edit["value"]
    if len(path) > 3:
        value = _inside(entry[field], path[3:], value)
    elif value is None:
        value = absent(ENTRIES[name][field])
    return {"op": "entry.update", "list": name, "key": entry["key"], "fields": {field: value}}


def _inside(value: Any, path: Path, new: Any) -> Any:
    """A copy of `value` with `new` at `path` (None: what is there goes)."""
    out = copy.deepcopy(value)
    at = out
    for part in path[:-1]:
        at = at[part]
    if new is None and isinstance(at, dict):
        at.pop(path[-1], None)
    else:
        at[path[-1]] = new
    return out
