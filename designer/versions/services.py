"""Publishing: check, freeze, pin, digest. What becomes of a version then: review.py."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from designer.accounts import policy
from designer.accounts.actors import Actor
from designer.accounts.selectors import who_did
from designer.accounts.services import audit
from designer.agents.documents import Built, build, build_layout, canonical_document
from designer.agents.models import Agent
from designer.agents.problems import problems_of
from designer.agents.selectors import authors_between, lock_agent, require_revision
from designer.agents.storage import read
from designer.core.canonical import digest
from designer.core.errors import Refusal
from designer.versions.anchors import anchors_of
from designer.versions.models import ACTIVE, Version


def _problem(index: int, code: str, message: str, hint: str) -> dict[str, Any]:
    return {
        "code": code,
        "severity": "error",
        "path": ["squad", index, "agent"],
        "message": message,
        "hint": hint,
        "span": None,
        "subject": None,
        "field": "squad",
    }


def pin_squad(
    workspace: UUID, agent_key: str, squad: list[dict[str, Any]]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The squad with each Agent's active version and its digest, and the problems that stand in
    the way.

    A squad Agent must be another Agent of the workspace, have an active version, and have
    neither a machine nor a squad of its own (product.md section 3). One query.
    """
    names = {member.get("agent") or member["key"] for member in squad}
    agents = (
        set(
            Agent.objects.filter(
                workspace_id=workspace, key__in=names, archived_at__isnull=True
            ).values_list("key", flat=True)
        )
        if names
        else set()
    )
    active = (
        {
            row.agent.key: row
            for row in Version.objects.filter(
                agent__workspace_id=workspace,
                agent__key__in=names,
                agent__archived_at__isnull=True,
                status=ACTIVE,
            ).select_related("agent")
        }
        if names
        else {}
    )
    pinned, problems = [], []
    for index, member in enumerate(squad):
        name = member.get("agent") or member["key"]
        row = active.get(name)
        if name == agent_key:
            problems.append(
                _problem(
                    index,
                    "squad.itself",
                    f"{name} can not be in its own squad.",
                    "Name another agent.",
                )
            )
        elif name not in agents:
            problems.append(
                _problem(
                    index,
                    "squad.unknown",
                    f"There is no agent {name}.",
                    "Create it, or take it out of the squad.",
                )
            )
        elif row is None:
            problems.append(
                _problem(
                    index,
                    "squad.not_active",
                    f"{name} has no active version.",
                    f"Publish, approve and activate {name} first.",
                )
            )
        elif "machine" in row.document:
            problems.append(
                _problem(
                    index,
                    "squad.nested_machine",
                    f"{name} has a machine of its own.",
                    "A squad agent speaks in states of this chart; take its machine away.",
                )
            )
        elif row.document.get("squad"):
            problems.append(
                _problem(
                    index,
                    "squad.nested_squad",
                    f"{name} has a squad of its own.",
                    "Squads do not nest; take its squad away.",
                )
            )
        else:
            pinned.append(
                {"key": member["key"], "agent": name, "version": row.number, "digest": row.digest}
            )
    return pinned, problems


def _checked(row: Agent, built: Built) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The pinned squad and every problem.

    Raises 422 `check.failed` when one of them is an error.
    """
    problems = problems_of(built)
    pinned, squad_problems = pin_squad(row.workspace_id, row.key, row.squad)
    problems = squad_problems + problems
    errors = [problem for problem in problems if problem["severity"] == "error"]
    if errors:
        count = "1 error" if len(errors) == 1 else f"{len(errors)} errors"
        raise Refusal(
            "check.failed",
            f"The draft has {count}; nothing was published.",
            extra={"problems": problems},
        )
    return pinned, problems


def _kept(problem: dict[str, Any]) -> dict[str, Any]:
    """A problem as a version keeps it: ids of draft rows mean nothing there."""
    rows = ("subject", "field", "fix")
    return {name: value for name, value in problem.items() if name not in rows}


def _authors(actor: Actor, row: Agent, base: Version | None) -> list[str]:
    """Who has a hand in what is published: who edited since `base`, who made it, who publishes."""
    people = authors_between(row.id, base.revision if base else 0, row.revision)
    if base is None:
        people |= who_did(actor.workspace, "agent.created", row.id)
    return sorted(people | {str(actor.user)})


@transaction.atomic
def publish(
    actor: Actor, now: datetime, *, agent: UUID, expected: int | None = None
) -> tuple[Version, bool]:
    """Check, freeze, pin, digest: (the version, whether it is new).

    An unchanged draft gives the same version back. Raises 404, 412 `draft.stale`, 422
    `check.failed` with `problems` (and then nothing is written).
    """
    policy.require("versions.publish", actor)
    row = lock_agent(actor, agent)
    require_revision(row, expected)
    draft = read(row)
    built = build(draft)
    pinned, problems = _checked(row, built)
    document = canonical_document(built.document)
    draft_digest = digest(built.document)
    if pinned:
        document["squad"] = pinned
    latest = Version.objects.filter(agent=row).order_by("-number").first()
    found = digest(document)
    layout = build_layout(draft)
    if latest is not None and latest.digest == found:
        return latest, False
    base = Version.objects.filter(agent=row, status=ACTIVE).only("number", "revision").first()
    version = Version.objects.create(
        agent=row,
        number=latest.number + 1 if latest else 1,
        digest=found,
        draft_digest=draft_digest,
        document=document,
        layout=layout,
        problems=[_kept(problem) for problem in problems],
        squad=pinned,
        published_at=now,
        published_by_id=actor.user,
        revision=row.revision,
        base=base.number if base else None,
        authors=_authors(actor, row, base),
        anchors=anchors_of(draft),
    )
    audit(
        actor,
        now,
        "version.published",
        "version",
        version.id,
        agent=row.key,
        number=version.number,
        digest=found,
    )
    return version, True
