"""Agents and drafts, through the API."""

from __future__ import annotations

import copy
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from interpreter import library
from tests.designer.conftest import Api
from tests.support.charts import desk


def dump() -> dict[str, Any]:
    """Everything the domain keeps, to see that nothing changed."""
    from django.apps import apps

    return {
        model.__name__: list(model.objects.order_by("pk").values())
        for model in apps.get_app_config("designer").get_models()
        if model.__name__ != "ApiToken"
    }


def made(api: Api, document: dict[str, Any] | None = None) -> str:
    answer = api("POST", "agents", {"document": document or desk()})
    assert answer.status_code == 201, answer.content
    return answer.json()["id"]


def edit(api: Api, agent: str, *operations: dict[str, Any], **more: Any) -> Any:
    batch = {"id": str(uuid4()), "operations": list(operations)} | more
    return api("POST", f"agents/{agent}/draft/operations", batch)


def draft(api: Api, agent: str) -> dict[str, Any]:
    return api("GET", f"agents/{agent}/draft").json()


def row(rows: list[dict[str, Any]], key: str) -> dict[str, Any]:
    return next(item for item in rows if item["key"] == key)


def test_a_blank_agent_has_a_speaker_lane_with_a_start_and_an_end(api: Api) -> None:
    answer = api("POST", "agents", {"key": "fresh", "name": "Fresh"})
    assert answer.status_code == 201
    assert answer.json()["status"] == "draft"
    assert answer["Location"] == f"/v1/agents/{answer.json()['id']}"
    rows = draft(api, answer.json()["id"])
    assert [(r["key"], r["role"]) for r in rows["regions"]] == [("conversation", "speaker")]
    assert [(s["key"], s["kind"]) for s in rows["states"]] == [
        ("start", "state"),
        ("end", "final"),
    ]
    assert len(rows["layout"]) == 3
    assert answer.json()["problems"]["error"] == 0


def test_an_agent_from_a_template(api: Api) -> None:
    body = {"key": "mine", "name": "Mine", "template": "course_answers"}
    agent = api("POST", "agents", body).json()
    assert (agent["key"], agent["name"], agent["states"]) == ("mine", "Mine", 5)
    assert len(agent["thumbnail"]) == 5
    unknown = api("POST", "agents", body | {"key": "other", "template": "nope"})
    assert (unknown.status_code, unknown.json()["code"]) == (422, "template.unknown")


def test_templates_are_the_charts_that_ship(api: Api) -> None:
    assert [t["key"] for t in api("GET", "templates").json()] == list(library.names())


def test_a_key_is_taken_once_in_a_workspace(api: Api, foreign: Api) -> None:
    made(api)
    answer = api("POST", "agents", {"document": desk()})
    assert (answer.status_code, answer.json()["code"]) == (409, "agent.key_taken")
    assert answer.json()["errors"][0]["path"] == "/key"
    made(foreign)


def test_the_draft_gives_back_what_was_put_into_it(api: Api) -> None:
    agent = made(api)
    document = api("GET", f"agents/{agent}/draft/document").json()
    rows = draft(api, agent)
    put = api("PUT", f"agents/{agent}/draft", document, If_Match='"1"')
    assert put.status_code == 200
    assert put["ETag"] == '"2"'
    again = put.json()
    assert again | {"revision": 1} == rows
    assert api("GET", f"agents/{agent}/draft/document").json() == document


def test_put_without_if_match_is_428(api: Api) -> None:
    answer = api("PUT", f"agents/{made(api)}/draft", desk())
    assert (answer.status_code, answer.json()["code"]) == (428, "precondition.required")


@pytest.mark.row("F315")
def test_the_second_of_two_editors_gets_a_conflict_and_nothing_is_lost(api: Api) -> None:
    agent = made(api)
    seen = api("GET", f"agents/{agent}/draft")["ETag"]
    first, second = desk(), desk()
    first["name"], second["name"] = "First", "Second"
    assert api("PUT", f"agents/{agent}/draft", first, If_Match=seen).status_code == 200
    before = dump()
    stale = api("PUT", f"agents/{agent}/draft", second, If_Match=seen)
    assert (stale.status_code, stale.json()["code"]) == (412, "draft.stale")
    assert (stale.json()["revision"], stale["ETag"]) == (2, '"2"')
    assert dump() == before
    assert draft(api, agent)["agent"]["name"] == "First"
    batch = {
        "id": str(uuid4()),
        "operations": [{"op": "settings.update", "fields": {"name": "X"}}],
    }
    stale = api("POST", f"agents/{agent}/draft/operations", batch, If_Match=seen)
    assert stale.status_code == 412
    assert dump() == before


