"""Two charts compared by what they do, and what scripts cover."""

import copy
import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from interpreter import (
    compare_behaviour,
    compile_agent,
    compile_machine,
    coverage,
    dry_run,
    library,
)
from tests.interpreter.charts import chart, on, propose, region, state
from tests.interpreter.random_charts import COUNT, Drawer

ROOT = Path(__file__).parents[2]
AGE = {"key": "age", "type": "integer"}
Z = {"key": "z", "kind": "final"}


def two(first, second, slots=(AGE,), **more):
    machines = [
        compile_machine(chart(region("r", *states)), slots=list(slots))
        for states in (first, second)
    ]
    found = compare_behaviour(*machines, **more)
    for one in found.differences:
        really_differs(machines, one)
    return found


def really_differs(machines, one):
    """Each chart, alone, stands after the script as the difference says."""
    for machine, said in zip(machines, (one.first, one.second), strict=True):
        last = dry_run(machine, list(one.script))
        end = last.steps[-1] if last.steps else last.start
        seen = {
            "active": list(end.active),
            "refused": end.refusal.reason if end.refusal else None,
            "slots": {**dict.fromkeys(said.get("slots", {})), **end.slots},
            "ended": end.snapshot.outcome if end.snapshot.ended else False,
        }
        for name in said:
            assert name == "effects" or seen[name] == said[name], (name, seen, said)
    assert all(one.first[name] != one.second[name] for name in one.about)


def test_another_target_is_told_by_the_shortest_script():
    first = [state("a", on("x", "b")), state("b", on("y", "c")), state("c"), Z]
    second = [state("a", on("x", "b")), state("b", on("y", "z")), state("c"), Z]
    found = two(first, second)
    (one,) = found.differences
    assert one.script == ({"event": "x"}, {"event": "y"})
    assert set(one.about) == {"active", "ended"}
    assert found.complete


def test_a_guard_of_another_bound_is_told_by_the_value_between():
    def states(bound):
        return [state("a", on("x", "z", guard=f"slots.age > {bound}")), Z]

    (one,) = two(states(17), states(18)).differences
    assert one.script == ({"set": {"slot": "age", "value": 18}}, {"event": "x"})
    assert (one.first["refused"], one.second["refused"]) == (None, "guard")


def test_another_value_of_a_slot_is_told():
    def states(value):
        return [state("a", on("x", "z", effects=[{"set": "age", "value": value}])), Z]

    (one,) = two(states("1"), states("2")).differences
    assert "slots" in one.about
    assert one.first["slots"]["age"] == 1


def test_another_cap_is_told_where_nothing_else_differs():
    def states(cap):
        return [state("a", on("x", "b")), state("b", on("y", "a"), max_visits=cap)]

    (one,) = two(states(2), states(3)).differences
    assert len(one.script) == 5
    assert (one.first["refused"], one.second["refused"]) == ("visits", None)


def test_another_delay_is_told():
    def states(delay):
        return [state("a", {"on": {"after": delay}, "target": "z"}), Z]

    found = two(states("3s"), states("5s"))
    assert found.differences[0].script == ({"advance": "3s"},)


def test_an_event_that_only_one_waits_for_is_told():
    found = two([state("a", on("x", "z")), Z], [state("a", propose("z")), Z])
    assert [one.script for one in found.differences] == [
        ({"event": "x"},),
        ({"propose": {"transition": "z"}},),
    ]


def test_shortest_come_first_and_there_are_at_most_as_many_as_asked_for():
    first = [state("a", *[on(f"e{n}", "z") for n in range(30)]), Z]
    second = [state("a", *[on(f"f{n}", "z") for n in range(30)]), Z]
    found = two(first, second, most=7)
    assert len(found.differences) == 7
    lengths = [len(one.script) for one in two(first, second).differences]
    assert lengths == sorted(lengths)


@pytest.mark.parametrize("name", library.names())
def test_a_chart_is_no_other_than_itself(name):
    document = library.load(name)["document"]
    machines = compile_agent(document), compile_agent(copy.deepcopy(document))
    assert compare_behaviour(*machines, budget=150).differences == ()


@given(st.integers(0, 10**6), st.integers(0, 10**6))
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_no_chart_differs_from_itself_and_every_difference_is_real(seed, other):
    one = compile_machine(Drawer(seed).draw(), slots=COUNT)
    two = compile_machine(Drawer(other).draw(), slots=COUNT)
    assert compare_behaviour(one, one, budget=40).differences == ()
    found = compare_behaviour(one, two, budget=40)
    assert found == compare_behaviour(one, two, budget=40)
    for difference in found.differences:
        really_differs((one, two), difference)


# --- coverage --------------------

GATE = chart(
    region(
        "r",
        state("a", on("x", "b", key="pass", guard="slots.age > 17"), on("y", "c", key="skip")),
        state("b", on("y", "a", key="back")),
        state("c"),
    )
)


def gate(*scripts):
    return coverage(compile_machine(GATE, slots=[AGE]), scripts)


def grown(age):
    return {"set": {"slot": "age", "value": age}}


def test_nothing_run_is_all_missing_but_the_first_state():
    found = gate()
    assert found.missing["states"] == ("a", "b", "c")
    assert gate([]).missing == {
        "states": ("b", "c"),
        "transitions": ("pass", "skip", "back"),
        "guards_true": ("pass",),
        "guards_false": ("pass",),
    }


def test_a_guard_is_covered_when_it_was_true_and_false():
    assert gate([grown(18), {"event": "x"}]).missing["guards_false"] == ("pass",)
    assert gate([grown(3), {"event": "x"}]).missing["guards_true"] == ("pass",)


def test_scripts_add_up():
    found = gate([grown(18), {"event": "x"}, {"event": "y"}], [{"event": "x"}, {"event": "y"}])
    assert found.whole
    assert found.states == {"a": 3, "b": 1, "c": 1}
    assert found.transitions == {"pass": 1, "skip": 1, "back": 1}
    assert found.guards == {"pass": {"true": 1, "false": 1, "error": 0}}


# --- the commands --------------------


def command(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "interpreter", *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )


def test_the_commands_say_what_they_found(tmp_path):
    first, second, script = tmp_path / "a.json", tmp_path / "b.json", tmp_path / "s.json"
    document = chart(region("r", state("a", on("x", "b")), state("b", on("go", "z")), Z))
    other = chart(region("r", state("a", on("x", "z")), state("b", on("go", "z")), Z))
    first.write_text(json.dumps(document))
    second.write_text(json.dumps(other))
    script.write_text(json.dumps([{"event": "x"}]))
    ran = command("compare", first, second)
    assert ran.returncode == 1
    assert 'differ in active, ended after [{"event": "x"}]' in ran.stdout
    assert command("compare", first, first).returncode == 0
    ran = command("coverage", first, script)
    assert ran.returncode == 1
    assert "never entered      z" in ran.stdout
    ran = command("analyse", second)
    assert ran.returncode == 1
    assert "the state 'b' cannot be reached" in ran.stdout
    ran = command("analyse", first, "--json")
    assert (ran.returncode, json.loads(ran.stdout)["findings"]) == (0, [])


def test_a_witness_of_the_command_is_a_script_that_run_plays(tmp_path):
    file, script = tmp_path / "chart.json", tmp_path / "witness.json"
    file.write_text(json.dumps(chart(region("r", state("a", on("x", "b")), state("b")))))
    (finding,) = json.loads(command("analyse", file, "--json").stdout)["findings"]
    assert finding["code"] == "state.dead_end"
    script.write_text(json.dumps(finding["witness"]))
    assert command("run", file, "--events", script).returncode == 0
