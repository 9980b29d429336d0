"""A problem that a script shows comes with the script, and the script plays."""

from __future__ import annotations

from interpreter import compile_agent, dry_run
from tests.designer.agents.test_draft_api import draft, edit, made, row
from tests.designer.conftest import Api
from tests.support.charts import desk


def looping() -> dict[str, object]:
    document = desk()
    document["machine"]["limits"] = {"turns": 40, "target": "waiting"}
    return document


def test_a_problem_has_a_script_that_plays_on_the_draft(api: Api) -> None:
    agent = made(api, looping())
    problems = {(p["code"], tuple(p["path"])) for p in draft(api, agent)["problems"]}
    answer = api("GET", f"agents/{agent}/draft/findings").json()
    assert answer["revision"] == draft(api, agent)["revision"]
    shown = [f for f in answer["findings"] if (f["code"], tuple(f["path"])) in problems]
    assert "cycle.unbounded" in {f["code"] for f in shown}
    document = api("GET", f"agents/{agent}/draft/document").json()
    for finding in shown:
        assert dry_run(compile_agent(document), finding["script"]).ok


def test_a_draft_with_errors_has_none_and_a_stranger_sees_nothing(api: Api, foreign: Api) -> None:
    agent = made(api, looping())
    state = row(draft(api, agent)["states"], "greeting")["id"]
    edit(api, agent, {"op": "state.update", "id": state, "fields": {"prompt": "nothing"}})
    assert api("GET", f"agents/{agent}/draft/findings").json()["findings"] == []
    assert foreign("GET", f"agents/{agent}/draft/findings").status_code == 404
