"""Who is at a draft: seen by the others, forgotten when they go, and never kept."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from designer.realtime.presence import parse_here
from tests.designer.live.conftest import Served
from tests.designer.live.test_sockets import closed_with, tear
from tests.support.processes import say_watch


def here(connection: Any, *selection: str, field: str | None = None, cursor: Any = None) -> None:
    frame = {"op": "here", "selection": list(selection), "field": field, "cursor": cursor}
    connection.send(json.dumps(frame))


def people(
    connection: Any, until: Callable[[list[dict[str, Any]]], bool], seconds: float = 8
) -> list[dict[str, Any]]:
    """The newest presence frame for which `until` holds."""
    end = time.monotonic() + seconds
    last: Any = None
    while time.monotonic() < end:
        with suppress(TimeoutError):
            frame = json.loads(connection.recv(timeout=max(0.01, end - time.monotonic())))
            if frame["op"] == "presence":
                last = frame["people"]
                if until(last):
                    return list(last)
    raise AssertionError(f"presence never said so; last: {last}")


def test_two_people_see_each_other_and_what_each_is_at(served: Served) -> None:
    path = f"/ws/v1/agents/{served.north['agent']}/draft"
    with served.client.socket(path) as one, served.client.socket(path) as two:
        for watcher in (one, two):
            say_watch(watcher, None)
        here(one, "state-a", field="state-a.prompt", cursor={"x": 1.5, "y": -2})
        here(two)
        (seen,) = people(two, bool)
        assert seen["user"]["name"] == "Ada"
        assert seen["selection"] == ["state-a"]
        assert seen["field"] == "state-a.prompt"
        assert seen["cursor"] == {"x": 1.5, "y": -2}
        here(two, "state-b")
        (seen,) = people(one, lambda them: bool(them) and them[0]["selection"] == ["state-b"])
        assert (seen["field"], seen["cursor"]) == (None, None)


def test_who_closes_or_is_cut_off_is_gone(served: Served) -> None:
    path = f"/ws/v1/agents/{served.north['agent']}/draft"
    with served.client.socket(path) as stays:
        say_watch(stays, None)
        here(stays)
        leaver, torn = served.client.socket(path), served.client.socket(path)
        for other in (leaver, torn):
            say_watch(other, None)
            here(other)
        people(stays, lambda them: len(them) == 2)
        leaver.close()
        people(stays, lambda them: len(them) == 1)
        tear(torn)
        people(stays, lambda them: not them, 20)


def test_a_program_that_only_follows_is_no_person(served: Served) -> None:
    path = f"/ws/v1/agents/{served.north['agent']}/draft"
    with served.client.socket(path) as follower, served.client.socket(path) as someone:
        say_watch(follower, None)
        say_watch(someone, None)
        here(someone)
        with pytest.raises(AssertionError, match="last: None"):
            people(someone, bool, 1.5)


def test_people_of_another_draft_are_not_seen(served: Served) -> None:
    made = served.client.post("/v1/agents", {"key": "elsewhere", "name": "Elsewhere"})
    near = f"/ws/v1/agents/{served.north['agent']}/draft"
    far = f"/ws/v1/agents/{made['id']}/draft"
    with served.client.socket(near) as one, served.client.socket(far) as two:
        for watcher in (one, two):
            say_watch(watcher, None)
            here(watcher)
        with pytest.raises(AssertionError, match="last: None"):
            people(one, bool, 1.5)


@pytest.mark.parametrize(
    "message",
    [
        {"op": "here", "selection": "a"},
        {"op": "here", "selection": ["a"] * 51},
        {"op": "here", "selection": [1]},
        {"op": "here", "selection": [], "field": "x" * 201},
        {"op": "here", "selection": [], "cursor": {"x": 1}},
        {"op": "here", "selection": [], "cursor": {"x": 1, "y": float("nan")}},
        {"op": "here", "selection": [], "cursor": {"x": True, "y": 1}},
        {"op": "here", "selection": [], "mood": "fine"},
    ],
)
def test_what_is_no_place_is_not_taken(message: dict[str, Any]) -> None:
    assert parse_here(message) is None


def test_a_socket_that_talks_nonsense_is_closed(served: Served) -> None:
    with served.client.socket(f"/ws/v1/agents/{served.north['agent']}/draft") as watcher:
        say_watch(watcher, None)
        for _ in range(3):
            watcher.send(json.dumps({"op": "here", "selection": 3}))
        assert closed_with(watcher) == 4400


def test_nothing_of_it_is_stored(served: Served) -> None:
    tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'designer_%'"

    def rows() -> dict[str, int]:
        return {
            name: served.sql(f"SELECT count(*) FROM {name}")[0][0]
            for (name,) in served.sql(tables)
        }

    before = rows()
    path = f"/ws/v1/agents/{served.north['agent']}/draft"
    with served.client.socket(path) as one, served.client.socket(path) as two:
        for watcher in (one, two):
            say_watch(watcher, None)
            here(watcher, "x")
        people(two, bool)
    assert rows() == before
