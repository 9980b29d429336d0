"""Comments hang on rows of the draft: they follow renames, and say when their row is gone."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.designer.agents.test_draft_api import draft, edit, made, row
from tests.designer.conftest import Api, Person, person
from tests.designer.versions.test_versions import publish


def say(api: Api, agent: str, text: str = "Who picks this up?", **more: Any) -> Any:
    return api("POST", f"agents/{agent}/comments", {"text": text} | more)


def on(kind: str, key: str | None = None, id: str | None = None) -> dict[str, Any]:
    given = {"kind": kind, "key": key, "id": id}
    return {name: value for name, value in given.items() if value is not None}


def read(api: Api, agent: str, query: str = "") -> list[dict[str, Any]]:
    answer = api("GET", f"agents/{agent}/comments{query}")
    assert answer.status_code == 200, answer.content
    return answer.json()["results"]


def change(api: Api, agent: str, comment: str, **body: Any) -> Any:
    return api("PATCH", f"agents/{agent}/comments/{comment}", body)


ROWS = {"region": "regions", "state": "states", "transition": "transitions", "slot": "slots"}
KEYS = {"region": "conversation", "state": "helping", "transition": "close", "slot": "tries"}


@pytest.mark.parametrize("kind", ROWS)
def test_a_comment_follows_the_row_when_it_is_renamed(
    api: Api, reviewer: Api, kind: str, rui: Person
) -> None:
    agent = made(api)
    publish(api, agent)
    id = row(draft(api, agent)[ROWS[kind]], KEYS[kind])["id"]
    made_one = say(reviewer, agent, anchor=on(kind, KEYS[kind]), version=1)
    assert made_one.status_code == 201, made_one.content
    comment = made_one.json()
    assert comment["anchor"] == {"kind": kind, "id": id, "key": KEYS[kind], "gone": False}
    assert (comment["version"], comment["resolved"], comment["parent"]) == (1, None, None)
    assert comment["by"] == {"id": str(rui.id), "name": "Rui"}
    edit(api, agent, {"op": f"{kind}.update", "id": id, "fields": {"key": "renamed"}})
    assert read(api, agent)[0]["anchor"] == comment["anchor"] | {"key": "renamed"}
    # The version still calls it by its old key, and that finds the same row.
    again = say(reviewer, agent, anchor=on(kind, KEYS[kind]), version=1).json()
    assert again["anchor"] == {"kind": kind, "id": id, "key": "renamed", "gone": False}
    assert say(reviewer, agent, anchor=on(kind, KEYS[kind])).status_code == 422


def test_a_comment_on_what_was_removed_says_so_until_it_is_back(api: Api) -> None:
    agent = made(api)
    id = row(draft(api, agent)["states"], "holding")["id"]
    say(api, agent, anchor=on("state", id=id))
    undo = edit(api, agent, {"op": "state.remove", "id": id}).json()["inverse"]
    assert read(api, agent)[0]["anchor"] == on("state", "holding", id) | {"gone": True}
    assert edit(api, agent, *undo).status_code == 200
    assert read(api, agent)[0]["anchor"]["gone"] is False


def test_a_comment_on_a_prompt_follows_its_key_and_comes_back_by_undo(api: Api) -> None:
    agent = made(api)
    comment = say(api, agent, anchor=on("prompt", "greet")).json()
    assert comment["anchor"] == {"kind": "prompt", "id": "greet", "key": "greet", "gone": False}
    prompts = [{"key": "hello", "text": "Hello {{ slots.name }}"}]
    change = {"op": "settings.update", "fields": {"prompts": prompts}}
    undo = edit(api, agent, change).json()["inverse"]
    anchor = read(api, agent)[0]["anchor"]
    assert anchor == {"kind": "prompt", "id": "hello", "key": "hello", "gone": False}
    edit(api, agent, *undo)
    assert read(api, agent)[0]["anchor"]["key"] == "greet"
    edit(api, agent, {"op": "settings.update", "fields": {"prompts": []}})
    assert read(api, agent)[0]["anchor"]["gone"] is True


def test_a_transition_without_a_key_is_commented_on_as_it_is_compiled(api: Api) -> None:
    agent = made(api)
    rows = draft(api, agent)
    source, id = row(rows["states"], "holding")["id"], str(uuid4())
    fields = {"on": {"event": "x"}, "target": row(rows["states"], "goodbye")["id"]}
    edit(api, agent, {"op": "transition.add", "id": id, "source": source, "fields": fields})
    anchor = say(api, agent, anchor=on("transition", "holding_2")).json()["anchor"]
    assert anchor == {"kind": "transition", "id": id, "key": "holding_2", "gone": False}


def test_a_thread_is_answered_and_resolved_once(api: Api, reviewer: Api, rui: Person) -> None:
    sam = Api(person("north", "Sam", "support").token)
    agent = made(api)
    first = say(reviewer, agent, anchor=on("agent")).json()["id"]
    answer = say(sam, agent, "Support does.", parent=first).json()
    deeper = say(api, agent, "Thanks.", parent=answer["id"]).json()
    assert deeper["parent"] == answer["parent"] == first
    assert answer["anchor"]["kind"] == "agent"
    assert change(sam, agent, first, resolved=True).json()["code"] == "forbidden"
    assert change(api, agent, answer["id"], resolved=True).status_code == 422
    done = change(reviewer, agent, first, resolved=True).json()
    assert done["resolved"]["by"] == {"id": str(rui.id), "name": "Rui"}
    assert change(api, agent, first, resolved=True).json()["resolved"] == done["resolved"]
    other = say(api, agent, "Open", anchor=on("agent")).json()["id"]
    assert [c["id"] for c in read(api, agent, "?open=true")] == [other]
    assert len(read(api, agent, "?open=false")) == 3
    assert change(api, agent, first, resolved=False).json()["resolved"] is None
    assert len(read(api, agent, "?open=true")) == 4


def test_only_the_writer_changes_a_comment_and_an_admin_takes_any_away(
    api: Api, reviewer: Api
) -> None:
    admin = Api(person("north", "Ada", "admin").token)
    agent = made(api)
    comment = say(reviewer, agent, anchor=on("agent")).json()
    for other in (api, admin):
        refused = change(other, agent, comment["id"], text="Mine")
        assert (refused.status_code, refused.json()["code"]) == (403, "comment.not_yours")
    changed = change(reviewer, agent, comment["id"], text="Better").json()
    assert changed["text"] == "Better"
    assert changed["edited_at"] >= comment["at"]
    path = f"agents/{agent}/comments/{comment['id']}"
    assert api("DELETE", path).json()["code"] == "comment.not_yours"
    say(api, agent, "Answer", parent=comment["id"])
    assert reviewer("DELETE", path).json()["code"] == "comment.answered"
    assert admin("DELETE", path).status_code == 204
    assert read(api, agent) == []
    assert reviewer("DELETE", path).status_code == 404


@pytest.mark.parametrize(
    "body",
    [
        {"anchor": on("agent"), "text": "  "},
        {"anchor": on("agent"), "text": "x" * 4001},
        {"text": "Of what?"},
        {"anchor": {"kind": "state"}, "text": "x"},
        {"anchor": on("state", "nowhere"), "text": "x"},
        {"anchor": on("state", id=str(uuid4())), "text": "x"},
        {"anchor": on("state", "helping", str(uuid4())), "text": "x"},
        {"anchor": on("planet", "helping"), "text": "x"},
        {"anchor": on("agent"), "text": "x", "colour": "red"},
    ],
)
def test_a_comment_that_does_not_fit_is_refused(api: Api, body: dict[str, Any]) -> None:
    agent = made(api)
    answer = api("POST", f"agents/{agent}/comments", body)
    assert answer.status_code == 422, answer.content
    assert answer.json()["errors"]
    assert read(api, agent) == []


def test_what_is_not_there_is_404(api: Api, foreign: Api) -> None:
    agent = made(api)
    assert say(api, agent, anchor=on("agent"), version=3).status_code == 404
    assert say(api, agent, parent=str(uuid4())).status_code == 404
    comment = say(api, agent, anchor=on("agent")).json()["id"]
    assert foreign("GET", f"agents/{agent}/comments").status_code == 404
    assert change(foreign, agent, comment, text="x").status_code == 404
    other = made(api, {"format": "callchart.agent/1", "key": "other", "name": "Other"})
    assert change(api, other, comment, text="x").status_code == 404
    assert say(api, other, "x", parent=comment).status_code == 404


def test_comments_come_in_pages_and_cost_no_query_each(api: Api, reviewer: Api) -> None:
    agent = made(api)
    publish(api, agent)
    say(reviewer, agent, "0", anchor=on("state", "helping"), version=1)
    with CaptureQueriesContext(connection) as one:
        read(api, agent)
    for number in range(1, 6):
        say(api, agent, str(number), anchor=on("slot", "tries"))
    with CaptureQueriesContext(connection) as many:
        assert [c["text"] for c in read(api, agent)] == list("012345")
    assert len(many) == len(one)
    first = api("GET", f"agents/{agent}/comments?limit=4").json()
    rest = read(api, agent, f"?limit=4&cursor={first['next']}")
    assert [c["text"] for c in first["results"] + rest] == list("012345")
    assert [c["text"] for c in read(api, agent, "?version=1")] == ["0"]
    assert api("GET", f"agents/{agent}/comments?open=maybe").status_code == 400
