"""Measuring one engine on one workload, inside a fresh process: right first, then how fast.

An `Engine` says how to make a machine of a chart (`compile`), a run of the machine (`begin`), the
callable that takes an event's name (`sender`), and where the run stands (`leaves`, `data`).
"""

from __future__ import annotations

import gc
import json
import statistics
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from benchmarks.engine.charts import CHECKED_EVENTS, WORKLOADS, Workload


@dataclass(frozen=True)
class Engine:
    compile: Callable[[Workload], Any]
    begin: Callable[[Any], Any]
    sender: Callable[[Any], Callable[[str], object]]
    leaves: Callable[[Any], Iterable[str]]
    data: Callable[[Any], dict[str, Any]]


class WrongResultError(Exception):
    """The engine does not stand where the workload says it must."""


def checked(engine: Engine, load: Workload) -> Callable[[str], object]:
    """The sender of a run that has handled the checked events and stands where it must."""
    run = engine.begin(engine.compile(load))
    send = engine.sender(run)
    for place in range(CHECKED_EVENTS):
        send(load.events[place % len(load.events)])
    found = engine.data(run)
    stands = (sorted(engine.leaves(run)), {key: found[key] for key in load.data})
    wanted = (sorted(load.leaves), load.ends_with)
    if stands != wanted:
        raise WrongResultError(f"stands at {stands}, must be at {wanted}")
    return send


def rate(send: Callable[[str], object], events: tuple[str, ...], seconds: float) -> float:
    """Events per second of the thread's CPU time: the median of three batches of `seconds`."""

    def batch(cycles: int) -> float:
        begun = time.thread_time()
        for _ in range(cycles):
            for event in events:
                send(event)
        return time.thread_time() - begun

    cycles, spent = 4, 0.0
    while spent < 0.03:
        cycles *= 4
        spent = batch(cycles)
    cycles = max(1, int(cycles * seconds / spent))
    gc.collect()
    return statistics.median(cycles * len(events) / batch(cycles) for _ in range(3))


def main(engines: dict[str, Callable[[], Engine]]) -> None:
    """`NAME WORKLOAD SECONDS`: prints `{"rate": events per CPU second}`, or `{"error": ...}`."""
    name, letter, seconds = sys.argv[1:4]
    load = WORKLOADS[letter]()
    try:
        send = checked(engines[name](), load)
    except ImportError as error:
        print(json.dumps({"absent": str(error)}))
        return
    except WrongResultError as error:
        print(json.dumps({"error": str(error)}))
        return
    print(json.dumps({"rate": rate(send, load.events, float(seconds))}))
