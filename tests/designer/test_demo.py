"""The demo that `make run` loads."""

from __future__ import annotations

from io import StringIO

from django.core.management import call_command
from django.test import Client

from interpreter import library
from tests.designer.agents.test_draft_api import dump


def load() -> str:
    said = StringIO()
    call_command("load_demo", stdout=said)
    return said.getvalue()


def test_the_demo_is_loaded_once_and_can_be_looked_at(db: None) -> None:
    said = load()
    assert "dana@callchart.local" in said
    assert "callchart-demo" in said
    before = dump()
    load()
    assert dump() == before
    client = Client()
    form = {"login": "dana@callchart.local", "password": "callchart-demo"}
    assert client.post("/accounts/login/", form).status_code == 302
    agents = client.get("/v1/agents").json()["results"]
    assert {agent["key"] for agent in agents} == set(library.names())
    assert all(agent["status"] == "active" and not agent["differs"] for agent in agents)
    assert all(agent["problems"]["error"] == 0 for agent in agents)
    calls = client.get("/v1/calls").json()["results"]
    assert sorted(call["status"] for call in calls) == ["ended", "running"]


def test_a_running_call_is_there_again_after_time_ended_the_last_one(db: None) -> None:
    load()
    client = Client()
    client.post(
        "/accounts/login/", {"login": "dana@callchart.local", "password": "callchart-demo"}
    )
    running = client.get("/v1/calls?status=running").json()["results"]
    body = {"reason": "enough"}
    ended = client.post(f"/v1/calls/{running[0]['id']}/end", body, content_type="application/json")
    assert ended.status_code == 200
    load()
    calls = client.get("/v1/calls").json()["results"]
    assert sorted(call["status"] for call in calls) == ["ended", "ended", "running"]
