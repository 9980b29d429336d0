"""All that stands beside the machine: kept, renamed with every reference, limited, fixed."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from tests.designer.agents.test_draft_api import draft, edit, made, row
from tests.designer.conftest import Api
from tests.support.charts import desk

WANTS: dict[str, Any] = {
    "key": "wants",
    "label": "What they want",
    "questions": [
        {
            "key": "intent",
            "label": None,
            "kind": "choice",
            "context": True,
            "answers": [
                {
                    "key": "refund",
                    "label": "Money back",
                    "description": "They want money back.",
                    "examples": ["I want my money back"],
                    "keywords": ["refund"],
                },
                {"key": "other", "label": None, "description": "", "examples": [], "keywords": []},
            ],
        }
    ],
}
LANE = {"provider": "keywords", "model": "", "threshold": 0.7, "timeout": "2s"}
TOOL: dict[str, Any] = {
    "key": "refund",
    "description": "Pays money back",
    "arguments": {
        "type": "object",
        "properties": {"order": {"type": "string"}},
        "required": ["order"],
    },
    "call": {"kind": "http", "url": "https://shop.example/refund", "method": "POST"},
    "approval": "approve",
}


def entry(verb: str, list: str, **more: Any) -> dict[str, Any]:
    return {"op": f"entry.{verb}", "list": list, **more}


def rich(api: Api) -> str:
    """A draft with something in every list, and machine parts that name all of it."""
    document = desk()
    document["question_sets"] = [WANTS]
    document["lane"] = LANE
    document["tools"].append(TOOL)
    document["squad"] = [{"key": "billing", "agent": "billing_desk"}]
    document["outcomes"] = [{"key": "resolved", "label": "Resolved for {{ slots.name }}"}]
    document["policies"] = [{"key": "big", "tool": "refund", "effect": "approve"}]
    greeting = document["machine"]["regions"][0]["states"][0]
    greeting |= {"tools": ["refund"], "ask": ["wants"], "agent": "billing"}
    greeting["transitions"] += [
        {
            "key": "money",
            "on": {"event": ["decision.intent.refund", "tool.refund.ok"]},
            "target": "helping",
            "effects": [
                {"call": "refund", "args": {"order": "decision.intent"}},
                {"say": "greet"},
                {"handoff": "billing"},
                {"end": "resolved"},
            ],
        },
        {"key": "rest", "on": {"event": "decision.intent.*"}, "guard": "decision.intent != 'x'"},
    ]
    return made(api, document)


def parts(api: Api, agent: str) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """The settings, the state `greeting` and its transition `money`."""
    rows = draft(api, agent)
    return rows["settings"], row(rows["states"], "greeting"), row(rows["transitions"], "money")


def test_a_draft_keeps_all_of_it_and_its_document_says_it(api: Api) -> None:
    agent = rich(api)
    settings = draft(api, agent)["settings"]
    assert settings["question_sets"] == [WANTS]
    assert settings["lane"] == LANE
    assert settings["tools"][1] == TOOL
    assert settings["tools"][0]["approval"] == "allow"
    document = api("GET", f"agents/{agent}/draft/document").json()
    again = api("POST", "agents", {"document": document | {"key": "other"}}).json()["id"]
    assert draft(api, again)["settings"] == settings
    assert api("GET", f"agents/{again}/draft/document").json() == document | {"key": "other"}


@pytest.mark.parametrize(
    ("list", "fields", "change"),
    [
        ("prompts", {"key": "bye", "text": "Bye"}, {"text": "Goodbye"}),
        ("tools", {**TOOL, "key": "pay"}, {"approval": "deny", "arguments": {"type": "object"}}),
        ("outcomes", {"key": "lost", "label": "Lost"}, {"label": "Gone"}),
        ("squad", {"key": "night", "agent": "night_desk"}, {"agent": "day_desk"}),
        (
            "policies",
            {"key": "p", "tool": "lookup", "effect": "deny"},
            {"when": "slots.tries > 1"},
        ),
        ("question_sets", {**WANTS, "key": "more", "questions": []}, {"label": "More"}),
    ],
)
def test_an_entry_is_added_changed_moved_removed_and_all_of_it_undone(
    api: Api, list: str, fields: dict[str, Any], change: dict[str, Any]
) -> None:
    agent = made(api)
    start = draft(api, agent)["settings"]
    steps = [
        entry("add", list, index=0, fields=fields),
        entry("update", list, key=fields["key"], fields=change),
        entry("move", list, key=fields["key"], index=len(start[list])),
        entry("remove", list, key=fields["key"]),
    ]
    inverses = []
    for step in steps:
        answer = edit(api, agent, step)
        assert answer.status_code == 200, answer.content
        inverses.append(answer.json()["inverse"])
        if step["op"] == "entry.update":
            changed = row(draft(api, agent)["settings"][list], fields["key"])
            assert {name: changed[name] for name in change} == change
    assert draft(api, agent)["settings"] == start
    for inverse in reversed(inverses):
        assert edit(api, agent, *inverse).status_code == 200
    assert draft(api, agent)["settings"] == start


def test_two_people_change_two_prompts_and_both_win(api: Api) -> None:
    agent = made(api)
    edit(api, agent, entry("add", "prompts", fields={"key": "bye", "text": "Bye"}))
    stale = draft(api, agent)["revision"]
    edit(api, agent, entry("update", "prompts", key="greet", fields={"text": "A"}), base=stale)
    edit(api, agent, entry("update", "prompts", key="bye", fields={"text": "B"}), base=stale)
    assert [p["text"] for p in draft(api, agent)["settings"]["prompts"]] == ["A", "B"]


@pytest.mark.parametrize(
    ("operation", "status", "code"),
    [
        (entry("update", "prompts", key="gone", fields={"text": ""}), 409, "operation.gone"),
        (entry("remove", "tools", key="gone"), 409, "operation.gone"),
        (entry("add", "prompts", fields={"key": "greet"}), 422, "operation.invalid"),
        (entry("add", "prompts", fields={"text": "no key"}), 422, "operation.invalid"),
        (entry("add", "wishes", fields={"key": "a"}), 422, "operation.invalid"),
        (entry("add", "policies", fields={"key": "p"}), 422, "operation.invalid"),
        (
            entry("add", "tools", fields={"key": "t", "approval": "maybe"}),
            422,
            "operation.invalid",
        ),
        (
            entry("add", "tools", fields={"key": "t", "call": {"kind": "mail"}}),
            422,
            "operation.invalid",
        ),
        (
            entry("add", "question_sets", fields={"key": "q", "questions": [{"key": "B"}]}),
            422,
            "operation.invalid",
        ),
        (
            {"op": "settings.update", "fields": {"lane": {"threshold": 2}}},
            422,
            "operation.invalid",
        ),
        (
            {"op": "settings.update", "fields": {"lane": {"timeout": "soon"}}},
            422,
            "operation.invalid",
        ),
    ],
)
def test_what_does_not_fit_is_refused_and_changes_nothing(
    api: Api, operation: dict[str, Any], status: int, code: str
) -> None:
    agent = made(api)
    before = draft(api, agent)
    answer = edit(api, agent, operation)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer.json()["errors"][0]["message"]
    assert draft(api, agent) == before


def rename(list: str, key: str, new: str) -> dict[str, Any]:
    return entry("update", list, key=key, fields={"key": new})


def test_a_renamed_prompt_is_renamed_where_it_is_said(api: Api) -> None:
    agent = rich(api)
    edit(api, agent, rename("prompts", "greet", "welcome"))
    _, greeting, money = parts(api, agent)
    assert greeting["prompt"] == "welcome"
    assert {"say": "welcome"} in money["effects"]


def test_a_renamed_tool_is_renamed_in_states_effects_events_and_policies(api: Api) -> None:
    agent = rich(api)
    answer = edit(api, agent, rename("tools", "refund", "pay_back")).json()
    settings, greeting, money = parts(api, agent)
    assert greeting["tools"] == ["pay_back"]
    assert money["effects"][0]["call"] == "pay_back"
    assert money["on"]["event"] == ["decision.intent.refund", "tool.pay_back.ok"]
    assert settings["policies"][0]["tool"] == "pay_back"
    edit(api, agent, *answer["inverse"])
    settings, greeting, money = parts(api, agent)
    assert (greeting["tools"], settings["policies"][0]["tool"]) == (["refund"], "refund")
    assert money["on"]["event"][1] == "tool.refund.ok"


def test_a_renamed_colleague_and_outcome_are_renamed_where_they_are_named(api: Api) -> None:
    agent = rich(api)
    edit(api, agent, rename("squad", "billing", "cash"), rename("outcomes", "resolved", "done"))
    _, greeting, money = parts(api, agent)
    assert greeting["agent"] == "cash"
    assert {"handoff": "cash"} in money["effects"]
    assert {"end": "done"} in money["effects"]


def test_a_renamed_question_set_question_and_answer_are_renamed_in_states_guards_and_events(
    api: Api,
) -> None:
    agent = rich(api)
    edit(api, agent, rename("question_sets", "wants", "needs"))
    assert parts(api, agent)[1]["ask"] == ["needs"]
    question = WANTS["questions"][0]
    fields = {"questions": [{**question, "key": "goal"}]}
    edit(api, agent, entry("update", "question_sets", key="needs", fields=fields))
    _, _, money = parts(api, agent)
    assert money["on"]["event"][0] == "decision.goal.refund"
    assert money["effects"][0]["args"] == {"order": "decision.goal"}
    rest = row(draft(api, agent)["transitions"], "rest")
    assert (rest["on"], rest["guard"]) == (
        {"event": "decision.goal.*"},
        "decision.goal != 'x'",
    )
    guard = "decision.goal in ['refund', 'x'] && slots.name != 'refund'"
    edit(api, agent, {"op": "transition.update", "id": rest["id"], "fields": {"guard": guard}})
    answers = [{**question["answers"][0], "key": "money"}, question["answers"][1]]
    fields = {"questions": [{**question, "key": "goal", "answers": answers}]}
    done = edit(api, agent, entry("update", "question_sets", key="needs", fields=fields)).json()
    assert parts(api, agent)[2]["on"]["event"][0] == "decision.goal.money"
    rest = row(draft(api, agent)["transitions"], "rest")
    assert rest["guard"] == "decision.goal in ['money', 'x'] && slots.name != 'refund'"
    edit(api, agent, *done["inverse"])
    assert row(draft(api, agent)["transitions"], "rest")["guard"] == guard


def test_a_renamed_slot_is_renamed_in_outcomes(api: Api) -> None:
    agent = rich(api)
    slot = row(draft(api, agent)["slots"], "name")["id"]
    edit(api, agent, {"op": "slot.update", "id": slot, "fields": {"key": "caller"}})
    settings = parts(api, agent)[0]
    assert settings["outcomes"][0]["label"] == "Resolved for {{ slots.caller }}"
    assert settings["prompts"][0]["text"] == "Hello {{ slots.caller }}"


@pytest.mark.row("F284")
@pytest.mark.row("R3-15")
def test_32_slots_are_accepted_and_the_33rd_is_refused(api: Api) -> None:
    agent = made(api)
    room = 32 - len(draft(api, agent)["slots"])
    slots = [
        {"op": "slot.add", "id": str(uuid4()), "fields": {"key": f"s{n}"}} for n in range(room + 1)
    ]
    assert edit(api, agent, *slots[:-1]).status_code == 200
    before = draft(api, agent)
    assert len(before["slots"]) == 32
    answer = edit(api, agent, slots[-1])
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["message"] == "33 slots: at most 32 are allowed."
    assert draft(api, agent) == before
    document = desk("many") | {"slots": [{"key": f"s{n}", "type": "string"} for n in range(33)]}
    assert api("POST", "agents", {"document": document}).status_code == 422


@pytest.mark.row("F288")
@pytest.mark.row("R3-22")
def test_8_squad_agents_are_accepted_and_the_9th_is_refused(api: Api) -> None:
    agent = made(api)
    members = [entry("add", "squad", fields={"key": f"m{n}", "agent": "x"}) for n in range(9)]
    assert edit(api, agent, *members[:8]).status_code == 200
    before = draft(api, agent)
    assert len(before["settings"]["squad"]) == 8
    answer = edit(api, agent, members[8])
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["message"] == "At most 8 in squad are allowed."
    nine = [{"key": f"m{n}", "agent": "x"} for n in range(9)]
    whole = edit(api, agent, {"op": "settings.update", "fields": {"squad": nine}})
    assert whole.status_code == 422
    assert draft(api, agent) == before


@pytest.mark.row("F289")
@pytest.mark.row("R3-23")
def test_a_state_bound_to_an_unknown_squad_key_is_refused_at_publish(api: Api) -> None:
    agent = made(api)
    state = row(draft(api, agent)["states"], "greeting")["id"]
    edit(api, agent, {"op": "state.update", "id": state, "fields": {"agent": "nobody"}})
    answer = api("POST", f"agents/{agent}/versions", {})
    assert (answer.status_code, answer.json()["code"]) == (422, "check.failed")
    found = [p for p in answer.json()["problems"] if p["code"] == "agent.unknown"]
    assert found[0]["subject"] == {"kind": "state", "id": state}
    assert "'greeting' names the squad agent 'nobody'" in found[0]["message"]
    assert api("GET", f"agents/{agent}/versions").json()["results"] == []


PLACES = {
    "machine": {"op": "transition.update", "key": "to_help", "fields": {"guard": "slots.nope"}},
    "prompt": entry("update", "prompts", key="greet", fields={"text": "{{ slots.nope }}"}),
    "policy": entry(
        "add",
        "policies",
        fields={"key": "p", "tool": "lookup", "effect": "deny", "when": "slots.nope == true"},
    ),
    "outcome": entry("update", "outcomes", key="resolved", fields={"label": "{{ slots.nope }}"}),
}


@pytest.mark.parametrize(
    ("place", "path"),
    [
        pytest.param(
            "machine",
            ["machine", "regions", 0, "states", 0, "transitions", 0, "guard"],
            marks=pytest.mark.row("R3-18"),
        ),
        pytest.param("prompt", ["prompts", 0, "text"], marks=pytest.mark.row("R3-19")),
        pytest.param("policy", ["policies", 0, "when"], marks=pytest.mark.row("R3-20")),
        pytest.param("outcome", ["outcomes", 0, "label"], marks=pytest.mark.row("R3-21")),
    ],
)
@pytest.mark.row("F287")
def test_an_unknown_slot_is_refused_at_publish_and_its_place_is_named(
    api: Api, place: str, path: list[Any]
) -> None:
    agent = made(api)
    operation = dict(PLACES[place])
    if place == "machine":
        operation["id"] = row(draft(api, agent)["transitions"], operation.pop("key"))["id"]
    assert edit(api, agent, operation).status_code == 200
    answer = api("POST", f"agents/{agent}/versions", {})
    assert (answer.status_code, answer.json()["code"]) == (422, "check.failed")
    found = [p for p in answer.json()["problems"] if p["code"] == "slot.unknown"]
    assert [p["path"] for p in found] == [path]
    assert "no slot is named 'nope'" in found[0]["message"]
    assert api("GET", f"agents/{agent}/versions").json()["results"] == []


@pytest.mark.row("F272")
@pytest.mark.parametrize("speakers", [0, 1, 2])
def test_exactly_one_region_is_the_speaker(api: Api, speakers: int) -> None:
    document = desk()
    document["machine"]["regions"] = [
        {
            "key": f"r{n}",
            "role": "speaker" if n < speakers else "observer",
            "initial": f"s{n}",
            "states": [{"key": f"s{n}", "kind": "final"}],
        }
        for n in range(2)
    ]
    del document["machine"]["limits"]
    agent = made(api, document)
    answer = api("POST", f"agents/{agent}/versions", {})
    if speakers == 1:
        assert answer.status_code == 201
        return
    assert answer.status_code == 422
    messages = [p["message"] for p in answer.json()["problems"] if p["code"] == "region.speaker"]
    said = {0: "no region is the speaker", 2: "'r1' is a second speaker region beside 'r0'"}
    assert messages == [said[speakers]]


@pytest.mark.row("F283")
@pytest.mark.parametrize("target", [None, "nowhere"])
def test_limits_without_a_state_to_go_to_are_refused(api: Api, target: str | None) -> None:
    document = desk()
    document["machine"]["limits"] = {"turns": 5} | ({"target": target} if target else {})
    answer = api("POST", "agents", {"document": document})
    if target is not None:  # an unknown state is refused when it comes in
        assert answer.status_code == 422
        assert answer.json()["errors"][0]["path"] == "/machine/limits/target"
        return
    agent = answer.json()["id"]
    answer = api("POST", f"agents/{agent}/versions", {})
    assert answer.status_code == 422
    found = [p for p in answer.json()["problems"] if p["code"] == "limit.target"]
    assert [p["message"] for p in found] == ["the limits (turns) lead nowhere"]


def broken(api: Api) -> str:
    """A draft with a fault of nearly every kind that has a fix."""
    document = desk()
    region = document["machine"]["regions"][0]
    greeting, helping = region["states"][0], region["states"][1]
    greeting |= {"prompt": "gret", "ask": ["wants"]}
    greeting["transitions"][0]["guard"] = "slots.trise > 1"
    helping["tools"] = ["hammer"]
    region["states"].append(
        {
            "key": "lost",
            "prompt": "greet",
            "transitions": [{"key": "l", "on": {"event": "x"}, "target": "greeting"}],
        }
    )
    document["question_sets"] = [WANTS]
    document["slots"].append({"key": "spare", "type": "integer", "minimum": 5, "maximum": 2})
    document["machine"]["limits"] = {"turns": 9}
    document["tools"][0]["arguments"] = {"type": "object", "properties": {"name": {}}}
    greeting["entry"].append({"call": "lookup", "args": {"nmae": "slots.name"}})
    return made(api, document)


def test_every_fix_is_one_batch_that_takes_its_problem_away_and_can_be_undone(api: Api) -> None:
    agent = broken(api)
    seen = set()
    for problem in draft(api, agent)["problems"]:
        if problem["fix"] is None:
            continue
        before = draft(api, agent)
        answer = edit(api, agent, *problem["fix"]["operations"])
        assert answer.status_code == 200, (problem, answer.content)
        left = {(p["code"], p["message"]) for p in answer.json()["problems"]}
        assert (problem["code"], problem["message"]) not in left
        undone = edit(api, agent, *answer.json()["inverse"]).json()
        after = draft(api, agent)
        assert after | {"revision": before["revision"]} == before
        assert undone["problems"] == before["problems"]
        seen.add(problem["code"])
    assert seen >= {
        *("prompt.unknown", "tool.unknown", "slot.unknown", "slot.unread", "slot.range"),
        *("limit.target", "state.unreachable", "question.unhandled", "tool.argument"),
    }


def test_a_fix_names_what_it_does(api: Api) -> None:
    agent = broken(api)
    labels = {p["code"]: p["fix"]["label"] for p in draft(api, agent)["problems"] if p["fix"]}
    assert labels["prompt.unknown"] == "Use 'greet'"
    assert labels["tool.unknown"] == "Add the tool 'hammer'"
    assert labels["slot.unknown"] == "Use 'tries'"
    assert labels["state.unreachable"] == "Remove 'lost'"


@pytest.mark.row("F341")
def test_every_refusal_has_a_code_a_message_and_a_location(api: Api) -> None:
    agent = broken(api)
    refused = [
        edit(api, agent, entry("remove", "tools", key="gone")),
        edit(api, agent, entry("add", "squad", fields={"key": "A"})),
        api("POST", "agents", {"key": "A!", "name": ""}),
        api("POST", "agents", {"document": {"format": "callchart.agent/1"}}),
    ]
    for answer in refused:
        body = answer.json()
        assert body["code"]
        assert body["detail"]
        assert all(e["path"] and e["message"] and e["code"] for e in body["errors"])
        assert body["errors"]
    publish = api("POST", f"agents/{agent}/versions", {}).json()
    assert publish["code"] == "check.failed"
    assert all(p["code"] and p["message"] and p["path"] for p in publish["problems"])
