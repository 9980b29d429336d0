"""The same Call on both forms: SQLite embedded, and PostgreSQL + Redis with two web processes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from typing import Any

import psycopg
import pytest
import redis as redis_py

from tests.designer.live.conftest import serve
from tests.scaled.conftest import Scaled
from tests.support.charts import desk
from tests.support.processes import (
    Client,
    eventually,
    listening,
    read_items,
    say_watch,
)

pytestmark = pytest.mark.scaled
INPUTS: list[tuple[str, dict[str, Any]]] = [
    ("events", {"event": "consent"}),
    ("slots", {"slot": "card", "value": "4111"}),
    ("events", {"event": "help"}),  # the guard says no
    ("slots", {"slot": "card", "value": None}),
    ("turns", {"caller": "Good morning, 早安 \U0001f600"}),
    ("events", {"event": "help", "data": {"z": 1, "a": [1.5, None, True]}, "confidence": 0.5}),
    ("proposals", {"transition": "waiting", "confidence": 0.9, "based_on_seq": 1}),  # stale
    ("proposals", {"transition": "nowhere"}),
    ("proposals", {"set_slot": {"slot": "name", "value": "Ann"}}),
    ("events", {"event": "again"}),
    ("events", {"event": "help"}),
    ("events", {"event": "hold"}),
    ("timer", {}),  # wait for the delayed move
    ("turns", {"agent": "One moment"}),
    ("events", {"event": "help"}),
    ("proposals", {"transition": "waiting"}),
    ("events", {"event": "revoke"}),
    ("events", {"event": "close"}),
]


def drive(clients: list[Client]) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Send the inputs, each by the next client; give the events and the verdict of the replay."""
    agent = clients[0].publish(desk("patient", silence="5m"))  # a slow machine is no silent caller
    call = clients[0].post("/v1/calls", {"agent": agent})["id"]
    for place, (door, body) in enumerate(INPUTS):
        client = clients[place % len(clients)]
        if door == "timer":
            eventually(
                lambda client=client: "waiting" in client.get(f"/v1/calls/{call}")["active"], 10
            )
        else:
            client.post(f"/v1/calls/{call}/{door}", body, Idempotency_Key=f"k{place}")
    for client in clients:  # sent again through the other process: nothing happens twice
        answer = client.ask("POST", f"/v1/calls/{call}/events", INPUTS[0][1], Idempotency_Key="k0")
        assert answer.body["replayed"] is True
    events = clients[-1].get(f"/v1/calls/{call}/events?limit=500")["events"]
    return events, clients[-1].post(f"/v1/calls/{call}/verify")


def without_clock(events: list[dict[str, Any]]) -> list[Any]:
    """What must be alike: all but the moments."""
    kept = []
    for event in events:
        data = {k: v for k, v in event["data"].items() if k not in ("late_ms", "due")}
        kept.append([event["seq"], event["in_seq"], event["type"], data])
    return kept


def test_both_forms_make_the_same_events_in_the_same_order(
    scaled: Scaled, tmp_path_factory: pytest.TempPathFactory
) -> None:
    embedded = serve(tmp_path_factory.mktemp("twin"))
    try:
        client = Client(embedded.port, embedded.north["token"])
        small, small_verdict = drive([client])
    finally:
        embedded.processes.stop()
    large, large_verdict = drive([scaled.client(0), scaled.client(1)])
    assert without_clock(large) == without_clock(small)
    # jsonb keeps no order of keys; with one, the bytes are the same.
    texts = [json.dumps(without_clock(events), sort_keys=True) for events in (small, large)]
    assert texts[0] == texts[1]
    assert small[-1]["type"] == "call.ended"
    assert small_verdict["identical"], small_verdict
    assert large_verdict["identical"], large_verdict


def test_a_watcher_of_one_process_sees_what_the_other_took(scaled: Scaled) -> None:
    call = scaled.client(0).post("/v1/calls", {"agent": scaled.north["agent"]})["id"]
    with scaled.client(1).socket(f"/ws/v1/calls/{call}") as watcher:
        say_watch(watcher, None)
        watcher.recv(timeout=5)
        begun = time.monotonic()
        scaled.client(0).post(f"/v1/calls/{call}/events", {"event": "help"})
        items = read_items(watcher, bool, 5)
        assert time.monotonic() - begun < 5
    assert items[0]["in_seq"] == 2


def test_timers_fire_in_the_worker_and_reach_the_watcher(scaled: Scaled) -> None:
    call = scaled.client(0).post("/v1/calls", {"agent": scaled.north["agent"]})["id"]
    with scaled.client(1).socket(f"/ws/v1/calls/{call}") as watcher:
        say_watch(watcher, 0)
        items = read_items(
            watcher, lambda got: any(item["type"] == "timer.fired" for item in got), 8
        )
    assert [item["type"] for item in items].count("timer.fired") == 1


def test_a_dry_run_streams_over_two_processes(scaled: Scaled) -> None:
    path = f"/v1/agents/{scaled.north['agent']}/versions/1/machine/dry-run"
    lines = [{"event": "help"}, {"event": "again"}] * 20
    answer = scaled.client(0).ask("POST", path, {"events": lines}, Prefer="wait=0")
    with scaled.client(1).socket(f"/ws/v1/jobs/{answer.body['job']}") as watcher:
        say_watch(watcher, 0)
        items = read_items(watcher, lambda got: bool(got) and got[-1]["type"] == "done", 20)
    assert [item["seq"] for item in items] == list(range(1, 42))
    waited = scaled.client(0).ask("POST", path, {"events": lines})
    assert waited.status == 200
    assert [step["index"] for step in waited.body["steps"]] == list(range(40))


