"""Versions side by side: what changed, as a reviewer reads it, and what behaves otherwise."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from uuid import UUID

from designer.accounts.actors import Actor
from designer.agents.documents import build_layout, compiled
from designer.agents.selectors import draft_of
from designer.core.canonical import digest
from designer.versions.grouping import group_of
from designer.versions.selectors import document_to_run, find_version, row_id
from interpreter import (
    Change,
    DocumentError,
    Machine,
    StepReport,
    compare_agents,
    compare_behaviour,
    compile_agent,
    dry_run,
    same_guard,
)

SCRIPTS = 10
Ids = dict[tuple[str, str | None, int], str]
"""Rows by (kind, the key they are within, their place there)."""


class _Side:
    """One of the two documents, its layout, and the ids of the rows that draw it."""

    def __init__(self, actor: Actor, agent: UUID, number: int | None) -> None:
        if number is None:
            _, draft, built = draft_of(actor, agent)
            self.document, self.layout = built.document, build_layout(draft)
            places = built.places
            self.ids: Ids = dict(_walk(self.document, lambda path, *_: places[path][1]))
        else:
            row = find_version(actor, agent, number)
            self.document, self.layout = row.document, row.layout
            self.ids = dict(_walk(self.document, lambda _, kind, name: row_id(agent, kind, name)))

    def id_of(self, change: Change) -> str | None:
        if change.kind == "prompt":
            return change.key
        return self.ids.get((change.kind, change.within, change.place))


def _walk(document: Mapping[str, Any], id_at: Callable[..., str]) -> Iterator[Any]:
    """((kind, within, place), id) of every row; `id_at(path, kind, name)` gives the id."""

    def transitions(holder: Mapping[str, Any], id: str, path: Any) -> Iterator[Any]:
        for place, _ in enumerate(holder.get("transitions", ())):
            found = id_at((*path, "transitions", place), "transition", f"{id}/{place}")
            yield ("transition", holder["key"], place), found

    def regions(holder: Mapping[str, Any], within: str | None, path: Any) -> Iterator[Any]:
        for place, region in enumerate(holder.get("regions", ())):
            here = (*path, "regions", place)
            id = id_at(here, "region", region["key"])
            yield ("region", within, place), id
            yield from transitions(region, id, here)
            for number, state in enumerate(region.get("states", ())):
                there = (*here, "states", number)
                inner = id_at(there, "state", state["key"])
                yield ("state", region["key"], number), inner
                yield from transitions(state, inner, there)
                yield from regions(state, state["key"], there)

    yield from regions(document.get("machine", {}), None, ("machine",))
    for place, slot in enumerate(document.get("slots", ())):
        yield ("slot", None, place), id_at(("slots", place), "slot", slot["key"])


def _unpinned(document: dict[str, Any]) -> dict[str, Any]:
    """Without what publishing adds to a draft: the versions of the squad."""
    squad = [
        {name: value for name, value in member.items() if name not in ("version", "digest")}
        for member in document.get("squad", ())
    ]
    return document | {"squad": squad} if squad else document


def compare(actor: Actor, agent: UUID, before: int, after: int | None) -> dict[str, Any]:
    """What became of version `before` in version `after`, or in the draft for None: the changes
    of meaning by kind, then what was only moved on the canvas.

    Raises 404 `agent.not_found`, `version.not_found`.
    """
    old, new = _Side(actor, agent, before), _Side(actor, agent, after)
    said = _unpinned(old.document) if after is None else old.document
    logic = _Logic(new.document)
    changes = [
        _told(change, old if change.change == "removed" else new, logic)
        for change in compare_agents(said, new.document)
    ]
    changes += _moved(old, new)
    counts = {
        what: sum(change["change"] == what for change in changes)
        for what in ("added", "removed", "changed", "moved")
    }
    return {
        "before": before,
        "after": "draft" if after is None else after,
        "counts": counts,
        "changes": changes,
    }


class _Logic:
    """Compares guards in the slots and states of a document; compiles it when first asked."""

    def __init__(self, document: dict[str, Any]) -> None:
        self._document = document
        self._machine: Machine | None = None
        self._broken = False

    def same(self, one: str | None, other: str | None) -> bool:
        """Whether the guards are one question; a chart that can not run answers no."""
        if self._machine is None and not self._broken:
            try:
                self._machine = compile_agent(self._document)
            except DocumentError:
                self._broken = True
        return self._machine is not None and same_guard(self._machine, one, other)


def _told(change: Change, side: _Side, logic: _Logic) -> dict[str, Any]:
    said = change.to_json()
    for field in said["fields"]:
        if change.kind == "transition" and field["name"] == "guard":
            field["same_logic"] = logic.same(field["before"], field["after"])
    return said | {"group": group_of(said), "id": side.id_of(change)}


def _moved(old: _Side, new: _Side) -> Iterator[dict[str, Any]]:
    """States and regions that stand elsewhere on the canvas, or have another size."""
    for kind, key, label, within, place in _named(new.document):
        before = old.layout.get(f"{kind}s", {}).get(key)
        after = new.layout.get(f"{kind}s", {}).get(key)
        if before is None or after is None or before == after:
            continue
        yield {
            "change": "moved",
            "kind": kind,
            "key": key,
            "label": label,
            "within": within,
            "target": None,
            "fields": [{"name": "layout", "before": before, "after": after}],
            "group": "cosmetic",
            "id": new.ids.get((kind, within, place)),
        }


def _named(document: Mapping[str, Any]) -> Iterator[tuple[str, str, str | None, str | None, int]]:
    """(kind, key, label, within, place) of every region and state."""

    def regions(holder: Mapping[str, Any], within: str | None) -> Iterator[Any]:
        for place, region in enumerate(holder.get("regions", ())):
            yield "region", region["key"], region.get("label"), within, place
            for number, state in enumerate(region.get("states", ())):
                yield "state", state["key"], state.get("label"), region["key"], number
                yield from regions(state, state["key"])

    yield from regions(document.get("machine", {}), None)


# --- behaviour --------------------


class _Kept:
    """Comparisons by the digests of what was compared; documents of versions never change."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._lock = threading.Lock()
        self._found: dict[tuple[str, str], dict[str, Any]] = {}

    def get(self, key: tuple[str, str], make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        with self._lock:
            found = self._found.get(key)
        if found is None:
            found = make()
            with self._lock:
                self._found[key] = found
                while len(self._found) > self._size:
                    self._found.pop(next(iter(self._found)))
        return found


_kept = _Kept(64)


def _wordless(document: dict[str, Any]) -> dict[str, Any]:
    """Without the texts of prompts: other words are no other behaviour."""
    prompts = [{"key": prompt["key"], "text": ""} for prompt in document.get("prompts", ())]
    return document | {"prompts": prompts} if prompts else document


def behaviour(actor: Actor, agent: UUID, before: int, after: int | None) -> dict[str, Any]:
    """Scripts by which a version and a later one (the draft for None) can be told apart, the
    shortest first, each with what every line did in both.

    Raises 404 `agent.`, `version.not_found`, 422 `check.failed` for a draft with errors.
    """
    documents = [_wordless(document_to_run(actor, agent, number)[0]) for number in (before, after)]
    key = (digest(documents[0]), digest(documents[1]))
    return _kept.get(key, lambda: _behaviour(*[compiled(one) for one in documents]))


def _behaviour(old: Machine, new: Machine) -> dict[str, Any]:
    found = compare_behaviour(old, new, most=SCRIPTS)
    scripts = []
    for difference in found.differences:
        lines = [dict(line) for line in difference.script]
        scripts.append(
            {
                "lines": lines,
                "parts_at": len(lines) - 1,
                "about": list(difference.about),
                "before": _seen(old, lines),
                "after": _seen(new, lines),
            }
        )
    return {"scripts": scripts, "explored": found.explored, "complete": found.complete}


def _seen(machine: Machine, lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What each line did; of a script without lines, what the start did."""
    report = dry_run(machine, lines)
    before, steps = report.start.slots, []
    for step in report.steps or (report.start,):
        start = {} if step is report.start else before
        steps.append(_summary(step, start))
        before = step.slots
    return steps


def _summary(step: StepReport, before: Mapping[str, Any]) -> dict[str, Any]:
    refusal = step.refusal
    return {
        "line": step.input,
        "active": list(step.active),
        "refusal": {"reason": refusal.reason, "message": refusal.message} if refusal else None,
        "taken": [r.data["transition"] for r in step.records if r.type == "transition.taken"],
        "slots": {key: value for key, value in step.slots.items() if value != before.get(key)},
    }
