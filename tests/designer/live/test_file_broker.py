"""The embedded broker under two writers and a reader."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

from kombu import Connection, Exchange, Queue

from designer.config import file_broker

QUEUE = Queue("q", Exchange("q", type="direct"), routing_key="q")


def connection(folder: Path) -> Connection:
    options = {
        "data_folder_in": str(folder),
        "data_folder_out": str(folder),
        "control_folder": str(folder / "control"),
        "polling_interval": 0.001,
    }
    return Connection(f"{file_broker.SCHEME}://localhost//", transport_options=options)


def test_a_message_is_read_whole_or_not_yet(tmp_path: Path) -> None:
    def write(name: str) -> None:
        with connection(tmp_path) as sending:
            producer = sending.Producer(serializer="json")
            for place in range(300):
                body = {"from": name, "place": place, "pad": "x" * 20_000}
                producer.publish(body, exchange=QUEUE.exchange, routing_key="q", declare=[QUEUE])

    got: list[Any] = []

    def take(body: Any, message: Any) -> None:
        got.append((body["from"], body["place"]))
        message.ack()

    writers = [threading.Thread(target=write, args=(name,)) for name in "ab"]
    for writer in writers:
        writer.start()
    with connection(tmp_path) as receiving, receiving.Consumer([QUEUE], callbacks=[take]):
        while len(got) < 600:
            receiving.drain_events(timeout=10)
    for writer in writers:
        writer.join()
    assert sorted(got) == sorted((name, place) for name in "ab" for place in range(300))
    assert not list(tmp_path.glob("*.part"))
