"""The sockets of a real server: order, resuming, doors, limits."""

from __future__ import annotations

import json
import socket
import sqlite3
import threading
import time
from contextlib import closing, suppress
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from tests.designer.live.conftest import Served
from tests.support.processes import eventually, manage, read_items, say_watch


def seqs(items: list[dict[str, Any]]) -> list[int]:
    return [item["seq"] for item in items]


def reached(last: int) -> Any:
    return lambda items: bool(items) and items[-1]["seq"] >= last


def closed_with(connection: Any, seconds: float = 5) -> int:
    """Read until the server closes; give the code."""
    end = time.monotonic() + seconds
    with suppress(ConnectionClosed):
        while True:
            connection.recv(timeout=max(0.01, end - time.monotonic()))
    assert connection.close_code is not None
    return int(connection.close_code)


def tear(connection: Any) -> None:
    """Cut the line without a close handshake.

    A `close` alone leaves it open for as long as the reading thread waits on it.
    """
    connection.socket.shutdown(socket.SHUT_RDWR)
    connection.socket.close()


class Burst:
    """Sends events to a Call from threads, as fast as they are taken."""

    def __init__(self, served: Served, call: str, count: int, clients: int = 4) -> None:
        self.served, self.call, self.count = served, call, count
        self.threads = [threading.Thread(target=self.send) for _ in range(clients)]
        for thread in self.threads:
            thread.start()

    def send(self) -> None:
        mine = threading.get_ident()
        for place in range(self.count):
            name = "consent" if place % 2 else "revoke"
            path = f"/v1/calls/{self.call}/events"
            self.served.client.post_patiently(path, {"event": name}, f"{mine}-{place}")

    def join(self) -> int:
        for thread in self.threads:
            thread.join()
        head: int = self.served.client.get(f"/v1/calls/{self.call}")["head_seq"]
        return head


def test_it_agrees_on_the_subprotocol(served: Served) -> None:
    with served.client.socket(f"/ws/v1/calls/{served.start_call()}") as watcher:
        assert watcher.subprotocol == "calls.v1"


@pytest.mark.row("F252", "F254")
def test_concurrent_inputs_are_taken_one_at_a_time(served: Served) -> None:
    call = served.start_call()
    head = Burst(served, call, 25).join()
    page = served.client.get(f"/v1/calls/{call}/events?limit=500")["events"]
    assert seqs(page) == list(range(1, head + 1))
    assert len({event["in_seq"] for event in page if event["in_seq"] > 1}) >= 100
    assert served.client.post(f"/v1/calls/{call}/verify")["identical"]


def test_a_watcher_that_comes_back_in_a_burst_loses_and_doubles_nothing(served: Served) -> None:
    call = served.start_call()
    burst = Burst(served, call, 20)
    items: list[dict[str, Any]] = []
    for _ in range(12):  # torn away again and again, without a close handshake
        watcher = served.client.socket(f"/ws/v1/calls/{call}")
        say_watch(watcher, items[-1]["seq"] if items else 0)
        try:
            end = time.monotonic() + 0.12
            while True:
                frame = json.loads(watcher.recv(timeout=max(0.001, end - time.monotonic())))
                if frame["op"] == "events":
                    items += frame["events"]
        except TimeoutError:
            tear(watcher)
    head = burst.join()
    with served.client.socket(f"/ws/v1/calls/{call}") as watcher:
        say_watch(watcher, items[-1]["seq"])
        if items[-1]["seq"] < head:
            items += read_items(watcher, reached(head))
    stored = served.client.get(f"/v1/calls/{call}/events?limit=500")["events"]
    assert seqs(items) == list(range(1, head + 1))
    assert items == stored


def test_a_database_held_by_another_is_503_and_nothing_is_stored(served: Served) -> None:
    call = served.start_call()
    events = f"/v1/calls/{call}/events"
    with closing(sqlite3.connect(served.data / "callchart.sqlite3")) as other:
        other.isolation_level = None
        other.execute("BEGIN IMMEDIATE")
        before = other.execute("SELECT count(*) FROM designer_callevent").fetchone()
        answer = served.client.ask("POST", events, {"event": "consent"}, Idempotency_Key="busy")
        after = other.execute("SELECT count(*) FROM designer_callevent").fetchone()
        other.execute("ROLLBACK")
    assert (answer.status, answer.body["code"]) == (503, "call.busy")
    assert answer.headers["Retry-After"] == "1"
    assert after == before
    again = served.client.post(events, {"event": "consent"}, Idempotency_Key="busy")
    assert again["replayed"] is False


