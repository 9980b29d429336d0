"""What a check says of random charts, no run that an analysis finds contradicts."""

import random
from collections import Counter

from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from interpreter import check, compile_machine
from interpreter.analysis.survey import Survey
from tests.interpreter.random_charts import Drawer

SLOTS = [
    {"key": "count", "type": "integer", "default": 0},
    {"key": "plan", "type": "enum", "choices": ["free", "gold"]},
    {"key": "age", "type": "integer", "minimum": 0, "maximum": 120},
    {"key": "vip", "type": "boolean"},
    {"key": "inner", "type": "string", "writers": ["effect"], "default": "x"},
]
GUARDS = (
    "slots.plan == 'gold'",
    "slots.plan != 'gold'",
    "slots.age > 10",
    "slots.age <= 10",
    "slots.age < 0",
    "slots.vip",
    "!slots.vip",
    "slots.age > 5 && slots.age < 3",
    "slots.inner == 'x'",
    "slots.inner == 'y'",
    "slots.plan == 'gold' && slots.age > 18",
    "slots.age > 3 || slots.vip",
)


def drawn(seed):
    chart, chance = Drawer(seed).draw(), random.Random(seed)
    waiting = list(chart["regions"])
    for region in waiting:
        if chance.random() < 0.1:
            region["stability"] = {"cooldown": "1s"}
        for holder in (region, *region["states"]):
            for transition in holder.get("transitions", ()):
                if "event" in transition["on"] and chance.random() < 0.5:
                    transition["guard"] = chance.choice(GUARDS)
        for state in region["states"]:
            if chance.random() < 0.08:
                state["max_visits"] = 2
            waiting += state.get("regions", ())
    return chart


@given(st.integers(0, 10**6))
@example(192)
@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
def test_no_run_contradicts_a_check_and_no_fault_is_told_twice(seed):
    chart = drawn(seed)
    problems = check(chart, slots=SLOTS)
    assert [
        p for p, times in Counter((p.code, p.path) for p in problems).items() if times > 1
    ] == []
    assume(all(problem.severity != "error" for problem in problems))
    machine = compile_machine(chart, slots=SLOTS)
    survey = Survey(machine, 150)
    states = {node.path: node for node in machine.states.values()}
    transitions = {transition.path: transition for transition in machine.transitions}
    edges = [edge for one in survey.explorations for edge in one.edges()]
    taken = {key for edge in edges for key in edge.taken}
    for problem in problems:
        if problem.code == "state.unreachable":
            assert not survey.entered(states[problem.path]), problem.message
        elif problem.code == "transition.shadowed":
            assert transitions[problem.path].key not in taken, problem.message
        elif problem.code == "state.dead_end":
            key = states[problem.path].key
            left = [
                edge.taken
                for edge in edges
                if key in edge.source.snapshot.active
                and key not in edge.target.snapshot.active
                and not edge.target.snapshot.ended
            ]
            assert left == [], problem.message
        elif problem.code in ("cycle.unbounded", "guard.overlap"):
            assert " may " in problem.message
