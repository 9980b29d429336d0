"""A scenario recorded from a Call is green on the version that the Call ran on."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

from designer.calls.timers import fire_due
from designer.core.clock import now
from designer.jobs import services as jobs
from tests.designer.calls.conftest import Driver
from tests.designer.conftest import Api, person
from tests.support.seed import Seeded


def record(api: Api, agent: str, call: Any, name: str = "Kept", **more: Any) -> Any:
    body = {"call": str(call), "name": name} | more
    return api("POST", f"agents/{agent}/scenarios/record", body)


def failures(api: Api, agent: str, version: Any = 1) -> list[Any]:
    path = f"agents/{agent}/versions/{version}/scenarios/run"
    job = api("POST", path, {}, Prefer="wait=0").json()["job"]
    jobs.run(job_id=UUID(job), now=now())
    found = api("GET", f"jobs/{job}").json()
    assert found["status"] == "done", found
    from designer.models import JobStep

    rows = JobStep.objects.filter(job_id=job, type="scenario").values_list("data", flat=True)
    return [failure for data in rows for failure in data["failures"]]


def test_a_call_becomes_a_scenario_with_where_it_stood_after_each_input(
    driver: Driver, north: Seeded
) -> None:
    api = Api(north.token)
    driver.event("help")
    driver.event("help")  # refused: helping waits for something else
    driver.give({"set": {"slot": "name", "value": "Ann"}})
    driver.give({"propose": {"transition": "waiting", "confidence": 0.9}})
    driver.event("close")
    answer = record(api, north.agent, driver.id)
    assert answer.status_code == 201, answer.content
    lines = answer.json()["lines"]
    said = [line for line in lines if not {"expect", "advance"} & set(line)]
    assert said == [
        {"event": "help"},
        {"event": "help"},
        {"set": {"slot": "name", "value": "Ann"}},
        {"propose": {"transition": "waiting", "confidence": 0.9}},
        {"event": "close"},
    ]
    expected = [line["expect"] for line in lines if "expect" in line]
    assert expected[0] == {"active": ["greeting", "unread"]}
    assert expected[1] == {"active": ["helping", "unread"]}
    assert expected[2]["refused"]
    assert expected[-1]["active"] == ["goodbye", "unread"]
    assert failures(api, north.agent) == []


def test_timers_that_fired_in_the_call_fire_in_the_scenario(driver: Driver, north: Seeded) -> None:
    api = Api(north.token)
    driver.event("help")
    driver.event("hold")
    fired_at = driver.at + timedelta(milliseconds=337)  # 37 ms late
    assert fire_due(fired_at) == 1
    driver.at = fired_at
    driver.event("help")
    scenario = record(api, north.agent, driver.id).json()
    advances = [line["advance"] for line in scenario["lines"] if "advance" in line]
    assert advances == ["10ms", "10ms", "300ms", "47ms"]
    states = [line["expect"]["active"][0] for line in scenario["lines"] if "expect" in line]
    assert states == ["greeting", "helping", "holding", "waiting", "helping"]
    assert failures(api, north.agent) == []


def test_a_part_of_a_call_is_recorded_up_to_an_event(driver: Driver, north: Seeded) -> None:
    api = Api(north.token)
    seq = driver.event("help").last_seq
    driver.event("again")
    lines = record(api, north.agent, driver.id, until=seq).json()["lines"]
    assert [line["event"] for line in lines if "event" in line] == ["help"]
    assert failures(api, north.agent) == []


def test_it_fails_on_a_chart_that_behaves_otherwise(driver: Driver, north: Seeded) -> None:
    from tests.designer.agents.test_draft_api import draft, edit, row

    api = Api(north.token)
    driver.event("help")
    record(api, north.agent, driver.id)
    close = row(draft(api, north.agent)["transitions"], "to_help")["id"]
    edit(api, north.agent, {"op": "transition.update", "id": close, "fields": {"guard": "false"}})
    found = failures(api, north.agent, "draft")
    assert [failure["line"] for failure in found] == [3]


def test_values_of_sensitive_slots_are_not_in_the_scenario(actor: Any, north: Seeded) -> None:
    api = Api(north.token)
    driver = Driver(actor, north.agent, slots={"card": "4000111122223333", "name": "Bo"})
    driver.give({"propose": {"set_slot": {"slot": "card", "value": "5555000011112222"}}})
    driver.give({"caller": "My card is 5555000011112222."})
    answer = record(api, north.agent, driver.id)
    assert answer.status_code == 201
    assert "4000111122223333" not in answer.content.decode()
    assert "5555000011112222" not in answer.content.decode()
    assert answer.json()["slots"] == {"name": "Bo"}
    assert "left out" in answer.json()["description"]


def test_a_scenario_is_called_as_the_draft_calls_things(driver: Driver, north: Seeded) -> None:
    from tests.designer.agents.test_scenarios import rename

    api = Api(north.token)
    driver.event("help")
    rename(api, north.agent, "state", "helping", "assisting")
    lines = record(api, north.agent, driver.id).json()["lines"]
    assert lines[-1] == {"expect": {"active": ["assisting", "unread"]}}
    assert failures(api, north.agent) == failures(api, north.agent, "draft") == []


def test_support_may_keep_a_call_and_strangers_may_not(driver: Driver, north: Seeded) -> None:
    support = Api(person("north", "Sam", "support").token)
    foreign = Api(person("south", "Eve", "designer").token)
    other = Api(north.token)("POST", "agents", {"key": "other", "name": "Other"}).json()["id"]
    driver.event("help")
    assert record(support, north.agent, driver.id).status_code == 201
    assert record(foreign, north.agent, driver.id).status_code == 404
    assert record(support, other, driver.id).json()["code"] == "call.not_found"
    assert record(support, north.agent, driver.id, name=" ").status_code == 422
