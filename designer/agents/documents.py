"""Rows to document and document to rows, without loss, and where in the document each row
stands.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from designer.agents.boxes import fault_of_box
from designer.agents.draft import Draft, Row
from designer.agents.fields import (
    ENTRIES,
    FIELDS,
    LANE,
    LIMITS,
    SETTINGS,
    absent,
    blank,
    filled,
    said,
)
from designer.core.errors import Fault, Refusal
from interpreter import DocumentError, Machine, compile_agent, dump_document, parse_agent

AGENT_FORMAT = "callchart.agent/1"
MACHINE_FORMAT = "callchart.machine/1"
Path = tuple[str | int, ...]


@dataclass(frozen=True)
class Built:
    """An agent document, the draft it is of, and which row each of its places is:
    path -> (kind, id).
    """

    document: dict[str, Any]
    places: dict[Path, tuple[str, str]]
    draft: Draft

    def subject(self, path: Path) -> tuple[dict[str, str] | None, str | None]:
        """The row that `path` leads into, and the name of the field there."""
        for end in range(len(path), 0, -1):
            place = self.places.get(path[:end])
            if place is not None:
                rest = path[end:]
                return {"kind": place[0], "id": place[1]}, str(rest[0]) if rest else None
        return None, next((str(part) for part in path if part != "machine"), None)

    def place(self, path: Path) -> tuple[str, str, Path] | None:
        """The innermost row that `path` leads into: (kind, id, the rest of the path)."""
        for end in range(len(path), 0, -1):
            found = self.places.get(path[:end])
            if found is not None:
                return *found, path[end:]
        return None


def _as_said(name: str, value: Any) -> Any:
    """A setting as a document has it."""
    if name in ENTRIES:
        return [said(ENTRIES[name], entry) for entry in value]
    return said(LANE, value) if name == "lane" else value


def settings_from(given: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a document, as the page has them: every field, whether said or not."""
    out: dict[str, Any] = {}
    for name, field in SETTINGS.items():
        value = given.get(name, absent(field))
        if name in ENTRIES:
            value = [
                filled(ENTRIES[name], {n: v for n, v in entry.items() if n in ENTRIES[name]})
                for entry in value
            ]
        out[name] = filled(LANE, value) if name == "lane" else value
    return out


class _Builder:
    """Walks a draft once."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.places: dict[Path, tuple[str, str]] = {}

    def said(self, kind: str, id: str) -> dict[str, Any]:
        row = self.draft.rows[kind][id]
        out: dict[str, Any] = {}
        for name, field in FIELDS[kind].items():
            value = row[name]
            if name == "on" or value != absent(field) or name == "type":
                out[name] = value
        for name in ("initial", "target"):
            if name in out:
                out[name] = self.draft.rows["state"][out[name]]["key"]
        return out

    def region(self, id: str, path: Path) -> dict[str, Any]:
        self.places[path] = ("region", id)
        out = self.said("region", id)
        states = self.draft.children("state", id)
        out["states"] = [self.state(s, (*path, "states", i)) for i, s in enumerate(states)]
        self.transitions(out, id, path)
        return out

    def state(self, id: str, path: Path) -> dict[str, Any]:
        self.places[path] = ("state", id)
        out = self.said("state", id)
        self.transitions(out, id, path)
        regions = self.draft.children("region", id)
        if regions:
            out["regions"] = [self.region(r, (*path, "regions", i)) for i, r in enumerate(regions)]
        return out

    def transitions(self, out: dict[str, Any], source: str, path: Path) -> None:
        ids = self.draft.children("transition", source)
        for index, id in enumerate(ids):
            self.places[(*path, "transitions", index)] = ("transition", id)
        if ids:
            out["transitions"] = [self.said("transition", id) for id in ids]

    def build(self) -> Built:
        draft = self.draft
        document: dict[str, Any] = {"format": AGENT_FORMAT, "key": draft.key}
        for name, field in SETTINGS.items():
            value = _as_said(name, draft.settings[name])
            if value != absent(field):
                document[name] = value
        slots = draft.children("slot", None)
        for index, id in enumerate(slots):
            self.places[("slots", index)] = ("slot", id)
        if slots:
            document["slots"] = [self.said("slot", id) for id in slots]
        limits = {name: value for name, value in draft.limits.items() if value is not None}
        if "target" in limits:
            limits["target"] = draft.rows["state"][limits["target"]]["key"]
        regions = draft.children("region", None)
        if regions or limits:
            document["machine"] = {
                "format": MACHINE_FORMAT,
                "regions": [
                    self.region(r, ("machine", "regions", i)) for i, r in enumerate(regions)
                ],
            }
            if limits:
                document["machine"]["limits"] = limits
        return Built(document, self.places, self.draft)


def build(draft: Draft) -> Built:
    """The agent document of a draft. It may be unfinished: `check` says what is missing."""
    return _Builder(draft).build()


def build_layout(draft: Draft) -> dict[str, Any]:
    """The layout by key, as a Version keeps it beside its document:
    `{"regions": {}, "states": {}}`.
    """
    return {
        f"{kind}s": {
            draft.rows[kind][id]["key"]: box
            for id, box in draft.layout.items()
            if id in draft.rows[kind]
        }
        for kind in ("region", "state")
    }


def pointer(path: Path) -> str:
    """A JSON pointer."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in path)


