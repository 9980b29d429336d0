"""Invitations: a link by which someone joins a workspace, once.

The link is shown to the admin who makes it and to nobody again: only its SHA-256 is kept.
No e-mail is sent; how the link reaches the person is theirs to choose.
"""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import transaction

from designer.accounts import policy
from designer.accounts.actors import Actor
from designer.accounts.models import Invitation, Membership, User
from designer.accounts.selectors import actor_in_workspace, token_sha256
from designer.accounts.services import audit, checked_roles
from designer.core.clock import rfc3339
from designer.core.errors import Fault, Refusal

DAYS = 7
MOST_OPEN = 200


@dataclass(frozen=True)
class Offer:
    """An open invitation, as the one who holds the link sees it.

    `known` says whether a person with that address has an account: then they sign in, and give
    no new password.
    """

    email: str
    workspace: str
    roles: tuple[str, ...]
    known: bool


def invitation_json(row: Invitation, now: datetime) -> dict[str, Any]:
    """How an invitation is listed."""
    return {
        "id": str(row.id),
        "email": row.email,
        "roles": list(row.roles),
        "created_at": rfc3339(row.created_at),
        "created_by": _person(row.created_by),
        "expires_at": rfc3339(row.expires_at),
        "expired": row.expires_at <= now,
    }


def _person(user: User | None) -> dict[str, str] | None:
    return None if user is None else {"id": str(user.id), "name": user.display_name()}


def invitations(actor: Actor, now: datetime) -> list[dict[str, Any]]:
    """The open invitations of the actor's workspace, newest first; one query."""
    rows = (
        Invitation.objects.filter(
            workspace_id=actor.workspace, accepted_at__isnull=True, revoked_at__isnull=True
        )
        .select_related("created_by")
        .order_by("-created_at", "-id")[:MOST_OPEN]
    )
    return [invitation_json(row, now) for row in rows]


@transaction.atomic
def invite(
    actor: Actor, now: datetime, *, email: str, roles: Iterable[str]
) -> tuple[dict[str, Any], str]:
    """Makes an invitation: (how it is listed, the secret of its link, shown once).

    One that is open for the same address is replaced. Raises 409 `member.already`,
    `invitation.too_many`, 422 `role.unknown`.
    """
    policy.require("members.manage", actor)
    wanted = checked_roles(roles)
    email = email.lower()
    if Membership.objects.filter(workspace_id=actor.workspace, user__email=email).exists():
        raise Refusal("member.already", f"{email} is a member already.", status=409)
    open_ones = Invitation.objects.filter(
        workspace_id=actor.workspace, accepted_at__isnull=True, revoked_at__isnull=True
    )
    open_ones.filter(email=email).update(revoked_at=now)
    if open_ones.count() >= MOST_OPEN:
        raise Refusal(
            "invitation.too_many",
            f"A workspace has at most {MOST_OPEN} open invitations; withdraw some.",
            status=409,
        )
    raw = secrets.token_urlsafe(32)
    row = Invitation.objects.create(
        workspace_id=actor.workspace,
        email=email,
        roles=wanted,
        sha256=token_sha256(raw),
        created_at=now,
        created_by_id=actor.user,
        expires_at=now + timedelta(days=DAYS),
    )
    audit(actor, now, "member.invited", "invitation", row.id, email=email, roles=wanted)
    return invitation_json(row, now), raw


@transaction.atomic
def withdraw(actor: Actor, now: datetime, *, invitation: UUID) -> None:
    """Ends an open invitation. Raises 404 `invitation.not_found`."""
    policy.require("members.manage", actor)
    changed = Invitation.objects.filter(
        id=invitation,
        workspace_id=actor.workspace,
        accepted_at__isnull=True,
        revoked_at__isnull=True,
    ).update(revoked_at=now)
    if not changed:
        raise Refusal(
            "invitation.not_found", f"There is no open invitation {invitation}.", status=404
        )
    audit(actor, now, "invitation.withdrawn", "invitation", invitation)


def _open(raw: str, now: datetime) -> Invitation:
    row = (
        Invitation.objects.select_for_update(of=("self",))
        .select_related("workspace")
        .filter(sha256=token_sha256(raw), accepted_at__isnull=True, revoked_at__isnull=True)
        .first()
    )
    if row is None or row.expires_at <= now:
        raise Refusal(
            "invitation.not_found",
            "This invitation is not open any more. Ask for a new one.",
            status=404,
        )
    return row


@transaction.atomic
def offer_of(raw: str, now: datetime) -> Offer:
    """What a link offers. Raises 404 `invitation.not_found`."""
    row = _open(raw, now)
    known = User.objects.filter(email=row.email).exists()
    return Offer(row.email, row.workspace.name, tuple(row.roles), known)


@transaction.atomic
def accept(
    now: datetime,
    *,
    raw: str,
    name: str = "",
    password: str = "",
    signed_in: UUID | None = None,
    address: str = "",
) -> UUID:
    """Joins the workspace by a link; gives the person's id. The link is spent.

    A person without an account makes one with `name` and `password`; who has one must be
    `signed_in` as it. Raises 404 `invitation.not_found`, 403 `invitation.sign_in`, 422
    `password.weak` or `name.missing`.
    """
    row = _open(raw, now)
    user = User.objects.filter(email=row.email).first()
    if user is None:
        user = _made(row.email, name.strip(), password)
    elif signed_in != user.id:
        raise Refusal(
            "invitation.sign_in", f"Sign in as {row.email}, then open the link again.", status=403
        )
    Membership.objects.get_or_create(
        workspace_id=row.workspace_id,
        user=user,
        defaults={"roles": list(row.roles), "joined_at": now},
    )
    row.accepted_at = now
    row.save(update_fields=["accepted_at"])
    actor = replace(actor_in_workspace(user.id, row.workspace_id), address=address)
    audit(actor, now, "member.joined", "user", user.id, roles=list(row.roles))
    return user.id


def _made(email: str, name: str, password: str) -> User:
    if not name:
        raise Refusal(
            "name.missing",
            "Say what others should call you.",
            errors=[Fault("/name", "This field is needed.")],
        )
    try:
        validate_password(password, User(email=email, name=name))
    except ValidationError as error:
        faults = [Fault("/password", message) for message in error.messages]
        raise Refusal("password.weak", " ".join(error.messages), errors=faults) from None
    return User.objects.create_user(email, password, name=name[:200])
