"""Comments on a chart: each hangs on a row of the draft, so it follows when the row is renamed."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from designer.accounts import policy
from designer.accounts.actors import Actor
from designer.accounts.services import audit
from designer.agents.comment_models import KINDS, Comment
from designer.agents.draft import Draft
from designer.agents.selectors import find_agent, lock_agent
from designer.agents.storage import read
from designer.core.clock import rfc3339, rfc3339_or_none
from designer.core.errors import Fault, Refusal, not_found
from designer.versions.anchors import name_of
from designer.versions.models import Version
from designer.versions.selectors import find_version

TEXT = 4_000
MOST = 2_000
"""How many comments an Agent holds."""
PEOPLE = ("created_by", "resolved_by")
PER_DRAFT = ("agent", "prompt")
"""Kinds that are no rows of the draft."""


def _invalid(path: str, message: str) -> Refusal:
    return Refusal("comment.invalid", message, errors=[Fault(path, message, "comment.invalid")])


def _text(text: str) -> str:
    if not text.strip() or len(text) > TEXT:
        raise _invalid("/text", f"A comment has 1 to {TEXT:,} characters.")
    return text


def _prompts(draft: Draft) -> set[str]:
    return {entry["key"] for entry in draft.settings["prompts"]}


def _called(draft: Draft, kind: str, row: str) -> str | None:
    """What the row is called now; None when it is gone."""
    if kind == "agent":
        return draft.key
    if kind == "prompt":
        return row if row in _prompts(draft) else None
    return name_of(draft, kind, row) if row in draft.rows[kind] else None


def _person(user: Any) -> dict[str, str] | None:
    return {"id": str(user.pk), "name": user.display_name()} if user else None


def _json(row: Comment, draft: Draft) -> dict[str, Any]:
    now = _called(draft, row.kind, row.row)
    resolved = row.resolved_at is not None
    return {
        "id": str(row.id),
        "anchor": {
            "kind": row.kind,
            "id": row.row,
            "key": row.key if now is None else now,
            "gone": now is None,
        },
        "version": row.version,
        "text": row.text,
        "by": _person(row.created_by),
        "at": rfc3339(row.created_at),
        "edited_at": rfc3339_or_none(row.edited_at),
        "resolved": {"by": _person(row.resolved_by), "at": rfc3339_or_none(row.resolved_at)}
        if resolved
        else None,
        "parent": str(row.parent_id) if row.parent_id else None,
    }


def list_comments(
    actor: Actor,
    agent: UUID,
    *,
    limit: int,
    after: tuple[datetime, UUID] | None = None,
    version: int | None = None,
    only_open: bool | None = None,
) -> list[dict[str, Any]]:
    """The comments of an Agent, the oldest first; `version`: those made on it; `only_open`: those
    of threads that are not resolved (False: that are).

    Raises 404. Six queries whatever their number.
    """
    owner = find_agent(actor, agent)
    rows = Comment.objects.filter(agent=owner).select_related(*PEOPLE)
    if version is not None:
        rows = rows.filter(version=version)
    if only_open is not None:
        done = Q(parent__isnull=True, resolved_at__isnull=False) | Q(
            parent__isnull=False, parent__resolved_at__isnull=False
        )
        rows = rows.exclude(done) if only_open else rows.filter(done)
    if after is not None:
        moment, last = after
        rows = rows.filter(Q(created_at__gt=moment) | Q(created_at=moment, id__gt=last))
    page = list(rows.order_by("created_at", "id")[:limit])
    draft = read(owner)
    return [_json(row, draft) for row in page]


def comment_json(actor: Actor, agent: UUID, comment: UUID) -> dict[str, Any]:
    """One comment. Raises 404."""
    owner = find_agent(actor, agent)
    return _json(_find(owner.id, comment), read(owner))


def _find(agent: UUID, comment: UUID) -> Comment:
    rows = Comment.objects.select_related(*PEOPLE, "parent")
    row = rows.filter(agent_id=agent, id=comment).first()
    if row is None:
        raise not_found("comment", comment)
    return row


def _anchor(
    draft: Draft, version: Version | None, kind: str, id: str | None, key: str | None
) -> tuple[str, str]:
    """The draft row that is meant, and what it is called. Raises 422 `comment.invalid`."""
    if kind not in KINDS:
        raise _invalid("/anchor/kind", f"One of {', '.join(KINDS)} is expected.")
    if kind == "agent":
        return draft.id, draft.key
    if (id is None) == (key is None):
        raise _invalid("/anchor", "Give the id or the key of what is meant.")
    known = _known(draft, version, kind)
    if id is None:
        id = next((row for row, name in known if name == key), None)
    name = next((name for row, name in known if row == id), None)
    if id is None or name is None:
        raise _invalid("/anchor", f"There is no such {kind}.")
    return id, name


def _known(draft: Draft, version: Version | None, kind: str) -> list[tuple[str, str]]:
    """(row, name) of what can be meant: as the version has it, then as the draft has it."""
    found: list[tuple[str, str]] = []
    if kind == "prompt":
        said: Iterable[dict[str, Any]] = version.document.get("prompts", ()) if version else ()
        found += [(entry["key"], entry["key"]) for entry in said]
        return found + [(prompt, prompt) for prompt in sorted(_prompts(draft))]
    if version is not None:
        found += [(row, name) for name, row in version.anchors.get(kind, {}).items()]
    return found + [(row, name_of(draft, kind, row)) for row in draft.rows[kind]]


@transaction.atomic
def add_comment(
    actor: Actor,
    now: datetime,
    *,
    agent: UUID,
    text: str,
    anchor: dict[str, Any] | None,
    version: int | None = None,
    parent: UUID | None = None,
) -> UUID:
    """A comment on the chart, on something in it, or an answer to one (`parent`); its id.

    `anchor` is `{kind, id}` or `{kind, key}`; with a `version` a key is one of that version's. An
    answer is anchored where its thread is. Raises 404, 422 `comment.invalid`.
    """
    policy.require("comments.write", actor)
    owner = lock_agent(actor, agent)
    _text(text)
    if Comment.objects.filter(agent=owner).count() >= MOST:
        raise Refusal("comment.too_many", f"An agent holds at most {MOST:,} comments.")
    on = None if version is None else find_version(actor, agent, version)
    root = None
    if parent is not None:
        root = _find(owner.id, parent)
        root = root.parent or root
        kind, row, name = root.kind, root.row, root.key
    elif anchor is None:
        raise _invalid("/anchor", "Say what the comment is on.")
    else:
        kind = anchor["kind"]
        row, name = _anchor(read(owner), on, kind, anchor.get("id"), anchor.get("key"))
    made = Comment.objects.create(
        agent=owner,
        kind=kind,
        row=row,
        key=name,
        version=version,
        parent=root,
        text=text,
        created_by_id=actor.user,
        created_at=now,
    )
    return made.id


@transaction.atomic
def change_comment(
    actor: Actor,
    now: datetime,
    *,
    agent: UUID,
    comment: UUID,
    text: str | None = None,
    resolved: bool | None = None,
) -> None:
    """Another text (of one's own comment), or whether its thread is resolved.

    Raises 404, 403 `comment.not_yours`, 422 `comment.invalid`.
    """
    policy.require("comments.write", actor)
    owner = lock_agent(actor, agent)
    row = _find(owner.id, comment)
    if text is not None:
        if row.created_by_id != actor.user:
            raise Refusal("comment.not_yours", "Only who wrote it changes it.", status=403)
        row.text, row.edited_at = _text(text), now
    if resolved is not None:
        policy.require("comments.resolve", actor)
        if row.parent_id is not None:
            raise _invalid("/resolved", "A thread is resolved at its first comment.")
        if resolved != (row.resolved_at is not None):
            row.resolved_at = now if resolved else None
            row.resolved_by_id = actor.user if resolved else None
            verb = "comment.resolved" if resolved else "comment.reopened"
            audit(actor, now, verb, "comment", row.id, agent=owner.key)
    row.save(update_fields=["text", "edited_at", "resolved_at", "resolved_by"])


@transaction.atomic
def delete_comment(actor: Actor, now: datetime, *, agent: UUID, comment: UUID) -> None:
    """Takes one's own comment away; an admin takes any, with its answers.

    Raises 404, 403 `comment.not_yours`, 409 `comment.answered`.
    """
    policy.require("comments.write", actor)
    owner = lock_agent(actor, agent)
    row = _find(owner.id, comment)
    if not actor.has("admin"):
        if row.created_by_id != actor.user:
            raise Refusal("comment.not_yours", "Only who wrote it takes it away.", status=403)
        if row.replies.exclude(created_by_id=actor.user).exists():
            raise Refusal("comment.answered", "Others have answered; resolve it.", status=409)
    audit(actor, now, "comment.deleted", "comment", row.id, agent=owner.key, key=row.key)
    row.delete()
