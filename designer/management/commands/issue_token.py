"""`manage.py issue_token EMAIL`: a bearer token for scripts; it is shown once."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from designer.accounts.selectors import actor_of_user, user_by_email
from designer.accounts.services import issue_token
from designer.core import clock
from designer.core.errors import Refusal


class Command(BaseCommand):
    """Issues a token."""

    help = "Issue a bearer token for a person; it is printed once and kept only as a hash."

    def add_arguments(self, parser: CommandParser) -> None:
        """EMAIL, --workspace, --roles, --days, --name."""
        parser.add_argument("email")
        parser.add_argument("--workspace", default=None)
        parser.add_argument("--roles", default="", help="comma-separated; all of the person's")
        parser.add_argument("--days", type=int, default=90)
        parser.add_argument("--name", default="script")

    def handle(self, *args: Any, **options: Any) -> None:
        """Prints the token."""
        user = user_by_email(options["email"])
        if user is None:
            raise CommandError(f"There is nobody with the address {options['email']}.")
        try:
            actor = actor_of_user(user, options["workspace"])
            roles = [role for role in options["roles"].split(",") if role] or actor.roles
            raw, _ = issue_token(
                actor, clock.now(), name=options["name"], roles=roles, days=options["days"]
            )
        except Refusal as refusal:
            raise CommandError(refusal.detail) from refusal
        self.stdout.write(raw)
