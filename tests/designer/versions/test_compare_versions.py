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
    assert fields["close"] == [
        {"name": "guard", "before": None, "after": "true", "same_logic": True}
    ]
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


def change_of(answer: Any, kind: str, key: str, what: str = "changed") -> dict[str, Any]:
    return next(
        c
        for c in answer.json()["changes"]
        if (c["kind"], c["key"], c["change"]) == (kind, key, what)
    )


def update(api: Api, agent: str, kind: str, key: str, **fields: Any) -> None:
    id = row(draft(api, agent)[f"{kind}s"], key)["id"]
    answer = edit(api, agent, {"op": f"{kind}.update", "id": id, "fields": fields})
    assert answer.status_code == 200, answer.content


def settings(api: Api, agent: str, **fields: Any) -> None:
    answer = edit(api, agent, {"op": "settings.update", "fields": fields})
    assert answer.status_code == 200, answer.content


def test_changes_are_sorted_as_a_reviewer_reads_them(api: Api) -> None:
    agent = made(api)
    publish(api, agent)
    update(api, agent, "state", "helping", label="At work")
    update(api, agent, "state", "waiting", notes="Nobody reads this.")
    update(api, agent, "state", "holding", tools=["lookup"], label="On hold")
    update(api, agent, "state", "goodbye", label="Bye", max_visits=3)
    update(api, agent, "transition", "resume", guard="slots.tries > 2")
    update(api, agent, "slot", "tries", description="How often")
    settings(
        api,
        agent,
        prompts=[{"key": "greet", "text": "Hello there"}],
        tools=[{"key": "lookup", "description": "Finds things"}],
        outcomes=[{"key": "resolved", "label": "All good"}],
        squad=[{"key": "billing", "agent": "billing"}],
        policies=[{"key": "no", "tool": "lookup", "effect": "deny"}],
    )
    answer = compare(api, agent, 1, "draft")
    groups = {(c["kind"], c["key"]): c["group"] for c in answer.json()["changes"]}
    assert groups == {
        ("state", "helping"): "words",
        ("state", "waiting"): "cosmetic",
        ("state", "holding"): "tools",
        ("state", "goodbye"): "behaviour",
        ("transition", "resume"): "behaviour",
        ("slot", "tries"): "words",
        ("prompt", "greet"): "words",
        ("tool", "lookup"): "tools",
        ("outcome", "resolved"): "words",
        ("squad", "billing"): "squad",
        ("policy", "no"): "tools",
    }


def test_a_guard_in_other_words_is_cosmetic(api: Api) -> None:
    agent = made(api)
    publish(api, agent)
    before = "slots.card == null || slots.card != '4111'"
    update(
        api, agent, "transition", "to_help", guard="!(slots.card == '4111' && slots.card != null)"
    )
    same = change_of(compare(api, agent, 1, "draft"), "transition", "to_help")
    assert same["fields"][0]["before"] == before
    assert same["fields"][0]["same_logic"] is True
    assert same["group"] == "cosmetic"
    update(api, agent, "transition", "to_help", guard="slots.card != '4111'")
    other = change_of(compare(api, agent, 1, "draft"), "transition", "to_help")
    assert other["fields"][0]["same_logic"] is False  # null did pass
    assert other["group"] == "behaviour"


def test_a_change_has_the_id_of_the_row_that_draws_it(api: Api) -> None:
    agent = two_versions(api)
    publish(api, agent)

    def rows(number: Any) -> dict[str, Any]:
        if number == "draft":
            return draft(api, agent)
        return api("GET", f"agents/{agent}/versions/{number}").json()["rows"]

    for after in (2, "draft"):
        answer = compare(api, agent, 1, after)
        of = {"removed": rows(1), "added": rows(after), "changed": rows(after)}
        checked = 0
        for change in answer.json()["changes"]:
            if change["kind"] in ("state", "transition", "slot", "region"):
                drawn = row(of[change["change"]][f"{change['kind']}s"], change["key"])
                assert change["id"] == drawn["id"], change
                checked += 1
        assert checked >= 6