class _Loader:
    """Walks a canonical document once; keeps the ids of rows whose keys stay."""

    def __init__(self, previous: Draft, new_id: Callable[[str, str], str]) -> None:
        self.previous = previous
        self.new_id = new_id
        self.known = {
            (kind, row["key"]): id
            for kind in ("region", "state", "slot")
            for id, row in previous.rows[kind].items()
        }
        self.used: set[str] = set()
        self.states: dict[str, str] = {}
        self.references: list[tuple[Row, str, str, Path]] = []
        self.faults: list[Fault] = []

    def id_for(self, kind: str, name: str, old: str | None) -> str:
        if old is None or old in self.used:
            old = self.new_id(kind, name)
        self.used.add(old)
        return old

    def row(self, kind: str, given: Mapping[str, Any], id: str, path: Path) -> Row:
        row: Row = {"id": id} | blank(kind)
        for name in FIELDS[kind]:
            if name not in given:
                continue
            if name in ("initial", "target"):
                self.references.append((row, name, given[name], (*path, name)))
            else:
                row[name] = given[name]
        return row

    def region(self, draft: Draft, given: Any, parent: str | None, path: Path) -> None:
        key = given["key"]
        id = self.id_for("region", key, self.known.get(("region", key)))
        row = self.row("region", given, id, path)
        row["parent"] = parent
        draft.insert("region", row, None)
        for index, state in enumerate(given.get("states", [])):
            self.state(draft, state, id, (*path, "states", index))
        self.transitions(draft, given, id, path)

    def state(self, draft: Draft, given: Any, region: str, path: Path) -> None:
        key = given["key"]
        id = self.id_for("state", key, self.known.get(("state", key)))
        self.states.setdefault(key, id)
        row = self.row("state", given, id, path)
        row["region"] = region
        draft.insert("state", row, None)
        self.transitions(draft, given, id, path)
        for index, inner in enumerate(given.get("regions", [])):
            self.region(draft, inner, id, (*path, "regions", index))

    def transitions(self, draft: Draft, given: Any, source: str, path: Path) -> None:
        old = self.previous.children("transition", source)
        by_key = {
            self.previous.rows["transition"][id]["key"]: id
            for id in old
            if self.previous.rows["transition"][id]["key"]
        }
        for index, item in enumerate(given.get("transitions", [])):
            known = by_key.get(item.get("key"))
            if known is None and index < len(old):
                row = self.previous.rows["transition"][old[index]]
                known = old[index] if row["key"] == item.get("key") else None
            id = self.id_for("transition", f"{source}/{index}", known)
            made = self.row("transition", item, id, (*path, "transitions", index))
            made["source"] = source
            draft.insert("transition", made, None)

    def resolve(self, draft: Draft, limits: Mapping[str, Any]) -> None:
        for row, name, key, path in self.references:
            row[name] = self.states.get(key)
            if row[name] is None:
                self.faults.append(Fault(pointer(path), f"There is no state {key}.", "unresolved"))
        draft.limits = {name: limits.get(name) for name in LIMITS}
        target = limits.get("target")
        if target is not None:
            draft.limits["target"] = self.states.get(target)
            if draft.limits["target"] is None:
                self.faults.append(
                    Fault("/machine/limits/target", f"There is no state {target}.", "unresolved")
                )


