"""The whole permission table: what each permission asks of an actor, and what each route and
socket asks for.

A route or method that is missing here is refused (and a test that walks all routes fails).
"""

from rules.predicates import Predicate, always_allow

from designer.accounts.actors import Actor
from designer.core.errors import Refusal


def _role(*names: str) -> Predicate:
    return Predicate(
        lambda actor: isinstance(actor, Actor) and actor.has(*names), name=" or ".join(names)
    )


anyone = always_allow
member = _role("designer", "reviewer", "support", "admin")
designer = _role("designer", "admin")
reviewer = _role("reviewer")
runner = _role("designer", "support", "admin")
support = _role("support", "admin")
admin = _role("admin")

PERMISSIONS: dict[str, Predicate] = {
    "anyone": anyone,
    "me.read": member,
    "agents.read": member,
    "agents.create": designer,
    "agents.update": designer,
    "agents.archive": designer,
    "drafts.edit": designer,
    "versions.publish": designer,
    "versions.review": designer,
    "versions.approve": reviewer,
    "versions.activate": _role("designer", "reviewer", "admin"),
    "comments.write": member,
    "comments.resolve": _role("designer", "reviewer", "admin"),
    "scenarios.edit": _role("designer", "reviewer", "admin"),
    "scenarios.record": member,
    "jobs.read": member,
    "jobs.run": member,
    "calls.read": member,
    "calls.drive": runner,
    "calls.inspect": support,
    "workspace.read": member,
    "workspace.manage": admin,
    "members.read": member,
    "members.manage": admin,
    "tokens.own": member,
    "audit.read": _role("admin", "reviewer"),
}

ROUTES: dict[tuple[str, str], str] = {
    ("me", "GET"): "me.read",
    ("templates", "GET"): "agents.read",
    ("agents", "GET"): "agents.read",
    ("agents", "POST"): "agents.create",
    ("agent", "GET"): "agents.read",
    ("agent", "PATCH"): "agents.update",
    ("agent", "DELETE"): "agents.archive",
    ("draft", "GET"): "agents.read",
    ("draft", "PUT"): "drafts.edit",
    ("draft-operations", "POST"): "drafts.edit",
    ("draft-edits", "GET"): "agents.read",
    ("draft-findings", "GET"): "agents.read",
    ("draft-history", "GET"): "drafts.edit",
    ("draft-document", "GET"): "agents.read",
    ("versions", "GET"): "agents.read",
    ("versions", "POST"): "versions.publish",
    ("version", "GET"): "agents.read",
    ("version-compare-draft", "GET"): "agents.read",
    ("version-compare", "GET"): "agents.read",
    ("version-behaviour-draft", "GET"): "agents.read",
    ("version-behaviour", "GET"): "agents.read",
    ("version-review", "POST"): "versions.review",
    ("version-approve", "POST"): "versions.approve",
    ("version-return", "POST"): "versions.approve",
    ("version-retire", "POST"): "versions.activate",
    ("version-activate", "POST"): "versions.activate",
    ("comments", "GET"): "agents.read",
    ("comments", "POST"): "comments.write",
    ("comment", "PATCH"): "comments.write",
    ("comment", "DELETE"): "comments.write",
    ("scenarios", "GET"): "agents.read",
    ("scenarios", "POST"): "scenarios.edit",
    ("scenario", "GET"): "agents.read",
    ("scenario", "PUT"): "scenarios.edit",
    ("scenario", "DELETE"): "scenarios.edit",
    ("scenario-record", "POST"): "scenarios.record",
    ("scenarios-run", "POST"): "jobs.run",
    ("scenarios-results", "GET"): "agents.read",
    ("machine-dry-run", "POST"): "jobs.run",
    ("job", "GET"): "jobs.read",
    ("job-cancel", "POST"): "jobs.run",
    ("calls", "GET"): "calls.read",
    ("calls", "POST"): "calls.drive",
    ("call", "GET"): "calls.read",
    ("call-events", "GET"): "calls.read",
    ("call-events", "POST"): "calls.drive",
    ("call-proposals", "POST"): "calls.drive",
    ("call-turns", "POST"): "calls.drive",
    ("call-slots", "POST"): "calls.drive",
    ("call-end", "POST"): "calls.drive",
    ("call-snapshot", "GET"): "calls.inspect",
    ("call-verify", "POST"): "calls.inspect",
    ("workspace", "GET"): "workspace.read",
    ("workspace", "PATCH"): "workspace.manage",
    ("members", "GET"): "members.read",
    ("member", "PATCH"): "members.manage",
    ("member", "DELETE"): "members.manage",
    ("invitations", "GET"): "members.manage",
    ("invitations", "POST"): "members.manage",
    ("invitation", "DELETE"): "members.manage",
    ("tokens", "GET"): "tokens.own",
    ("tokens", "POST"): "tokens.own",
    ("token", "DELETE"): "tokens.own",
    ("audit", "GET"): "audit.read",
    ("openapi", "GET"): "anyone",
    ("docs", "GET"): "anyone",
    ("healthz", "GET"): "anyone",
}

WITHIN = frozenset({"comments.resolve"})
"""Permissions that a verb asks for by what it is told to do; no route asks for them alone."""

SOCKETS: dict[str, str] = {
    "calls": "calls.read",
    "jobs": "jobs.read",
    "agents": "agents.read",
}


def allows(permission: str, actor: Actor | None) -> bool:
    """Whether `actor` has `permission`; an unknown permission is nobody's."""
    predicate = PERMISSIONS.get(permission)
    return predicate is not None and bool(predicate.test(actor))


def permission_of_route(name: str, method: str) -> str | None:
    """The permission that `method` on the route called `name` asks for, or None when it is not
    in the table.
    """
    if method == "HEAD":
        method = "GET"
    return ROUTES.get((name, method))


def require(permission: str, actor: Actor) -> None:
    """Raises the Refusal `forbidden` (403) unless `actor` has `permission`."""
    if not allows(permission, actor):
        raise Refusal(
            "forbidden",
            f"Your roles in {actor.slug} ({', '.join(sorted(actor.roles)) or 'none'}) do not allow"
            f" {permission}.",
            status=403,
        )
