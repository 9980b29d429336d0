"""A workspace with a published desk, and who drives it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from designer.accounts.selectors import actor_of_user
from tests.support.seed import Seeded, seed

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.fixture
def north(db: None) -> Seeded:
    return seed("north")


@pytest.fixture
def actor(north: Seeded) -> Any:
    return actor_of_user(UUID(north.user), north.slug)


class Driver:
    """Drives one Call on a clock of its own."""

    def __init__(self, actor: Any, agent: str, **options: Any) -> None:
        from designer.calls import services

        self.services, self.actor, self.at = services, actor, NOON
        self.id = services.start_call(actor, self.at, agent=UUID(agent), **options).id

    def give(self, payload: dict[str, Any], **options: Any) -> Any:
        self.at += timedelta(milliseconds=10)
        return self.services.handle(
            self.actor, self.at, call_id=self.id, payload=payload, **options
        )

    def event(self, name: str, **options: Any) -> Any:
        return self.give({"event": name}, **options)

    @property
    def call(self) -> Any:
        from designer.calls.selectors import call_of

        return call_of(self.actor, self.id)

    def events(self, kind: str = "") -> list[dict[str, Any]]:
        from designer.calls.selectors import events_json

        page = events_json(self.call, after=0, limit=500)["events"]
        return [event for event in page if event["type"].startswith(kind)]


@pytest.fixture
def driver(actor: Any, north: Seeded) -> Driver:
    return Driver(actor, north.agent)


@pytest.fixture(autouse=True)
def quick_hasher(settings: Any) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