def test_two_people_who_edit_different_fields_both_win(api: Api) -> None:
    agent = made(api)
    state = row(draft(api, agent)["states"], "greeting")["id"]
    edit(api, agent, {"op": "state.update", "id": state, "fields": {"label": "Hi"}}, base=1)
    answer = edit(
        api, agent, {"op": "state.update", "id": state, "fields": {"notes": "N"}}, base=1
    )
    assert answer.status_code == 200
    shown = row(draft(api, agent)["states"], "greeting")
    assert (shown["label"], shown["notes"]) == ("Hi", "N")


def test_a_batch_is_applied_once_and_answered_alike(api: Api) -> None:
    agent = made(api)
    body = {
        "id": str(uuid4()),
        "operations": [{"op": "slot.add", "id": str(uuid4()), "fields": {"key": "x"}}],
    }
    first = api("POST", f"agents/{agent}/draft/operations", body).json()
    before = dump()
    second = api("POST", f"agents/{agent}/draft/operations", body).json()
    assert second == first | {"replayed": True}
    assert dump() == before
    body["operations"][0]["fields"] = {"key": "y"}
    other = api("POST", f"agents/{agent}/draft/operations", body)
    assert (other.status_code, other.json()["code"]) == (409, "idempotency.key_reused")


def test_nothing_of_a_batch_applies_when_one_operation_is_refused(api: Api) -> None:
    agent = made(api)
    before = dump()
    gone = str(uuid4())
    answer = edit(
        api,
        agent,
        {"op": "slot.add", "id": str(uuid4()), "fields": {"key": "x"}},
        {"op": "state.remove", "id": gone},
    )
    assert (answer.status_code, answer.json()["code"]) == (409, "operation.gone")
    assert gone in answer.json()["detail"]
    assert answer.json()["errors"][0]["path"] == "/operations/1/id"
    assert dump() == before


def test_an_edit_is_undone_by_its_inverse_through_the_api(api: Api) -> None:
    agent = made(api)
    before = draft(api, agent)
    state = row(before["states"], "helping")["id"]
    answer = edit(api, agent, {"op": "state.remove", "id": state}).json()
    assert answer["revision"] == 2
    assert edit(api, agent, *answer["inverse"]).status_code == 200
    after = draft(api, agent)
    same = (
        "settings",
        "limits",
        "regions",
        "states",
        "transitions",
        "slots",
        "layout",
        "problems",
    )
    assert {name: after[name] for name in same} == {name: before[name] for name in same}


def test_a_rename_comes_back_with_its_rewrites(api: Api) -> None:
    agent = made(api)
    slot = row(draft(api, agent)["slots"], "tries")["id"]
    answer = edit(api, agent, {"op": "slot.update", "id": slot, "fields": {"key": "attempts"}})
    assert len(answer.json()["operations"]) >= 2
    effects = row(draft(api, agent)["transitions"], "to_help")["effects"]
    assert effects == [{"set": "attempts", "value": "slots.attempts + 1"}]
    assert answer.json()["problems"] == draft(api, agent)["problems"]


def test_problems_name_the_row_and_the_field(api: Api) -> None:
    agent = made(api)
    transition = row(draft(api, agent)["transitions"], "to_help")["id"]
    fields = {"guard": "slots.nothing > 1"}
    answer = edit(api, agent, {"op": "transition.update", "id": transition, "fields": fields})
    problem = next(p for p in answer.json()["problems"] if p["severity"] == "error")
    assert problem["subject"] == {"kind": "transition", "id": transition}
    assert problem["field"] == "guard"
    assert api("GET", f"agents/{agent}").json()["problems"]["error"] == 1


def test_edits_are_a_stream_without_gaps(api: Api) -> None:
    agent = made(api)
    for number in range(3):
        edit(api, agent, {"op": "settings.update", "fields": {"name": f"N{number}"}})
    page = api("GET", f"agents/{agent}/draft/edits?after=2").json()
    assert [event["seq"] for event in page["events"]] == [3, 4]
    assert page["head"] == 4
    assert page["events"][0]["data"]["by"]["name"] == "Dana"


def test_layout_never_changes_what_the_draft_says(api: Api) -> None:
    agent = made(api)
    before = api("GET", f"agents/{agent}/draft/document").json()
    state = row(draft(api, agent)["states"], "greeting")["id"]
    box = {"x": 1.5, "y": 2, "w": 200, "h": 80}
    edit(api, agent, {"op": "layout.set", "id": state, "fields": box})
    assert api("GET", f"agents/{agent}/draft/document").json() == before
    assert draft(api, agent)["layout"][state] == box
    bad = edit(api, agent, {"op": "layout.set", "id": state, "fields": box | {"x": "left"}})
    assert (bad.status_code, bad.json()["code"]) == (422, "operation.invalid")


