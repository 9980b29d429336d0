"""What a sensitive slot holds leaves by no door, whatever repeats it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest

from designer.calls.masking import MASK, Veil, mask, veil_of_document
from designer.calls.models import CallEvent
from designer.calls.selectors import call_json, list_calls, snapshot_json
from designer.consumers.streams import Streams
from designer.realtime.topics import CALL, Topic
from tests.designer.calls.conftest import Driver
from tests.support.charts import desk
from tests.support.seed import publish

SECRETS = ("4111222233334444", "Zebedee", "7319")


def vault() -> dict[str, Any]:
    """A chart that hands sensitive slots to everything that can carry them."""
    document = desk("vault", silence="5m")
    document["slots"] += [
        {"key": "pin", "type": "integer", "sensitive": True},
        {"key": "nick", "type": "string", "sensitive": True, "default": "Zebedee"},
    ]
    greeting = document["machine"]["regions"][0]["states"][0]
    greeting["transitions"] += [
        {
            "key": "look",
            "on": {"event": "look"},
            "effects": [
                {"call": "lookup", "args": {"number": "slots.card", "code": "slots.pin"}},
                {"call": "lookup", "args": {"tail": "slots.card + '-' + slots.nick"}},
                {"hook": "looked", "data": {"digits": "size(slots.card)", "who": "slots.nick"}},
                {"raise": "checked", "data": {"half": "slots.pin * 2", "same": "slots.pin"}},
            ],
            "internal": True,
        },
        {
            "key": "checked",
            "on": {"event": "checked"},
            "guard": "event.data.half > 100000000 && event.data.same > 100000",
            "internal": True,
        },
        {
            "key": "pay",
            "on": {"event": "pay"},
            "guard": "slots.pin == 1 || slots.nick == 'x' || slots.card == event.data.card",
            "target": "helping",
        },
    ]
    return document


@pytest.fixture
def driven(actor: Any) -> Driver:
    agent, _ = publish(actor, vault())
    return Driver(actor, str(agent))


def everything(driver: Driver, answers: list[Any]) -> str:
    stream = Streams().read(Topic(CALL, str(driver.id)), 0, 500)
    return str(
        [
            [answer.to_json() for answer in answers],
            [item.text for item in stream],
            driver.events(),
            call_json(driver.call),
            snapshot_json(driver.call),
            list_calls(driver.actor, limit=50),
        ]
    )


def test_nothing_that_leaves_spells_a_sensitive_value(driven: Driver) -> None:
    card, _, pin = SECRETS
    answers = [
        driven.give({"set": {"slot": "card", "value": card}}),
        driven.give({"propose": {"set_slot": {"slot": "pin", "value": 7319}}}),
        driven.give({"caller": f"It is {card}, pin {pin}, and call me Zebedee."}),
        driven.event("look"),
        driven.give({"event": "pay", "data": {"card": f"{card}!"}}),
        driven.give({"propose": {"set_slot": {"slot": "pin", "value": f"{card}?"}}}),
        driven.give({"propose": {"transition": card}}),
        driven.give({"propose": {"set_slot": {"slot": "pin", "value": 7319}}}, based_on_seq=0),
        driven.give({"end": {"reason": f"{card} was wrong"}}),
    ]
    shown = everything(driven, answers)
    for secret in SECRETS:
        assert secret not in shown, shown[max(0, shown.index(secret) - 300) :][:600]
    assert MASK in shown


def test_what_is_made_of_a_sensitive_slot_is_hidden_too(driven: Driver) -> None:
    driven.give({"set": {"slot": "card", "value": SECRETS[0]}})
    driven.give({"set": {"slot": "pin", "value": 7319}})
    driven.event("look")
    first, second = (event["data"]["arguments"] for event in driven.events("tool.requested"))
    assert first == {"number": MASK, "code": MASK}
    assert second == {"tail": MASK}
    (hook,) = [e["data"] for e in driven.events("hook") if e["data"]["hook"] == "looked"]
    assert hook["data"] == {"digits": MASK, "who": MASK}
    assert CallEvent.objects.filter(call_id=driven.id, data__arguments__code=7319).exists()


def test_what_a_call_began_with_is_known_to_be_hidden(actor: Any) -> None:
    agent, _ = publish(actor, vault())
    driver = Driver(actor, str(agent), slots={"card": SECRETS[0]})
    said = driver.give({"caller": f"as I said, {SECRETS[0]}"})
    assert SECRETS[0] not in everything(driver, [said])


def test_a_value_that_was_changed_stays_hidden(driven: Driver) -> None:
    driven.give({"set": {"slot": "card", "value": "4000111"}})
    driven.give({"set": {"slot": "card", "value": "4000222"}})
    said = driven.give({"caller": "not 4000111 but 4000222"})
    shown = everything(driven, [said])
    assert "4000111" not in shown
    assert "4000222" not in shown


def test_a_replayed_answer_is_masked_like_the_first(driven: Driver) -> None:
    payload = {"set": {"slot": "card", "value": SECRETS[0]}}
    first = driven.give(payload, key="k")
    again = driven.give(payload, key="k")
    assert again.replayed
    assert again.to_json() | {"replayed": False} == first.to_json()


def test_the_charts_own_words_are_not_masked() -> None:
    document = desk()
    document["slots"][1]["default"] = "helping"
    veil = veil_of_document(document)
    entered = {"region": "conversation", "state": "helping", "visits": 1}
    assert mask(entered, veil) == entered
    assert mask({"text": "please, helping!"}, veil) == {"text": f"please, {MASK}!"}
    assert mask({"text": "helpings"}, veil) == {"text": "helpings"}
    assert mask({"text": "helping"}, Veil()) == {"text": "helping"}


def test_a_watcher_of_another_workspace_gets_nothing(driven: Driver) -> None:
    from designer.consumers.door import Credentials, judge
    from tests.support.seed import seed

    south = seed("south")
    topic = Topic(CALL, str(driven.id))
    assert judge(Credentials(None, south.token), topic).close == 4404
    assert judge(Credentials(None, "cc_wrong"), topic).close == 4401
    assert judge(Credentials(None, south.token), Topic(CALL, str(UUID(int=5)))).close == 4404
