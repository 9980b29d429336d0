"""A Snapshot that no run left, and input that no JSON carries."""

import json

import pytest

from interpreter import Snapshot, SnapshotError, compile_machine, start, step
from tests.interpreter.charts import T0, always, chart, on, region, state


def _careful():
    inner = region("steps", state("one"), state("two"), history("recall", "one"))
    late = {"on": {"after": "5s"}, "target": "rest", "key": "late"}
    return compile_machine(
        chart(
            region("talk", state("work", on("out", "rest"), late, regions=[inner]), state("rest")),
            seconds=60,
        ),
        slots=[{"key": "age", "type": "integer", "minimum": 0}],
        squad=["billing"],
    )


def history(key, default):
    return {"key": key, "kind": "history", "history": "shallow", "transitions": [always(default)]}


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"slots": {"age": "old"}}, "age"),
        ({"slots": {"age": -1}}, "age"),
        ({"visits": {"work": -1}}, "visits"),
        ({"turns": True}, "turns"),
        ({"now": 10**17}, "now"),
        ({"now": 0}, "started"),
        ({"status": "asleep"}, "status"),
        ({"agent": "stranger"}, "stranger"),
        ({"limits_hit": ["patience"]}, "patience"),
        ({"decision": {"mood": "bad"}}, "mood"),
        ({"history": {"rest": ["one"]}}, "rest"),
        ({"history": {"recall": ["rest"]}}, "recall"),
        ({"history": {"recall": ["one", "two"]}}, "recall"),
        ({"active": ["work", "one", "two"]}, "steps"),
        ({"active": ["one", "work"]}, "order"),
        ({"active": ["rest", "one"]}, "one"),
        ({"active": ["recall"]}, "talk"),
        ({"timers": [{"key": "t", "due_ms": 5, "transition": "work_1"}]}, "'t'"),
        ({"timers": [{"key": "t", "due_ms": -5, "transition": "late"}]}, "due_ms"),
        ({"timers": [{"key": "t", "due_ms": 5}, {"key": "t", "due_ms": 6}]}, "same key"),
        ({"machine": "\ud800"}, "no Snapshot"),
    ],
)
def test_what_no_run_could_have_left_is_refused_by_name(change, named):
    machine = _careful()
    snapshot, _ = start(machine, T0)
    kept = snapshot.to_json()
    assert Snapshot.from_json(kept, machine) == snapshot
    with pytest.raises(SnapshotError, match=named):
        Snapshot.from_json({**kept, **change}, machine)


def test_a_step_refuses_active_states_that_are_no_configuration():
    machine = _careful()
    snapshot, _ = start(machine, T0)
    odd = Snapshot.from_json({**snapshot.to_json(), "active": ["work", "one", "rest"]})
    with pytest.raises(SnapshotError, match="talk"):
        step(machine, odd, {"event": "out"})


@pytest.mark.parametrize(
    "line",
    [
        {"event": "a", "data": {"\ud800": 1}},
        {"event": "a", "\ud800": 1},
        {"event": "a", "k" * 100_000: 1},
        {"end": {"reason": "\ud800"}},
        {"end": {"outcome": "\0"}},
    ],
)
def test_a_refusal_of_text_that_no_json_carries_can_itself_be_written(line):
    machine = _careful()
    snapshot, _ = start(machine, T0)
    taken = step(machine, snapshot, line, T0)
    assert taken.refusal.reason == "malformed"
    text = json.dumps([record.to_json() for record in taken.records], ensure_ascii=False)
    assert len(text.encode()) < 2_000
