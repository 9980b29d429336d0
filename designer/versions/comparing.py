"""Versions side by side."""

from typing import Any
from uuid import UUID

from designer.accounts.actors import Actor
from designer.versions.selectors import document_to_run
from interpreter import compare_agents


def _unpinned(document: dict[str, Any]) -> dict[str, Any]:
    """Without what publishing adds to a draft: the versions of the squad."""
    squad = [
        {name: value for name, value in member.items() if name not in ("version", "digest")}
        for member in document.get("squad", ())
    ]
    return document | {"squad": squad} if squad else document


def compare(actor: Actor, agent: UUID, before: int, after: int | None) -> dict[str, Any]:
    """What became of version `before` in version `after`, or in the draft for None.

    Raises 404 `agent.not_found`, `version.not_found`.
    """
    old = document_to_run(actor, agent, before)[0]
    new = document_to_run(actor, agent, after)[0]
    if after is None:
        old = _unpinned(old)
    changes = [change.to_json() for change in compare_agents(old, new)]
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
