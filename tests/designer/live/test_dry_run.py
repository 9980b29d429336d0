"""Dry runs by a real worker: the answer, the stream, what is kept, and a worker that dies."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from tests.designer.live.conftest import Served, serve
from tests.support.charts import desk
from tests.support.processes import children_of, eventually, manage, read_items, say_watch

SCRIPT: list[dict[str, Any]] = [
    {"event": "help"},
    {"event": "help"},  # declared elsewhere: refused here
    {"event": "again"},
    {"advance": "2s"},
    {"event": "close"},
]


def dry_run(
    served: Served, lines: Any, version: Any = 1, prefer: str = "wait=20", **body: Any
) -> Any:
    path = f"/v1/agents/{served.north['agent']}/versions/{version}/machine/dry-run"
    return served.client.ask("POST", path, {"events": lines, **body}, Prefer=prefer)


def tables(served: Served) -> dict[str, int]:
    """How many rows each table has, sessions and the like included."""
    names = served.sql("SELECT name FROM sqlite_master WHERE type = 'table'")
    return {name: served.sql(f'SELECT count(*) FROM "{name}"')[0][0] for (name,) in names}


@pytest.mark.row("F298", "F299", "F300", "F301", "F302")
def test_it_answers_each_event_with_value_effects_guards_and_hooks(served: Served) -> None:
    answer = dry_run(served, [{"event": "help"}, {"event": "consent"}, {"event": "again"}])
    assert answer.status == 200
    assert answer.body["status"] == "done"
    first, second, third = answer.body["steps"]
    assert first["value"] == {"conversation": "helping", "consent": "unread"}
    assert second["value"] == {"conversation": "helping", "consent": "given"}
    assert third["value"] == {"conversation": "greeting", "consent": "given"}
    assert [effect["kind"] for effect in first["effects"]] == ["hook", "set", "say"]
    assert [(guard["transition"], guard["outcome"]) for guard in first["guards"]] == [
        ("to_help", "true")
    ]
    assert [(hook["hook"], hook["on"]) for hook in first["hooks"]] == [("left_greeting", "exit")]
    assert [(hook["hook"], hook["on"]) for hook in third["hooks"]] == [("greeted", "entry")]


def test_a_guard_that_says_no_is_told_with_what_it_read(served: Served) -> None:
    answer = dry_run(served, [{"event": "help"}], slots={"card": "4111"})
    (step,) = answer.body["steps"]
    assert step["refusal"]["reason"] == "guard"
    assert step["guards"][0]["outcome"] == "false"
    assert step["guards"][0]["reads"] == {"slots.card": "4111"}


@pytest.mark.row("F307")
def test_a_refused_step_is_reported_and_the_rest_continues(served: Served) -> None:
    steps = dry_run(served, SCRIPT).body["steps"]
    assert [bool(step["refusal"]) for step in steps] == [False, True, False, False, False]
    assert steps[-1]["active"][0] == "goodbye"


@pytest.mark.row("F305")
def test_ten_times_the_same_gives_the_same_answer(served: Served) -> None:
    answers = [dry_run(served, SCRIPT).body for _ in range(10)]
    assert len({answer.pop("job") for answer in answers}) == 10
    assert all(answer == answers[0] for answer in answers)


@pytest.mark.row("F306")
def test_it_equals_the_real_run(served: Served) -> None:
    lines = [line for line in SCRIPT if "advance" not in line]
    agent = served.client.publish(desk("patient", silence="5m"))
    path = f"/v1/agents/{agent}/versions/1/machine/dry-run"
    steps = served.client.post(path, {"events": lines})["steps"]
    call = served.client.post("/v1/calls", {"agent": agent})["id"]
    for line, step in zip(lines, steps, strict=True):
        real = served.client.post(f"/v1/calls/{call}/events", line)
        assert real["value"] == step["value"]
        assert real["active"] == step["active"]
        told = [(record["type"], _timeless(record)) for record in step["records"]]
        assert [(event["type"], _timeless(event)) for event in real["events"]] == told
    served.client.post(f"/v1/calls/{call}/end", {})


def _timeless(record: dict[str, Any]) -> dict[str, Any]:
    return {
        name: value for name, value in record["data"].items() if name not in ("due", "late_ms")
    }


@pytest.mark.row("F304", "R3-41")
def test_it_writes_nothing_but_its_own_job_which_goes(served: Served) -> None:
    call = served.start_call()
    slots = served.client.get(f"/v1/calls/{call}")["slots"]
    jobs = ("designer_jobstep", "designer_job")
    # Nothing else must be moving: the timers of other tests' Calls have fired.
    eventually(lambda: served.sql("SELECT count(*) FROM designer_calltimer")[0][0] == 0)
    before = tables(served)
    lines = [{"event": "help"}, {"set": {"slot": "name", "value": "Ann"}}]
    assert dry_run(served, lines, prefer="wait=30").status == 200
    after = tables(served)
    for table in jobs:
        assert after.pop(table) > before.pop(table)
    assert after == before
    assert served.client.get(f"/v1/calls/{call}")["slots"] == slots
    manage(
        served.env,
        "-c",
        "import django; django.setup()\n"
        "from datetime import timedelta\n"
        "from designer.core.clock import now\n"
        "from designer.jobs.services import purge\n"
        "purge(now=now(), keep=timedelta(0))",
    )
    assert [tables(served)[table] for table in jobs] == [0, 0]


@pytest.mark.row("F308", "R3-34")
def test_an_unknown_agent_or_version_is_404_with_a_sentence(served: Served) -> None:
    answer = dry_run(served, SCRIPT, version=77)
    assert answer.status == 404
    assert "77" in answer.body["detail"]
    path = "/v1/agents/01a22e05-288a-7a77-ad57-4136c01d4f63/versions/1/machine/dry-run"
    answer = served.client.ask("POST", path, {"events": SCRIPT})
    assert answer.status == 404
    assert answer.body["code"] == "agent.not_found"


def test_an_agent_of_another_workspace_is_404(served: Served) -> None:
    path = f"/v1/agents/{served.north['agent']}/versions/1/machine/dry-run"
    assert served.stranger.ask("POST", path, {"events": SCRIPT}).status == 404


def test_a_script_that_is_none_is_refused(served: Served) -> None:
    for lines in ([], "x", [1], [{"event": "x"}] * 1001):
        answer = dry_run(served, lines)
        assert answer.status == 422, lines
        assert answer.body["errors"][0]["path"].startswith("/events")


def test_slots_that_do_not_fit_are_named(served: Served) -> None:
    answer = dry_run(served, SCRIPT, slots={"tries": "many"})
    assert answer.status == 422
    assert answer.body["code"] == "slots.invalid"
    assert "tries" in answer.body["detail"]


def test_without_waiting_it_gives_the_job_and_streams_the_steps(served: Served) -> None:
    answer = dry_run(served, SCRIPT, prefer="wait=0")
    assert answer.status == 202
    job = answer.body["job"]
    assert answer.headers["Location"] == f"/v1/jobs/{job}"
    with served.client.socket(f"/ws/v1/jobs/{job}") as watcher:
        say_watch(watcher, 0)
        items = read_items(watcher, lambda got: bool(got) and got[-1]["type"] == "done")
    assert [item["seq"] for item in items] == [1, 2, 3, 4, 5, 6]
    assert [item["data"]["index"] for item in items[:-1]] == [0, 1, 2, 3, 4]
    assert items[-1]["data"]["result"]["ok"] is True
    assert served.client.get(f"/v1/jobs/{job}")["status"] == "done"
    assert served.stranger.ask("GET", f"/v1/jobs/{job}").status == 404


@pytest.fixture(scope="module")
def slow(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A server whose dry runs take 0.1 s a step, with short leases."""
    server = serve(tmp_path_factory.mktemp("slow"), TEST_STEP_PAUSE="0.1", TEST_LEASE="1.5")
    yield server
    server.processes.stop()


