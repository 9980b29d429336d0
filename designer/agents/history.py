"""One person's own undo and redo, read from the log of a draft's edits."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from designer.accounts.actors import Actor
from designer.agents.models import DraftEdit
from designer.agents.selectors import find_agent

DEPTH, WINDOW = 100, 1_000


@dataclass(frozen=True)
class _Entry:
    batch: UUID
    title: str


def history_of(actor: Actor, agent: UUID) -> dict[str, list[dict[str, Any]]]:
    """What the actor may take back or do again, newest first, at most 100 each:
    `{undo, redo}` of `{id, revision, title, inverse}`.

    `id` is what the next batch says as `undoes` or `redoes`, `inverse` the operations to send.
    Looks at the actor's last 1,000 edits. Raises 404.
    """
    row = find_agent(actor, agent)
    mine = DraftEdit.objects.filter(agent=row, actor_id=actor.user)
    newest = mine.order_by("-revision").values_list("batch", "title", "undoes", "redoes")
    undo, redo = _replayed(reversed(newest[:WINDOW]))
    undo, redo = undo[-DEPTH:], redo[-DEPTH:]
    kept = {
        batch: (revision, inverse)
        for batch, revision, inverse in mine.filter(
            batch__in=[entry.batch for entry in (*undo, *redo)]
        ).values_list("batch", "revision", "inverse")
    }
    return {"undo": _shown(undo, kept), "redo": _shown(redo, kept)}


def _replayed(edits: Any) -> tuple[list[_Entry], list[_Entry]]:
    """The two stacks after these edits, oldest first."""
    undo: list[_Entry] = []
    redo: list[_Entry] = []
    for batch, title, undoes, redoes in edits:
        if undoes is not None:
            done = next((entry for entry in undo if entry.batch == undoes), None)
            undo = [entry for entry in undo if entry.batch != undoes]
            if done is not None:
                redo.append(_Entry(batch, done.title))
        elif redoes is not None:
            done = next((entry for entry in redo if entry.batch == redoes), None)
            redo = [entry for entry in redo if entry.batch != redoes]
            if done is not None:
                undo.append(_Entry(batch, done.title))
        else:
            undo.append(_Entry(batch, title))
            redo.clear()
    return undo, redo


def _shown(entries: list[_Entry], kept: dict[UUID, tuple[int, Any]]) -> list[dict[str, Any]]:
    return [
        {
            "id": str(entry.batch),
            "revision": kept[entry.batch][0],
            "title": entry.title,
            "inverse": kept[entry.batch][1],
        }
        for entry in reversed(entries)
        if kept[entry.batch][1]
    ]
