"""Who stands at a socket's door: origin, then session cookie or bearer token, then permission.

Asked when the socket opens, at every `watch`, and again every few seconds while it is open, so
that a withdrawn role or an ended session closes it (R-04, R-15, R-16).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.sessions.backends.base import SessionBase
from django.http.request import split_domain_port, validate_host
from django.utils.module_loading import import_string

from designer.accounts.actors import Actor
from designer.accounts.policy import allows
from designer.accounts.selectors import actor_in_workspace, actor_of_token
from designer.consumers.streams import workspace_of
from designer.core.clock import now
from designer.core.errors import Refusal
from designer.realtime.frames import CLOSE_CODES
from designer.realtime.topics import CALL, DRAFT, JOB, Topic

PERMISSIONS = {CALL: "calls.read", JOB: "jobs.read", DRAFT: "agents.read"}


@dataclass(frozen=True)
class Credentials:
    """What a client came with; never logged."""

    session: str | None
    token: str | None

    @property
    def known(self) -> bool:
        """Whether there is anything to check."""
        return bool(self.session or self.token)


def headers_of(scope: Mapping[str, Any]) -> dict[str, str]:
    """Give the handshake's headers by lower-case name; the first of a name counts."""
    found: dict[str, str] = {}
    for name, value in scope.get("headers", ()):
        found.setdefault(name.decode("latin-1").lower(), value.decode("latin-1"))
    return found


def credentials_of(headers: Mapping[str, str]) -> Credentials:
    """Read the session cookie and the bearer token; a token wins over a cookie."""
    scheme, _, token = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and 0 < len(token) <= 200:
        return Credentials(None, token.strip())
    try:
        cookie = SimpleCookie(headers.get("cookie", "")).get(settings.SESSION_COOKIE_NAME)
    except CookieError:
        cookie = None
    return Credentials(cookie.value if cookie else None, None)


def origin_allowed(headers: Mapping[str, str]) -> bool:
    """Whether a handshake's Origin is our own page; none at all is for token holders only."""
    host = headers.get("host", "")
    if not validate_host(split_domain_port(host)[0], settings.ALLOWED_HOSTS or ["localhost"]):
        return False
    origin = headers.get("origin")
    if origin is None:
        return headers.get("authorization", "").lower().startswith("bearer ")
    if origin in settings.CSRF_TRUSTED_ORIGINS:
        return True
    parts = urlsplit(origin)
    return parts.scheme in ("http", "https") and parts.netloc.lower() == host.lower()


def _user_of_session(key: str) -> UUID | None:
    store: type[SessionBase] = import_string(f"{settings.SESSION_ENGINE}.SessionStore")
    request: Any = SimpleNamespace(session=store(key))
    user = get_user(request)
    return user.pk if user.is_authenticated and user.is_active else None


def _actor(credentials: Credentials, workspace: UUID) -> Actor | None:
    """Give who stands there; raises Refusal when they are nobody in that workspace."""
    if credentials.token:
        actor = actor_of_token(credentials.token, now())
        if actor is None:
            return None
        if actor.workspace != workspace:
            raise Refusal("not_found", "There is nothing here.", status=404)
        return actor
    user = _user_of_session(credentials.session or "")
    return None if user is None else actor_in_workspace(user, workspace)


@dataclass(frozen=True)
class Verdict:
    """Either who watches, or the code to close with."""

    user: UUID | None
    close: int | None
    name: str = ""


def judge(credentials: Credentials, topic: Topic) -> Verdict:
    """Decide whether someone may watch: 4401 unknown, 4404 absent or foreign, 4403 role."""
    workspace = workspace_of(topic)
    try:
        actor = _actor(credentials, workspace or UUID(int=0)) if credentials.known else None
    except Refusal:
        return Verdict(None, CLOSE_CODES["not_found"])
    if actor is None:
        return Verdict(None, CLOSE_CODES["unauthenticated"])
    if workspace is None:
        return Verdict(None, CLOSE_CODES["not_found"])
    if not allows(PERMISSIONS[topic.kind], actor):
        return Verdict(None, CLOSE_CODES["forbidden"])
    return Verdict(actor.user, None, actor.name)
