"""Events per second of the engine, with python-statemachine beside it when it can be imported.

Three charts: (a) a ring of 7 states; (b) the ring with two guarded transitions per event and two
slots written; (c) 4 regions of 5 states, each event moving one. Ours leaves records and a Snapshot
per event. Interleaved rounds of CPU time; the median is printed. Run: python benchmarks/engine.py
"""

import statistics
import time
from datetime import UTC, datetime

from interpreter import compile_machine, start, step
from interpreter.stepping import Input

try:
    from statemachine import State, StateChart
except ImportError:
    State = StateChart = None

T0 = datetime(2026, 1, 1, tzinfo=UTC)
STATES = ["greet", "ask", "listen", "confirm", "act", "report", "close"]
EVENTS = ["hello", "question", "utterance", "yes", "done_it", "told", "again"]


def ring(rows):
    states = [
        {"key": name, "transitions": rows(EVENTS[i], STATES[(i + 1) % 7])}
        for i, name in enumerate(STATES)
    ]
    region = {"key": "ring", "role": "speaker", "initial": "greet", "states": states}
    return {"format": "callchart.machine/1", "regions": [region]}


def plain():
    return ring(lambda event, target: [{"on": {"event": event}, "target": target}]), (), EVENTS


def guarded():
    def rows(event, target):
        return [
            {
                "on": {"event": event},
                "target": target,
                "guard": f"slots.side == '{here}'",
                "effects": [
                    {"set": "side", "value": f"'{there}'"},
                    {"set": "turns", "value": "slots.turns + 1"},
                ],
            }
            for here, there in (("b", "a"), ("a", "b"))
        ]

    slots = (
        {"key": "side", "type": "string", "default": "a"},
        {"key": "turns", "type": "integer", "default": 0},
    )
    return ring(rows), slots, EVENTS


def parallel():
    regions = [
        {
            "key": f"r{r}",
            "role": "observer" if r else "speaker",
            "initial": f"r{r}s0",
            "states": [
                {
                    "key": f"r{r}s{i}",
                    "transitions": [
                        {"on": {"event": f"move{r}"}, "target": f"r{r}s{(i + 1) % 5}"}
                    ],
                }
                for i in range(5)
            ],
        }
        for r in range(4)
    ]
    document = {"format": "callchart.machine/1", "regions": regions}
    return document, (), [f"move{r}" for r in range(4)]


def ours(make):
    document, slots, events = make()
    machine = compile_machine(document, slots=list(slots))
    inputs = [Input("event", name) for name in events]

    def run(cycles):
        snapshot, _ = start(machine, T0)
        for _ in range(cycles):
            for one in inputs:
                snapshot = step(machine, snapshot, one).snapshot

    return run, len(events)


def peer_ring():
    """python-statemachine's ring of 7, built in its own idiom."""
    states = {name: State(initial=name == "greet") for name in STATES}
    moves = {EVENTS[i]: states[STATES[i]].to(states[STATES[(i + 1) % 7]]) for i in range(7)}
    machine = type("Ring", (StateChart,), {**states, **moves})()

    def run(cycles):
        for _ in range(cycles):
            for name in EVENTS:
                machine.send(name)

    return run, 7


def rate(run, events, seconds=0.25):
    cycles = 20
    while True:
        begin = time.thread_time()
        run(cycles)
        spent = time.thread_time() - begin
        if spent > seconds:
            return cycles * events / spent
        cycles *= 2


def main():
    runs = {"a ring": ours(plain), "b guarded": ours(guarded), "c parallel": ours(parallel)}
    if StateChart is not None:
        runs["a python-statemachine"] = peer_ring()
    rates = {name: [] for name in runs}
    for _ in range(5):
        for name, (run, events) in runs.items():
            rates[name].append(rate(run, events))
    medians = {name: statistics.median(found) for name, found in rates.items()}
    for name, median in medians.items():
        print(f"{name:<24}{median:>12,.0f} events/s")
    if StateChart is not None:
        ratio = medians["a ring"] / medians["a python-statemachine"]
        print(f"{'ours / python-statemachine':<28}x{ratio:.1f} on (a)")
    else:
        print("python-statemachine cannot be imported; nothing beside")


if __name__ == "__main__":
    main()
