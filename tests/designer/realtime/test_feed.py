"""The shared feed and the resume protocol, over rows held in memory."""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pytest

from designer.realtime import announce, frames_ts
from designer.realtime import hub as hub_module
from designer.realtime.follow import Cursor, Follower, parse_watch
from designer.realtime.hub import Head, Hub, Item
from designer.realtime.topics import Topic, topic_of

TOPIC = Topic("call", str(uuid.UUID(int=7)))


class Rows:
    """A stream in memory; `reads` counts how often it was read."""

    def __init__(self) -> None:
        self.items: list[Item] = []
        self.epoch = 1
        self.pruned = 0
        self.reads = 0

    def add(self, count: int, size: int = 1) -> None:
        for _ in range(count):
            seq = len(self.items) + 1
            self.items.append(Item(seq, json.dumps({"seq": seq, "pad": "x" * size})))

    def read(self, topic: Topic, after: int, limit: int) -> Sequence[Item]:
        self.reads += 1
        return self.items[after : after + limit]

    def heads(self, topics: Iterable[Topic]) -> Mapping[Topic, Head]:
        return {
            topic: Head(self.epoch, len(self.items), self.pruned)
            for topic in topics
            if topic == TOPIC
        }

    def snapshot(self, topic: Topic) -> tuple[Head, dict[str, object]]:
        return Head(self.epoch, len(self.items)), {"state": "here"}


class Screen:
    """What one watcher was sent."""

    def __init__(self, hub: Hub, topic: Topic = TOPIC) -> None:
        self.frames: list[dict[str, Any]] = []
        self.stalled = asyncio.Event()
        self.stalled.set()
        self.follower = Follower(hub, topic, self.take)
        self.task: asyncio.Task[bool] | None = None

    async def take(self, text: str) -> None:
        await self.stalled.wait()
        self.frames.append(json.loads(text))

    def watch(self, after: int | None, epoch: int | None = 1) -> Screen:
        self.task = asyncio.create_task(self.follower.run(Cursor(epoch, after)))
        return self

    @property
    def seqs(self) -> list[int]:
        return [e["seq"] for f in self.frames if f["op"] == "events" for e in f["events"]]

    def of(self, op: str) -> list[dict[str, Any]]:
        return [frame for frame in self.frames if frame["op"] == op]

    async def until(self, last: int) -> None:
        async with asyncio.timeout(60):
            while not self.seqs or self.seqs[-1] < last:
                await asyncio.sleep(0.005)

    async def told(self, op: str) -> None:
        """Waits for a frame of that kind: `live` says that a watcher from now on stands."""
        async with asyncio.timeout(60):
            while not self.of(op):
                await asyncio.sleep(0.005)

    async def close(self) -> None:
        if self.task:
            self.task.cancel()
            await asyncio.gather(self.task, return_exceptions=True)


@pytest.fixture
def quick(settings: Any) -> None:
    settings.STREAM_HEAL_SECONDS = 0.05
    settings.REDIS_URL = ""


@pytest.fixture
def rows() -> Rows:
    return Rows()


def exactly(last: int, first: int = 1) -> list[int]:
    return list(range(first, last + 1))


async def test_a_watcher_gets_the_past_and_then_what_comes(quick: None, rows: Rows) -> None:
    rows.add(600)
    screen = Screen(Hub(rows)).watch(0)
    await screen.until(600)
    rows.add(3)
    announce.hint(TOPIC, 603)
    await screen.until(603)
    await screen.close()
    assert screen.seqs == exactly(603)
    assert screen.of("live") == [{"op": "live", "epoch": 1, "head": 600}]


async def test_a_lost_hint_loses_nothing(quick: None, rows: Rows) -> None:
    screen = Screen(Hub(rows)).watch(0)
    await asyncio.sleep(0.02)
    for _ in range(20):
        rows.add(5)  # nobody says "look"
        await asyncio.sleep(0.01)
    await screen.until(100)
    await screen.close()
    assert screen.seqs == exactly(100)


async def test_hints_late_doubled_and_forged_change_nothing(quick: None, rows: Rows) -> None:
    screen = Screen(Hub(rows)).watch(0)
    await asyncio.sleep(0.02)
    for _ in range(50):
        rows.add(2)
        for head in (len(rows.items), 1, 10**9, len(rows.items)):
            announce.hint(TOPIC, head, epoch=99)
        announce.hint(Topic("call", str(uuid.UUID(int=8))), 5)
        await asyncio.sleep(0.001)
    await screen.until(100)
    await screen.close()
    assert screen.seqs == exactly(100)


async def test_rows_are_read_once_for_all_watchers(quick: None, rows: Rows) -> None:
    hub = Hub(rows)
    screens = [Screen(hub).watch(None) for _ in range(50)]
    for screen in screens:
        await screen.told("live")
    before = rows.reads
    rows.add(1)
    announce.hint(TOPIC, 1)
    for screen in screens:
        await screen.until(1)
    reads = rows.reads - before
    for screen in screens:
        await screen.close()
    assert all(screen.seqs == [1] for screen in screens)
    assert reads <= 4