def _workers(served: Served) -> list[int]:
    """The worker child and its pool."""
    heads = [pid for pid in children_of(served.process.pid) if b"celery" in _command(pid)]
    return heads


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def test_a_cancelled_job_stops_within_a_batch(slow: Served) -> None:
    job = dry_run(slow, [{"event": "help"}, {"event": "again"}] * 100, prefer="wait=0").body["job"]
    eventually(lambda: slow.client.get(f"/v1/jobs/{job}")["done"] > 2)
    slow.client.post(f"/v1/jobs/{job}/cancel")
    begun = time.monotonic()
    eventually(lambda: slow.client.get(f"/v1/jobs/{job}")["status"] == "cancelled", 5)
    assert time.monotonic() - begun < 5
    assert slow.client.get(f"/v1/jobs/{job}")["done"] < 200


def test_a_worker_killed_in_the_middle_loses_and_doubles_nothing(slow: Served) -> None:
    lines = [{"event": "help"}, {"event": "again"}] * 15
    job = dry_run(slow, lines, prefer="wait=0").body["job"]
    with slow.client.socket(f"/ws/v1/jobs/{job}") as watcher:
        say_watch(watcher, 0)
        items = read_items(watcher, lambda got: len(got) >= 5)
        (worker,) = _workers(slow)
        os.killpg(worker, signal.SIGKILL)
        items += read_items(watcher, lambda got: bool(got) and got[-1]["type"] == "done", 40)
    assert [item["seq"] for item in items] == list(range(1, 32))
    assert [item["data"]["index"] for item in items[:-1]] == list(range(30))
    assert [item["type"] for item in items].count("done") == 1