@pytest.mark.row("F253")
def test_reads_are_whole_while_it_moves(served: Served) -> None:
    call = served.start_call()
    burst = Burst(served, call, 15, clients=2)
    seen = set()
    while any(thread.is_alive() for thread in burst.threads):
        shown = served.client.get(f"/v1/calls/{call}")
        assert len(shown["active"]) == 2
        seen |= set(shown["active"])
    burst.join()
    assert seen <= {"greeting", "helping", "waiting", "goodbye", "unread", "given"}


@pytest.mark.row("F131")
def test_a_second_watcher_sees_the_new_state(served: Served) -> None:
    call = served.start_call()
    with served.client.socket(f"/ws/v1/calls/{call}") as watcher:
        say_watch(watcher, None)
        assert json.loads(watcher.recv(timeout=5))["op"] == "live"
        served.client.post(f"/v1/calls/{call}/events", {"event": "help"})
        items = read_items(
            watcher, lambda got: any(e["data"].get("state") == "helping" for e in got), 2
        )
    assert items[0]["seq"] > 1


def test_what_another_process_commits_is_shown_at_once(served: Served) -> None:
    call = served.start_call()
    with served.client.socket(f"/ws/v1/calls/{call}") as watcher:
        say_watch(watcher, None)
        watcher.recv(timeout=5)
        manage(
            served.env,
            "-c",
            "import django; django.setup()\n"
            "from uuid import UUID\n"
            "from designer.accounts.selectors import actor_of_user\n"
            "from designer.calls.services import handle\n"
            "from designer.core.clock import now\n"
            f"actor = actor_of_user(UUID('{served.north['user']}'), 'north')\n"
            f"handle(actor, now(), call_id=UUID('{call}'), payload={{'event': 'consent'}})",
        )
        # the greeting's own timer may have been due meanwhile: look for what was sent
        items = read_items(
            watcher, lambda got: any(e["data"].get("state") == "given" for e in got), 5
        )
    assert seqs(items) == list(range(items[0]["seq"], items[-1]["seq"] + 1))


@pytest.mark.row("R-15")
@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", None, "https://host.evil.example", "http://127.0.0.1:1"],
)
def test_it_refuses_a_foreign_page(served: Served, origin: str | None) -> None:
    with pytest.raises(InvalidStatus) as refused:
        connect(
            f"ws://127.0.0.1:{served.port}/ws/v1/calls/{served.start_call()}",
            origin=origin,  # type: ignore[arg-type]
            additional_headers={"Cookie": "sessionid=x"},
        )
    assert refused.value.response.status_code == 403


def test_a_stranger_at_our_own_page_is_told_to_sign_in(served: Served) -> None:
    own = f"http://127.0.0.1:{served.port}"
    url = f"ws://127.0.0.1:{served.port}/ws/v1/calls/{served.start_call()}"
    with connect(url, origin=own) as watcher:  # type: ignore[arg-type]
        assert closed_with(watcher) == 4401


@pytest.mark.row("R-17")
@pytest.mark.parametrize(
    "name", ["*", "..%2f", "x" * 100, "a%0ab", "01a22e05-288a-7a77-ad57-4136c01d4f63"]
)
def test_a_name_that_is_no_call_is_not_found(served: Served, name: str) -> None:
    with served.client.socket(f"/ws/v1/calls/{name}") as watcher:
        assert closed_with(watcher) == 4404


def test_a_call_of_another_workspace_is_not_found(served: Served) -> None:
    call = served.start_call()
    with served.stranger.socket(f"/ws/v1/calls/{call}") as watcher:
        assert closed_with(watcher) == 4404


@pytest.mark.row("R-22")
@pytest.mark.parametrize(
    "cursor",
    ["-1", str(2**63), '"x"', "1.5", "NaN", "true", "[]", "{}", "1e3", '"1"', "99999999", "epoch"],
)
def test_a_bad_cursor_gets_a_reset_or_4400(served: Served, cursor: str) -> None:
    call = served.start_call()
    with served.client.socket(f"/ws/v1/calls/{call}") as watcher:
        epoch = 9 if cursor == "epoch" else 1
        value = "2" if cursor == "epoch" else cursor
        watcher.send(f'{{"op":"watch","epoch":{epoch},"from":{value}}}')
        try:
            frame = json.loads(watcher.recv(timeout=5))
        except ConnectionClosed:
            frame = None
        if frame is None:
            assert watcher.close_code == 4400
        else:
            assert frame["op"] == "reset"
            assert frame["reason"] in ("epoch", "ahead")
            assert frame["snapshot"]["id"] == call