def test_a_forged_hint_shows_nothing(scaled: Scaled) -> None:
    call = scaled.client(0).post("/v1/calls", {"agent": scaled.north["agent"]})["id"]
    broker = redis_py.Redis.from_url(scaled.backends.redis_url)
    with scaled.client(1).socket(f"/ws/v1/calls/{call}") as watcher:
        say_watch(watcher, None)
        watcher.recv(timeout=5)
        for text in ('{"epoch":7,"last":99}', '{"seq":9,"type":"forged"}', "\x00", "{" * 9999):
            broker.publish(f"hint.call.{call}", text)
        scaled.client(0).post(f"/v1/calls/{call}/events", {"event": "consent"})
        items = read_items(watcher, lambda got: any(i["in_seq"] == 2 for i in got), 5)
    assert all(item["type"] != "forged" for item in items)


@pytest.mark.row("R-65")
def test_neither_pickles_nor_forged_hints_are_taken(scaled: Scaled) -> None:
    """A pickled task is refused by the worker; a forged event on Redis reaches no watcher."""
    script = (
        "import django; django.setup()\n"
        "from designer.config.celery import app\n"
        "app.conf.task_serializer = 'pickle'\n"
        "app.conf.accept_content = ['json', 'pickle']\n"
        "app.send_task('designer.run_job', args=['x'], queue='dryrun', serializer='pickle')\n"
    )
    subprocess.run(
        [sys.executable, "-c", script], env=scaled.env, check=True, capture_output=True, timeout=60
    )
    eventually(lambda: "ContentDisallowed" in scaled.logs[0].read_text(), 10)
    _clear_refused(scaled)
    test_a_forged_hint_shows_nothing(scaled)
    test_a_dry_run_streams_over_two_processes(scaled)  # the worker is still well


def _clear_refused(scaled: Scaled) -> None:
    """Celery logs the refusal with its traceback; that one is expected."""
    log = scaled.logs[0]
    text = log.read_text()
    with log.open("r+") as file:
        file.truncate()
        file.write(text.replace("Traceback", "traceback (expected)"))


def test_a_held_row_is_503_while_other_calls_go_on(scaled: Scaled) -> None:
    held, free = (
        scaled.client(0).post("/v1/calls", {"agent": scaled.north["agent"]})["id"]
        for _ in range(2)
    )
    with psycopg.connect(scaled.env["DATABASE_URL"]) as other:
        other.execute("SELECT id FROM designer_call WHERE id = %s FOR UPDATE", [held])
        answer = scaled.client(0).ask("POST", f"/v1/calls/{held}/events", {"event": "consent"})
        scaled.client(1).post(f"/v1/calls/{free}/events", {"event": "consent"})
    assert (answer.status, answer.body["code"]) == (503, "call.busy")
    scaled.client(0).post(f"/v1/calls/{held}/events", {"event": "consent"})


def test_redis_going_away_loses_nothing(scaled: Scaled) -> None:
    call = scaled.client(0).post("/v1/calls", {"agent": scaled.north["agent"]})["id"]
    redis = scaled.backends.processes.started[0]
    with scaled.client(1).socket(f"/ws/v1/calls/{call}") as watcher:
        say_watch(watcher, 0)
        os.killpg(redis.pid, signal.SIGKILL)
        redis.wait(5)
        for place in range(10):
            scaled.client(place % 2).post(
                f"/v1/calls/{call}/events", {"event": "revoke" if place % 2 else "consent"}
            )
        items = read_items(watcher, lambda got: any(i["in_seq"] >= 11 for i in got), 10)
        scaled.backends.processes.started[0] = scaled.backends.processes.start(
            scaled.backends.redis_command, dict(os.environ), scaled.backends.redis_log
        )
        eventually(lambda: listening(scaled.backends.redis_port), 10)
        time.sleep(1)
        last = items[-1]["seq"]
        scaled.client(0).post(f"/v1/calls/{call}/events", {"event": "consent"})
        items += read_items(watcher, lambda got: bool(got) and got[-1]["seq"] > last, 5)
    assert [item["seq"] for item in items] == list(range(1, len(items) + 1))


def test_a_web_process_killed_in_a_burst_loses_and_doubles_nothing(scaled: Scaled) -> None:
    """Its watcher comes back to the other process with its last number."""
    call = scaled.client(0).post("/v1/calls", {"agent": scaled.north["agent"]})["id"]
    watcher = scaled.client(1).socket(f"/ws/v1/calls/{call}")
    say_watch(watcher, 0)
    items = read_items(watcher, bool)
    for place in range(20):
        name = "revoke" if place % 2 else "consent"
        scaled.client(0).post(f"/v1/calls/{call}/events", {"event": name})
        if place == 8:
            items += read_items(watcher, lambda got: any(i["in_seq"] >= 4 for i in got))
            os.killpg(scaled.webs[1].pid, signal.SIGKILL)
    head = scaled.client(0).get(f"/v1/calls/{call}")["head_seq"]
    with scaled.client(0).socket(f"/ws/v1/calls/{call}") as again:
        say_watch(again, items[-1]["seq"])
        items += read_items(again, lambda got: bool(got) and got[-1]["seq"] >= head)
    assert [item["seq"] for item in items] == list(range(1, head + 1))
