"""Our engine beside the algorithm of the W3C, on charts drawn by chance."""

import random

import pytest

from interpreter import compile_machine, start_step, step
from tests.interpreter.charts import T0
from tests.interpreter.random_charts import COUNT, EVENTS, Drawer
from tests.interpreter.scxml import EndlessError, Interpreter

WORDS = {"state.exited": "exit", "state.entered": "enter", "transition.taken": "take"}


def done(step):
    return [
        (WORDS[record.type], record.data["transition" if record.type[0] == "t" else "state"])
        for record in step.records
        if record.type in WORDS
    ]


def compare(taken, oracle):
    assert taken.snapshot.active == oracle.active
    assert done(taken) == oracle.log
    assert taken.snapshot.slots["count"] == oracle.count
    assert taken.snapshot.ended == (not oracle.running)


def over_budget(taken):
    return any(record.type == "machine.limit_reached" for record in taken.records)


def play(seed):
    """How many steps were compared."""
    machine = compile_machine(Drawer(seed).draw(), slots=COUNT)
    taken = start_step(machine, T0)
    try:
        oracle = Interpreter(machine)
    except EndlessError:
        return 0
    chance = random.Random(seed)
    for steps in range(10):
        compare(taken, oracle)
        if not oracle.running:
            return steps
        event = chance.choice(EVENTS)
        taken = step(machine, taken.snapshot, {"event": event})
        if over_budget(taken):  # of records, which the W3C does not count, or of microsteps
            return steps
        oracle.send(event)
    return 10


@pytest.mark.parametrize("first", range(0, 400, 100))
def test_it_moves_as_the_algorithm_of_the_w3c_says(first):
    assert sum(play(seed) for seed in range(first, first + 100)) > 300
