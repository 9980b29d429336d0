"""A workspace with people, tokens and a published chart, made in this process or by `-m`."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from tests.support.charts import desk

ROLES = ["designer", "reviewer", "support", "admin"]
PASSWORD = "correct horse battery staple"


@dataclass(frozen=True)
class Seeded:
    """What was made; tokens are secrets of members with every role."""

    slug: str
    workspace: str
    user: str
    email: str
    token: str
    agent: str
    version: int

    def to_json(self) -> dict[str, Any]:
        return dict(self.__dict__)


def seed(slug: str = "north", document: dict[str, Any] | None = None) -> Seeded:
    """Make workspace `slug` with one member of all roles, and publish a chart there."""
    from designer.accounts import selectors as accounts
    from designer.accounts import services as people
    from designer.core.clock import now

    moment = now()
    workspace = people.ensure_workspace(
        moment, slug=slug, name=slug.title(), allow_self_approval=True
    )
    email = f"ada@{slug}.local"
    user, _ = people.ensure_member(
        workspace=workspace, email=email, name="Ada", roles=ROLES, password=PASSWORD
    )
    actor = accounts.actor_of_user(user, slug)
    token, _ = people.issue_token(actor, moment, name="test", roles=ROLES)
    agent, number = publish(actor, document or desk())
    return Seeded(slug, str(workspace), str(user), email, token, str(agent), number)


def publish(actor: Any, document: dict[str, Any]) -> tuple[UUID, int]:
    """Publish, approve and activate a document as a new Agent."""
    from designer.agents import services as agents
    from designer.core.clock import now
    from designer.versions import review
    from designer.versions import services as versions

    moment = now()
    agent = agents.create_agent(
        actor, moment, key=document["key"], name=document["name"], document=document
    )
    version, _ = versions.publish(actor, moment, agent=agent)
    review.approve(actor, moment, agent=agent, number=version.number)
    review.activate(actor, moment, agent=agent, number=version.number)
    return agent, version.number


def main() -> None:
    """Print what was seeded as JSON."""
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    json.dump([seed(slug).to_json() for slug in sys.argv[1:] or ["north"]], sys.stdout)


if __name__ == "__main__":
    main()
