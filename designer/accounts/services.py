"""Verbs on people, tokens and the audit."""

import secrets
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import OperationalError, transaction

from designer.accounts import policy
from designer.accounts.actors import Actor
from designer.accounts.models import ROLES, ApiToken, AuditEntry, Membership, User, Workspace
from designer.accounts.selectors import token_sha256
from designer.core.errors import Refusal

TOKEN_PREFIX = "cc_"  # noqa: S105
SHOWN_OF_TOKEN = 8
USE_IS_KEPT_EVERY = timedelta(minutes=10)


def audit(
    actor: Actor,
    now: datetime,
    verb: str,
    kind: str,
    object: object,
    **data: Any,
) -> None:
    """Appends to the audit, in the transaction of the act."""
    AuditEntry.objects.create(
        at=now,
        workspace_id=actor.workspace,
        actor=str(actor.user),
        actor_name=actor.email,
        address=actor.address,
        verb=verb,
        kind=kind,
        object=str(object),
        data=data | ({"token": str(actor.token)} if actor.token else {}),
    )


def audit_sign_in(*, user: str, email: str, address: str, now: datetime, verb: str) -> None:
    """Appends `sign_in`, `sign_out` or `sign_in.failed`, which belong to no workspace."""
    AuditEntry.objects.create(
        at=now,
        actor=user,
        actor_name=email,
        address=address,
        verb=verb,
        kind="user",
        object=str(user),
    )


def checked_roles(roles: Iterable[str]) -> list[str]:
    """The roles, sorted. Raises 422 `role.unknown` for one that there is not."""
    given = sorted(set(roles))
    unknown = [role for role in given if role not in ROLES]
    if unknown:
        raise Refusal("role.unknown", f"There is no role {unknown[0]}.")
    return given


@transaction.atomic
def issue_token(
    actor: Actor, now: datetime, *, name: str, roles: Iterable[str], days: int = 90
) -> tuple[str, UUID]:
    """A new bearer token of the actor, with at most the actor's roles:
    (the secret, shown once; its id).
    """
    wanted = checked_roles(roles)
    more = sorted(set(wanted) - actor.roles)
    if more:
        raise Refusal("role.not_yours", f"You do not hold the role {more[0]}.", status=403)
    raw = TOKEN_PREFIX + secrets.token_urlsafe(32)
    token = ApiToken.objects.create(
        workspace_id=actor.workspace,
        user_id=actor.user,
        name=name,
        prefix=raw[:SHOWN_OF_TOKEN],
        sha256=token_sha256(raw),
        roles=wanted,
        created_at=now,
        expires_at=now + timedelta(days=days),
    )
    audit(actor, now, "token.issued", "token", token.id, roles=wanted, days=days)
    return raw, token.id


@transaction.atomic
def revoke_token(actor: Actor, now: datetime, *, token: UUID) -> None:
    """Ends a token of the actor's workspace (an admin's or its owner's act)."""
    rows = ApiToken.objects.filter(id=token, workspace_id=actor.workspace, revoked_at__isnull=True)
    if not actor.has("admin"):
        rows = rows.filter(user_id=actor.user)
    if not rows.update(revoked_at=now):
        raise Refusal("token.not_found", f"There is no token {token}.", status=404)
    audit(actor, now, "token.revoked", "token", token)


def _members(workspace: UUID) -> dict[UUID, Membership]:
    """The memberships of a workspace by person, locked until the act is done."""
    rows = Membership.objects.select_for_update().filter(workspace_id=workspace)
    return {row.user_id: row for row in rows}


def _member(rows: dict[UUID, Membership], user: UUID, *, without: bool) -> Membership:
    """The membership of `user`; refuses what would leave the workspace without an admin.

    Raises 404 `member.not_found`, 409 `member.last_admin` (`without`: they stop being one).
    """
    row = rows.get(user)
    if row is None:
        raise Refusal("member.not_found", f"There is no member {user}.", status=404)
    others = any("admin" in other.roles for other in rows.values() if other is not row)
    if without and "admin" in row.roles and not others:
        raise Refusal(
            "member.last_admin",
            "A workspace keeps at least one admin; give someone else that role first.",
            status=409,
        )
    return row


@transaction.atomic
def set_roles(actor: Actor, now: datetime, *, user: UUID, roles: Iterable[str]) -> None:
    """Gives a member of the actor's workspace exactly `roles` (an admin's act).

    Raises 404 `member.not_found`, 409 `member.last_admin`, 422 `role.unknown`.
    """
    policy.require("members.manage", actor)
    wanted = checked_roles(roles)
    row = _member(_members(actor.workspace), user, without="admin" not in wanted)
    before = sorted(row.roles)
    if before == wanted:
        return
    row.roles = wanted
    row.save(update_fields=["roles"])
    audit(actor, now, "roles.set", "user", user, before=before, roles=wanted)


@transaction.atomic
def remove_member(actor: Actor, now: datetime, *, user: UUID) -> None:
    """Takes a person out of the actor's workspace; their tokens there end with it.

    Raises 404 `member.not_found`, 409 `member.last_admin`.
    """
    policy.require("members.manage", actor)
    row = _member(_members(actor.workspace), user, without=True)
    row.delete()
    ApiToken.objects.filter(
        workspace_id=actor.workspace, user_id=user, revoked_at__isnull=True
    ).update(revoked_at=now)
    audit(actor, now, "member.removed", "user", user, roles=sorted(row.roles))


@transaction.atomic
def update_workspace(actor: Actor, now: datetime, *, fields: Mapping[str, Any]) -> None:
    """Sets `name`, `allow_self_approval`, `require_scenarios` (an admin's act)."""
    policy.require("workspace.manage", actor)
    row = Workspace.objects.select_for_update().get(id=actor.workspace)
    changed = {name: value for name, value in fields.items() if getattr(row, name) != value}
    if not changed:
        return
    before = {name: getattr(row, name) for name in changed}
    for name, value in changed.items():
        setattr(row, name, value)
    row.save(update_fields=sorted(changed))
    audit(actor, now, "workspace.updated", "workspace", actor.slug, before=before, after=changed)


def note_use(actor: Actor, now: datetime) -> None:
    """Keeps when the actor's token was last used, to ten minutes: no write for each request.

    A database that is busy with another write is not waited for twice: the next request notes it.
    """
    last = actor.token_used_at
    if actor.token is None or (last is not None and now - last < USE_IS_KEPT_EVERY):
        return
    try:
        ApiToken.objects.filter(id=actor.token).update(last_used_at=now)
    except OperationalError:
        return


@transaction.atomic
def ensure_workspace(
    now: datetime, *, slug: str, name: str, allow_self_approval: bool = False
) -> UUID:
    """The workspace called `slug`, made when it is not there."""
    row, _ = Workspace.objects.get_or_create(
        slug=slug,
        defaults={"name": name, "allow_self_approval": allow_self_approval, "created_at": now},
    )
    return row.id


@transaction.atomic
def ensure_member(
    *,
    workspace: UUID,
    email: str,
    name: str,
    roles: Iterable[str],
    password: str | None,
    now: datetime | None = None,
) -> tuple[UUID, bool]:
    """The member with `email`, made with `password` when not there: (user id, whether made)."""
    user = User.objects.filter(email=email).first()
    made = user is None
    if user is None:
        user = User.objects.create_user(email, password, name=name)
    Membership.objects.get_or_create(
        workspace_id=workspace,
        user=user,
        defaults={"roles": checked_roles(roles), "joined_at": now},
    )
    return user.id, made
