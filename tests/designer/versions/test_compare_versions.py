"""Versions and the draft, side by side."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from tests.designer.agents.test_draft_api import draft, edit, made, row
from tests.designer.conftest import Api
from tests.designer.versions.test_versions import activate, publish


def compare(api: Api, agent: str, before: Any, after: Any) -> Any:
    return api("GET", f"agents/{agent}/versions/{before}/compare/{after}")


def brief(answer: Any) -> list[tuple[Any, ...]]:
    assert answer.status_code == 200, answer.content
    return [
        (c["change"], c["kind"], c["key"], c["within"], c["target"])
        for c in answer.json()["changes"]
    ]


def two_versions(api: Api) -> str:
    """The second has the state `callback` and an edge to it, and neither `waiting` nor `back`."""
    agent = made(api)
    assert publish(api, agent).status_code == 201
    rows = draft(api, agent)
    states, edges, region = rows["states"], rows["transitions"], rows["regions"][0]["id"]
    new = str(uuid4())
    answer = edit(
        api,
        agent,
        {"op": "state.add", "id": new, "region": region, "fields": {"key": "callback"}},
        {
            "op": "transition.add",
            "id": str(uuid4()),
            "source": row(states, "helping")["id"],
            "fields": {"key": "ring", "on": {"event": "ring"}, "target": new},
        },
        {"op": "transition.remove", "id": row(edges, "back")["id"]},
        {"op": "state.remove", "id": row(states, "waiting")["id"]},
        {
            "op": "state.update",
            "id": row(states, "helping")["id"],
            "fields": {"label": "At work"},
        },
        {"op": "transition.update", "id": row(edges, "close")["id"], "fields": {"guard": "true"}},
    )
    assert answer.status_code == 200, answer.content
    return agent


@pytest.mark.row("F316")
def test_it_lists_what_was_added_removed_and_changed(api: Api) -> None:
    agent = two_versions(api)
    assert publish(api, agent).status_code == 201
    answer = compare(api, agent, 1, 2)
    changes = brief(answer)
    assert ("added", "state", "callback", "conversation", None) in changes
    assert ("removed", "state", "waiting", "conversation", None) in changes
    assert ("changed", "state", "helping", "conversation", None) in changes
    assert ("added", "transition", "ring", "helping", "callback") in changes
    assert ("removed", "transition", "back", "helping", "greeting") in changes
    assert ("changed", "transition", "close", "helping", "goodbye") in changes
    fields = {c["key"]: c["fields"] for c in answer.json()["changes"] if c["change"] == "changed"}
    assert fields["helping"] == [{"name": "label", "before": None, "after": "At work"}]
    assert fields["close"] == [{"name": "guard", "before": None, "after": "true"}]
    body = answer.json()
    assert (body["before"], body["after"]) == (1, 2)
    assert sum(body["counts"].values()) == len(changes)


def test_the_other_way_round_added_and_removed_change_places(api: Api) -> None:
    agent = two_versions(api)
    publish(api, agent)
    there, back = compare(api, agent, 1, 2).json(), compare(api, agent, 2, 1).json()
    assert there["counts"]["added"] == back["counts"]["removed"]
    assert there["counts"]["removed"] == back["counts"]["added"]
    assert there["counts"]["changed"] == back["counts"]["changed"]


@pytest.mark.row("F019")
def test_an_edge_drawn_since_the_last_version_is_one_added_row(api: Api) -> None:
    agent = made(api)
    publish(api, agent)
    assert compare(api, agent, 1, "draft").json()["changes"] == []
    states = draft(api, agent)["states"]
    fields = {"on": {"event": "hurry"}, "target": row(states, "goodbye")["id"]}
    source = row(states, "greeting")["id"]
    added = {"op": "transition.add", "id": str(uuid4()), "source": source, "fields": fields}
    assert edit(api, agent, added).status_code == 200
    answer = compare(api, agent, 1, "draft")
    assert brief(answer) == [("added", "transition", None, "greeting", "goodbye")]
    assert answer.json()["after"] == "draft"
    assert answer.json()["counts"] == {"added": 1, "removed": 0, "changed": 0, "moved": 0}


def test_the_pinned_squad_is_no_difference_to_the_draft(api: Api, reviewer: Api) -> None:
    helper = made(api, {"format": "callchart.agent/1", "key": "helper", "name": "Helper"})
    assert publish(api, helper).status_code == 201
    activate(api, reviewer, helper)
    agent = made(api)
    squad = [{"key": "helper", "agent": "helper"}]
    edit(api, agent, {"op": "settings.update", "fields": {"squad": squad}})
    answer = publish(api, agent)
    assert answer.status_code == 201, answer.content
    assert brief(compare(api, agent, 1, "draft")) == []


def test_what_is_not_there_is_404_and_so_is_what_belongs_to_others(api: Api, foreign: Api) -> None:
    agent = made(api)
    publish(api, agent)
    for path in ((1, 2), (2, 1), (2, "draft")):
        answer = compare(api, agent, *path)
        assert (answer.status_code, answer.json()["code"]) == (404, "version.not_found")
    assert compare(api, agent, 1, "nonsense").status_code == 404
    assert compare(foreign, agent, 1, "draft").status_code == 404
