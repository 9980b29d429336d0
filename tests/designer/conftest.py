"""Two workspaces with people, and clients for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

import pytest
from django.core.cache import cache
from django.test import Client

from designer.core import buckets

PASSWORD = "correct horse battery staple"


@dataclass(frozen=True)
class Person:
    """A member, a token of all their roles, and the actor they are."""

    actor: Any
    email: str
    token: str

    @property
    def id(self) -> UUID:
        return self.actor.user


class Api:
    """A client that sends JSON with a bearer token (or none)."""

    def __init__(self, token: str | None) -> None:
        self.client = Client()
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}

    def __call__(
        self, method: str, path: str, body: Any = None, *, raw: bytes | None = None, **headers: str
    ) -> Any:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        content_type = named.pop("Content-Type", "application/json")
        return self.client.generic(
            method,
            path if path.startswith("/") else f"/v1/{path}",
            raw if raw is not None else b"" if body is None else _json(body),
            content_type=content_type,
            headers={**self.headers, **named},
        )


def _json(body: Any) -> bytes:
    import json

    return json.dumps(body).encode()


def person(slug: str, name: str, *roles: str, allow_self_approval: bool = False) -> Person:
    """Makes a member of workspace `slug` (made when needed) with a token."""
    from designer.accounts import selectors, services
    from designer.core.clock import now

    moment = now()
    workspace = services.ensure_workspace(
        moment, slug=slug, name=slug.title(), allow_self_approval=allow_self_approval
    )
    email = f"{name.lower()}@{slug}.example"
    user, _ = services.ensure_member(
        workspace=workspace, email=email, name=name, roles=roles, password=PASSWORD
    )
    actor = selectors.actor_of_user(user, slug)
    token, _ = services.issue_token(actor, moment, name="test", roles=roles)
    return Person(actor, email, token)


@pytest.fixture(autouse=True)
def _fast_passwords_and_fresh_limits(settings: Any) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.RATES = dict.fromkeys(settings.RATES)
    cache.clear()
    buckets.forget()


@pytest.fixture
def dana(db: None) -> Person:
    return person("north", "Dana", "designer")


@pytest.fixture
def rui(db: None) -> Person:
    return person("north", "Rui", "reviewer")


@pytest.fixture
def stranger(db: None) -> Person:
    return person("south", "Eve", "designer", "reviewer", "support", "admin")


@pytest.fixture
def api(dana: Person) -> Api:
    return Api(dana.token)


@pytest.fixture
def reviewer(rui: Person) -> Api:
    return Api(rui.token)


@pytest.fixture
def foreign(stranger: Person) -> Api:
    return Api(stranger.token)
