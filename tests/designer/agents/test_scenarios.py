"""Scenarios: kept with the Agent, edited with care, and named things in them follow renames."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from tests.designer.agents.test_draft_api import draft, edit, made, row
from tests.designer.conftest import Api, person

LINES: list[dict[str, Any]] = [
    {"set": {"slot": "name", "value": "Ann"}},
    {"event": "help"},
    {"expect": {"active": "helping", "slots": {"tries": 1}}},
    {"propose": {"set_slot": {"slot": "tries", "value": 2}}},
    {"propose": {"transition": "waiting", "confidence": 0.9}},
    {"expect": {"active": ["waiting", "unread"], "refused": False}},
]


def create(api: Api, agent: str, name: str = "A caller", **more: Any) -> Any:
    return api("POST", f"agents/{agent}/scenarios", {"name": name, "lines": LINES} | more)


def put(api: Api, agent: str, scenario: dict[str, Any], **more: Any) -> Any:
    said = {name: scenario[name] for name in ("name", "description", "slots", "lines")}
    path = f"agents/{agent}/scenarios/{scenario['id']}"
    return api("PUT", path, said | more, If_Match=f'"{scenario["revision"]}"')


def read(api: Api, agent: str, scenario: dict[str, Any]) -> dict[str, Any]:
    answer = api("GET", f"agents/{agent}/scenarios/{scenario['id']}")
    assert answer["ETag"] == f'"{answer.json()["revision"]}"'
    return answer.json()


def test_a_scenario_is_created_read_replaced_and_deleted(api: Api) -> None:
    agent = made(api)
    answer = create(api, agent, slots={"name": "Bo"})
    assert answer.status_code == 201, answer.content
    scenario = answer.json()
    assert answer["Location"] == f"/v1/agents/{agent}/scenarios/{scenario['id']}"
    assert (scenario["revision"], scenario["last"]) == (1, None)
    assert read(api, agent, scenario) == scenario
    second = put(api, agent, scenario, name="Other", lines=LINES[:2]).json()
    assert (second["name"], second["lines"], second["revision"]) == ("Other", LINES[:2], 2)
    assert put(api, agent, second).json() == second
    path = f"agents/{agent}/scenarios/{scenario['id']}"
    assert api("DELETE", path).status_code == 204
    assert api("GET", path).status_code == api("DELETE", path).status_code == 404


def test_two_who_replace_one_scenario_do_not_lose_each_others_work(api: Api) -> None:
    agent = made(api)
    scenario = create(api, agent).json()
    assert put(api, agent, scenario, name="First").status_code == 200
    late = put(api, agent, scenario, name="Second")
    assert (late.status_code, late.json()["code"]) == (412, "scenario.stale")
    assert late.json()["revision"] == 2
    assert read(api, agent, scenario)["name"] == "First"
    path = f"agents/{agent}/scenarios/{scenario['id']}"
    assert api("PUT", path, {"name": "x"}).status_code == 428


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"name": ""}, "/name"),
        ({"name": "  "}, "/name"),
        ({"name": "x" * 201}, "/name"),
        ({"name": "x", "lines": {}}, "/lines"),
        ({"name": "x", "lines": ["help"]}, "/lines/0"),
        ({"name": "x", "lines": [{"event": "e"}] * 1001}, "/lines"),
        ({"name": "x", "slots": []}, "/slots"),
        ({"name": "x", "colour": "red"}, "/colour"),
        ({}, "/name"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_place(
    api: Api, body: dict[str, Any], path: str
) -> None:
    agent = made(api)
    answer = api("POST", f"agents/{agent}/scenarios", body)
    assert answer.status_code == 422, answer.content
    assert path in [fault["path"] for fault in answer.json()["errors"]]
    assert api("GET", f"agents/{agent}/scenarios").json()["results"] == []


def test_they_are_listed_by_name_in_pages(api: Api) -> None:
    agent = made(api)
    for name in "dbeac":
        create(api, agent, name)
    first = api("GET", f"agents/{agent}/scenarios?limit=3").json()
    rest = api("GET", f"agents/{agent}/scenarios?limit=3&cursor={first['next']}").json()
    assert [s["name"] for s in first["results"] + rest["results"]] == list("abcde")
    assert rest["next"] is None
    assert api("GET", f"agents/{agent}/scenarios?cursor=x").status_code == 400


def test_support_reads_scenarios_and_does_not_edit_them(api: Api, foreign: Api) -> None:
    sam = Api(person("north", "Sam", "support").token)
    agent = made(api)
    scenario = create(api, agent).json()
    assert read(sam, agent, scenario) == scenario
    assert create(sam, agent).status_code == put(sam, agent, scenario).status_code == 403
    assert api("GET", f"agents/{agent}/scenarios/{uuid4()}").status_code == 404
    assert foreign("GET", f"agents/{agent}/scenarios").status_code == 404


def rename(api: Api, agent: str, kind: str, old: str, new: str) -> Any:
    id = row(draft(api, agent)[f"{kind}s"], old)["id"]
    return edit(api, agent, {"op": f"{kind}.update", "id": id, "fields": {"key": new}})


def test_renaming_a_key_rewrites_it_in_scenarios_and_undo_brings_it_back(api: Api) -> None:
    agent = made(api)
    scenario = create(api, agent, slots={"name": "Bo", "tries": 0}).json()
    undo = [
        rename(api, agent, "slot", "tries", "attempts").json()["inverse"],
        rename(api, agent, "state", "waiting", "on_hold").json()["inverse"],
    ]
    now = read(api, agent, scenario)
    assert now["slots"] == {"name": "Bo", "attempts": 0}
    assert now["lines"][2]["expect"]["slots"] == {"attempts": 1}
    assert now["lines"][3]["propose"]["set_slot"]["slot"] == "attempts"
    assert now["lines"][4]["propose"] == {"transition": "on_hold", "confidence": 0.9}
    assert now["lines"][5]["expect"]["active"] == ["on_hold", "unread"]
    assert now["lines"][:2] == LINES[:2]
    assert now["revision"] > scenario["revision"]
    for operations in reversed(undo):
        assert edit(api, agent, *operations).status_code == 200
    back = read(api, agent, scenario)
    assert (back["slots"], back["lines"]) == (scenario["slots"], scenario["lines"])


def test_a_proposal_by_a_transitions_key_follows_it_and_others_stay(api: Api) -> None:
    agent = made(api)
    lines = [{"propose": {"transition": "more"}}, {"propose": {"transition": "goodbye"}}]
    scenario = create(api, agent, lines=lines).json()
    rename(api, agent, "transition", "more", "goodbye_later")
    now = read(api, agent, scenario)["lines"]
    assert now == [{"propose": {"transition": "goodbye_later"}}, lines[1]]


def test_two_slots_that_change_names_change_them_in_scenarios(api: Api) -> None:
    agent = made(api)
    scenario = create(api, agent, slots={"name": "Bo", "card": "1"}, lines=[]).json()
    rows = draft(api, agent)["slots"]
    answer = edit(
        api,
        agent,
        {"op": "slot.update", "id": row(rows, "name")["id"], "fields": {"key": "card"}},
        {"op": "slot.update", "id": row(rows, "card")["id"], "fields": {"key": "name"}},
    )
    assert answer.status_code == 200, answer.content
    assert read(api, agent, scenario)["slots"] == {"card": "Bo", "name": "1"}


def test_squad_and_outcome_keys_follow_their_place_in_the_list(api: Api) -> None:
    agent = made(api)
    squad = [{"key": "billing", "agent": "billing"}]
    edit(api, agent, {"op": "settings.update", "fields": {"squad": squad}})
    lines = [{"propose": {"handoff": "billing"}}, {"expect": {"ended": "resolved"}}]
    scenario = create(api, agent, lines=lines).json()
    fields = {
        "squad": [{"key": "money", "agent": "billing"}],
        "outcomes": [{"key": "solved", "label": "Resolved"}],
    }
    assert edit(api, agent, {"op": "settings.update", "fields": fields}).status_code == 200
    now = read(api, agent, scenario)["lines"]
    assert now == [{"propose": {"handoff": "money"}}, {"expect": {"ended": "solved"}}]


def question_set(question: str, *answers: str) -> dict[str, Any]:
    said = [{"key": answer, "label": answer} for answer in answers]
    return {"key": "intent", "questions": [{"key": question, "label": "?", "answers": said}]}


def test_verdicts_follow_their_question_and_their_answer(api: Api) -> None:
    agent = made(api)
    fields = {"question_sets": [question_set("wish", "refund", "other")]}
    answer = edit(api, agent, {"op": "settings.update", "fields": fields})
    assert answer.status_code == 200, answer.content
    lines = [{"event": f"decision.wish.{name}"} for name in ("refund", "other", "unsure")]
    scenario = create(api, agent, lines=[*lines, {"event": "decision.mood.good"}]).json()
    fields = {"question_sets": [question_set("want", "money_back", "other")]}
    undo = edit(api, agent, {"op": "settings.update", "fields": fields}).json()["inverse"]
    now = [line["event"] for line in read(api, agent, scenario)["lines"]]
    assert now == [
        "decision.want.money_back", "decision.want.other", "decision.want.unsure",
        "decision.mood.good",
    ]  # fmt: skip
    edit(api, agent, *undo)
    assert read(api, agent, scenario)["lines"] == scenario["lines"]
