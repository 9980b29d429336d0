"""The operations on a draft.

Each changes a working copy and says what was applied and how to undo it.

One operation is one function and one row of `OPERATIONS`. Fields are checked here, what an
operation needs must be there (`operation.gone`), and `check` (not this page) judges meaning.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from designer.agents.boxes import fault_of_box
from designer.agents.draft import Draft, Row
from designer.agents.fields import (
    ENTRIES,
    FIELDS,
    KINDS,
    LANE,
    LIMITS,
    PARENT,
    SETTINGS,
    Field,
    blank,
    fault_of_entry,
    filled,
)
from designer.agents.renaming import entry_rewrites, rewrites
from designer.core.errors import Fault, Refusal
from designer.core.ids import parse_id

Operation = dict[str, Any]
ENTRY_WORDS = {
    "prompts": "prompt",
    "tools": "tool",
    "outcomes": "outcome",
    "squad": "squad agent",
    "policies": "policy",
    "question_sets": "question set",
}
MAX_ENTRIES = 200
MOST_ENTRIES = {"squad": 8}
MAX_OPERATIONS, MAX_SLOTS, MAX_STATES, MAX_TRANSITIONS, MAX_DEPTH = 2_000, 32, 2_000, 5_000, 20


@dataclass
class Applied:
    """What one operation did:
    itself with what it brought along, and the operations that undo it, in order.
    """

    operations: list[Operation] = field(default_factory=list)
    inverse: list[Operation] = field(default_factory=list)

    def then(self, other: "Applied") -> None:
        """Adds what happened after; it is undone first."""
        self.operations += other.operations
        self.inverse = other.inverse + self.inverse


def gone(kind: str, id: object) -> Refusal:
    """409: what the operation is about is not there (any more)."""
    return Refusal(
        "operation.gone",
        f"The {kind} {id} is gone.",
        status=409,
        errors=[Fault("/id", f"{kind} {id} is gone", "gone")],
    )


def invalid(path: str, message: str) -> Refusal:
    """422: a field does not fit."""
    return Refusal(
        "operation.invalid", message, errors=[Fault(path, message, "operation.invalid")]
    )


def _id(operation: Operation) -> str:
    found = parse_id(operation.get("id"))
    if found is None:
        raise invalid("/id", "The id must be a UUID.")
    return str(found)


def _row(draft: Draft, kind: str, id: str) -> Row:
    row = draft.rows[kind].get(id)
    if row is None:
        raise gone(kind, id)
    return row


def _fields(given: Any, known: Mapping[str, Field]) -> dict[str, Any]:
    """The fields, each checked by its rule."""
    if not isinstance(given, dict):
        raise invalid("/fields", "An object is expected.")
    faults = []
    for name, value in given.items():
        message = known[name].rule(value) if name in known else "There is no such field."
        if message:
            faults.append(Fault(f"/fields/{name}", message, "operation.invalid"))
    if faults:
        raise Refusal("operation.invalid", faults[0].message, errors=faults)
    return given


def _only(operation: Operation, *names: str) -> None:
    other = next((name for name in operation if name not in ("op", *names)), None)
    if other is not None:
        raise invalid(f"/{other}", f"{other} is no part of {operation['op']}.")


def _index(operation: Operation, siblings: int) -> int | None:
    index = operation.get("index")
    if index is None:
        return None
    if not isinstance(index, int) or isinstance(index, bool) or not 0 <= index <= siblings:
        raise invalid("/index", f"A whole number from 0 to {siblings} is expected.")
    return index


def _parent(draft: Draft, kind: str, operation: Operation) -> str | None:
    """The parent that the operation names; it must be there."""
    name = PARENT[kind]
    if name is None:
        return None
    given = operation.get(name)
    if given is None and kind == "region":
        return None
    found = parse_id(given)
    if found is None:
        raise invalid(f"/{name}", f"{name} must be an id.")
    parent = str(found)
    allowed = {"region": ("state",), "state": ("region",), "transition": ("state", "region")}[kind]
    if not any(parent in draft.rows[of] for of in allowed):
        raise gone(allowed[0], parent)
    return parent


def _placed(draft: Draft, kind: str, row: Row) -> Operation:
    """Where a row is, as the part of an operation that puts it there."""
    place: Operation = {"id": row["id"], "index": draft.place(kind, row["id"])}
    name = PARENT[kind]
    return place | ({name: row[name]} if name else {})


def add(kind: str, draft: Draft, operation: Operation) -> Applied:
    """`<kind>.add`."""
    name = PARENT[kind]
    _only(operation, "id", "index", "fields", *([name] if name else []))
    id = _id(operation)
    if draft.kind_of(id):
        raise invalid("/id", f"The id {id} is already taken.")
    fields = _fields(operation.get("fields", {}), FIELDS[kind])
    if "key" not in fields and kind != "transition":
        raise invalid("/fields/key", "A key is needed.")
    parent = _parent(draft, kind, operation)
    index = _index(operation, len(draft.children(kind, parent)))
    row: Row = {"id": id} | blank(kind) | fields
    if name:
        row[name] = parent
    draft.insert(kind, row, index)
    done = {"op": f"{kind}.add", **_placed(draft, kind, row), "fields": fields}
    return Applied([done], [{"op": f"{kind}.remove", "id": id}])


def update(kind: str, draft: Draft, operation: Operation) -> Applied:
    """`<kind>.update`; a new key brings the rewrites of its references along (`"rewrite":

    false`: it does not).
    """
    _only(operation, "id", "fields", "rewrite")
    id = _id(operation)
    row = _row(draft, kind, id)
    fields = _fields(operation.get("fields"), FIELDS[kind])
    old = {name: row[name] for name in fields}
    row.update(fields)
    done: Operation = {"op": f"{kind}.update", "id": id, "fields": fields}
    undo: Operation = {"op": f"{kind}.update", "id": id, "fields": old}
    if "key" in fields:
        done["rewrite"] = undo["rewrite"] = False
    applied = Applied([done], [undo])
    if "key" in fields and old["key"] and operation.get("rewrite", True) is not False:
        for following in list(rewrites(draft, kind, old["key"], fields["key"])):
            applied.then(apply_one(draft, following))
    return applied


def _drop_initial(draft: Draft, region: str) -> Applied:
    return update(
        "region", draft, {"op": "region.update", "id": region, "fields": {"initial": None}}
    )


def move(kind: str, draft: Draft, operation: Operation) -> Applied:
    """`<kind>.move`: to another parent, or another place among its siblings."""
    name = PARENT[kind]
    _only(operation, "id", "index", *([name] if name else []))
    id = _id(operation)
    row = _row(draft, kind, id)
    before = _placed(draft, kind, row)
    old_parent = draft.parent_of(kind, id)
    parent = _parent(draft, kind, operation) if name and name in operation else old_parent
    if kind in ("region", "state") and parent is not None:
        inside = draft.walk(id) if kind == "region" else draft.walk_state(id)
        if parent in {inner for _, inner in inside}:
            raise invalid(f"/{name}", f"A {kind} can not be moved into itself.")
    others = len(draft.children(kind, parent)) - (parent == old_parent)
    index = _index(operation, others)
    applied = Applied()
    leaving = old_parent if kind == "state" and parent != old_parent else None
    if leaving and draft.rows["region"][leaving]["initial"] == id:
        applied.then(_drop_initial(draft, leaving))
    box = draft.layout.get(id)
    draft.take(kind, id)
    if box is not None:
        draft.layout[id] = box
    if name:
        row[name] = parent
    draft.insert(kind, row, index)
    done = {"op": f"{kind}.move", **_placed(draft, kind, row)}
    applied.then(Applied([done], [{"op": f"{kind}.move", **before}]))
    return applied


def _walk(draft: Draft, kind: str, id: str) -> list[tuple[str, str]]:
    if kind == "region":
        return list(draft.walk(id))
    return list(draft.walk_state(id)) if kind == "state" else [(kind, id)]


def remove(kind: str, draft: Draft, operation: Operation) -> Applied:
    """`<kind>.remove`: with all inside, the transitions to it, and what else pointed at it."""
    _only(operation, "id")
    id = _id(operation)
    _row(draft, kind, id)
    inside = _walk(draft, kind, id)
    ids = {inner for _, inner in inside}
    applied = Applied()
    for region in [r for r, row in draft.rows["region"].items() if r not in ids]:
        if draft.rows["region"][region]["initial"] in ids:
            applied.then(_drop_initial(draft, region))
    if draft.limits["target"] in ids:
        applied.then(limits_update(draft, {"op": "limits.update", "fields": {"target": None}}))
    coming = [t for t, row in draft.rows["transition"].items() if row["target"] in ids]
    for transition in [t for t in coming if t not in ids]:
        applied.then(remove("transition", draft, {"op": "transition.remove", "id": transition}))
    inverse = _restoring(draft, inside)
    for of, inner in reversed(inside):
        draft.take(of, inner)
    applied.then(Applied([{"op": f"{kind}.remove", "id": id}], inverse))
    return applied


def _restoring(draft: Draft, inside: list[tuple[str, str]]) -> list[Operation]:
    """The operations that put rows back:
    parents first, then what refers to states, then layout.
    """
    rows: list[Operation] = []
    initials: list[Operation] = []
    transitions: list[Operation] = []
    boxes: list[Operation] = []
    for kind, id in inside:
        row = draft.rows[kind][id]
        fields = {name: row[name] for name in FIELDS[kind]}
        if kind == "region" and fields["initial"]:
            initial = {"initial": fields.pop("initial")}
            initials.append({"op": "region.update", "id": id, "fields": initial})
        operation = {"op": f"{kind}.add", **_placed(draft, kind, row), "fields": fields}
        (transitions if kind == "transition" else rows).append(operation)
        if id in draft.layout:
            boxes.append({"op": "layout.set", "id": id, "fields": draft.layout[id]})
    # Rows are put back from the first sibling on, so each index is right when its turn comes.
    return rows + initials + transitions + boxes


def limits_update(draft: Draft, operation: Operation) -> Applied:
    """`limits.update`."""
    _only(operation, "fields")
    fields = _fields(operation.get("fields"), LIMITS)
    old = {name: draft.limits[name] for name in fields}
    draft.limits.update(fields)
    return Applied(
        [{"op": "limits.update", "fields": fields}], [{"op": "limits.update", "fields": old}]
    )


def _filled(fields: dict[str, Any]) -> dict[str, Any]:
    """Settings with all that entries and the lane leave unsaid."""
    out = dict(fields)
    for name, value in fields.items():
        if name in ENTRIES:
            out[name] = [filled(ENTRIES[name], entry) for entry in value]
        elif name == "lane":
            out[name] = filled(LANE, value)
    return out


def settings_update(draft: Draft, operation: Operation) -> Applied:
    """`settings.update`."""
    _only(operation, "fields")
    fields = _filled(_fields(operation.get("fields"), SETTINGS))
    old = {name: draft.settings[name] for name in fields}
    draft.settings.update(fields)
    return Applied(
        [{"op": "settings.update", "fields": fields}], [{"op": "settings.update", "fields": old}]
    )


def _box(value: Any) -> dict[str, float] | None:
    fault = None if value is None else fault_of_box(value)
    if fault is not None:
        raise invalid(f"/fields{fault[0]}", fault[1])
    box: dict[str, float] | None = value
    return box


def layout_set(draft: Draft, operation: Operation) -> Applied:
    """`layout.set`."""
    _only(operation, "id", "fields")
    id = _id(operation)
    if id not in draft.rows["state"] and id not in draft.rows["region"]:
        raise gone("state", id)
    old, box = draft.layout.get(id), _box(operation.get("fields"))
    if box is None:
        draft.layout.pop(id, None)
    else:
        draft.layout[id] = box
    return Applied(
        [{"op": "layout.set", "id": id, "fields": box}],
        [{"op": "layout.set", "id": id, "fields": old}],
    )


def _list_of(draft: Draft, operation: Operation) -> tuple[str, list[dict[str, Any]]]:
    """The list that an operation on an entry names, as a copy to change."""
    name = operation.get("list")
    if not isinstance(name, str) or name not in ENTRIES:
        raise invalid("/list", f"One of {', '.join(ENTRIES)} is expected.")
    return name, list(draft.settings[name])


def _entry_at(name: str, entries: list[dict[str, Any]], key: Any) -> int:
    place = next((n for n, entry in enumerate(entries) if entry["key"] == key), None)
    if place is None:
        word = f"{ENTRY_WORDS[name]} {key}"
        raise Refusal(
            "operation.gone",
            f"The {word} is gone.",
            status=409,
            errors=[Fault("/key", f"{word} is gone", "gone")],
        )
    return place


def _judge_entry(
    name: str, entries: list[dict[str, Any]], entry: dict[str, Any], at: int | None
) -> None:
    message = fault_of_entry(ENTRIES[name], entry)
    if message is None and any(
        other["key"] == entry["key"] for n, other in enumerate(entries) if n != at
    ):
        message = f"There is already a {ENTRY_WORDS[name]} {entry['key']}."
    if message is None and len(entries) + (at is None) > MOST_ENTRIES.get(name, MAX_ENTRIES):
        message = f"At most {MOST_ENTRIES.get(name, MAX_ENTRIES)} in {name} are allowed."
    if message is not None:
        raise invalid("/fields", message)


def entry_add(draft: Draft, operation: Operation) -> Applied:
    """`entry.add`: an entry of a list beside the machine; `fields` has its key."""
    _only(operation, "list", "index", "fields")
    name, entries = _list_of(draft, operation)
    fields = _fields(operation.get("fields"), ENTRIES[name])
    _judge_entry(name, entries, fields, None)
    index = _index(operation, len(entries))
    index = len(entries) if index is None else index
    entries.insert(index, filled(ENTRIES[name], fields))
    draft.settings[name] = entries
    done = {"op": "entry.add", "list": name, "index": index, "fields": fields}
    return Applied([done], [{"op": "entry.remove", "list": name, "key": fields["key"]}])


def entry_update(draft: Draft, operation: Operation) -> Applied:
    """`entry.update`; a new key (of the entry, a question or an answer) brings the rewrites of
    its references along (`"rewrite": false`: it does not).
    """
    _only(operation, "list", "key", "fields", "rewrite")
    name, entries = _list_of(draft, operation)
    at = _entry_at(name, entries, operation.get("key"))
    before = entries[at]
    fields = _fields(operation.get("fields"), ENTRIES[name])
    entry = filled(ENTRIES[name], before | fields)
    _judge_entry(name, entries, entry, at)
    entries[at] = entry
    draft.settings[name] = entries
    done: Operation = {"op": "entry.update", "list": name, "key": before["key"], "fields": fields}
    undo: Operation = {
        "op": "entry.update",
        "list": name,
        "key": entry["key"],
        "fields": {field: before[field] for field in fields},
    }
    if fields.keys() & {"key", "questions"}:
        done["rewrite"] = undo["rewrite"] = False
    applied = Applied([done], [undo])
    if operation.get("rewrite", True) is not False:
        for following in list(entry_rewrites(draft, name, before, entry)):
            applied.then(apply_one(draft, following))
    return applied


def entry_move(draft: Draft, operation: Operation) -> Applied:
    """`entry.move`: to another place in its list."""
    _only(operation, "list", "key", "index")
    name, entries = _list_of(draft, operation)
    at = _entry_at(name, entries, operation.get("key"))
    index = _index(operation, len(entries) - 1)
    entry = entries.pop(at)
    entries.insert(len(entries) if index is None else index, entry)
    draft.settings[name] = entries
    moved = {"op": "entry.move", "list": name, "key": entry["key"]}
    return Applied([moved | {"index": entries.index(entry)}], [moved | {"index": at}])


def entry_remove(draft: Draft, operation: Operation) -> Applied:
    """`entry.remove`; what names it stays, and `check` says so."""
    _only(operation, "list", "key")
    name, entries = _list_of(draft, operation)
    at = _entry_at(name, entries, operation.get("key"))
    entry = entries.pop(at)
    draft.settings[name] = entries
    return Applied(
        [{"op": "entry.remove", "list": name, "key": entry["key"]}],
        [{"op": "entry.add", "list": name, "index": at, "fields": entry}],
    )


OPERATIONS: dict[str, Callable[[Draft, Operation], Applied]] = {
    **{f"{kind}.add": partial(add, kind) for kind in KINDS},
    **{f"{kind}.update": partial(update, kind) for kind in KINDS},
    **{f"{kind}.move": partial(move, kind) for kind in KINDS},
    **{f"{kind}.remove": partial(remove, kind) for kind in KINDS},
    "limits.update": limits_update,
    "settings.update": settings_update,
    "layout.set": layout_set,
    "entry.add": entry_add,
    "entry.update": entry_update,
    "entry.move": entry_move,
    "entry.remove": entry_remove,
}


def apply_one(draft: Draft, operation: Any) -> Applied:
    """Applies one operation to the working copy.

    Raises `operation.invalid` or `operation.gone`.
    """
    name = operation.get("op") if isinstance(operation, dict) else None
    function = OPERATIONS.get(name) if isinstance(name, str) else None
    if function is None:
        raise invalid("/op", f"There is no operation {name!r}.")
    return function(draft, operation)


def apply_batch(draft: Draft, operations: Any) -> Applied:
    """Applies all of them to the working copy, or raises; the caller then throws the copy away."""
    if not isinstance(operations, list) or not operations:
        raise invalid("/operations", "A list of operations is expected.")
    if len(operations) > MAX_OPERATIONS:
        raise invalid("/operations", f"At most {MAX_OPERATIONS} operations in a batch.")
    applied = Applied()
    for index, operation in enumerate(operations):
        try:
            applied.then(apply_one(draft, operation))
        except Refusal as refusal:
            raise _at(refusal, index) from refusal
    judge(draft, applied.operations)
    return applied


def _at(refusal: Refusal, index: int) -> Refusal:
    faults = [Fault(f"/operations/{index}{f.path}", f.message, f.code) for f in refusal.errors]
    return Refusal(refusal.code, refusal.detail, status=refusal.status, errors=faults)


def judge(draft: Draft, operations: list[Operation]) -> None:
    """What must hold when a batch is through:
    references lead somewhere, touched keys are unique, sizes.
    """
    states = draft.rows["state"]
    pointing = [(row["initial"], "region") for row in draft.rows["region"].values()]
    pointing += [(row["target"], "transition") for row in draft.rows["transition"].values()]
    for id, _ in [*pointing, (draft.limits["target"], "limits")]:
        if id is not None and id not in states:
            raise gone("state", id)
    _unique_keys(draft, operations)
    sizes = [
        ("slots", len(draft.rows["slot"]), MAX_SLOTS),
        ("states", len(states), MAX_STATES),
        ("transitions", len(draft.rows["transition"]), MAX_TRANSITIONS),
        *((name, len(draft.settings[name]), most) for name, most in MOST_ENTRIES.items()),
    ]
    for name, size, maximum in sizes:
        if size > maximum:
            raise invalid("/operations", f"{size} {name}: at most {maximum} are allowed.")
    if any(o["op"] in ("region.add", "region.move", "state.move") for o in operations):
        deepest = max((draft.depth_of("region", id) for id in draft.rows["region"]), default=0)
        if deepest > MAX_DEPTH:
            raise invalid("/operations", f"States nest at most {MAX_DEPTH} deep.")


def _unique_keys(draft: Draft, operations: list[Operation]) -> None:
    touched = {
        (o["op"].partition(".")[0], o["id"])
        for o in operations
        if o["op"].endswith((".add", ".update")) and "id" in o and "key" in o["fields"]
    }
    for kind in KINDS:
        mine = [id for of, id in touched if of == kind and id in draft.rows[kind]]
        if not mine:
            continue
        uses: dict[str, int] = {}
        for row in draft.rows[kind].values():
            if row["key"]:
                uses[row["key"]] = uses.get(row["key"], 0) + 1
        for id in mine:
            key = draft.rows[kind][id]["key"]
            if key and uses[key] > 1:
                raise invalid("/operations", f"There is already a {kind} {key}.")