def test_a_malformed_chart_is_refused_with_every_place(api: Api) -> None:
    agent = made(api)
    before = dump()
    chart = desk()
    chart["machine"]["regions"][0]["colour"] = "red"
    chart["machine"]["regions"][0]["states"][0]["transitions"][0]["on"] = {"maybe": 1}
    answer = api("PUT", f"agents/{agent}/draft", chart, If_Match='"1"')
    assert (answer.status_code, answer.json()["code"]) == (422, "document.invalid")
    assert answer["Content-Type"] == "application/problem+json"
    paths = {error["path"] for error in answer.json()["errors"]}
    assert "/machine/regions/0/colour" in paths
    assert any(p.startswith("/machine/regions/0/states/0/transitions/0/on") for p in paths)
    chart = desk()
    chart["machine"]["regions"][0]["states"][0]["transitions"][0]["target"] = "nowhere"
    answer = api("PUT", f"agents/{agent}/draft", chart, If_Match='"1"')
    assert answer.json()["errors"][0]["path"] == "/machine/regions/0/states/0/transitions/0/target"
    assert dump() == before


def test_a_chart_with_33_slots_is_refused(api: Api) -> None:
    before = dump()
    chart = desk()
    chart["slots"] = [{"key": f"s{n}", "type": "string"} for n in range(33)]
    answer = api("POST", "agents", {"document": chart})
    assert answer.status_code == 422
    assert "33 slots" in answer.json()["detail"]
    assert dump() == before


def test_charts_beyond_the_limits_are_refused(api: Api) -> None:
    def chart(states: int, transitions: int) -> dict[str, Any]:
        loop = {"on": {"event": "e"}}
        rows = [{"key": f"s{n}"} for n in range(states)]
        rows[0]["transitions"] = [loop] * transitions
        region = {"key": "r", "role": "speaker", "initial": "s0", "states": rows}
        machine = {"format": "callchart.machine/1", "regions": [region]}
        return {"format": "callchart.agent/1", "key": "big", "name": "Big", "machine": machine}

    deep: dict[str, Any] = {"key": "s0"}
    for level in range(24):
        deep = {"key": f"s{level + 1}", "regions": [{"key": f"r{level}", "states": [deep]}]}
    nested = chart(1, 0)
    nested["machine"]["regions"][0]["states"] = [deep]
    named = chart(1, 0) | {"name": "x" * 201}
    before = dump()
    for document in (chart(20_000, 0), chart(1, 10_000), nested, named):
        answer = api("POST", "agents", {"document": document})
        assert 400 <= answer.status_code < 500, answer.content
        assert dump() == before
    agent = made(api, chart(2, 0))
    after = draft(api, agent)
    inside = str(uuid4())
    state = after["states"][0]["id"]
    edit(api, agent, {"op": "region.add", "id": inside, "parent": state, "fields": {"key": "in"}})
    loop = edit(api, agent, {"op": "state.move", "id": state, "region": inside, "index": 0})
    assert (loop.status_code, loop.json()["code"]) == (422, "operation.invalid")


@pytest.mark.row("R-09")
def test_only_declared_fields_are_written(api: Api) -> None:
    agent = made(api)
    before = dump()
    for body in (
        {"name": "X", "workspace": "south"},
        {"name": "X", "revision": 9},
        {"created_by": "eve"},
    ):
        answer = api("PATCH", f"agents/{agent}", body)
        assert (answer.status_code, answer.json()["code"]) == (422, "body.invalid")
    state = draft(api, agent)["states"][0]["id"]
    for fields in ({"agent_id": str(uuid4())}, {"layout": {}}, {"position": 4}):
        answer = edit(api, agent, {"op": "state.update", "id": state, "fields": fields})
        assert answer.status_code == 422
    assert api("POST", f"agents/{agent}/versions", {"published_at": "x"}).status_code == 422
    for path in ("approve", "activate"):
        answer = api("POST", f"agents/{agent}/versions/1/{path}", {"role": "reviewer"})
        assert answer.status_code in (403, 404, 422)
    assert dump() == before


def test_an_agent_is_renamed_and_archived(api: Api) -> None:
    agent = made(api)
    assert (
        api("PATCH", f"agents/{agent}", {"key": "front", "name": "Front"}).json()["key"] == "front"
    )
    assert api("DELETE", f"agents/{agent}").status_code == 204
    assert api("GET", f"agents/{agent}").status_code == 404
    assert api("GET", "agents").json()["results"] == []
    made(api)


