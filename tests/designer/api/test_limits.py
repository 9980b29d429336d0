"""Buckets: by process, by Redis, and when Redis is away."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import Client

from designer.config import environment
from designer.config.cache import FallbackRedisCache
from designer.core import buckets
from designer.core.buckets import Rate, parse_rate, take
from tests.designer.conftest import PASSWORD, Api, Person
from tests.support.processes import free_port
from tests.support.seed import seed

NOBODY = f"redis://127.0.0.1:{free_port()}/0"


def test_a_rate_reads_as_it_is_written() -> None:
    assert parse_rate("50/100") == Rate(50, 100)
    assert parse_rate("5") == Rate(5, 5)
    assert parse_rate(" OFF ") is None
    for wrong in ("", "x", "0/5", "-1/5", "5/0", "nan", "1e99/1e99"):
        with pytest.raises(ValueError, match=r"."):
            parse_rate(wrong)


def test_the_environment_changes_rates(monkeypatch: Any) -> None:
    monkeypatch.setenv("CALLCHART_RATE_INPUTS", "7/9")
    assert environment.rates()["inputs"] == Rate(7, 9)
    monkeypatch.setenv("CALLCHART_RATES", "off")
    assert environment.rates() == {"inputs": Rate(7, 9), "actor": None, "strangers": None}
    monkeypatch.setenv("CALLCHART_RATE_ACTOR", "many")
    with pytest.raises(ImproperlyConfigured, match="CALLCHART_RATE_ACTOR"):
        environment.rates()


def test_a_bucket_fills_again_and_says_how_long_that_takes() -> None:
    near, rate = buckets._Near(), Rate(2, 3)
    assert [near.take("a", rate, 10.0) for _ in range(4)] == [0, 0, 0, 0.5]
    assert near.take("b", rate, 10.0) == 0
    assert [near.take("a", rate, 10.5), near.take("a", rate, 10.5)] == [0, 0.5]
    assert [near.take("a", rate, 99.0) for _ in range(4)] == [0, 0, 0, 0.5]


def test_without_redis_each_process_counts_for_itself(settings: Any) -> None:
    settings.REDIS_URL = NOBODY
    waits = [take("x", "y", Rate(0.1, 2)) for _ in range(3)]
    assert waits[:2] == [0, 0]
    assert waits[2] > 5


def test_inputs_count_by_workspace_whoever_sends_them(db: None, settings: Any) -> None:
    north, south = seed("north"), seed("south")
    first, second, other = Api(north.token), Api(north.token), Api(south.token)
    call = first("POST", "calls", {"agent": north.agent}).json()["id"]
    far = other("POST", "calls", {"agent": south.agent}).json()["id"]
    settings.RATES |= {"inputs": Rate(0.1, 3)}

    def send(api: Api, id: str) -> int:
        return int(api("POST", f"calls/{id}/events", {"event": "again"}).status_code)

    codes = [send(first, call), send(second, call), send(first, call), send(second, call)]
    assert codes == [200, 200, 200, 429]
    assert send(other, far) == 200
    assert first("GET", f"calls/{call}").status_code == 200
    refused = first("POST", f"calls/{call}/turns", {"caller": "hello"})
    assert (refused.status_code, refused.json()["code"]) == (429, "rate.limited")
    assert 1 <= int(refused["Retry-After"]) <= 10


def test_signing_in_goes_on_and_still_counts_without_redis() -> None:
    cache = FallbackRedisCache(NOBODY, {})
    assert cache.get("a") is None
    cache.set("a", [1], 60)
    assert cache.get("a") == [1]
    assert cache.add("n", 1)
    assert not cache.add("n", 5)
    assert cache.incr("n") == 2
    assert cache.delete("a")
    assert cache.get("a") is None


@pytest.mark.row("R-02")
def test_who_guesses_a_password_is_refused_and_the_owner_elsewhere_is_not(dana: Person) -> None:
    checked = 0
    wrong = {"login": dana.email, "password": "not it at all"}
    for attempt in range(40):
        spoofed = {"X-Forwarded-For": f"203.0.113.{attempt}"}
        answer = Client(REMOTE_ADDR="198.51.100.7", headers=spoofed).post(
            "/accounts/login/", wrong
        )
        checked += b"not correct" in answer.content
    assert 1 <= checked <= 20
    right = {"login": dana.email, "password": PASSWORD}
    owner = Client(REMOTE_ADDR="198.51.100.8").post("/accounts/login/", right)
    assert owner.status_code == 302
