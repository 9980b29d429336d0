"""The HTTP door of Calls: shapes, roles, tenancy, limits, versions."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client as Browser

from designer.calls.models import Call
from tests.support.charts import desk
from tests.support.seed import Seeded, seed


class Api:
    """A token holder's view of the API, in this process."""

    def __init__(self, seeded: Seeded) -> None:
        self.agent = seeded.agent
        self.browser = Browser(headers={"Authorization": f"Bearer {seeded.token}"})

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        return self.browser.generic(
            method,
            path,
            b"" if body is None else __import__("json").dumps(body).encode(),
            content_type="application/json",
            headers={name.replace("_", "-"): value for name, value in headers.items()},
        )

    def post(self, path: str, body: Any, **headers: str) -> Any:
        return self.ask("POST", path, body, **headers)

    def start(self, **more: Any) -> str:
        answer = self.post("/v1/calls", {"agent": self.agent, **more})
        assert answer.status_code == 201, answer.content
        return str(answer.json()["id"])


@pytest.fixture
def api(north: Seeded) -> Api:
    return Api(north)


def test_it_starts_a_call_and_shows_it(api: Api) -> None:
    answer = api.post("/v1/calls", {"agent": api.agent, "slots": {"name": "Ann", "card": "4111"}})
    assert answer.status_code == 201
    shown = answer.json()
    assert answer["Location"] == f"/v1/calls/{shown['id']}"
    assert shown == api.ask("GET", f"/v1/calls/{shown['id']}").json()
    assert {"value", "active", "slots", "counters", "limits", "allowed"} <= set(shown)
    assert shown["slots"][0]["value"] == "Ann"
    assert "4111" not in answer.content.decode()
    events = {entry["key"]: entry["allowed"] for entry in shown["allowed"]["events"]}
    assert events == {"help": False, "consent": True}


def test_the_same_start_twice_with_one_key_is_one_call(api: Api) -> None:
    first = api.post("/v1/calls", {"agent": api.agent}, Idempotency_Key="start-1")
    again = api.post("/v1/calls", {"agent": api.agent}, Idempotency_Key="start-1")
    assert first.json()["id"] == again.json()["id"]
    assert Call.objects.count() == 1


def test_it_drives_by_every_door(api: Api) -> None:
    call = api.start()
    doors: list[tuple[str, dict[str, Any]]] = [
        ("events", {"event": "consent", "data": {"a": 1}, "confidence": 0.5}),
        ("turns", {"caller": "Hello"}),
        ("slots", {"slot": "name", "value": "Ann"}),
        ("events", {"event": "help"}),
        ("proposals", {"transition": "waiting"}),
        ("end", {"reason": "done"}),
    ]
    last = 0
    for door, body in doors:
        answer = api.post(f"/v1/calls/{call}/{door}", body)
        assert answer.status_code == 200, answer.content
        said = answer.json()
        assert said["refusal"] is None, said
        assert said["events"][0]["seq"] == said["first_seq"] > last
        last = said["last_seq"]
        assert said["events"][-1]["seq"] == last
    assert said["status"] == "ended"
    page = api.ask("GET", f"/v1/calls/{call}/events?after=2&limit=3").json()
    assert [event["seq"] for event in page["events"]] == [3, 4, 5]
    assert page["head"] == last
    assert api.post(f"/v1/calls/{call}/verify", {}).json()["identical"]
    snapshot = api.ask("GET", f"/v1/calls/{call}/snapshot").json()
    assert snapshot["seq"] == last


def test_an_event_for_an_ended_call_is_a_clear_409(api: Api) -> None:
    call = api.start()
    api.post(f"/v1/calls/{call}/end", {})
    before = api.ask("GET", f"/v1/calls/{call}").content
    answer = api.post(f"/v1/calls/{call}/events", {"event": "help"})
    assert answer.status_code == 409
    assert answer["Content-Type"] == "application/problem+json"
    problem = answer.json()
    assert problem["code"] == "call.ended"
    assert "help" in problem["detail"]
    assert call in problem["detail"]
    assert api.ask("GET", f"/v1/calls/{call}").content == before


