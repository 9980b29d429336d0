"""Review: asked for, approved or returned with a reason, by other eyes; what voids an approval."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django.db import connection
from django.test.utils import CaptureQueriesContext

from designer.core.canonical import digest
from designer.core.clock import now
from designer.models import Agent, AuditEntry, Scenario, SuiteResult, Version, Workspace
from tests.designer.agents.test_draft_api import draft, edit, made, row
from tests.designer.conftest import Api, Person, person
from tests.designer.versions.test_versions import (
    activate,
    publish,
    rename,
    specialist,
    with_squad,
)


def act(api: Api, agent: str, what: str, number: int = 1, body: Any = None) -> Any:
    return api("POST", f"agents/{agent}/versions/{number}/{what}", body)


def read(api: Api, agent: str, number: int = 1) -> dict[str, Any]:
    return api("GET", f"agents/{agent}/versions/{number}").json()


def code(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def test_a_designer_asks_for_a_review_and_asking_again_changes_nothing(
    api: Api, reviewer: Api, dana: Person
) -> None:
    agent = made(api)
    fresh = publish(api, agent).json()
    assert (fresh["status"], fresh["review"], fresh["decision"]) == ("published", None, None)
    assert act(reviewer, agent, "review").status_code == 403
    first = act(api, agent, "review", body={"note": "The new path."})
    assert first.status_code == 200, first.content
    asked = first.json()
    assert asked["status"] == "in_review"
    assert asked["review"]["note"] == "The new path."
    assert asked["review"]["requested_by"] == {"id": str(dana.id), "name": "Dana"}
    assert act(api, agent, "review", body={"note": "Other"}).json() == asked
    assert api("GET", f"agents/{agent}").json()["status"] == "in_review"
    assert api("GET", f"agents/{agent}/versions").json()["results"][0]["status"] == "in_review"


def test_an_approval_says_who_when_and_what(api: Api, reviewer: Api, rui: Person) -> None:
    agent = made(api)
    publish(api, agent)
    act(api, agent, "review")
    answer = act(reviewer, agent, "approve", body={"note": "Good."}).json()
    assert answer["status"] == "approved"
    assert answer["decision"]["what"] == "approved"
    assert answer["decision"]["by"] == {"id": str(rui.id), "name": "Rui"}
    assert answer["decision"]["note"] == "Good."
    assert answer["void"] is None
    assert act(reviewer, agent, "approve", body={"note": "Again"}).json() == answer
    assert code(act(reviewer, agent, "return", body={"reason": "Late"})) == (409, "version.state")
    assert code(act(api, agent, "review")) == (409, "version.state")


def test_a_return_needs_a_reason_and_is_final_for_the_version(api: Api, reviewer: Api) -> None:
    agent = made(api)
    publish(api, agent)
    act(api, agent, "review")
    for body in ({}, {"reason": ""}, {"reason": "   "}, {"reason": "x" * 2001}):
        assert act(reviewer, agent, "return", body=body).status_code == 422
    assert act(api, agent, "return", body={"reason": "No"}).status_code == 403
    answer = act(reviewer, agent, "return", body={"reason": "Nobody picks up."}).json()
    assert (answer["status"], answer["decision"]["what"]) == ("returned", "returned")
    assert answer["decision"]["note"] == "Nobody picks up."
    assert code(act(reviewer, agent, "approve")) == (409, "version.state")
    assert code(act(api, agent, "review")) == (409, "version.state")
    assert code(act(api, agent, "activate")) == (409, "version.not_approved")


def test_an_unchanged_draft_of_a_returned_version_gives_it_back(api: Api, reviewer: Api) -> None:
    agent = made(api)
    publish(api, agent)
    returned = act(reviewer, agent, "return", body={"reason": "No"}).json()
    again = publish(api, agent)
    assert (again.status_code, again.json()) == (200, returned)
    rename(api, agent, "Better")
    assert publish(api, agent).json()["number"] == 2
    assert act(reviewer, agent, "approve", 2).status_code == 200


def test_who_edited_the_draft_does_not_approve_what_another_published(
    api: Api, reviewer: Api
) -> None:
    mia = Api(person("north", "Mia", "designer", "reviewer").token)
    agent = made(api)
    rename(mia, agent, "By Mia")
    publish(api, agent)
    refused = act(mia, agent, "approve")
    assert code(refused) == (403, "version.own_work")
    assert "edited the draft" in refused.json()["detail"]
    activate(api, reviewer, agent)
    rename(api, agent, "By Dana alone")
    second = publish(api, agent).json()
    assert second["base"] == 1
    # Mia's edit is in version 1, so nothing of hers is in what version 2 adds to it.
    assert act(mia, agent, "approve", 2).status_code == 200


def test_who_made_the_agent_does_not_approve_its_first_version(reviewer: Api, api: Api) -> None:
    mia = Api(person("north", "Mia", "designer", "reviewer").token)
    agent = made(mia)
    publish(api, agent)
    assert code(act(mia, agent, "approve")) == (403, "version.own_work")
    Workspace.objects.update(allow_self_approval=True)
    assert act(mia, agent, "approve").status_code == 200


def test_retire_leaves_no_active_version_and_rolling_back_makes_one(
    api: Api, reviewer: Api
) -> None:
    agent = made(api)
    publish(api, agent)
    assert code(act(reviewer, agent, "retire")) == (409, "version.state")
    activate(api, reviewer, agent)
    answer = act(reviewer, agent, "retire")
    assert answer.json()["status"] == "retired"
    assert act(reviewer, agent, "retire").json() == answer.json()
    assert api("GET", f"agents/{agent}").json()["active_version"] is None
    assert act(api, agent, "activate").json()["status"] == "active"
    rename(api, agent, "Two")
    publish(api, agent)
    activate(api, reviewer, agent, 2)
    assert read(api, agent)["status"] == "retired"
    assert act(api, agent, "activate").json()["status"] == "active"
    assert read(api, agent, 2)["status"] == "retired"


def test_an_approval_holds_for_its_closure(api: Api, reviewer: Api) -> None:
    billing = made(api, specialist())
    publish(api, billing)
    activate(api, reviewer, billing)
    agent = made(api, with_squad())
    publish(api, agent)
    act(reviewer, agent, "approve")
    version = Version.objects.get(agent_id=agent)
    closure = {
        "version": version.digest,
        "squad": {"billing": Version.objects.get(agent_id=billing).digest},
        "scenarios": None,
    }
    assert version.closure_digest == digest(closure)
    # A newer version of the squad agent changes nothing: the pinned one is still there.
    rename(api, billing, "Billing two")
    publish(api, billing)
    activate(api, reviewer, billing, 2)
    assert read(api, agent)["void"] is None
    assert act(api, agent, "activate").status_code == 200


def test_an_approval_is_void_when_the_squad_is_gone(api: Api, reviewer: Api) -> None:
    billing = made(api, specialist())
    publish(api, billing)
    activate(api, reviewer, billing)
    agent = made(api, with_squad())
    publish(api, agent)
    act(reviewer, agent, "approve")
    assert api("DELETE", f"agents/{billing}").status_code == 204
    void = read(api, agent)["void"]
    assert void["code"] == "squad.changed"
    assert "billing" in void["detail"]
    refused = act(api, agent, "activate")
    assert code(refused) == (409, "version.approval_void")
    assert refused.json()["void"] == void
    assert read(api, agent)["status"] == "approved"


def scenario(agent: str, **more: Any) -> Scenario:
    moment = now()
    fields = {"name": "s", "lines": [{"event": "help"}], "created_at": moment} | more
    return Scenario.objects.create(agent_id=agent, updated_at=moment, **fields)


def suite(agent: str, number: int, failed: int = 0, total: int = 2) -> SuiteResult:
    from designer.agents.scenarios import scenarios_digest

    return SuiteResult.objects.create(
        agent_id=agent, version=number, document_digest="d", job=uuid4(), at=now(), total=total,
        scenarios_digest=scenarios_digest(Agent.objects.get(id=agent).id),
        passed=total - failed, failed=failed,
    )  # fmt: skip


def test_a_workspace_can_ask_for_green_scenarios(api: Api, reviewer: Api) -> None:
    Workspace.objects.update(require_scenarios=True)
    agent = made(api)
    publish(api, agent)
    assert read(api, agent)["evidence"] == {"scenarios": None, "required": True}
    refused = act(reviewer, agent, "approve")
    assert code(refused) == (409, "version.scenarios_required")
    scenario(agent)
    suite(agent, 1, failed=1)
    assert "1 of 2" in act(reviewer, agent, "approve").json()["detail"]
    suite(agent, 1)
    assert read(api, agent)["evidence"]["scenarios"]["passed"] == 2
    scenario(agent, name="late")
    assert read(api, agent)["evidence"]["scenarios"]["stale"] is True
    assert "changed since" in act(reviewer, agent, "approve").json()["detail"]
    suite(agent, 1)
    assert act(reviewer, agent, "approve").status_code == 200


def test_a_changed_scenario_voids_the_approval_that_asked_for_it(api: Api, reviewer: Api) -> None:
    Workspace.objects.update(require_scenarios=True)
    agent = made(api)
    publish(api, agent)
    kept = scenario(agent)
    suite(agent, 1)
    act(reviewer, agent, "approve")
    Scenario.objects.filter(id=kept.id).update(name="Only its name")
    assert read(api, agent)["void"] is None
    Scenario.objects.filter(id=kept.id).update(lines=[{"event": "close"}])
    assert read(api, agent)["void"]["code"] == "scenarios.changed"
    assert code(act(api, agent, "activate")) == (409, "version.approval_void")
    suite(agent, 1)
    assert act(reviewer, agent, "approve").json()["void"] is None
    assert act(api, agent, "activate").status_code == 200


def test_a_version_keeps_which_draft_rows_it_was_made_of(api: Api) -> None:
    chart = {"key": "plain", "name": "Plain"}
    agent = api("POST", "agents", chart).json()["id"]
    rows = draft(api, agent)
    start = row(rows["states"], "start")["id"]
    unkeyed = str(uuid4())
    fields = {"on": {"event": "go"}, "target": row(rows["states"], "end")["id"]}
    edit(api, agent, {"op": "transition.add", "id": unkeyed, "source": start, "fields": fields})
    publish(api, agent)
    anchors = read(api, agent)["anchors"]
    assert anchors["state"]["start"] == start
    assert anchors["transition"] == {"start_1": unkeyed}
    edit(api, agent, {"op": "state.update", "id": start, "fields": {"key": "begin"}})
    assert read(api, agent)["anchors"] == anchors


def test_a_list_of_versions_costs_the_same_for_one_and_for_many(api: Api) -> None:
    agent = made(api)
    publish(api, agent)
    with CaptureQueriesContext(connection) as one:
        api("GET", f"agents/{agent}/versions")
    for number in range(5):
        rename(api, agent, f"Name {number}")
        publish(api, agent)
        act(api, agent, "review", number + 2)
    with CaptureQueriesContext(connection) as many:
        api("GET", f"agents/{agent}/versions")
    assert len(many) == len(one)


def test_the_audit_has_every_act_with_its_reason(api: Api, reviewer: Api) -> None:
    agent = made(api)
    publish(api, agent)
    act(api, agent, "review", body={"note": "Please"})
    act(reviewer, agent, "return", body={"reason": "No"})
    entries = AuditEntry.objects.filter(kind="version").order_by("at", "id")
    told = [(entry.verb, entry.data.get("note")) for entry in entries]
    assert told == [
        ("version.published", None),
        ("version.review_requested", "Please"),
        ("version.returned", "No"),
    ]