def test_a_transition_without_a_key_has_its_rows_id_too(api: Api) -> None:
    agent = made(api)
    publish(api, agent)
    states = draft(api, agent)["states"]
    source, id = row(states, "waiting")["id"], str(uuid4())
    fields = {"on": {"event": "x"}, "target": row(states, "goodbye")["id"]}
    edit(api, agent, {"op": "transition.add", "id": id, "source": source, "fields": fields})
    (change,) = compare(api, agent, 1, "draft").json()["changes"]
    assert (change["key"], change["id"]) == (None, id)
    publish(api, agent)
    (change,) = compare(api, agent, 1, 2).json()["changes"]
    drawn = api("GET", f"agents/{agent}/versions/2").json()["rows"]["transitions"]
    assert change["id"] in [t["id"] for t in drawn if t["key"] is None]


def test_what_was_only_moved_on_the_canvas_is_cosmetic(api: Api) -> None:
    agent = made(api)
    id = row(draft(api, agent)["states"], "waiting")["id"]
    box = {"x": 10, "y": 20, "w": 200, "h": 80}
    edit(api, agent, {"op": "layout.set", "id": id, "fields": box})
    publish(api, agent)
    edit(api, agent, {"op": "layout.set", "id": id, "fields": box | {"x": 500}})
    answer = compare(api, agent, 1, "draft")
    assert answer.json()["counts"] == {"added": 0, "removed": 0, "changed": 0, "moved": 1}
    (change,) = answer.json()["changes"]
    assert [change[name] for name in ("change", "kind", "key", "group", "id")] == [
        "moved", "state", "waiting", "cosmetic", id,
    ]  # fmt: skip
    assert change["fields"][0]["name"] == "layout"
    assert (change["fields"][0]["before"]["x"], change["fields"][0]["after"]["x"]) == (10, 500)


def behaviour(api: Api, agent: str, before: Any, after: Any) -> Any:
    return api("GET", f"agents/{agent}/versions/{before}/compare/{after}/behaviour")


def test_a_script_shows_what_behaves_otherwise_in_both(api: Api) -> None:
    agent = made(api)
    publish(api, agent)
    target = row(draft(api, agent)["states"], "holding")["id"]
    update(api, agent, "transition", "back", target=target)
    answer = behaviour(api, agent, 1, "draft")
    assert answer.status_code == 200, answer.content
    first = answer.json()["scripts"][0]
    lines = [{k: v for k, v in line.items() if v} for line in first["lines"]]
    assert [line.get("event") for line in lines] == ["help", "again"]
    assert first["parts_at"] == 1
    assert [seen["active"][0] for seen in first["before"]] == ["helping", "greeting"]
    assert [seen["active"][0] for seen in first["after"]] == ["helping", "holding"]
    assert first["after"][1]["taken"] == ["back"]
    assert first["after"][0]["slots"] == {"tries": 1}
    assert first["after"][1]["refusal"] is None
    lengths = [len(script["lines"]) for script in answer.json()["scripts"]]
    assert lengths == sorted(lengths)
    assert len(lengths) <= 10
    publish(api, agent)
    assert behaviour(api, agent, 1, 2).json() == answer.json()


def test_other_words_and_places_are_no_other_behaviour(api: Api) -> None:
    agent = made(api)
    publish(api, agent)
    update(api, agent, "state", "helping", label="At work", notes="x")
    update(api, agent, "transition", "close", guard="true")
    settings(api, agent, prompts=[{"key": "greet", "text": "Good day"}])
    answer = behaviour(api, agent, 1, "draft").json()
    assert answer["scripts"] == []
    assert answer["explored"] > 1


def test_a_difference_at_the_start_has_no_line(api: Api) -> None:
    agent = made(api)
    publish(api, agent)
    rows = draft(api, agent)
    initial = row(rows["states"], "waiting")["id"]
    update(api, agent, "region", "conversation", initial=initial)
    first = behaviour(api, agent, 1, "draft").json()["scripts"][0]
    assert (first["lines"], first["parts_at"]) == ([], -1)
    assert [seen["active"][0] for seen in first["before"] + first["after"]] == [
        "greeting", "waiting",
    ]  # fmt: skip


def test_a_draft_that_can_not_run_says_why(api: Api, foreign: Api) -> None:
    agent = made(api)
    publish(api, agent)
    update(api, agent, "transition", "close", guard="slots.nowhere")
    answer = behaviour(api, agent, 1, "draft")
    assert (answer.status_code, answer.json()["code"]) == (422, "check.failed")
    assert compare(api, agent, 1, "draft").status_code == 200
    assert behaviour(foreign, agent, 1, "draft").status_code == 404
    assert behaviour(api, agent, 1, 2).status_code == 404