@pytest.mark.parametrize(
    ("door", "body", "pointer"),
    [
        ("events", {}, "/event"),
        ("events", {"event": ""}, "/event"),
        ("events", {"event": "x" * 201}, "/event"),
        ("events", {"event": "x", "data": [1]}, "/data"),
        ("events", {"event": "x", "confidence": 2}, "/confidence"),
        ("events", {"event": "x", "more": 1}, "/more"),
        ("events", {"event": "x", "head_seq": 1}, "/head_seq"),
        ("proposals", {}, ""),
        ("proposals", {"transition": "a", "handoff": "b"}, ""),
        ("proposals", {"transition": "a", "based_on_seq": -1}, "/based_on_seq"),
        ("proposals", {"transition": "a", "confirmed": True}, "/confirmed"),
        ("turns", {"caller": "a", "agent": "b"}, ""),
        ("slots", {"slot": "name"}, "/value"),
    ],
)
def test_a_bad_input_is_422_with_a_pointer_and_changes_nothing(
    api: Api, door: str, body: dict[str, Any], pointer: str
) -> None:
    call = api.start()
    before = Call.objects.values_list("head_seq", "snapshot_sha256").get(id=call)
    answer = api.post(f"/v1/calls/{call}/{door}", body)
    assert answer.status_code == 422
    assert any(fault["path"].startswith(pointer) for fault in answer.json()["errors"])
    assert Call.objects.values_list("head_seq", "snapshot_sha256").get(id=call) == before


@pytest.mark.parametrize(
    "raw",
    [b'{"event": "a\\u0000"}', b'{"event": "\\ud800"}', b'{"event":"a","event":"b"}', b"[" * 9000],
)
def test_bad_json_is_400_on_every_database(api: Api, raw: bytes) -> None:
    call = api.start()
    answer = api.browser.post(f"/v1/calls/{call}/events", raw, content_type="application/json")
    assert answer.status_code == 400


def test_an_input_of_more_than_64_kib_is_413(api: Api) -> None:
    call = api.start()
    answer = api.post(f"/v1/calls/{call}/events", {"event": "x", "data": {"a": "x" * 70_000}})
    assert answer.status_code == 413


def test_references_of_another_workspace_are_not_found(api: Api) -> None:
    south = Api(seed("south"))
    call, foreign = api.start(), south.start()
    assert api.post("/v1/calls", {"agent": south.agent}).status_code == 404
    for path in ("", "/events", "/snapshot"):
        assert api.ask("GET", f"/v1/calls/{foreign}{path}").status_code == 404
    for door, body in (
        ("events", {"event": "help"}),
        ("proposals", {"transition": "x"}),
        ("turns", {"caller": "x"}),
        ("slots", {"slot": "name", "value": 1}),
        ("end", {}),
        ("verify", {}),
    ):
        assert api.post(f"/v1/calls/{foreign}/{door}", body).status_code == 404
    assert api.ask("GET", f"/v1/calls?cursor={foreign}").status_code == 400
    assert api.ask("GET", f"/v1/calls?agent={south.agent}").json()["results"] == []
    assert [row["id"] for row in api.ask("GET", "/v1/calls").json()["results"]] == [call]


def test_a_stranger_is_401(api: Api) -> None:
    call = api.start()
    assert Browser().get(f"/v1/calls/{call}").status_code == 401
    other = Browser(headers={"Authorization": "Bearer cc_nobody"})
    answer = other.post(
        f"/v1/calls/{call}/events", {"event": "help"}, content_type="application/json"
    )
    assert answer.status_code == 401


def test_a_list_turns_its_pages_in_order(api: Api) -> None:
    calls = [api.start() for _ in range(5)]
    seen, cursor = [], ""
    while True:
        page = api.ask("GET", f"/v1/calls?limit=2{cursor}").json()
        seen += [row["id"] for row in page["results"]]
        if page["next"] is None:
            break
        cursor = f"&cursor={page['next']}"
    assert seen == list(reversed(calls))


@pytest.mark.row("F314")
def test_a_running_call_finishes_on_the_version_it_started_with(api: Api) -> None:
    call = api.start()
    draft = api.ask("GET", f"/v1/agents/{api.agent}/draft")
    changed = desk()
    changed["machine"]["regions"][0]["states"][0]["transitions"][0]["target"] = "waiting"
    put = api.ask("PUT", f"/v1/agents/{api.agent}/draft", changed, If_Match=draft["ETag"])
    assert put.status_code == 200, put.content
    assert api.post(f"/v1/agents/{api.agent}/versions", {}).json()["number"] == 2
    for verb in ("approve", "activate"):
        assert api.post(f"/v1/agents/{api.agent}/versions/2/{verb}", {}).status_code == 200
    old = api.post(f"/v1/calls/{call}/events", {"event": "help"}).json()
    assert old["active"][0] == "helping"
    assert api.post(f"/v1/calls/{call}/events", {"event": "close"}).json()["status"] == "ended"
    assert api.post(f"/v1/calls/{call}/verify", {}).json()["identical"]
    fresh = api.start()
    new = api.post(f"/v1/calls/{fresh}/events", {"event": "help"}).json()
    assert new["active"][0] == "waiting"
    assert api.ask("GET", f"/v1/calls/{fresh}").json()["version"] == 2


