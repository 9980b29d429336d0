"""Reads of people and workspaces."""

import hashlib
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import F, Q
from django.db.models.functions import Lower

from designer.accounts.actors import Actor
from designer.accounts.models import (
    ApiToken,
    AuditEntry,
    Membership,
    User,
    Workspace,
    display_name,
)
from designer.core.clock import rfc3339, rfc3339_or_none
from designer.core.errors import Refusal


def token_sha256(raw: str) -> str:
    """How a bearer token is kept."""
    return hashlib.sha256(raw.encode("utf-8", "surrogatepass")).hexdigest()


def _actor(membership: Membership, **more: object) -> Actor:
    user, workspace = membership.user, membership.workspace
    return Actor(
        user=user.id,
        name=user.display_name(),
        email=user.email,
        workspace=workspace.id,
        slug=workspace.slug,
        roles=frozenset(membership.roles),
        **more,  # type: ignore[arg-type]
    )


def actor_of_user(user: UUID, slug: str | None = None, *, address: str = "") -> Actor:
    """The actor that an active user is in workspace `slug` (or in their only or first one).

    Raises 404 `workspace.not_found` for a workspace that is not theirs, 403 `workspace.none` for
    a person without one.
    """
    memberships = (
        Membership.objects.filter(user_id=user, user__is_active=True)
        .select_related("user", "workspace")
        .order_by("workspace__slug")
    )
    if slug:
        found = memberships.filter(workspace__slug=slug).first()
        if found is None:
            raise Refusal("workspace.not_found", f"There is no workspace {slug}.", status=404)
    else:
        found = memberships.first()
        if found is None:
            raise Refusal("workspace.none", "You are in no workspace.", status=403)
    return _actor(found, address=address)


def actor_of_token(
    raw: str, now: datetime, slug: str | None = None, *, address: str = ""
) -> Actor | None:
    """The actor of a bearer token, or None when it is unknown, expired, revoked, or its owner
    has left.

    A token acts in its own workspace alone: naming another one raises 404 `workspace.not_found`.
    """
    row = (
        ApiToken.objects.filter(
            sha256=token_sha256(raw),
            revoked_at__isnull=True,
            expires_at__gt=now,
            user__is_active=True,
            user__memberships__workspace_id=F("workspace_id"),
        )
        .order_by()
        .values_list(
            *("id", "last_used_at", "roles", "user__memberships__roles"),
            *("user_id", "user__name", "user__email", "workspace_id", "workspace__slug"),
        )
    )
    for token, used, granted, held, user, name, email, workspace, own_slug in row:
        if slug and slug != own_slug:
            raise Refusal("workspace.not_found", f"There is no workspace {slug}.", status=404)
        return Actor(
            user=user,
            name=display_name(name, email),
            email=email,
            workspace=workspace,
            slug=own_slug,
            roles=frozenset(held) & frozenset(granted),
            token=token,
            token_used_at=used,
            address=address,
        )
    return None


def workspaces_of(user: UUID) -> list[dict[str, object]]:
    """The workspaces of a person: `{slug, name, roles}`, by slug."""
    rows = (
        Membership.objects.filter(user_id=user)
        .select_related("workspace")
        .order_by("workspace__slug")
    )
    return [
        {"slug": row.workspace.slug, "name": row.workspace.name, "roles": sorted(row.roles)}
        for row in rows
    ]


def names_of(users: set[UUID]) -> dict[UUID, str]:
    """What people are called, by id."""
    return {user.id: user.display_name() for user in User.objects.filter(id__in=users)}


@dataclass(frozen=True)
class ApprovalRules:
    """What a workspace asks of an approval: may authors approve their own, are green scenarios
    needed.
    """

    own_work: bool
    scenarios: bool


def approval_rules(workspace: UUID) -> ApprovalRules:
    """What the workspace asks of an approval."""
    rows = Workspace.objects.filter(id=workspace)
    return ApprovalRules(*rows.values_list("allow_self_approval", "require_scenarios").get())


def who_did(workspace: UUID, verb: str, object: UUID) -> set[str]:
    """The ids of the people who did that to it, as the audit says."""
    rows = AuditEntry.objects.filter(workspace_id=workspace, verb=verb, object=str(object))
    return set(rows.values_list("actor", flat=True))


