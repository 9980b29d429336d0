"""Suites by a real worker: the answer that waits, and the stream."""

from __future__ import annotations

from typing import Any

from tests.designer.live.conftest import Served
from tests.support.charts import desk
from tests.support.processes import read_items, say_watch

GOOD: list[dict[str, Any]] = [{"event": "help"}, {"expect": {"active": "helping"}}]
BAD: list[dict[str, Any]] = [{"event": "help"}, {"expect": {"active": "goodbye"}}]


def test_a_suite_answers_and_streams_each_scenario(served: Served) -> None:
    client = served.client
    agent = client.publish(desk("suite_desk", silence="5m"))
    path = f"/v1/agents/{agent}"
    for name, lines in (("a", GOOD), ("b", BAD)):
        client.post(f"{path}/scenarios", {"name": name, "lines": lines})
    run = f"{path}/versions/1/scenarios/run"
    answer = client.ask("POST", run, {}, Prefer="wait=20")
    assert answer.status == 200, answer.body
    assert [answer.body[name] for name in ("status", "total", "passed", "failed")] == [
        "done", 2, 1, 1,
    ]  # fmt: skip
    assert [one["ok"] for one in answer.body["scenarios"]] == [True, False]
    assert answer.body["coverage"]["transitions"]["to_help"] == 2
    later = client.ask("POST", run, {}, Prefer="wait=0")
    assert later.status == 202
    assert later.headers["Location"] == f"/v1/jobs/{later.body['job']}"
    with client.socket(f"/ws/v1/jobs/{later.body['job']}") as watcher:
        say_watch(watcher, 0)
        items = read_items(watcher, lambda got: bool(got) and got[-1]["type"] == "done")
    assert [(item["seq"], item["type"]) for item in items] == [
        (1, "scenario"), (2, "scenario"), (3, "done"),
    ]  # fmt: skip
    assert [item["data"]["name"] for item in items[:2]] == ["a", "b"]
    results = client.get(f"{path}/versions/1/scenarios/results")
    assert results == items[-1]["data"]["result"] | {
        "job": later.body["job"], "at": results["at"], "stale": False,
    }  # fmt: skip