def canonical_document(document: Any) -> dict[str, Any]:
    """The document with what is absent or default left out.

    Raises 422 `document.invalid` with every fault.
    """
    try:
        return dump_document(parse_agent(document))
    except DocumentError as error:
        faults = [Fault(pointer(p.path), p.message, p.code) for p in error.problems]
        raise Refusal(
            "document.invalid", "The chart can not be read.", errors=faults[:200]
        ) from error


def load(
    document: Any,
    *,
    previous: Draft,
    new_id: Callable[[str, str], str],
    layout: Any = None,
) -> Draft:
    """The rows of an agent document, in place of those of `previous`.

    Rows keep their ids where the key stays; `new_id(kind, name)` gives the others. The Agent's
    key stays. Layout comes from `layout` (by key) or stays with the rows. Raises 422
    `document.invalid`, `layout.invalid`.
    """
    given = canonical_document(document)
    draft = Draft(previous.id, previous.key, settings_from(given))
    loader = _Loader(previous, new_id)
    machine = given.get("machine", {})
    for index, region in enumerate(machine.get("regions", [])):
        loader.region(draft, region, None, ("machine", "regions", index))
    for index, slot in enumerate(given.get("slots", [])):
        id = loader.id_for("slot", slot["key"], loader.known.get(("slot", slot["key"])))
        draft.insert("slot", loader.row("slot", slot, id, ("slots", index)), None)
    loader.resolve(draft, machine.get("limits", {}))
    if loader.faults:
        raise Refusal("document.invalid", "The chart can not be read.", errors=loader.faults[:200])
    draft.layout = {
        id: box
        for id, box in previous.layout.items()
        if id in draft.rows["state"] or id in draft.rows["region"]
    }
    _lay_out(draft, {} if layout is None else layout)
    return draft


def _lay_out(draft: Draft, layout: Any) -> None:
    """`{"regions": {key: box}, "states": {key: box}}`, or flat by key (states before regions).

    Raises 422 `layout.invalid` with every fault; keys that the chart has not are passed over.
    """
    faults = [] if isinstance(layout, Mapping) else [_misplaced("", "An object is expected.")]
    nested = not faults and set(layout) <= {"regions", "states"} and bool(layout)
    for kind in ("region", "state") if not faults else ():
        boxes = layout.get(f"{kind}s", {}) if nested else layout
        at = f"/{kind}s" if nested else ""
        if not isinstance(boxes, Mapping):
            faults.append(_misplaced(at, "An object is expected."))
            continue
        for id, row in draft.rows[kind].items():
            if row["key"] not in boxes:
                continue
            box = boxes[row["key"]]
            fault = fault_of_box(box)
            if fault is None:
                draft.layout[id] = {name: float(box[name]) for name in ("x", "y", "w", "h")}
            else:
                faults.append(_misplaced(f"{at}/{row['key']}{fault[0]}", fault[1]))
    if faults:
        raise Refusal("layout.invalid", faults[0].message, errors=faults[:200])


def _misplaced(path: str, message: str) -> Fault:
    return Fault(f"/layout{path}", message, "layout.invalid")


def compiled(document: dict[str, Any]) -> Machine:
    """The machine of an agent document. Raises Refusal `check.failed` with its problems."""
    try:
        return compile_agent(document)
    except DocumentError as fault:
        raise Refusal(
            "check.failed",
            "The chart has errors, so it cannot be run.",
            extra={"problems": [problem.to_json() for problem in fault.problems]},
        ) from None