def actor_in_workspace(user: UUID, workspace: UUID) -> Actor:
    """The actor that an active user is in a workspace given by id.

    Raises 404 when they are no member.
    """
    found = (
        Membership.objects.filter(user_id=user, workspace_id=workspace, user__is_active=True)
        .select_related("user", "workspace")
        .first()
    )
    if found is None:
        raise Refusal("workspace.not_found", "There is no such workspace.", status=404)
    return _actor(found)


def user_by_email(email: str) -> UUID | None:
    """The id of the person with that address, or None."""
    return User.objects.filter(email=email.lower()).values_list("id", flat=True).first()


def password_is(user: UUID, password: str) -> bool:
    """Whether `user` signs in with `password`; False for nobody."""
    found = User.objects.filter(id=user).first()
    return found is not None and found.check_password(password)


def workspace_json(actor: Actor) -> dict[str, Any]:
    """The actor's workspace and what it asks for."""
    row = Workspace.objects.get(id=actor.workspace)
    return {
        "slug": row.slug,
        "name": row.name,
        "allow_self_approval": row.allow_self_approval,
        "require_scenarios": row.require_scenarios,
    }


def members(actor: Actor) -> list[dict[str, Any]]:
    """The people of the actor's workspace, by name; one query."""
    rows = (
        Membership.objects.filter(workspace_id=actor.workspace)
        .select_related("user")
        .order_by(Lower("user__name"), "user__email")
    )
    return [
        {
            "user": {
                "id": str(row.user.id),
                "name": row.user.display_name(),
                "email": row.user.email,
            },
            "roles": sorted(row.roles),
            "joined_at": rfc3339_or_none(row.joined_at),
            "last_sign_in_at": rfc3339_or_none(row.user.last_login),
        }
        for row in rows
    ]


def tokens(actor: Actor, now: datetime) -> list[dict[str, Any]]:
    """The tokens that are not revoked: one's own, or for an admin those of everybody; newest
    first, one query. Never a secret.
    """
    rows = ApiToken.objects.filter(workspace_id=actor.workspace, revoked_at__isnull=True)
    if not actor.has("admin"):
        rows = rows.filter(user_id=actor.user)
    return [
        {
            "id": str(row.id),
            "name": row.name,
            "prefix": row.prefix,
            "roles": sorted(row.roles),
            "owner": {"id": str(row.user.id), "name": row.user.display_name()},
            "created_at": rfc3339(row.created_at),
            "expires_at": rfc3339(row.expires_at),
            "expired": row.expires_at <= now,
            "last_used_at": rfc3339_or_none(row.last_used_at),
        }
        for row in rows.select_related("user").order_by("-created_at", "-id")
    ]


@dataclass(frozen=True)
class AuditFilter:
    """What to look for in the audit: each None is no filter; `action` may end in `*`."""

    action: str | None = None
    actor: UUID | None = None
    object: str | None = None
    since: datetime | None = None
    until: datetime | None = None


def audit_entries(
    actor: Actor, wanted: AuditFilter, *, limit: int, after: tuple[datetime, UUID] | None
) -> list[dict[str, Any]]:
    """Entries of the actor's workspace, newest first, after a cursor; two queries.

    Sign-ins belong to a person, not to a workspace: those of its members are among them.
    """
    people = Membership.objects.filter(workspace_id=actor.workspace).values_list("user_id")
    rows = AuditEntry.objects.filter(
        Q(workspace_id=actor.workspace)
        | Q(workspace_id__isnull=True, actor__in=[str(user) for (user,) in people])
    )
    if wanted.action:
        exact = not wanted.action.endswith("*")
        rows = rows.filter(**{"verb" if exact else "verb__startswith": wanted.action.rstrip("*")})
    if wanted.actor is not None:
        rows = rows.filter(actor=str(wanted.actor))
    if wanted.object:
        rows = rows.filter(Q(object=wanted.object) | Q(kind=wanted.object))
    if wanted.since is not None:
        rows = rows.filter(at__gte=wanted.since)
    if wanted.until is not None:
        rows = rows.filter(at__lt=wanted.until)
    if after is not None:
        rows = rows.filter(Q(at__lt=after[0]) | Q(at=after[0], id__lt=after[1]))
    return [
        {
            "id": str(row.id),
            "at": rfc3339(row.at),
            "actor": {"id": row.actor or None, "name": row.actor_name},
            "action": row.verb,
            "object": {"kind": row.kind, "id": row.object},
            "address": row.address,
            "data": row.data,
        }
        for row in rows.order_by("-at", "-id")[:limit]
    ]
