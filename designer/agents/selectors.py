"""Reads of Agents and drafts.

Every read is bound to a workspace, and costs the same number of queries at any size.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Q

from designer.accounts.actors import Actor
from designer.agents.documents import Built, build, build_layout
from designer.agents.draft import Draft
from designer.agents.models import Agent, DraftEdit
from designer.agents.problems import problems_at, problems_of
from designer.agents.storage import read
from designer.core.clock import rfc3339
from designer.core.errors import Refusal, not_found

READ_AGAIN = 10


@dataclass(frozen=True)
class AgentRef:
    """An Agent as other rooms name it."""

    id: UUID
    key: str
    name: str
    workspace: UUID
    revision: int


def find_agent(actor: Actor, agent: UUID) -> Agent:
    """The row. Raises 404 `agent.not_found` for one of another workspace, too."""
    row = (
        Agent.objects.select_related("updated_by")
        .filter(workspace_id=actor.workspace, id=agent, archived_at__isnull=True)
        .first()
    )
    if row is None:
        raise not_found("agent", agent)
    return row


def lock_agent(actor: Actor, agent: UUID) -> Agent:
    """The row, locked for the rest of the transaction: what writes to an Agent takes this first.

    Raises 404 `agent.not_found`.
    """
    row = (
        Agent.objects.select_for_update(of=("self",))
        .filter(workspace_id=actor.workspace, id=agent, archived_at__isnull=True)
        .first()
    )
    if row is None:
        raise not_found("agent", agent)
    return row


def agent_ref(actor: Actor, agent: UUID) -> AgentRef:
    """Which Agent that is, for who may see it."""
    row = find_agent(actor, agent)
    return AgentRef(row.id, row.key, row.name, row.workspace_id, row.revision)


def summary(row: Agent) -> dict[str, Any]:
    """What lists show of an Agent (contracts.md section 6), but for its versions and Calls."""
    return {
        "id": str(row.id),
        "key": row.key,
        "name": row.name,
        "revision": row.revision,
        "problems": {
            name: row.problem_counts.get(name, 0) for name in ("error", "warning", "info")
        },
        "states": row.state_count,
        "thumbnail": row.thumbnail,
        "draft_digest": row.draft_digest,
        "updated_at": rfc3339(row.updated_at),
        "updated_by": {"id": str(row.updated_by.pk), "name": row.updated_by.display_name()}
        if row.updated_by
        else None,
    }


def agent_summary(actor: Actor, agent: UUID) -> dict[str, Any]:
    """One Agent as lists show it."""
    return summary(find_agent(actor, agent))


def list_agents(
    actor: Actor, *, limit: int, after: tuple[datetime, UUID] | None
) -> list[dict[str, Any]]:
    """The workspace's Agents, last edited first, at most `limit`, after the cursor."""
    rows = Agent.objects.select_related("updated_by").filter(
        workspace_id=actor.workspace, archived_at__isnull=True
    )
    if after is not None:
        moment, last = after
        rows = rows.filter(Q(updated_at__lt=moment) | Q(updated_at=moment, id__gt=last))
    return [summary(row) for row in rows.order_by("-updated_at", "id")[:limit]]


def draft_of(actor: Actor, agent: UUID) -> tuple[Agent, Draft, Built]:
    """The Agent, its draft and the document of it, all of one revision.

    The rows are read by several queries; when an edit came between, they are read again. Raises
    404, 503 `busy`.
    """
    for _ in range(READ_AGAIN):
        row = find_agent(actor, agent)
        draft = read(row)
        if draft_revisions([agent]).get(agent) == row.revision:
            return row, draft, build(draft)
    raise Refusal(
        "busy",
        "The draft changes all the time; try again.",
        status=503,
        headers={"Retry-After": "1"},
    )


def draft_view(actor: Actor, agent: UUID) -> dict[str, Any]:
    """The draft as the page reads it (contracts.md section 5), with its problems."""
    row, draft, built = draft_of(actor, agent)
    return draft.to_json() | {
        "revision": row.revision,
        "problems": problems_at(
            row.id, row.revision, row.draft_digest, lambda: problems_of(built)
        ),
        "draft_digest": row.draft_digest,
    }


def draft_document(actor: Actor, agent: UUID) -> tuple[dict[str, Any], dict[str, Any], int]:
    """The draft as an agent document, its layout by key, its revision."""
    row, draft, built = draft_of(actor, agent)
    return built.document, build_layout(draft), row.revision


def require_revision(row: Agent, expected: int | None) -> None:
    """Raises 412 `draft.stale` when the draft is not at `expected` (None: whatever)."""
    if expected is not None and expected != row.revision:
        raise Refusal(
            "draft.stale",
            f"The draft of {row.key} is at revision {row.revision}, not {expected}.",
            status=412,
            extra={"revision": row.revision},
            headers={"ETag": f'"{row.revision}"'},
        )


def workspace_of_agent(agent: UUID) -> UUID | None:
    """The workspace an Agent belongs to, or None when there is no such Agent."""
    rows = Agent.objects.filter(id=agent, archived_at__isnull=True)
    return rows.values_list("workspace_id", flat=True).first()


def draft_revisions(agents: list[UUID]) -> dict[UUID, int]:
    """The revision of each draft, which is the head of its stream; one query."""
    return dict(Agent.objects.filter(id__in=agents).values_list("id", "revision"))


def authors_between(agent: UUID, after: int, upto: int) -> set[str]:
    """The ids of who edited the draft in revisions above `after`, up to `upto`."""
    rows = DraftEdit.objects.filter(agent_id=agent, revision__gt=after, revision__lte=upto)
    found = rows.filter(actor__isnull=False).values_list("actor_id", flat=True).distinct()
    return {str(actor) for actor in found}


def edits_after(agent: UUID, after: int, limit: int = 500) -> list[dict[str, Any]]:
    """The edits with a revision above `after`, in order: the stream of a draft.

    Access is the caller's care.

    The problems come with the draft's newest edit only.
    """
    rows = (
        DraftEdit.objects.filter(agent_id=agent, revision__gt=after)
        .select_related("actor")
        .order_by("revision")[:limit]
    )
    newest = draft_revisions([agent]).get(agent)
    return [_edit_json(row, with_problems=row.revision == newest) for row in rows]


def _edit_json(row: DraftEdit, *, with_problems: bool) -> dict[str, Any]:
    by = {"id": str(row.actor.pk), "name": row.actor.display_name()} if row.actor else None
    data = {
        "id": str(row.batch),
        "by": by,
        "title": row.title,
        "operations": row.operations,
    }
    if with_problems:
        data["problems"] = row.problems
    return {"seq": row.revision, "type": "edit", "data": data}
