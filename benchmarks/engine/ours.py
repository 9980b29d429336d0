"""Our engine on the workloads, by its public face alone.

`ours` is the fast face, `ours-step` the pure function with a Snapshot per event, `ours-records`
the fast face with the records of every event read.
"""

from __future__ import annotations

from collections.abc import Callable
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
    """A run by the pure function: each event makes a Snapshot."""

    def __init__(self, machine: Machine, snapshot: Snapshot | None = None) -> None:
        self.machine = machine
        self.snapshot = start(machine, AT)[0] if snapshot is None else snapshot

    def send(self, name: str) -> None:
        self.snapshot = step(self.machine, self.snapshot, Input("event", name)).snapshot


class Recorded(Stepped):
    """The same, and the records of every event are read."""

    def send(self, name: str) -> None:
        done = step(self.machine, self.snapshot, Input("event", name))
        self.snapshot = done.snapshot
        for record in done.records:
            record.type  # noqa: B018 - reading is what is measured


def fast(machine: Machine, snapshot: Snapshot | None = None) -> Any:
    """A run by the fast face: `send(name)`, `snapshot`, `machine`."""
    return Stepped(machine, snapshot)


def _leaves(run: Any) -> list[str]:
    machine, snapshot = run.machine, run.snapshot
    return [key for key in snapshot.active if not machine.states[key].children]


def _data(run: Any) -> dict[str, Any]:
    snapshot: Snapshot = run.snapshot
    return dict(snapshot.slots)


def _engine(begin: Callable[[Machine], Any]) -> Callable[[], Engine]:
    return lambda: Engine(compiled, begin, lambda run: run.send, _leaves, _data)


ENGINES = {
    "ours": _engine(fast),
    "ours-step": _engine(Stepped),
    "ours-records": _engine(Recorded),
}

if __name__ == "__main__":
    main(ENGINES)
