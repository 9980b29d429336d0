"""A host around one run: the external queue and a clock that moves when it is told to."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from interpreter.compiling import compile_tables
from interpreter.conformance.actions import ACTIONS, PROCESSOR, SESSION
from interpreter.interchange import Imported
from interpreter.stepping import Machine, Step, start_step, step

START = datetime(2026, 1, 1, tzinfo=UTC)
MOST_EVENTS = 5_000


@dataclass(frozen=True, slots=True)
class Sent:
    """An event on its way: due in milliseconds after the start."""

    due_ms: int
    order: int
    id: str | None
    event: str
    data: dict[str, Any]


class Host:
    """One run of an imported chart.

    With `eager` an event sent without delay is handled right after the step that sent it, else
    when time next passes, as SCION does. Raises DocumentError when the chart does not compile.
    """

    def __init__(self, imported: Imported, *, eager: bool = True) -> None:
        self.imported = imported
        self.eager = eager
        self.machine = compile_tables(
            Machine,
            imported.machine,
            slots=imported.slots,
            wider=imported.wider,
            actions=ACTIONS,
        )
        self.ids = {key: name for name, key in imported.states.items()}
        self.now_ms = 0
        self.waiting: deque[Sent] = deque()
        self.delayed: list[Sent] = []
        self._order = 0
        self._left = MOST_EVENTS
        self._take(start_step(self.machine, START))
        self._react()

    @property
    def leaves(self) -> list[str]:
        """The ids of the active states without active states in them, sorted."""
        at = self.machine.configuration(self.snapshot.active)
        return sorted(self.ids.get(leaf.key, leaf.key) for leaf in at.leaves)

    def send(self, event: str, data: dict[str, Any] | None = None) -> None:
        """An event from outside, and all that follows from it at once."""
        self._deliver(Sent(self.now_ms, 0, None, event, data or {}))
        self._react()

    def advance(self, milliseconds: int) -> None:
        """Lets time pass; what falls due is delivered at its time."""
        until = self.now_ms + milliseconds
        self._drain()
        while self.delayed and self.delayed[0].due_ms <= until and self._left:
            sent = self.delayed.pop(0)
            self.now_ms = max(self.now_ms, sent.due_ms)
            self._deliver(sent)
            self._drain()
        self.now_ms = until

    def rest(self) -> None:
        """Lets time pass until nothing is on its way."""
        self._drain()
        while self.delayed and self._left and not self.snapshot.ended:
            self.advance(max(0, self.delayed[0].due_ms - self.now_ms))

    def _react(self) -> None:
        if self.eager:
            self._drain()

    def _drain(self) -> None:
        while self.waiting and self._left:
            self._deliver(self.waiting.popleft())

    def _deliver(self, sent: Sent) -> None:
        self._left -= 1
        meta = {
            "_type": "external",
            "_sendid": sent.id,
            "_origin": f"#_scxml_{SESSION}",
            "_origintype": PROCESSOR,
        }
        name = self.imported.events.get(sent.event, sent.event)
        line = {"event": name, "data": {**sent.data, **meta}}
        at = START + timedelta(milliseconds=self.now_ms)
        self._take(step(self.machine, self.snapshot, line, at))

    def _take(self, taken: Step) -> None:
        self.snapshot = taken.snapshot
        for effect in taken.effects:
            data = effect.get("data", {})
            if effect["kind"] == "hook" and effect["hook"] == "send":
                self._queue(data)
            elif effect["kind"] == "hook" and effect["hook"] == "cancel":
                self.delayed = [one for one in self.delayed if one.id != data["id"]]

    def _queue(self, data: dict[str, Any]) -> None:
        self._order += 1
        due = self.now_ms + data["delay_ms"]
        sent = Sent(due, self._order, data["id"], data["event"], data["data"])
        if data["delay_ms"]:
            self.delayed = sorted([*self.delayed, sent], key=lambda one: (one.due_ms, one.order))
        else:
            self.waiting.append(sent)
