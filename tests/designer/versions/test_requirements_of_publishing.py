"""What publishing asks of a chart, requirement by requirement (source-systems.md 4.2)."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from designer.models import Version
from interpreter import check_agent, compile_agent, dry_run
from tests.designer.agents.test_draft_api import made
from tests.designer.conftest import Api
from tests.support.charts import desk


def publish(api: Api, agent: str) -> Any:
    return api("POST", f"agents/{agent}/versions")


def refused(api: Api, document: dict[str, Any]) -> list[dict[str, Any]]:
    """The errors for which publishing is refused; no version was made."""
    agent = made(api, document)
    answer = publish(api, agent)
    assert (answer.status_code, answer.json()["code"]) == (422, "check.failed")
    assert Version.objects.count() == 0
    return [p for p in answer.json()["problems"] if p["severity"] == "error"]


def changed() -> tuple[dict[str, Any], list[dict[str, Any]]]:
    document = copy.deepcopy(desk())
    return document, document["machine"]["regions"]


@pytest.mark.row("R3-01")
def test_an_agent_without_a_machine_is_published_and_runs_as_one_state(api: Api) -> None:
    document = copy.deepcopy(desk())
    del document["machine"]
    document["slots"] = []
    document["prompts"] = []
    agent = made(api, document)
    answer = publish(api, agent)
    assert answer.status_code == 201, answer.content
    frozen = api("GET", f"agents/{agent}/versions/1").json()["document"]
    report = dry_run(compile_agent(frozen), [{"caller": "hello"}, {"caller": "and again"}])
    assert {step.active for step in report.steps} == {report.start.active}
    assert len(report.start.active) == 1
    assert not any(step.refusal for step in report.steps)
    machine = compile_agent(frozen)
    assert len(machine.states) == 1


@pytest.mark.row("R3-07")
@pytest.mark.parametrize("speakers", [0, 2])
def test_no_speaker_and_two_speakers_are_refused_and_one_is_accepted(
    api: Api, speakers: int
) -> None:
    document, regions = changed()
    for region in regions:
        region["role"] = "speaker" if speakers else "observer"
    assert len(regions) == 2
    (problem,) = [p for p in refused(api, document) if p["code"] == "region.speaker"]
    assert ("no region is" if speakers == 0 else "'consent' is a second") in problem["message"]
    document, regions = changed()
    assert [region["role"] for region in regions].count("speaker") == 1
    assert publish(api, made(api, document | {"key": "other"})).status_code == 201


@pytest.mark.row("F273")
def test_only_the_speaker_region_speaks(api: Api) -> None:
    document, regions = changed()
    given = next(state for state in regions[1]["states"] if state["key"] == "given")
    given["entry"] = [{"say": "greet"}, {"hook": "consented"}]
    made(api, document)
    (warned,) = [p for p in check_agent(document) if p.code == "say.observer"]
    assert "'given'" in warned.message
    report = dry_run(compile_agent(document), [{"event": "consent"}, {"event": "help"}])
    observer, speaker = report.steps
    assert observer.active != report.start.active
    assert observer.effects == ()
    assert [r.data["error"] for r in observer.records if r.type == "effect.error"]
    assert "say" in [effect["kind"] for effect in speaker.effects]


def bounded(**bound: Any) -> dict[str, Any]:
    document, regions = changed()
    document["machine"].pop("limits", None)
    regions[0]["states"][0]["transitions"].append(
        {"key": "retry", "on": {"event": "retry"}, "target": "greeting", **bound}
    )
    return document


@pytest.mark.row("R3-09", "F281")
def test_a_loop_within_one_step_is_refused_and_a_bounded_one_stops_at_its_bound(api: Api) -> None:
    """The form is that of product.md: a loop of `always` that nothing ends is an error, a loop of
    events without a bound a warning that names it.
    """
    document, regions = changed()
    first, second = regions[0]["states"][:2]
    first["transitions"] = [{"key": "on", "on": {"always": True}, "target": second["key"]}]
    second["transitions"] = [{"key": "off", "on": {"always": True}, "target": first["key"]}]
    (loop,) = [p for p in refused(api, document) if p["code"] == "cycle.always"]
    assert first["key"] in loop["message"]
    assert second["key"] in loop["message"]
    agent = made(api, bounded() | {"key": "open"})
    answer = publish(api, agent)
    assert answer.status_code == 201
    report = dry_run(
        compile_agent(bounded(max_takes=2)), [{"event": "retry"}, {"event": "retry"}] * 2
    )
    assert [step.moved for step in report.steps] == [True, True, False, False]
    assert report.steps[2].refusal is not None
    assert report.steps[2].refusal.reason == "takes"


@pytest.mark.row("R3-12")
def test_the_state_of_a_limit_must_be_declared(api: Api) -> None:
    """An unknown name gets no further than the door; the check names it too, and a state that is
    declared and can not be the one is refused when it is published.
    """
    document, regions = changed()
    document["machine"]["limits"] = {"turns": 3, "target": "nowhere"}
    (problem,) = [p for p in check_agent(document) if p.code == "limit.target"]
    assert (problem.severity, "'nowhere'" in problem.message) == ("error", True)
    answer = api("POST", "agents", {"document": document})
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["path"] == "/machine/limits/target"
    assert "nowhere" in answer.json()["errors"][0]["message"]
    document["machine"]["limits"]["target"] = regions[1]["states"][0]["key"]
    assert [p["code"] for p in refused(api, document)] == ["limit.target"]
    document["machine"]["limits"]["target"] = regions[0]["states"][1]["key"]
    assert publish(api, made(api, document | {"key": "other"})).status_code == 201


@pytest.mark.row("F020")
def test_an_isolated_state_is_a_warning_and_is_published_all_the_same(api: Api) -> None:
    document, regions = changed()
    regions[0]["states"].append({"key": "alone", "prompt": "greet"})
    warnings = [p for p in check_agent(document) if p.code == "state.unreachable"]
    assert [("'alone'" in p.message, p.severity) for p in warnings] == [(True, "warning")]
    answer = publish(api, made(api, document))
    assert answer.status_code == 201, answer.content
