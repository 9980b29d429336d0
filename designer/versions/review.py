"""What becomes of a version: review, approve, return, activate, retire.

`published -> in_review -> approved | returned`, `approved -> active -> retired`; rolling back
activates a retired one. An approval holds for its closure (closure.py).
"""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from designer.accounts import policy
from designer.accounts.actors import Actor
from designer.accounts.services import audit
from designer.agents.models import Agent
from designer.agents.selectors import lock_agent
from designer.core.canonical import digest
from designer.core.errors import Fault, Refusal
from designer.versions.closure import Surroundings, difference, surroundings
from designer.versions.models import (
    ACTIVE,
    APPROVED,
    IN_REVIEW,
    PUBLISHED,
    RETIRED,
    RETURNED,
    Version,
)

OPEN = (PUBLISHED, IN_REVIEW)
DECIDED = (
    *("status", "decision", "decided_at", "decided_by", "decision_note"),
    *("closure", "closure_digest"),
)


def _version(row: Agent, number: int) -> Version:
    people = ("published_by", "requested_by", "decided_by")
    version = Version.objects.select_related(*people).filter(agent=row, number=number).first()
    if version is None:
        raise Refusal(
            "version.not_found", f"There is no version {number} of {row.key}.", status=404
        )
    return version


def _state(version: Version, what: str) -> Refusal:
    status = version.status.replace("_", " ")
    return Refusal(
        "version.state", f"Version {version.number} is {status}; it can not be {what}.", status=409
    )


def _told(actor: Actor, now: datetime, verb: str, row: Agent, version: Version, note: str) -> None:
    said: dict[str, Any] = {"note": note} if note else {}
    audit(actor, now, verb, "version", version.id, agent=row.key, number=version.number, **said)


@transaction.atomic
def request_review(
    actor: Actor, now: datetime, *, agent: UUID, number: int, note: str = ""
) -> Version:
    """Asks the reviewers to look at a version; asking again changes nothing.

    Raises 404, 409 `version.state` when it is decided already.
    """
    policy.require("versions.review", actor)
    row = lock_agent(actor, agent)
    version = _version(row, number)
    if version.status == IN_REVIEW:
        return version
    if version.status != PUBLISHED:
        raise _state(version, "put to review")
    version.status = IN_REVIEW
    version.requested_at, version.requested_by_id = now, actor.user
    version.request_note = note
    version.save(update_fields=["status", "requested_at", "requested_by", "request_note"])
    _told(actor, now, "version.review_requested", row, version, note)
    return _version(row, number)


def _four_eyes(actor: Actor, version: Version, around: Surroundings) -> None:
    """Who had a hand in the version does not approve it."""
    if around.rules.own_work:
        return
    if version.published_by_id == actor.user:
        raise Refusal(
            "version.own_work", "Someone else must approve what you published.", status=403
        )
    if str(actor.user) in version.authors:
        since = f" since version {version.base}" if version.base else ""
        raise Refusal(
            "version.own_work",
            f"You edited the draft{since}; someone else must approve version {version.number}.",
            status=403,
        )


def _decide(actor: Actor, now: datetime, version: Version, decision: str, note: str) -> None:
    version.status = version.decision = decision
    version.decided_at, version.decided_by_id = now, actor.user
    version.decision_note = note
    version.save(update_fields=DECIDED)


@transaction.atomic
def approve(actor: Actor, now: datetime, *, agent: UUID, number: int, note: str = "") -> Version:
    """A reviewer's yes; approving again changes nothing, unless the approval is void by now.

    Raises 403 `version.own_work` for who had a hand in it, unless the workspace allows it; 409
    `version.state`, `version.scenarios_required`.
    """
    policy.require("versions.approve", actor)
    row = lock_agent(actor, agent)
    version = _version(row, number)
    around = surroundings(actor.workspace, agent, [version])
    void = around.void(version)
    if version.status in (APPROVED, ACTIVE) and void is None:
        return version
    if version.status not in OPEN and void is None:
        raise _state(version, "approved")
    _four_eyes(actor, version, around)
    missing = around.missing_evidence(version)
    if missing is not None:
        raise Refusal("version.scenarios_required", missing, status=409)
    version.closure = around.closure(version)
    version.closure_digest = digest(version.closure)
    _decide(actor, now, version, APPROVED, note)
    _told(actor, now, "version.approved", row, version, note)
    return _version(row, number)


@transaction.atomic
def give_back(actor: Actor, now: datetime, *, agent: UUID, number: int, reason: str) -> Version:
    """A reviewer's no, with the reason; it is final for this version.

    Raises 404, 409 `version.state`, 422 `reason.missing`.
    """
    policy.require("versions.approve", actor)
    if not reason.strip():
        raise Refusal(
            "reason.missing",
            "Say why it is returned.",
            errors=[Fault("/reason", "A reason is needed.", "reason.missing")],
        )
    row = lock_agent(actor, agent)
    version = _version(row, number)
    if version.status == RETURNED:
        return version
    if version.status not in OPEN:
        raise _state(version, "returned")
    _decide(actor, now, version, RETURNED, reason)
    _told(actor, now, "version.returned", row, version, reason)
    return _version(row, number)


def _require_valid(version: Version, around: Surroundings) -> None:
    """The approval must still hold: everything it was given for is computed again."""
    if digest(version.document) != version.digest:
        raise Refusal(
            "version.approval_void", "The document does not have its digest any more.", status=409
        )
    void = difference(version.closure, around.closure(version))
    if void is not None:
        raise Refusal(
            "version.approval_void",
            f"The approval of version {version.number} does not hold any more. {void['detail']}",
            status=409,
            extra={"void": void},
        )


@transaction.atomic
def activate(actor: Actor, now: datetime, *, agent: UUID, number: int) -> Version:
    """Makes an approved (or once active) version the one that Calls start on; the former one is
    retired.

    Raises 409 `version.not_approved`, `version.approval_void`. Running Calls keep their version.
    """
    policy.require("versions.activate", actor)
    row = lock_agent(actor, agent)
    version = _version(row, number)
    if version.status == ACTIVE:
        return version
    if version.status not in (APPROVED, RETIRED):
        raise Refusal(
            "version.not_approved",
            f"Version {number} is {version.status.replace('_', ' ')}, not approved.",
            status=409,
        )
    _require_valid(version, surroundings(actor.workspace, agent, [version]))
    Version.objects.filter(agent=row, status=ACTIVE).update(status=RETIRED)
    version.status = ACTIVE
    version.activated_at = now
    version.save(update_fields=["status", "activated_at"])
    _told(actor, now, "version.activated", row, version, "")
    return version


@transaction.atomic
def retire(actor: Actor, now: datetime, *, agent: UUID, number: int) -> Version:
    """Takes the active version out of service: new Calls find none, running ones go on.

    Raises 404, 409 `version.state` when it is not the active one.
    """
    policy.require("versions.activate", actor)
    row = lock_agent(actor, agent)
    version = _version(row, number)
    if version.status == RETIRED:
        return version
    if version.status != ACTIVE:
        raise _state(version, "retired")
    version.status = RETIRED
    version.save(update_fields=["status"])
    _told(actor, now, "version.retired", row, version, "")
    return version
