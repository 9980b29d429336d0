"""Who asks: a session cookie with CSRF, or a bearer token. Both end in an Actor."""

from typing import Any

from rest_framework import authentication, exceptions
from rest_framework.request import Request

from designer.accounts.actors import Actor
from designer.accounts.selectors import actor_of_token, actor_of_user
from designer.accounts.services import note_use
from designer.api.throttles import address_of, count_stranger
from designer.core import clock

WORKSPACE = "HTTP_CALLCHART_WORKSPACE"


class BearerAuthentication(authentication.BaseAuthentication):
    """`Authorization: Bearer <token>`."""

    def authenticate(self, request: Request) -> tuple[Any, Actor] | None:
        """(None, actor) for a good token, None when there is no such header.

        Raises 401 for a bad one, 429 for too many of them.
        """
        scheme, _, raw = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
        if not scheme:
            return None
        actor = None
        now = clock.now()
        if scheme.lower() == "bearer" and 0 < len(raw) <= 200:
            actor = actor_of_token(
                raw.strip(),
                now,
                request.META.get(WORKSPACE),
                address=address_of(request),
            )
        if actor is None:
            count_stranger(request)
            raise exceptions.AuthenticationFailed("The token is unknown, expired or revoked.")
        note_use(actor, now)
        return None, actor

    def authenticate_header(self, request: Request) -> str:
        """What a 401 says."""
        return 'Bearer realm="callchart"'


class SessionAuthentication(authentication.SessionAuthentication):
    """The page's session; unsafe methods need `X-CSRFToken`."""

    def authenticate(self, request: Request) -> tuple[Any, Actor] | None:
        """(user, actor), or None for a stranger. Raises 403 when the CSRF token is missing."""
        found = super().authenticate(request)
        if found is None:
            return None
        user = found[0]
        actor = actor_of_user(user.pk, request.META.get(WORKSPACE), address=address_of(request))
        return user, actor
