"""One input, one transaction: numbering, idempotency, the fence, refusals, the end."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from designer.calls.models import Call, CallEvent, CallInput, CallTimer
from designer.calls.selectors import call_json, call_of
from designer.core.errors import Refusal
from tests.designer.calls.conftest import NOON, Driver
from tests.support.seed import Seeded


def counts(driver: Driver) -> tuple[int, int, Any]:
    rows = Call.objects.values_list("head_seq", "snapshot_sha256", "chain_sha256")
    return (
        CallEvent.objects.count(),
        CallInput.objects.count(),
        rows.get(id=driver.id),
    )


def test_it_starts_on_the_active_version(driver: Driver, north: Seeded) -> None:
    first = driver.events()[0]
    assert first["type"] == "call.started"
    assert first["data"]["agent"] == "desk"
    assert first["data"]["version"] == 1
    assert len(first["data"]["digest"]) == 64
    shown = call_json(driver.call)
    assert shown["active"] == ["greeting", "unread"]
    assert shown["value"] == {"conversation": "greeting", "consent": "unread"}
    assert shown["status"] == "running"


@pytest.mark.row("F130")
def test_events_are_numbered_without_a_gap(driver: Driver) -> None:
    for name in ("help", "again", "help", "consent", "nonsense", "close"):
        driver.event(name)
    events = driver.events()
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert events[-1]["type"] == "call.ended"
    assert driver.call.head_seq == len(events)
    assert all(event["in_seq"] >= 1 for event in events)


@pytest.mark.row("F124")
def test_a_move_leaves_one_state_and_then_enters_the_next(driver: Driver) -> None:
    answer = driver.event("help")
    moves = [
        (event["type"], event["data"]["state"])
        for event in answer.events
        if event["type"] in ("state.exited", "state.entered")
    ]
    assert moves == [("state.exited", "greeting"), ("state.entered", "helping")]


def test_a_refusal_is_a_fact_in_the_stream_and_moves_nothing(driver: Driver) -> None:
    answer = driver.event("close")
    assert answer.active == ["greeting", "unread"]
    assert answer.refusal["reason"] == "undeclared"
    assert "close" in answer.refusal["message"]
    assert "greeting" in answer.refusal["message"]
    assert [event["type"] for event in answer.events] == ["transition.refused"]


def test_the_same_key_again_gives_the_stored_answer(driver: Driver) -> None:
    first = driver.event("help", key="a-key")
    before = counts(driver)
    again = driver.event("help", key="a-key")
    assert again.replayed
    assert not first.replayed
    assert {**again.to_json(), "replayed": False} == first.to_json()
    assert counts(driver) == before


def test_the_same_key_with_another_body_is_refused(driver: Driver) -> None:
    driver.event("help", key="a-key")
    before = counts(driver)
    with pytest.raises(Refusal) as refused:
        driver.event("again", key="a-key")
    assert (refused.value.status, refused.value.code) == (409, "idempotency.key_reused")
    assert counts(driver) == before


@pytest.mark.parametrize("key", ["", "x" * 65, "käse", "a\r\nb", "timer:silent"])
def test_it_refuses_a_key_that_is_none(driver: Driver, key: str) -> None:
    with pytest.raises(Refusal) as refused:
        driver.event("help", key=key)
    assert refused.value.code == "idempotency.key_invalid"


@pytest.mark.row("R-49")
def test_a_stale_proposal_does_nothing(driver: Driver) -> None:
    driver.event("help")
    seen = driver.call.head_seq
    driver.event("again")
    driver.event("help")
    answer = driver.give({"propose": {"transition": "waiting"}}, based_on_seq=seen)
    assert [event["type"] for event in answer.events] == ["proposal.stale"]
    assert answer.refusal["reason"] == "stale"
    assert answer.active == ["helping", "unread"]


def test_a_fresh_proposal_is_tried(driver: Driver) -> None:
    driver.event("help")
    answer = driver.give({"propose": {"transition": "waiting"}}, based_on_seq=driver.call.head_seq)
    assert answer.refusal is None
    assert answer.active == ["waiting", "unread"]


def test_an_event_for_an_ended_call_is_refused_and_stores_nothing(driver: Driver) -> None:
    driver.event("help")
    driver.event("close")
    before = counts(driver)
    with pytest.raises(Refusal) as refused:
        driver.event("help")
    assert (refused.value.status, refused.value.code) == (409, "call.ended")
    assert "help" in refused.value.detail
    assert str(driver.id) in refused.value.detail
    assert counts(driver) == before


def test_the_answer_of_the_last_input_can_still_be_had_after_the_end(driver: Driver) -> None:
    driver.event("help")
    first = driver.event("close", key="last")
    again = driver.event("close", key="last")
    assert again.replayed
    assert again.events == first.events


def test_it_is_ended_from_outside(driver: Driver) -> None:
    answer = driver.services.end_call(
        driver.actor, NOON, call_id=driver.id, reason="caller hung up"
    )
    assert answer.status == "ended"
    ended = answer.events[-1]
    assert ended["type"] == "call.ended"
    assert ended["data"]["reason"] == "caller hung up"
    assert not CallTimer.objects.exists()


def test_time_never_runs_backwards_in_a_call(driver: Driver) -> None:
    driver.event("help")
    driver.at = NOON - timedelta(hours=1)
    answer = driver.event("again")
    assert answer.active == ["greeting", "unread"]
    moments = [event["at"] for event in driver.events()]
    assert moments == sorted(moments)


def test_a_running_call_keeps_its_version(driver: Driver, north: Seeded, actor: Any) -> None:
    from designer.versions.models import Version

    other = Version.objects.get(agent_id=north.agent)
    assert call_of(actor, driver.id).version_id == other.id


def test_it_refuses_an_agent_or_version_that_is_not_there(actor: Any, north: Seeded) -> None:
    for agent, version in ((str(uuid4()), None), (north.agent, 7)):
        with pytest.raises(Refusal) as refused:
            Driver(actor, agent, version=version)
        assert refused.value.status == 404


def test_it_refuses_slots_that_do_not_fit(actor: Any, north: Seeded) -> None:
    with pytest.raises(Refusal) as refused:
        Driver(actor, north.agent, slots={"tries": "many"})
    assert refused.value.code == "slots.invalid"
    assert "tries" in refused.value.detail
    assert not Call.objects.exists()


def test_a_call_of_another_workspace_is_not_there(driver: Driver) -> None:
    from designer.accounts.selectors import actor_of_user
    from tests.support.seed import seed

    stranger = actor_of_user(UUID(seed("south").user))
    with pytest.raises(Refusal) as refused:
        driver.services.handle(stranger, NOON, call_id=driver.id, payload={"event": "help"})
    assert refused.value.status == 404


def test_values_of_sensitive_slots_are_masked_but_stored_true(driver: Driver) -> None:
    driver.give({"set": {"slot": "card", "value": "4111"}})
    refused = driver.event("help")
    assert refused.refusal["reason"] == "guard"
    shown = str([driver.events(), call_json(driver.call), refused.to_json()])
    assert "4111" not in shown.replace("card != '4111'", "")
    assert CallEvent.objects.get(call_id=driver.id, type="slot.set").data["to"] == "4111"
    (slot,) = [slot for slot in call_json(driver.call)["slots"] if slot["key"] == "card"]
    assert slot["masked"]
    assert slot["value"] != "4111"


def test_malformed_inputs_are_refused_without_an_exception(driver: Driver) -> None:
    for payload in (
        {"event": ""},
        {"propose": {}},
        {"propose": {"set_slot": {"slot": "nothing", "value": 1}}},
        {"propose": {"handoff": "nobody"}},
        {"set": {"slot": "tries", "value": "many"}},
        {"strange": 1},
    ):
        answer = driver.give(payload)
        assert answer.refusal is not None
        assert answer.active == ["greeting", "unread"]
