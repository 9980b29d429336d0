"""Policies among the settings of a draft."""

from __future__ import annotations

from typing import Any

import pytest

from tests.designer.agents.test_draft_api import draft, edit, made, row
from tests.designer.conftest import Api

POLICY: dict[str, Any] = {
    "key": "no_lookups",
    "tool": "lookup",
    "effect": "deny",
    "when": "slots.tries > 3",
    "message": "",
}


def put(api: Api, agent: str, *policies: Any) -> Any:
    return edit(api, agent, {"op": "settings.update", "fields": {"policies": list(policies)}})


def test_a_draft_keeps_its_policies_and_its_document_has_them(api: Api) -> None:
    agent = made(api)
    assert draft(api, agent)["settings"]["policies"] == []
    answer = put(api, agent, POLICY)
    assert answer.status_code == 200, answer.content
    assert answer.json()["problems"] == draft(api, agent)["problems"]
    assert draft(api, agent)["settings"]["policies"] == [POLICY]
    document = api("GET", f"agents/{agent}/draft/document").json()
    assert document["policies"] == [{k: v for k, v in POLICY.items() if k != "message"}]
    again = api("POST", "agents", {"document": document | {"key": "other"}}).json()["id"]
    assert draft(api, again)["settings"]["policies"] == [POLICY]


def test_taking_it_back_takes_the_policy_away(api: Api) -> None:
    agent = made(api)
    inverse = put(api, agent, POLICY).json()["inverse"]
    assert edit(api, agent, *inverse).status_code == 200
    assert draft(api, agent)["settings"]["policies"] == []


def test_a_renamed_slot_is_renamed_in_the_guard(api: Api) -> None:
    agent = made(api)
    put(api, agent, POLICY)
    slot = row(draft(api, agent)["slots"], "tries")["id"]
    edit(api, agent, {"op": "slot.update", "id": slot, "fields": {"key": "attempts"}})
    assert draft(api, agent)["settings"]["policies"][0]["when"] == "slots.attempts > 3"


def test_an_unknown_tool_and_a_wrong_guard_are_problems(api: Api) -> None:
    agent = made(api)
    problems = put(api, agent, {**POLICY, "tool": "hammer", "when": "slots.nobody"}).json()[
        "problems"
    ]
    assert {tuple(p["path"]) for p in problems if p["severity"] == "error"} == {
        ("policies", 0, "tool"),
        ("policies", 0, "when"),
    }


@pytest.mark.parametrize(
    "policy",
    [
        {**POLICY, "effect": "maybe"},
        {**POLICY, "key": "No"},
        {**POLICY, "more": 1},
        {"key": "x"},
        "x",
    ],
)
def test_what_is_no_policy_is_refused(api: Api, policy: Any) -> None:
    agent = made(api)
    answer = put(api, agent, policy)
    assert (answer.status_code, answer.json()["code"]) == (422, "operation.invalid")
    assert draft(api, agent)["settings"]["policies"] == []
