"""Delayed transitions fire from the table: once, in due order, never after their state."""

from __future__ import annotations

from datetime import timedelta

import pytest

from designer.calls.models import CallInput, CallTimer
from designer.calls.replay import replay
from designer.calls.timers import fire_due
from tests.designer.calls.conftest import NOON, Driver

SECOND = timedelta(seconds=1)


def test_it_is_armed_when_its_state_is_entered(driver: Driver) -> None:
    (timer,) = CallTimer.objects.all()
    assert timer.due_at == NOON + SECOND


def test_it_does_not_fire_before_it_is_due(driver: Driver) -> None:
    assert fire_due(NOON + SECOND * 0.9) == 0
    assert driver.call.head_seq == len(driver.events())


def test_it_fires_once_and_says_how_late(driver: Driver) -> None:
    late = NOON + SECOND * 3
    assert fire_due(late) == 1
    assert fire_due(late) == 0
    (fired,) = driver.events("timer.fired")
    assert fired["data"]["late_ms"] == 2000
    assert fired["at"] == "2026-11-30T12:00:01.000Z"
    assert driver.events("state.entered")[-1]["data"]["state"] == "waiting"
    assert not CallTimer.objects.exists()


def test_it_is_cancelled_when_its_state_is_left(driver: Driver) -> None:
    driver.event("help")
    assert not CallTimer.objects.exists()
    assert fire_due(NOON + SECOND * 9) == 0
    assert not driver.events("timer.fired")


def test_entering_again_starts_it_anew(driver: Driver) -> None:
    driver.event("help")
    driver.event("again")
    (timer,) = CallTimer.objects.all()
    assert timer.due_at == driver.at + SECOND


def test_what_was_due_first_happens_first(driver: Driver) -> None:
    driver.at = NOON + SECOND * 5  # no loop has run; the event comes after the timer was due
    answer = driver.event("help")
    kinds = [event["type"] for event in driver.events()]
    assert "timer.fired" in kinds
    assert answer.active == ["helping", "unread"]
    assert [event["in_seq"] for event in answer.events] == [3] * len(answer.events)


@pytest.mark.parametrize("downtime", [1, 3600, 86400])
def test_it_fires_after_any_downtime_and_replays_the_same(driver: Driver, downtime: int) -> None:
    fire_due(NOON + SECOND * downtime)
    driver.at = NOON + SECOND * downtime
    driver.event("help")
    assert replay(driver.call).to_json()["identical"]
    keys = list(CallInput.objects.exclude(key=None).values_list("key", flat=True))
    assert len(keys) == 1
    assert keys[0].startswith("timer:")


def test_an_ended_call_has_no_timers(driver: Driver) -> None:
    driver.services.end_call(driver.actor, NOON, call_id=driver.id, reason=None)
    assert not CallTimer.objects.exists()
    assert fire_due(NOON + SECOND * 9) == 0
