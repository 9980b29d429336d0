"""What our engine costs beside events, and how each cost grows with the chart.

`NAME` prints one table as JSON: compile, check, session, snapshot, step, memo. Times are CPU
milliseconds or microseconds, medians; memory is bytes.
"""

from __future__ import annotations

import gc
import json
import resource
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

from benchmarks.engine import ours
from benchmarks.engine.charts import groups, one_region_moves
from interpreter import Input, Session, Snapshot, check, compile_machine, start, step

SIZES = (10, 100, 1000, 5000)
SESSIONS = 500
NAMES = 1_000_000
WARMING = 12


def cpu(action: Callable[[], object], *, least: float = 0.15, most: int = 200) -> dict[str, float]:
    """Milliseconds of the first call, and the median of the calls after it."""
    took: list[float] = []
    while len(took) < 4 or (sum(took) < least and len(took) < most):
        gc.collect()
        begun = time.thread_time()
        action()
        took.append(time.thread_time() - begun)
        if took[0] > 3 and len(took) == 2:
            break
    return {
        "first_ms": round(1e3 * took[0], 3),
        "ms": round(1e3 * statistics.median(took[1:]), 3),
    }


def each_us(action: Callable[[], object], count: int) -> float:
    """Microseconds of one call, in a row of `count`: the median of three rows."""
    rows = []
    for _ in range(3):
        gc.collect()
        begun = time.thread_time()
        for _ in range(count):
            action()
        rows.append(time.thread_time() - begun)
    return round(1e6 * statistics.median(rows) / count, 2)


def talking(states: int) -> dict[str, Any]:
    """The chart of groups as people draw it: guards, effects, proposals, prompts, slots."""
    made = ours.document(groups(states))
    for group in made["regions"][0]["states"]:
        for place, state in enumerate(group["regions"][0]["states"]):
            state["prompt"] = "ask"
            onward, back = state["transitions"]
            onward["guard"] = f"slots.amount > {place} && slots.known != false"
            onward["effects"] = [{"set": "amount", "value": "slots.amount + 1"}]
            back["on"] = {"propose": "The caller wants to go back."}
    return made


BESIDE: dict[str, Any] = {
    "slots": [
        {"key": "amount", "type": "integer", "default": 1000},
        {"key": "known", "type": "boolean"},
    ],
    "prompts": [{"key": "ask", "text": "You have {{ slots.amount }}."}],
}


def compiling() -> dict[str, Any]:
    """Compile time by number of states: the plain chart, and the one with guards and effects."""
    found: dict[str, Any] = {}
    for size in SIZES:
        plain, full = ours.document(groups(size)), talking(size)
        found[str(size)] = {
            "plain": cpu(lambda document=plain: compile_machine(document)),
            "talking": cpu(lambda document=full: compile_machine(document, **BESIDE)),
        }
    return found


def checking() -> dict[str, Any]:
    """Time of `check` by number of states."""
    found: dict[str, Any] = {}
    for size in SIZES:
        plain, full = ours.document(groups(size)), talking(size)
        found[str(size)] = {
            "plain": cpu(lambda document=plain: check(document)),
            "talking": cpu(lambda document=full: check(document, **BESIDE)),
        }
    return found


def _bytes_each(make: Callable[[], object]) -> int:
    keep = [make()]
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    keep += [make() for _ in range(SESSIONS)]
    gc.collect()
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return round((after - before) / SESSIONS)


def session() -> dict[str, Any]:
    """What one more run of a compiled machine costs (workload c), as each face makes it."""
    machine = ours.compiled(one_region_moves())
    faces: dict[str, Callable[[], object]] = {
        "start": lambda: start(machine, ours.AT)[0],
        "Session": lambda: Session(machine),
    }
    return {
        name: {"us": each_us(make, SESSIONS), "bytes": _bytes_each(make)}
        for name, make in faces.items()
    }


def _wandered(size: int) -> tuple[Any, Snapshot]:
    """The chart of groups after every state was entered."""
    machine = compile_machine(ours.document(groups(size)))
    snapshot, _ = start(machine, ours.AT)
    for _ in range(max(1, size // 10)):
        for name in (*["next"] * 9, "jump"):
            snapshot = step(machine, snapshot, Input("event", name)).snapshot
    return machine, snapshot


def snapshots() -> dict[str, Any]:
    """A Snapshot to JSON and back, by number of states that were entered."""
    found: dict[str, Any] = {}
    for size in SIZES:
        machine, snapshot = _wandered(size)
        value, text = snapshot.to_json(), snapshot.to_bytes()
        count = max(5, 20_000 // size)
        found[str(size)] = {
            "bytes": len(text),
            "to_json_us": each_us(snapshot.to_json, count),
            "from_json_us": each_us(lambda v=value, m=machine: Snapshot.from_json(v, m), count),
            "to_bytes_us": each_us(snapshot.to_bytes, count),
            "from_bytes_us": each_us(lambda t=text, m=machine: Snapshot.from_json(t, m), count),
        }
    return found


def stepping() -> dict[str, Any]:
    """Microseconds of one event as the chart grows, once every state was entered: what is met for
    the first time, and what was met often.
    """
    found: dict[str, Any] = {}
    events = ("next", "next", "back", "jump")
    for size in SIZES:
        machine, snapshot = _wandered(size)
        run = ours.Fast(machine, events, snapshot)
        count = size // 10

        def round_trip(send: Callable[[str], object] = run.send, groups: int = count) -> None:
            for _ in range(groups):
                for event in events:
                    send(event)

        begun = time.thread_time()
        round_trip()
        cold = time.thread_time() - begun
        for _ in range(WARMING):
            round_trip()
        times = max(2, 2_000 // size)
        found[str(size)] = {
            "cold_us": round(1e6 * cold / (count * len(events)), 2),
            "us": round(each_us(round_trip, times) / (count * len(events)), 2),
        }
    return found


def _resident() -> int:
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def memo() -> dict[str, Any]:
    """How much memory grows under a storm of event names that nobody declared, and what a name
    costs; then the same where a state waits for every event of a family.
    """
    found: dict[str, Any] = {}
    load = one_region_moves()
    waiting = ours.document(load.root)
    first = waiting["regions"][0]["states"][0]
    first["transitions"].append({"on": {"event": "storm.*"}})
    charts = {"nobody": ours.document(load.root), "storm.*": waiting}
    for kind, document in charts.items():
        run = ours.Stepped(compile_machine(document))
        for number in range(2_000):
            run.send(f"storm.warm{number}")
        gc.collect()
        before = _resident()
        begun = time.thread_time()
        for number in range(NAMES):
            run.send(f"storm.{number}")
        spent = time.thread_time() - begun
        gc.collect()
        found[kind] = {
            "names": NAMES,
            "grown_bytes": max(0, _resident() - before),
            "us_each": round(1e6 * spent / NAMES, 2),
        }
    return found


TABLES: dict[str, Callable[[], dict[str, Any]]] = {
    "compile": compiling,
    "check": checking,
    "session": session,
    "snapshot": snapshots,
    "step": stepping,
    "memo": memo,
}


if __name__ == "__main__":
    print(json.dumps(TABLES[sys.argv[1]]()))
