"""Our engine on the workloads, by its public face alone.

`ours` is `step` with the Input of each event name made once, `ours-step` makes an Input for every
event, `ours-records` reads all records of every event as well. Each event gives a new Snapshot.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Any

from benchmarks.engine.charts import ADD_ONE, State, Workload
from benchmarks.engine.measure import Engine, main
from interpreter import Input, Machine, Snapshot, compile_machine, start, step

AT = datetime(2026, 1, 1, tzinfo=UTC)
FORMAT = "callchart.machine/1"


def document(root: State) -> dict[str, Any]:
    """A neutral chart as a machine document; a parallel top becomes the top regions."""
    top = root.children[0]
    if len(root.children) == 1 and top.kind == "parallel":
        regions = [_region(child, child.key) for child in top.children]
    else:
        regions = [_region(root, root.key)]
    for place, region in enumerate(regions):
        region["role"] = "observer" if place else "speaker"
    return {"format": FORMAT, "regions": regions}


def _region(parent: State, key: str) -> dict[str, Any]:
    states = [_state(child) for child in parent.children]
    return {"key": key, "initial": parent.children[0].key, "states": states}


def _state(state: State) -> dict[str, Any]:
    made: dict[str, Any] = {"key": state.key}
    if state.counted:
        made["entry"], made["exit"] = [_write("enters", ADD_ONE)], [_write("exits", ADD_ONE)]
    if state.moves:
        made["transitions"] = [
            _transition(event, move) for event, moves in state.moves.items() for move in moves
        ]
    if state.kind == "parallel":
        made["regions"] = [_region(child, child.key) for child in state.children]
    elif state.children:
        made["regions"] = [_region(state, f"{state.key}_inside")]
    return made


def _transition(event: str, move: Any) -> dict[str, Any]:
    made: dict[str, Any] = {"on": {"event": event}, "target": move.target}
    if move.when is not None:
        made["guard"] = f"slots.{move.when[0]} == '{move.when[1]}'"
    if move.then:
        made["effects"] = [_write(*pair) for pair in move.then]
    return made


def _write(slot: str, value: str) -> dict[str, str]:
    return {"set": slot, "value": f"slots.{slot} + 1" if value == ADD_ONE else f"'{value}'"}


def slots(load: Workload) -> list[dict[str, Any]]:
    """The data of a workload as slots."""
    return [
        {"key": key, "type": "integer" if isinstance(value, int) else "string", "default": value}
        for key, value in load.data.items()
    ]


def compiled(load: Workload) -> Machine:
    """The machine of a workload."""
    return compile_machine(document(load.root), slots=slots(load))


class Stepped:
    """A run that makes an Input for every event."""

    def __init__(self, machine: Machine, snapshot: Snapshot | None = None) -> None:
        self.machine = machine
        self.snapshot = start(machine, AT)[0] if snapshot is None else snapshot

    def send(self, name: str) -> None:
        self.snapshot = step(self.machine, self.snapshot, Input("event", name)).snapshot


class Fast(Stepped):
    """A run that keeps the Inputs of the event names it is told of."""

    def __init__(
        self, machine: Machine, events: Iterable[str], snapshot: Snapshot | None = None
    ) -> None:
        super().__init__(machine, snapshot)
        self.inputs = {name: Input("event", name) for name in events}

    def send(self, name: str) -> None:
        self.snapshot = step(self.machine, self.snapshot, self.inputs[name]).snapshot


class Recorded(Stepped):
    """A run whose records are read, event by event."""

    def send(self, name: str) -> None:
        done = step(self.machine, self.snapshot, Input("event", name))
        self.snapshot = done.snapshot
        for record in done.records:
            record.data  # noqa: B018 - reading is what is measured


def _leaves(run: Any) -> list[str]:
    machine, snapshot = run.machine, run.snapshot
    return [key for key in snapshot.active if not machine.states[key].children]


def _data(run: Any) -> dict[str, Any]:
    snapshot: Snapshot = run.snapshot
    return dict(snapshot.slots)


def _engine(begin: Callable[[Machine, Workload], Any]) -> Callable[[], Engine]:
    return lambda: Engine(
        lambda load: (compiled(load), load),
        lambda made: begin(*made),
        lambda run: run.send,
        _leaves,
        _data,
    )


ENGINES = {
    "ours": _engine(lambda machine, load: Fast(machine, load.events)),
    "ours-step": _engine(lambda machine, _: Stepped(machine)),
    "ours-records": _engine(lambda machine, _: Recorded(machine)),
}

if __name__ == "__main__":
    main(ENGINES)
