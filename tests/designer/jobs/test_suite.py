"""The suite job: scenarios with expectations, live steps, results that stay, coverage."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from designer.core.clock import now
from designer.jobs import claim, services
from designer.jobs.suite import run_suite
from designer.models import Job, JobStep, SuiteResult
from tests.designer.agents.test_draft_api import edit, made
from tests.designer.agents.test_scenarios import LINES, create, put, read, rename
from tests.designer.conftest import Api, person
from tests.designer.versions.test_versions import publish

GREEN = {"lines": LINES}
RED = {
    "lines": [
        {"event": "help"},
        {"expect": {"active": "waiting"}},
        {"event": "help"},
        {"expect": {"refused": False}},
        {"expect": {"refused": "no_transition"}},
    ]
}


def run(api: Api, agent: str, version: Any = "draft", **body: Any) -> Any:
    path = f"agents/{agent}/versions/{version}/scenarios/run"
    return api("POST", path, body, Prefer="wait=0")


def finished(api: Api, agent: str, version: Any = "draft", **body: Any) -> dict[str, Any]:
    """Asks, does what the worker does, and gives the job."""
    answer = run(api, agent, version, **body)
    assert answer.status_code == 202, answer.content
    job = answer.json()["job"]
    services.run(job_id=UUID(job), now=now())
    return api("GET", f"jobs/{job}").json()


def steps(job: dict[str, Any]) -> list[tuple[int, str, Any]]:
    rows = JobStep.objects.filter(job_id=job["id"]).order_by("seq")
    return list(rows.values_list("seq", "type", "data"))


def results(api: Api, agent: str, version: Any = "draft") -> Any:
    answer = api("GET", f"agents/{agent}/versions/{version}/scenarios/results")
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_a_suite_says_of_each_scenario_how_it_went(api: Api) -> None:
    agent = made(api)
    green = create(api, agent, "a green one", **GREEN).json()
    red = create(api, agent, "b red one", **RED).json()
    wrong = create(api, agent, "c wrong slots", slots={"tries": "many"}, lines=[]).json()
    job = finished(api, agent)
    assert (job["kind"], job["status"], job["done"], job["total"]) == ("suite", "done", 3, 3)
    first, second, third, end = steps(job)
    assert first == (1, "scenario", {
        "id": green["id"], "name": "a green one", "ok": True, "failures": [], "steps": 6,
    })  # fmt: skip
    assert (second[2]["ok"], [f["line"] for f in second[2]["failures"]]) == (False, [1, 3, 4])
    assert "waiting" in second[2]["failures"][0]["message"]
    assert third[2]["ok"] is False
    assert third[2]["failures"][0]["line"] == -1
    assert "tries" in third[2]["failures"][0]["message"]
    assert end[1] == "done"
    result = job["result"]
    assert [result[name] for name in ("total", "passed", "failed")] == [3, 1, 2]
    assert read(api, agent, green)["last"]["ok"] is True
    assert read(api, agent, red)["last"] == {
        "ok": False, "at": read(api, agent, red)["last"]["at"], "version": "draft",
    }  # fmt: skip
    assert read(api, agent, wrong)["revision"] == 1


def test_a_line_that_is_none_fails_its_scenario_unless_that_is_expected(api: Api) -> None:
    agent = made(api)
    create(api, agent, "a", lines=[{"wrong": 1}, {"event": "help"}])
    create(api, agent, "b", lines=[{"wrong": 1}, {"expect": {"refused": "malformed"}}])
    told = [data for _, kind, data in steps(finished(api, agent)) if kind == "scenario"]
    assert [one["ok"] for one in told] == [False, True]
    assert told[0]["failures"][0]["line"] == 0


def test_coverage_counts_states_transitions_and_guards_both_ways(api: Api) -> None:
    agent = made(api)
    create(api, agent, "a", lines=[{"event": "help"}, {"event": "again"}])
    create(api, agent, "b", slots={"card": "4111"}, lines=[{"event": "help"}])
    coverage = finished(api, agent)["result"]["coverage"]
    assert coverage["states"]["greeting"] == 3
    assert coverage["states"]["helping"] == 1
    assert coverage["transitions"]["to_help"] == 1
    assert coverage["guards"] == {"to_help": {"true": 1, "false": 1, "error": 0}}
    assert "waiting" in coverage["missing"]["states"]
    assert "helping" not in coverage["missing"]["states"]
    assert set(coverage["missing"]["transitions"]) == {
        "silent", "more", "close", "hold", "held", "resume", "leave", "heard", "revoked",
    }  # fmt: skip
    assert "back" in coverage["transitions"]


def test_results_stay_when_the_job_is_gone_and_say_when_they_are_stale(api: Api) -> None:
    agent = made(api)
    scenario = create(api, agent).json()
    assert results(api, agent) is None
    job = finished(api, agent)
    kept = results(api, agent)
    assert kept == job["result"] | {"job": job["id"], "at": kept["at"], "stale": False}
    services.purge(now=now() + timedelta(days=3))
    assert api("GET", f"jobs/{job['id']}").status_code == 404
    assert results(api, agent) == kept
    rename(api, agent, "state", "holding", "parked")
    assert results(api, agent)["stale"] is True
    finished(api, agent)
    assert results(api, agent)["stale"] is False
    put(api, agent, read(api, agent, scenario), lines=[])
    assert results(api, agent)["stale"] is True


def test_a_version_has_results_of_its_own_which_are_its_evidence(api: Api) -> None:
    agent = made(api)
    publish(api, agent)
    create(api, agent, **GREEN)
    finished(api, agent)
    assert results(api, agent, 1) is None
    job = finished(api, agent, 1)
    assert results(api, agent, 1)["job"] == job["id"]
    evidence = api("GET", f"agents/{agent}/versions/1").json()["evidence"]["scenarios"]
    assert (evidence["passed"], evidence["job"]) == (1, job["id"])
    assert results(api, agent)["job"] != job["id"]


def test_a_part_of_the_suite_is_no_result_of_the_whole(api: Api) -> None:
    agent = made(api)
    one, other = (create(api, agent, name).json() for name in "ab")
    job = finished(api, agent, scenarios=[one["id"]])
    assert job["total"] == 1
    assert results(api, agent) is None
    assert read(api, agent, one)["last"]["ok"] is True
    assert read(api, agent, other)["last"] is None


def test_what_was_renamed_since_is_called_as_the_version_calls_it(api: Api) -> None:
    agent = made(api)
    publish(api, agent)
    create(api, agent, **GREEN)
    rename(api, agent, "slot", "tries", "attempts")
    rename(api, agent, "state", "waiting", "on_hold")
    rename(api, agent, "transition", "more", "later")
    create(api, agent, "b", lines=[{"event": "help"}, {"propose": {"transition": "later"}}])
    assert finished(api, agent)["result"]["failed"] == 0
    old = finished(api, agent, 1)["result"]
    assert old["failed"] == 0
    assert old["coverage"]["transitions"]["more"] == 2


def test_an_edited_scenario_does_not_get_the_verdict_on_what_it_was(api: Api) -> None:
    agent = made(api)
    scenario = create(api, agent).json()
    job = run(api, agent).json()["job"]
    changed = put(api, agent, scenario, lines=RED["lines"]).json()
    services.run(job_id=UUID(job), now=now())
    assert read(api, agent, changed)["last"] is None
    assert results(api, agent)["stale"] is True


def test_another_attempt_goes_on_where_the_dead_worker_stopped(api: Api) -> None:
    agent = made(api)
    for name in "abc":
        create(api, agent, name)
    job = UUID(run(api, agent).json()["job"])
    dead = claim.claim(job_id=job, now=now())
    assert dead is not None
    claim.write_steps(dead, now(), 0, [{"ok": True, "name": "a"}], kind="scenario")
    later = now() + timedelta(minutes=5)
    services.run(job_id=job, now=later)
    with pytest.raises(claim.StoppedError):
        run_suite(dead, now)
    kinds = [(seq, kind) for seq, kind, _ in steps({"id": job})]
    assert kinds == [(1, "scenario"), (2, "scenario"), (3, "scenario"), (4, "done")]
    assert Job.objects.get(id=job).result["total"] == 3
    assert SuiteResult.objects.filter(job=job).count() == 1
    assert services.run(job_id=job, now=later + timedelta(hours=1)) == "not free"


def test_a_cancelled_suite_stops_and_keeps_no_result(api: Api, monkeypatch: Any) -> None:
    agent = made(api)
    for name in "abc":
        create(api, agent, name)
    job = run(api, agent).json()["job"]
    write = claim.write_steps

    def cancel_after_the_first(*args: Any, **more: Any) -> None:
        write(*args, **more)
        assert api("POST", f"jobs/{job}/cancel").status_code == 200

    monkeypatch.setattr("designer.jobs.suite.write_steps", cancel_after_the_first)
    assert services.run(job_id=UUID(job), now=now()) == "stopped"
    assert api("GET", f"jobs/{job}").json()["status"] == "cancelled"
    assert [kind for _, kind, _ in steps({"id": job})] == ["scenario", "cancelled"]
    assert results(api, agent) is None


def test_a_broken_chart_fails_the_job_with_its_problems(api: Api) -> None:
    agent = made(api)
    create(api, agent)
    rows = api("GET", f"agents/{agent}/draft").json()["transitions"]
    broken = {"op": "transition.update", "id": rows[0]["id"], "fields": {"guard": "slots.x =="}}
    edit(api, agent, broken)
    job = finished(api, agent)
    assert (job["status"], job["error"]["code"]) == ("failed", "check.failed")
    assert job["error"]["problems"]


def test_it_is_refused_where_there_is_nothing_to_run(api: Api, foreign: Api) -> None:
    agent = made(api)
    empty = run(api, agent)
    assert (empty.status_code, empty.json()["code"]) == (422, "scenario.none")
    create(api, agent)
    assert run(api, agent, 7).status_code == run(api, agent, "x").status_code == 404
    other = run(api, agent, scenarios=["11111111-0000-7000-8000-000000000001"])
    assert (other.status_code, other.json()["code"]) == (404, "scenario.not_found")
    assert run(foreign, agent).status_code == 404
    assert foreign("GET", f"agents/{agent}/versions/draft/scenarios/results").status_code == 404


def test_green_scenarios_let_a_version_be_approved_where_they_are_asked_for(
    api: Api, reviewer: Api
) -> None:
    admin = Api(person("north", "Ada", "admin").token)
    assert admin("PATCH", "workspace", {"require_scenarios": True}).status_code == 200
    agent = made(api)
    publish(api, agent)
    red = create(api, agent, **RED).json()
    finished(api, agent, 1)
    path = f"agents/{agent}/versions/1/approve"
    assert reviewer("POST", path).json()["code"] == "version.scenarios_required"
    put(api, agent, red | {"revision": 1}, **GREEN)
    assert reviewer("POST", path).json()["code"] == "version.scenarios_required"
    finished(api, agent, 1)
    assert reviewer("POST", path).status_code == 200
