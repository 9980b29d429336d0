"""Rate limits: by token or person, else by address."""

from typing import Any

from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from designer.accounts.actors import Actor


class ActorThrottle(SimpleRateThrottle):
    """`actor` for those who are known, `anonymous` for the others."""

    scope = "actor"

    def allow_request(self, request: Request, view: Any) -> bool:
        """Whether this request is within the rate."""
        self.scope = "actor" if isinstance(request.auth, Actor) else "anonymous"
        self.rate = self.get_rate()
        self.num_requests, self.duration = self.parse_rate(self.rate)
        return bool(super().allow_request(request, view))

    def get_cache_key(self, request: Request, view: Any) -> str:
        """One counter for each actor or address."""
        if isinstance(request.auth, Actor):
            ident = str(request.auth.token or request.auth.user)
        else:
            ident = self.get_ident(request)
        return self.cache_format % {"scope": self.scope, "ident": ident}