def test_an_absent_call_is_404(api: Api) -> None:
    assert api.ask("GET", f"/v1/calls/{uuid4()}").status_code == 404
    assert api.ask("GET", "/v1/calls/x").status_code == 404


@pytest.mark.parametrize("query", ["limit=0", "limit=501", "limit=x", "after=-1", "after=1e3"])
def test_a_query_out_of_range_is_400(api: Api, query: str) -> None:
    assert api.ask("GET", f"/v1/calls/{api.start()}/events?{query}").status_code == 400


def test_it_takes_few_queries(api: Api, django_assert_max_num_queries: Any) -> None:
    call = api.start()
    api.post(f"/v1/calls/{call}/events", {"event": "consent"})
    with django_assert_max_num_queries(12):
        api.post(f"/v1/calls/{call}/events", {"event": "revoke"}, Idempotency_Key="q")
    with django_assert_max_num_queries(4):
        api.ask("GET", f"/v1/calls/{call}")


def test_a_list_says_where_each_call_stands_without_a_query_for_each(
    api: Api, django_assert_num_queries: Any
) -> None:
    calls = [api.start() for _ in range(6)]
    api.post(f"/v1/calls/{calls[0]}/events", {"event": "help"})
    api.post(f"/v1/calls/{calls[1]}/turns", {"caller": "hello"})
    with django_assert_num_queries(2):  # the token, the Calls
        rows = api.ask("GET", "/v1/calls").json()["results"]
    by_id = {row["id"]: row for row in rows}
    for call in calls:
        whole = api.ask("GET", f"/v1/calls/{call}").json()
        assert by_id[call] == {name: whole[name] for name in by_id[call]}
    assert by_id[calls[0]]["active"] == ["helping", "unread"]
    assert by_id[calls[1]]["counters"]["turns"] == 1


def test_ending_a_call_by_hand_is_in_the_audit(api: Api) -> None:
    from designer.accounts.models import AuditEntry

    call = api.start()
    body = {"reason": "the card is 4111"}
    assert api.post(f"/v1/calls/{call}/end", body, Idempotency_Key="e").status_code == 200
    assert api.post(f"/v1/calls/{call}/end", body, Idempotency_Key="e").status_code == 200
    assert api.post(f"/v1/calls/{call}/end", body).status_code == 409
    (entry,) = AuditEntry.objects.filter(verb="call.ended")
    assert (entry.object, entry.actor_name) == (call, "ada@north.local")
    assert "4111" not in str(entry.data)


@pytest.mark.parametrize("value", ["NaN", "0.5", "1e999", True, [], {}])
def test_a_confidence_is_a_number(api: Api, value: Any) -> None:
    path = f"/v1/calls/{api.start()}/events"
    answer = api.post(path, {"event": "help", "confidence": value})
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["path"] == "/confidence"


@pytest.mark.parametrize("query", ["status=odd", "status=%00", "agent=%00", "sort=payload"])
def test_a_list_is_asked_only_what_it_knows(api: Api, query: str) -> None:
    answer = api.ask("GET", f"/v1/calls?{query}")
    assert (answer.status_code, answer.json()["code"]) == (400, "query.invalid")


def test_a_database_that_is_away_or_full_is_503(api: Api, monkeypatch: Any) -> None:
    from django.db import InterfaceError, OperationalError

    from designer.calls import selectors

    for fault in (OperationalError("database or disk is full"), InterfaceError("closed")):

        def away(*_: Any, fault: Exception = fault, **__: Any) -> None:
            raise fault

        monkeypatch.setattr(selectors, "list_calls", away)
        answer = api.ask("GET", "/v1/calls")
        assert (answer.status_code, answer.json()["code"]) == (503, "store.unavailable")
        assert answer["Retry-After"]