async def test_a_burst_travels_in_frames_of_64(quick: None, rows: Rows) -> None:
    screen = Screen(Hub(rows)).watch(None)
    await screen.told("live")
    rows.add(1000)
    announce.hint(TOPIC, 1000)
    await screen.until(1000)
    await screen.close()
    assert screen.seqs == exactly(1000)
    assert max(len(f["events"]) for f in screen.of("events")) == 64


async def test_a_watcher_that_stops_reading_harms_nobody(quick: None, rows: Rows) -> None:
    hub = Hub(rows)
    slow, well = Screen(hub).watch(0), Screen(hub).watch(0)
    await slow.told("live")
    slow.stalled.clear()
    for _ in range(20):
        rows.add(50, size=4096)  # 4 MiB in all, four times the mailbox
        announce.hint(TOPIC, len(rows.items))
        await asyncio.sleep(0.005)
    await well.until(1000)
    waiting = sum(len(frame.text) for frame in slow.follower._mailbox._frames)
    slow.stalled.set()
    await slow.until(1000)
    await slow.close()
    await well.close()
    assert waiting <= hub_module.MAILBOX_BYTES
    assert well.seqs == exactly(1000)
    assert slow.seqs == exactly(1000)


@pytest.mark.parametrize(
    ("after", "epoch", "reason"),
    [(57, 2, "epoch"), (101, 1, "ahead"), (5, 1, "pruned")],
)
async def test_it_resets_a_cursor_it_cannot_continue(
    quick: None, rows: Rows, after: int, epoch: int, reason: str
) -> None:
    rows.add(100)
    rows.pruned = 10
    screen = Screen(Hub(rows)).watch(after, epoch)
    await screen.told("reset")
    rows.add(1)
    announce.hint(TOPIC, 101)
    await screen.until(101)
    await screen.close()
    (reset,) = screen.of("reset")
    assert reset == {
        "op": "reset", "epoch": 1, "seq": 100, "snapshot": {"state": "here"}, "reason": reason,
    }  # fmt: skip
    assert screen.seqs == [101]


async def test_it_resets_a_watcher_that_is_too_far_behind(quick: None, rows: Rows) -> None:
    rows.add(6000)
    screen = Screen(Hub(rows)).watch(1)
    await screen.told("reset")
    await screen.close()
    assert screen.of("reset")[0]["reason"] == "too_far"


async def test_a_new_epoch_resets_everyone(quick: None, rows: Rows) -> None:
    rows.add(10)
    screen = Screen(Hub(rows)).watch(0)
    await screen.until(10)
    rows.epoch, rows.items = 2, rows.items[:4]
    await screen.told("reset")
    await screen.close()
    (reset,) = screen.of("reset")
    assert (reset["epoch"], reset["seq"], reset["reason"]) == (2, 4, "epoch")


async def test_an_absent_stream_is_told_apart(quick: None, rows: Rows) -> None:
    absent = Topic("call", str(uuid.UUID(int=9)))
    assert await Screen(Hub(rows), absent).follower.run(Cursor(None, 0)) is False


async def test_a_watcher_can_come_back_in_the_middle_of_a_burst(quick: None, rows: Rows) -> None:
    hub, seen = Hub(rows), []
    writer = asyncio.create_task(_burst(rows, 2000))
    last = 0
    while last < 2000:
        screen = Screen(hub).watch(last)
        await asyncio.sleep(0.02)
        await screen.close()
        seen += screen.seqs
        last = seen[-1] if seen else 0
    await writer
    assert seen == exactly(2000)


async def _burst(rows: Rows, count: int) -> None:
    for _ in range(count // 10):
        rows.add(10)
        announce.hint(TOPIC, len(rows.items))
        await asyncio.sleep(0)


@pytest.mark.parametrize(
    "message",
    [
        {"op": "watch", "from": -1},
        {"op": "watch", "from": 2**63},
        {"op": "watch", "from": "x"},
        {"op": "watch", "from": 1.5},
        {"op": "watch", "from": float("nan")},
        {"op": "watch", "from": True},
        {"op": "watch", "from": [1]},
        {"op": "watch", "epoch": -1, "from": 0},
        {"op": "watch", "from": 0, "more": 1},
        "watch",
    ],
)
def test_it_refuses_a_cursor_that_is_none(message: Any) -> None:
    assert parse_watch(message) is None


def test_channel_names_come_from_the_server_alone() -> None:
    assert topic_of(TOPIC.channel) == TOPIC
    for name in ("hint.*", "hint.call.*", "hint.call.../x", "hint.call.\n", "other", "hint.call."):
        assert topic_of(name) is None


def test_the_typescript_protocol_is_fresh() -> None:
    assert frames_ts.TARGET.read_text(encoding="utf-8") == frames_ts.render()
