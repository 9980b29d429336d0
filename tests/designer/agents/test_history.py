"""One's own undo and redo, from the log: it is right after a reload, and nobody else's."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from tests.designer.agents.test_draft_api import draft, made
from tests.designer.agents.test_whole_draft import entry
from tests.designer.conftest import Api, Person, person


@pytest.fixture
def finn(db: None, dana: Person) -> Api:
    return Api(person(dana.actor.slug, "Finn", "designer").token)


def history(api: Api, agent: str) -> dict[str, Any]:
    answer = api("GET", f"agents/{agent}/draft/history")
    assert answer.status_code == 200, answer.content
    return answer.json()


def change(api: Api, agent: str, text: str, **more: Any) -> Any:
    operation = entry("update", "prompts", key="greet", fields={"text": text})
    batch = {"id": str(uuid4()), "operations": [operation], "title": f"Say {text}"} | more
    return api("POST", f"agents/{agent}/draft/operations", batch)


def step(api: Api, agent: str, side: str) -> Any:
    """Takes the newest of a side back (`undo`) or does it again (`redo`)."""
    newest = history(api, agent)[side][0]
    name = "undoes" if side == "undo" else "redoes"
    body = {"id": str(uuid4()), "operations": newest["inverse"], name: newest["id"]}
    return api("POST", f"agents/{agent}/draft/operations", body)


def titles(api: Api, agent: str, side: str) -> list[str]:
    return [one["title"] for one in history(api, agent)[side]]


def said(api: Api, agent: str) -> str:
    return draft(api, agent)["settings"]["prompts"][0]["text"]


def test_a_fresh_draft_has_nothing_to_undo(api: Api) -> None:
    assert history(api, made(api)) == {"undo": [], "redo": []}


def test_undo_and_redo_go_back_and_forth_by_the_log_alone(api: Api) -> None:
    agent = made(api)
    start = said(api, agent)
    for text in ("one", "two"):
        assert change(api, agent, text).status_code == 200
    assert titles(api, agent, "undo") == ["Say two", "Say one"]
    step(api, agent, "undo")
    assert (said(api, agent), titles(api, agent, "redo")) == ("one", ["Say two"])
    step(api, agent, "undo")
    assert (said(api, agent), titles(api, agent, "undo")) == (start, [])
    assert titles(api, agent, "redo") == ["Say one", "Say two"]
    step(api, agent, "redo")
    step(api, agent, "redo")
    assert (said(api, agent), titles(api, agent, "redo")) == ("two", [])
    assert titles(api, agent, "undo") == ["Say two", "Say one"]


def test_a_new_edit_forgets_what_could_be_done_again(api: Api) -> None:
    agent = made(api)
    change(api, agent, "one")
    step(api, agent, "undo")
    change(api, agent, "two")
    assert titles(api, agent, "redo") == []
    assert titles(api, agent, "undo") == ["Say two"]


def test_it_is_each_persons_own(api: Api, finn: Api) -> None:
    agent = made(api)
    change(api, agent, "mine")
    change(finn, agent, "his")
    assert titles(api, agent, "undo") == ["Say mine"]
    assert titles(finn, agent, "undo") == ["Say his"]
    his = history(finn, agent)["undo"][0]["id"]
    answer = change(api, agent, "no", undoes=his)
    assert (answer.status_code, answer.json()["errors"][0]["path"]) == (422, "/undoes")
    assert said(api, agent) == "his"


def test_a_batch_without_a_title_is_named_by_what_it_does(api: Api) -> None:
    agent = made(api)
    operation = entry("update", "prompts", key="greet", fields={"text": "x"})
    batch = {"id": str(uuid4()), "operations": [operation]}
    api("POST", f"agents/{agent}/draft/operations", batch)
    assert titles(api, agent, "undo") == ["entry.update"]


def test_at_most_a_hundred_are_shown_and_it_costs_the_same_at_any_length(
    api: Api, django_assert_num_queries: Any, dana: Person
) -> None:
    from designer.agents.history import history_of

    agent = made(api)
    for n in range(103):
        change(api, agent, str(n))
    with django_assert_num_queries(3):
        found = history_of(dana.actor, agent)
    assert [one["title"] for one in found["undo"]] == [f"Say {n}" for n in range(102, 2, -1)]