def test_a_server_killed_in_the_middle_finishes_after_its_restart(slow: Served) -> None:
    lines = [{"event": "help"}, {"event": "again"}] * 10
    jobs = [dry_run(slow, lines, prefer="wait=0").body["job"] for _ in range(3)]
    eventually(lambda: slow.client.get(f"/v1/jobs/{jobs[0]}")["done"] > 2)
    (worker,) = _workers(slow)
    slow.process.kill()
    slow.process.wait(5)
    eventually(lambda: not _command(worker), 5)  # the child sees that its parent is gone
    slow.process, slow.port = slow.processes.serve(slow.env, slow.log)
    for job in jobs:
        eventually(lambda job=job: slow.client.get(f"/v1/jobs/{job}")["status"] == "done", 30)


@pytest.mark.row("F303", "R3-40")
def test_a_blocking_policy_in_the_draft_changes_nothing(served: Served) -> None:
    document = desk("strict", silence="5m")
    helping = document["machine"]["regions"][0]["states"][1]
    helping["transitions"][0]["effects"] = [{"call": "lookup"}]
    agent = served.client.post("/v1/agents", {"document": document})["id"]
    lines = [{"event": "help"}, {"event": "again"}]
    path = f"/v1/agents/{agent}/versions/draft/machine/dry-run"

    def answered() -> Any:
        answer = served.client.ask("POST", path, {"events": lines}, Prefer="wait=20")
        assert answer.status == 200
        assert answer.body["start"]["records"][0]["data"].pop("digest")
        return {name: value for name, value in answer.body.items() if name != "job"}

    without = answered()
    deny = {"key": "never", "tool": "lookup", "effect": "deny"}
    batch = {
        "id": "0191f0c0-0000-7000-8000-000000000303",
        "operations": [{"op": "settings.update", "fields": {"policies": [deny]}}],
    }
    done = served.client.post(f"/v1/agents/{agent}/draft/operations", batch)
    assert not [problem for problem in done["problems"] if problem["severity"] == "error"]
    with_it = answered()
    assert with_it == without
    assert with_it["steps"][1]["effects"][0]["kind"] == "call"
