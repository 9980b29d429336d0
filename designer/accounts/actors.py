"""Who acts: a person, in one workspace, with the roles that count for this request."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID


@dataclass(frozen=True)
class Actor:
    """A person in a workspace. `token` is the id of the bearer token they came with, if any, and
    `token_used_at` when its use was noted last.
    """

    user: UUID
    name: str
    email: str
    workspace: UUID
    slug: str
    roles: frozenset[str]
    token: UUID | None = None
    address: str = ""
    token_used_at: datetime | None = None

    def has(self, *roles: str) -> bool:
        """Whether the actor holds one of `roles`."""
        return not self.roles.isdisjoint(roles)

    @property
    def by(self) -> dict[str, str]:
        """How the actor is shown: `{id, name}`."""
        return {"id": str(self.user), "name": self.name}
