"""An event bus with envelopes, and the events of a run of stages on it (source-systems.md 1.4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from interpreter import matches

CYCLE_VISITS = 3
SEQUENCE_TAIL = 5


@dataclass(frozen=True, slots=True)
class Envelope:
    """One event: what it is about, its data, and where and when it came from.

    `id` is unique on its bus; `correlation_id` is that of the run.
    """

    topic: str
    data: Mapping[str, Any]
    id: str
    timestamp: datetime
    source: str
    correlation_id: str

    @property
    def category(self) -> str:
        """The first part of the topic."""
        return self.topic.partition(".")[0]


Handler = Callable[[Envelope], None]


class Bus:
    """Subscriptions to topics: exact, `state.*` (at any depth), or `*`.

    Ids are numbered and not drawn by chance, so that a replay gives the same ones.
    """

    def __init__(self, run_id: str, clock: Callable[[], datetime], *, source: str = "run") -> None:
        self.run_id = run_id
        self.failures: list[Exception] = []
        self._clock = clock
        self._source = source
        self._handlers: dict[int, tuple[str, Handler]] = {}
        self._handed_out = 0
        self._sent = 0

    def subscribe(self, pattern: str, handler: Handler) -> int:
        """Registers; the handle is for `unsubscribe`."""
        self._handed_out += 1
        self._handlers[self._handed_out] = (pattern, handler)
        return self._handed_out

    def unsubscribe(self, handle: int) -> bool:
        """True once, then False: there is nothing left to do."""
        return self._handlers.pop(handle, None) is not None

    def publish(
        self, topic: str, data: Mapping[str, Any], *, source: str | None = None
    ) -> Envelope:
        """Hands an event to those who asked for its topic; what they raise goes to `failures`."""
        self._sent += 1
        event = Envelope(
            topic,
            dict(data),
            f"{self.run_id}-{self._sent}",
            self._clock(),
            source or self._source,
            self.run_id,
        )
        for pattern, handler in list(self._handlers.values()):
            if not matches(pattern, topic):
                continue
            try:
                handler(event)
            except Exception as error:  # noqa: BLE001 - a subscriber stops nobody
                self.failures.append(error)
        return event

    def transition(self, old: str, new: str, confidence: float, **metadata: Any) -> Envelope:
        """Publishes `state.transition`; whatever else is given stands beside its fields."""
        data = {
            **metadata,
            "old_stage": old,
            "new_stage": new,
            "confidence": confidence,
            "category": "state",
        }
        return self.publish("state.transition", data)
