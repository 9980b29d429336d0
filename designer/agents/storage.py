"""A draft from its rows, and its rows from a draft:
a fixed number of queries whatever the size.
"""

from collections.abc import Callable, Mapping
from typing import Any
from uuid import UUID

from designer.agents.documents import settings_from
from designer.agents.draft import Draft, Row
from designer.agents.fields import FIELDS, KINDS, LIMITS, PARENT, SETTINGS
from designer.agents.models import Agent, DraftRow, Region, Slot, State, Transition

MODELS: dict[str, type[DraftRow]] = {
    "region": Region,
    "state": State,
    "transition": Transition,
    "slot": Slot,
}
REFERENCES = frozenset({"initial", "target"})
BOXED = frozenset({"region", "state"})


def _text(value: UUID | None) -> str | None:
    return None if value is None else str(value)


def _parent_from(kind: str, stored: Mapping[str, Any]) -> str | None:
    if kind == "transition":
        return _text(stored["source_state_id"] or stored["source_region_id"])
    return _text(stored["parent_id" if kind == "region" else "region_id"])


def _row(kind: str, stored: Mapping[str, Any]) -> Row:
    row: Row = {"id": str(stored["id"])}
    for name, field in FIELDS[kind].items():
        value = stored[field.column or name]
        row[name] = _text(value) if name in REFERENCES else value
    parent = PARENT[kind]
    if parent is not None:
        row[parent] = _parent_from(kind, stored)
    return row


def read(agent: Agent) -> Draft:
    """The draft of `agent`, in four queries."""
    draft = Draft(
        str(agent.id),
        agent.key,
        settings_from({name: getattr(agent, name) for name in SETTINGS}),
        {name: agent.limits.get(name) for name in LIMITS},
    )
    for kind in KINDS:
        model: Any = MODELS[kind]
        for row in model.objects.filter(agent=agent).order_by("position", "id").values():
            draft.insert(kind, _row(kind, row), None)
            if kind in BOXED and row["layout"] is not None:
                draft.layout[str(row["id"])] = row["layout"]
    return draft


def _columns(draft: Draft, kind: str, row: Row, position: int) -> dict[str, Any]:
    """The row as the model's columns."""
    columns: dict[str, Any] = {
        (field.column or name): UUID(row[name]) if name in REFERENCES and row[name] else row[name]
        for name, field in FIELDS[kind].items()
    }
    columns["position"] = position
    if kind in BOXED:
        columns["layout"] = draft.layout.get(row["id"])
    if kind == "region":
        columns["parent_id"] = UUID(row["parent"]) if row["parent"] else None
    elif kind == "state":
        columns["region_id"] = UUID(row["region"])
    elif kind == "transition":
        of_state = row["source"] in draft.rows["state"]
        columns["source_state_id"] = UUID(row["source"]) if of_state else None
        columns["source_region_id"] = None if of_state else UUID(row["source"])
    return columns


def _places(draft: Draft, kind: str) -> dict[str, int]:
    """Where each row stands among its siblings."""
    return {
        id: position
        for (of, _), ids in draft.order.items()
        if of == kind
        for position, id in enumerate(ids)
    }


def write(agent: Agent, before: Draft, after: Draft) -> None:
    """Makes the rows what `after` says, where they were what `before` says.

    In the caller's transaction.
    """
    removals: list[Callable[[], Any]] = []
    for kind in KINDS:
        model: Any = MODELS[kind]
        old, new = _places(before, kind), _places(after, kind)
        made, kept = [], []
        changed: set[str] = set()
        for id, position in new.items():
            row, former = after.rows[kind][id], before.rows[kind].get(id)
            if former is None:
                columns = _columns(after, kind, row, position)
                made.append(model(id=UUID(id), agent=agent, **columns))
            elif (row, position, after.layout.get(id)) != (former, old[id], before.layout.get(id)):
                columns = _columns(after, kind, row, position)
                were = _columns(before, kind, former, old[id])
                changed |= {name for name, value in columns.items() if value != were[name]}
                kept.append(model(id=UUID(id), agent=agent, **columns))
        if made:
            model.objects.bulk_create(made, batch_size=500)
        if changed:
            names = sorted(name.removesuffix("_id") for name in changed)
            model.objects.bulk_update(kept, names, batch_size=200)
        gone = [UUID(id) for id in old if id not in new]
        if gone:
            removals.append(model.objects.filter(id__in=gone).delete)
    for removal in reversed(removals):
        removal()
    for name in SETTINGS:
        setattr(agent, name, after.settings[name])
    agent.limits = {name: value for name, value in after.limits.items() if value is not None}