@pytest.mark.parametrize("text", ["not json", "[" * 5000, '{"op":"watch","from":"x"}'])
def test_a_bad_first_message_closes(served: Served, text: str) -> None:
    with served.client.socket(f"/ws/v1/calls/{served.start_call()}") as watcher:
        watcher.send(text)
        assert closed_with(watcher) == 4400


def test_an_unknown_op_closes_after_three(served: Served) -> None:
    with served.client.socket(f"/ws/v1/calls/{served.start_call()}") as watcher:
        say_watch(watcher, 0)
        for _ in range(3):
            watcher.send('{"op":"dance"}')
        assert closed_with(watcher) == 4400


def test_a_message_that_is_too_big_closes(served: Served) -> None:
    with served.client.socket(f"/ws/v1/calls/{served.start_call()}") as watcher:
        watcher.send("x" * 70_000)
        assert closed_with(watcher) == 4413


def test_too_many_messages_close(served: Served) -> None:
    with served.client.socket(f"/ws/v1/calls/{served.start_call()}") as watcher:
        with suppress(ConnectionClosed):
            for _ in range(2000):
                watcher.send('{"op":"watch","epoch":1,"from":0}')
        assert closed_with(watcher) == 4429


def test_saying_nothing_closes(served: Served) -> None:
    with served.client.socket(f"/ws/v1/calls/{served.start_call()}") as watcher:
        assert closed_with(watcher, 8) == 4408


def test_one_person_may_open_twenty(served: Served) -> None:
    call = served.start_call()
    opened: list[Any] = []

    def open_one() -> bool:
        watcher = served.client.socket(f"/ws/v1/calls/{call}")
        say_watch(watcher, None)
        with suppress(ConnectionClosed):  # a line of an earlier test is still being let go of
            watcher.recv(timeout=5)
            opened.append(watcher)
        return watcher in opened

    try:
        for _ in range(20):
            eventually(open_one, 10)
        one_more = served.client.socket(f"/ws/v1/calls/{call}")
        assert closed_with(one_more) == 4429
    finally:
        for watcher in opened:
            watcher.close()
    eventually(lambda: _may_watch(served, call), 5)


def _may_watch(served: Served, call: str) -> bool:
    with served.client.socket(f"/ws/v1/calls/{call}") as watcher:
        say_watch(watcher, None)
        try:
            return bool(watcher.recv(timeout=5))
        except ConnectionClosed:
            return False


@pytest.mark.row("R-16")
def test_a_withdrawn_role_closes_an_open_socket(served: Served) -> None:
    call = served.stranger.post("/v1/calls", {"agent": served.south["agent"]})["id"]
    give = "UPDATE designer_membership SET roles = ? WHERE replace(user_id, '-', '') = ?"
    user = served.south["user"].replace("-", "")
    with served.stranger.socket(f"/ws/v1/calls/{call}") as watcher:
        say_watch(watcher, 0)
        watcher.recv(timeout=5)
        served.sql(give, "[]", user)
        assert closed_with(watcher, 10) == 4403
    served.sql(give, '["designer","reviewer","support","admin"]', user)


def test_a_draft_stream_shows_edits(served: Served) -> None:
    agent = served.north["agent"]
    draft = served.client.get(f"/v1/agents/{agent}/draft")
    with served.client.socket(f"/ws/v1/agents/{agent}/draft") as watcher:
        say_watch(watcher, draft["revision"])
        assert json.loads(watcher.recv(timeout=5))["op"] == "live"
        state = draft["states"][0]["id"]
        served.client.post(
            f"/v1/agents/{agent}/draft/operations",
            {
                "id": "01a22e05-288a-7a77-ad57-4136c01d4f99",
                "base": draft["revision"],
                "operations": [
                    {"op": "state.update", "id": state, "fields": {"label": "Hello there"}}
                ],
            },
        )
        (item,) = read_items(watcher, bool, 5)
    assert item["seq"] == draft["revision"] + 1
    assert item["data"]["by"]["name"] == "Ada"
    assert item["data"]["operations"][0]["fields"] == {"label": "Hello there"}


def test_a_client_that_sends_all_before_it_reads_still_learns_that_it_was_too_much(
    served: Served,
) -> None:
    """Cut off in the middle, it would see a broken pipe and never the reason."""
    answer = served.client.ask("POST", "/v1/agents", {"document": "x" * 6_000_000})
    assert (answer.status, answer.body["code"]) == (413, "body.too_large")