def test_an_idempotency_key_makes_one_agent(api: Api) -> None:
    body = {"key": "one", "name": "One"}
    first = api("POST", "agents", body, Idempotency_Key="k1")
    again = api("POST", "agents", body, Idempotency_Key="k1")
    assert again.json() == first.json()
    assert again["Idempotency-Replayed"] == "true"
    other = api("POST", "agents", body | {"name": "Two"}, Idempotency_Key="k1")
    assert (other.status_code, other.json()["code"]) == (409, "idempotency.key_reused")
    taken = api("POST", "agents", body, Idempotency_Key="k2")
    assert taken.status_code == 409
    retry = api("POST", "agents", body | {"key": "two"}, Idempotency_Key="k2")
    assert retry.status_code == 201
    assert len(api("GET", "agents").json()["results"]) == 2


def test_a_list_is_read_page_by_page(api: Api) -> None:
    for number in range(5):
        api("POST", "agents", {"key": f"a{number}", "name": "A"})
    seen: list[str] = []
    path = "agents?limit=2"
    while path:
        page = api("GET", path).json()
        seen += [agent["key"] for agent in page["results"]]
        path = f"agents?limit=2&cursor={page['next']}" if page["next"] else ""
    assert sorted(seen) == [f"a{n}" for n in range(5)]
    assert len(seen) == 5


@pytest.mark.parametrize(
    "query",
    ["limit=0", "limit=1000000000", "limit=x", "cursor=%F0%9F", "cursor=abcd", "sort=payload"],
)
def test_it_refuses_a_query_it_does_not_know(api: Api, query: str) -> None:
    answer = api("GET", f"agents?{query}")
    assert (answer.status_code, answer.json()["code"]) == (400, "query.invalid")


def queries(act: Any) -> int:
    with CaptureQueriesContext(connection) as seen:
        act()
    return len(seen)


def test_reading_costs_the_same_at_any_size(api: Api) -> None:
    small = made(api)
    large_chart = copy.deepcopy(library.load("northwind_support")["document"])
    large_chart["squad"] = []
    large = made(api, large_chart)
    assert queries(lambda: draft(api, small)) == queries(lambda: draft(api, large)) <= 9
    few = queries(lambda: api("GET", "agents"))
    for number in range(6):
        api("POST", "agents", {"key": f"a{number}", "name": "A"})
    assert queries(lambda: api("GET", "agents")) == few <= 6


def test_a_batch_costs_the_same_for_one_row_and_for_many(api: Api) -> None:
    agent = made(api)
    region = draft(api, agent)["regions"][0]["id"]

    def adding(count: int) -> int:
        operations = [
            {
                "op": "state.add",
                "id": str(uuid4()),
                "region": region,
                "fields": {"key": f"s{count}_{n}"},
            }
            for n in range(count)
        ]
        return queries(lambda: edit(api, agent, *operations))

    assert adding(1) == adding(40)


@pytest.mark.parametrize(
    ("layout", "path"),
    [
        ({"states": {"greeting": {"x": 1}}}, "/layout/states/greeting"),
        ({"states": {"greeting": 5}}, "/layout/states/greeting"),
        ({"greeting": {"x": "a", "y": 0, "w": 1, "h": 1}}, "/layout/greeting/x"),
        ({"states": []}, "/layout/states"),
        ({"regions": {"conversation": {"x": 1e9, "y": 0, "w": 1, "h": 1}}}, None),
    ],
)
def test_a_layout_that_does_not_fit_is_refused_with_its_place(
    api: Api, layout: Any, path: str | None
) -> None:
    agent = made(api)
    answer = api(
        "PUT", f"agents/{agent}/draft", {"document": desk(), "layout": layout}, If_Match='"1"'
    )
    assert (answer.status_code, answer.json()["code"]) == (422, "layout.invalid")
    assert path in (None, answer.json()["errors"][0]["path"])
    assert draft(api, agent)["revision"] == 1


@pytest.mark.parametrize("layout", [5, "abc", [], [{}]])
def test_a_layout_is_an_object(api: Api, layout: Any) -> None:
    agent = made(api)
    answer = api(
        "PUT", f"agents/{agent}/draft", {"document": desk(), "layout": layout}, If_Match='"1"'
    )
    assert answer.status_code == 422
    answer = api("POST", "agents", {"document": {**desk(), "key": "other"}, "layout": layout})
    assert answer.status_code == 422
