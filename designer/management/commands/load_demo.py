"""`manage.py load_demo`:

a workspace, its people, every chart that ships, and two Calls to look at.
"""

import os
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from designer.accounts.actors import Actor
from designer.accounts.selectors import actor_of_user, password_is
from designer.accounts.services import ensure_member, ensure_workspace
from designer.agents import library
from designer.agents.selectors import list_agents
from designer.agents.services import create_agent
from designer.calls.selectors import list_calls
from designer.calls.services import handle, start_call
from designer.core import clock
from designer.core.errors import Refusal
from designer.versions.review import activate, approve
from designer.versions.services import publish

SLUG, NAME = "northwind", "Northwind support"
PASSWORD = "callchart-demo"  # noqa: S105  # of demo accounts, in embedded mode only
PEOPLE = (
    ("dana@callchart.local", "Dana Kapoor", ("designer", "reviewer", "support")),
    ("rui@callchart.local", "Rui Weiss", ("reviewer",)),
    ("sam@callchart.local", "Sam Sol", ("support",)),
    ("ada@callchart.local", "Ada Lindt", ("admin", "designer")),
)
DEMO_AGENT = "northwind_support"
DEMO_CALLS = {"refund_to_the_end": "ended", "over_the_limit": "running"}


class Command(BaseCommand):
    """Loads the demo; what is there already stays as it is."""

    help = "Load the demo workspace (can be repeated)."

    def handle(self, *args: Any, **options: Any) -> None:
        """Loads, and prints who can sign in."""
        now = clock.now()
        password = self._password()
        workspace = ensure_workspace(now, slug=SLUG, name=NAME, allow_self_approval=True)
        people = {
            email: ensure_member(
                workspace=workspace, email=email, name=name, roles=roles, password=password
            )
            for email, name, roles in PEOPLE
        }
        designer = actor_of_user(people["dana@callchart.local"][0], SLUG)
        reviewer = actor_of_user(people["rui@callchart.local"][0], SLUG)
        known = {
            agent["key"]: UUID(agent["id"])
            for agent in list_agents(designer, limit=500, after=None)
        }
        for key in library.names():
            if key not in known:
                known[key] = self._agent(designer, reviewer, key)
        self._calls(designer, known[DEMO_AGENT])
        self._say(people, password)

    def _password(self) -> str:
        chosen = os.environ.get("CALLCHART_DEMO_PASSWORD", "")
        if not chosen and settings.MODE != "embedded":
            raise CommandError("Set CALLCHART_DEMO_PASSWORD to load the demo in scaled mode.")
        return chosen or PASSWORD

    def _agent(self, designer: Actor, reviewer: Actor, key: str) -> UUID:
        """The Agent of a chart that ships: created, published, approved, active."""
        document, layout = library.template(key)
        now = clock.now()
        agent = create_agent(
            designer,
            now,
            key=key,
            name=document.get("name") or key,
            document=document,
            layout=layout,
        )
        try:
            version, _ = publish(designer, now, agent=agent)
        except Refusal as refusal:
            said = [str(problem["message"]) for problem in refusal.extra.get("problems", [])]
            self.stderr.write(f"{key} stays a draft: {refusal.detail} {' '.join(said[:1])}")
            return agent
        approve(reviewer, now, agent=agent, number=version.number)
        activate(reviewer, now, agent=agent, number=version.number)
        return agent

    def _calls(self, actor: Actor, agent: UUID) -> None:
        """A finished and a running Call of the demo chart; a new one where time has ended it."""
        for script, status in DEMO_CALLS.items():
            found, _ = list_calls(actor, limit=1, cursor=None, agent=agent, status=status)
            if not found:
                self._call(actor, clock.now(), agent, library.scripts(DEMO_AGENT)[script])

    def _call(self, actor: Actor, now: datetime, agent: UUID, script: Any) -> None:
        lines = script["script"] if isinstance(script, dict) else script
        slots = script.get("slots", {}) if isinstance(script, dict) else {}
        call = start_call(actor, now, agent=agent, slots=slots)
        for line in lines:
            if "expect" in line or "advance" in line:
                continue
            try:
                handle(actor, clock.now(), call_id=call.id, payload=line)
            except Refusal as refusal:
                if refusal.code == "call.ended":
                    return
                raise

    def _say(self, people: dict[str, tuple[UUID, bool]], password: str) -> None:
        self.stdout.write(f"Workspace: {NAME}")
        for email, _, roles in PEOPLE:
            shown = password if password_is(people[email][0], password) else "(as you set it)"
            self.stdout.write(f"  {email:<24} {shown:<20} {', '.join(roles)}")
