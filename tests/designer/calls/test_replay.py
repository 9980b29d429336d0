"""Replay equals live, and notices every change of a history."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from designer.calls.event_store import StoredEvent
from designer.calls.models import CallEvent
from designer.calls.replay import replay
from designer.calls.run import CallRun
from interpreter import compile_agent
from interpreter.library import load, names
from tests.designer.calls.conftest import NOON, Driver
from tests.support.seed import publish


def drive(driver: Driver) -> None:
    driver.give({"set": {"slot": "card", "value": "4111"}})
    for name in ("help", "consent", "nonsense"):
        driver.event(name)
    driver.give({"caller": "Good morning, 早安"})
    driver.give({"set": {"slot": "card", "value": "5500"}})
    driver.event("help", key="k")
    driver.give({"propose": {"transition": "waiting"}}, based_on_seq=2)
    driver.event("again")
    driver.at += timedelta(seconds=2)
    driver.event("close")


def test_a_replay_is_identical(driver: Driver) -> None:
    drive(driver)
    verdict = replay(driver.call).to_json()
    assert verdict["first_difference"] is None
    assert verdict["identical"]
    assert verdict["events"] == driver.call.head_seq


@pytest.mark.row("R-63")
def test_a_changed_payload_is_named_by_its_seq(driver: Driver) -> None:
    drive(driver)
    seq = driver.events("transition.taken")[0]["seq"]
    with connection.cursor() as cursor:
        cursor.execute(
            f'UPDATE "{CallEvent._meta.db_table}" SET data = %s WHERE seq = %s',
            ['{"forged": true}', seq],
        )
    verdict = replay(driver.call).to_json()
    assert not verdict["identical"]
    assert verdict["first_difference"]["seq"] == seq


def test_a_removed_event_is_noticed(driver: Driver) -> None:
    drive(driver)
    CallEvent.objects.filter(call_id=driver.id, seq=driver.call.head_seq).delete()
    assert not replay(driver.call).to_json()["identical"]


@pytest.mark.parametrize("name", names())
def test_every_script_of_the_library_replays_on_its_own_version(
    actor: Any, north: Any, name: str
) -> None:
    chart = load(name)
    document = chart["document"]
    if document.get("squad"):
        publish(actor, load("billing_specialist")["document"])
    agent, _ = publish(actor, document)
    for script in chart["scripts"].values():
        play(actor, agent, script)


def play(actor: Any, agent: UUID, script: Any) -> None:
    from designer.core.errors import Refusal

    lines = script["script"] if isinstance(script, dict) else script
    slots = script.get("slots") if isinstance(script, dict) else None
    driver = Driver(actor, str(agent), slots=slots)
    for line in lines:
        if set(line) & {"expect", "advance"}:
            driver.at += timedelta(seconds=30)
            continue
        try:
            driver.give(line)
        except Refusal:
            break  # the Call has ended
    verdict = replay(driver.call).to_json()
    assert verdict["first_difference"] is None


def _inputs(machine: Any) -> st.SearchStrategy[list[tuple[dict[str, Any], int]]]:
    names_ = sorted({"help", "*", "x"} | set(machine.states))
    line = st.one_of(
        st.builds(lambda name: {"event": name}, st.sampled_from(names_)),
        st.builds(lambda name: {"propose": {"transition": name}}, st.sampled_from(names_)),
        st.builds(lambda text: {"caller": text}, st.text(max_size=8)),
        st.builds(
            lambda key, value: {"set": {"slot": key, "value": value}},
            st.sampled_from(sorted(machine.slots) or ["none"]),
            st.one_of(st.none(), st.booleans(), st.integers(-9, 9), st.text(max_size=4)),
        ),
    )
    return st.lists(st.tuples(line, st.integers(0, 40_000)), max_size=25)


CHARTS = {name: compile_agent(load(name)["document"]) for name in names()}


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data(), name=st.sampled_from(sorted(CHARTS)))
def test_the_same_inputs_make_the_same_history(data: Any, name: str) -> None:
    machine = CHARTS[name]
    lines = data.draw(_inputs(machine))
    first, second = (run(machine, lines) for _ in range(2))
    assert first == second
    events = first[0]
    assert [event.seq for event in events] == list(range(1, len(events) + 1))


def run(machine: Any, lines: list[tuple[dict[str, Any], int]]) -> tuple[list[StoredEvent], str]:
    """A Call whose snapshot goes through JSON between all inputs, as it does in the table."""
    from interpreter import Snapshot

    call = CallRun(machine, {"version": 1})
    at = NOON
    events = call.take({"start": {"slots": {}}}, at)
    for line, pause in lines:
        at += timedelta(milliseconds=pause)
        call.snapshot = Snapshot.from_json(call.present.to_json(), machine)
        events += call.take(line, at)
    return events, call.chain
