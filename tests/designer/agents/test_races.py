"""What two people do to one draft at the same moment."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from designer.agents import selectors
from designer.agents.models import Agent
from designer.core.errors import Refusal
from tests.designer.agents.test_draft_api import desk, made
from tests.designer.conftest import Api, Person


def test_an_id_of_another_draft_is_refused_without_a_word_about_it(api: Api, foreign: Api) -> None:
    mine = made(api)
    theirs = foreign("POST", "agents", {"key": "far", "name": "Far"}).json()["id"]
    draft = foreign("GET", f"agents/{theirs}/draft").json()
    region = api("GET", f"agents/{mine}/draft").json()["regions"][0]["id"]
    operation = {"op": "state.add", "region": region, "fields": {"key": "new_one"}}
    for taken in (draft["states"][0]["id"], draft["regions"][0]["id"]):
        batch = {"id": str(uuid4()), "operations": [operation | {"id": taken}]}
        answer = api("POST", f"agents/{mine}/draft/operations", batch)
        if answer.status_code != 200:  # a region's id is no state's: it may be used
            assert (answer.status_code, answer.json()["code"]) == (422, "operation.invalid")
    assert foreign("GET", f"agents/{theirs}/draft").json() == draft


def test_a_draft_is_read_again_when_an_edit_comes_between(
    api: Api, dana: Person, monkeypatch: Any
) -> None:
    agent = made(api)
    real, raced = selectors.read, []

    def slow(row: Agent) -> Any:
        if not raced:
            raced.append(row)
            region = real(row).children("region", None)[0]
            fields = {"key": "in_between"}
            add = {"op": "state.add", "id": str(uuid4()), "region": region, "fields": fields}
            batch = {"id": str(uuid4()), "operations": [add]}
            assert api("POST", f"agents/{agent}/draft/operations", batch).status_code == 200
        return real(row)

    monkeypatch.setattr(selectors, "read", slow)
    view = api("GET", f"agents/{agent}/draft").json()
    assert view["revision"] == 2
    assert "in_between" in [state["key"] for state in view["states"]]


def test_a_draft_that_never_rests_is_busy(api: Api, dana: Person, monkeypatch: Any) -> None:
    agent = made(api)
    monkeypatch.setattr(selectors, "draft_revisions", lambda agents: {agents[0]: 99})
    with pytest.raises(Refusal, match="busy"):
        selectors.draft_of(dana.actor, agent)


def test_a_key_that_was_taken_in_between_is_409(api: Api) -> None:
    first, second = made(api, {**desk(), "key": "one"}), made(api, {**desk(), "key": "two"})
    answer = api("PATCH", f"agents/{second}", {"key": "one"})
    assert (answer.status_code, answer.json()["code"]) == (409, "agent.key_taken")
    assert api("GET", f"agents/{second}").json()["key"] == "two"
    assert api("GET", f"agents/{first}").json()["key"] == "one"
