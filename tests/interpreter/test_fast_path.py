"""The fast path beside the literal algorithm: equal in all that a step answers."""

import copy
import json
import pickle
import sys
from datetime import timedelta

import pytest
from hypothesis import given

from interpreter import Input, Snapshot, compile_machine, parse_input, start, start_step, step
from interpreter.errors import InputError
from interpreter.stepping.literal import literal_step
from tests.interpreter.charts import T0, chart, on, region, state
from tests.interpreter.test_engine_laws import LAW, SCRIPTS, SLOTS, charts, legal

FAST = "interpreter.stepping.fast"
PROMPTS = [{"key": "p", "text": "{{ slots.n }} of {{ event.data.v }}, {{ event.name }}"}]


@pytest.fixture(autouse=True)
def _at_once(monkeypatch):
    """A function is made of every event at its first meeting."""
    monkeypatch.setattr(f"{FAST}.WARM", 0)


def said(taken):
    """All that a step answers, as JSON."""
    return {
        "snapshot": taken.snapshot.to_json(),
        "records": [record.to_json() for record in taken.records],
        "effects": list(taken.effects),
        "guards": [guard.to_json() for guard in taken.guards],
        "refusal": taken.refusal.to_json() if taken.refusal else None,
        "moved": taken.moved,
        "hooks": taken.hooks,
    }


def both(machine, script):
    """Each line taken both ways, from the Snapshot that the fast path left."""
    snapshot, _ = start(machine, T0)
    for index, line in enumerate(script):
        if line == "timer":
            line = {"timer": snapshot.timers[0].key if snapshot.timers else "none"}
        at = T0 + timedelta(milliseconds=700 * (index // 2))
        taken = step(machine, snapshot, line, at)
        try:
            one = parse_input(line)
        except InputError:
            one = None
        if one is not None:
            slow = literal_step(machine, snapshot, one, taken.snapshot.now)
            assert said(taken) == said(slow)
            assert taken.snapshot.to_bytes() == slow.snapshot.to_bytes()
        yield taken
        snapshot = taken.snapshot


@LAW
@given(charts(), SCRIPTS)
def test_both_ways_answer_the_same(document, script):
    machine = compile_machine(document, slots=SLOTS, prompts=PROMPTS)
    for taken in both(machine, script):
        legal(machine, taken.snapshot)


@LAW
@given(charts(), SCRIPTS)
def test_what_a_step_leaves_can_be_read_late_and_changes_nothing(document, script):
    machine = compile_machine(document, slots=SLOTS)
    snapshot, _ = start(machine, T0)
    kept = []
    for index, line in enumerate(script):
        before = snapshot.to_bytes()
        taken = step(machine, snapshot, line, T0 + timedelta(seconds=index))
        kept.append((snapshot, before, taken))
        snapshot = taken.snapshot
    late = [said(taken)["records"] for _, _, taken in reversed(kept)]
    assert [snapshot.to_bytes() for snapshot, _, _ in kept] == [before for _, before, _ in kept]
    again, _ = start(machine, T0)
    for index, line in enumerate(script):
        taken = step(machine, again, line, T0 + timedelta(seconds=index))
        assert said(taken)["records"] == late[len(script) - 1 - index]
        again = taken.snapshot


def ring(count, **limits):
    states = [state(f"s{i}", on("go", f"s{(i + 1) % count}")) for i in range(count)]
    return compile_machine(chart(region("ring", *states), **limits))


def test_a_plain_move_takes_the_fast_path(monkeypatch):
    machine = ring(3)
    snapshot, _ = start(machine, T0)
    monkeypatch.setattr(sys.modules["interpreter.stepping.step"], "literal_step", None)
    for _ in range(4):
        snapshot = step(machine, snapshot, {"event": "go"}).snapshot
    refused = step(machine, snapshot, {"event": "what"})
    assert snapshot.active == ("s1",)
    assert snapshot.visits == {"s0": 2, "s1": 2, "s2": 1}
    assert (refused.moved, refused.snapshot.refusals) == (False, 1)


def two(*states, **more):
    return [region("main", *states, **more)]


def props(key, target=None, **more):
    return {"on": {"propose": "Go there."}, "target": target, **more, "key": key}


GO = {"event": "go"}
TOLD = [
    {"key": "plain", "text": "Hello."},
    {"key": "holes", "text": "Order {{ slots.n }}, {{ event.data.v }}: {{ slots.n > 1 }}."},
]
VOICE = {
    "a prompt, with and without holes": (
        two(
            state("a", on("go", "b", effects=[{"set": "n", "value": "2"}]), prompt="plain"),
            state("b", on("go", "a", effects=[{"say": "holes"}]), prompt="holes"),
        ),
        [{"event": "go", "data": {"v": v}} for v in (1, None, 2.0, "x", True, [1, "y"])],
    ),
    "timers armed and cancelled": (
        two(
            state("a", on("go", "b"), on("in", effects=[{"hook": "h"}])),
            state(
                "b",
                on("go", "a"),
                on("again", "b"),
                {"on": {"after": "20s"}, "target": "a"},
                {"on": {"after": "5m"}, "target": "a", "key": "slow"},
            ),
        ),
        [GO, {"event": "again"}, GO, {"event": "in"}, GO, {"event": "again"}, GO],
    ),
    "proposals": (
        two(
            state("a", props("on", "b", guard="slots.n == null"), props("more", "b")),
            state("b", props("sure", "a", min_confidence=0.5), props("stay", guard="slots.n > 1")),
            stability={"backward_confidence": 0.7},
        ),
        [
            {"propose": {"transition": name, "confidence": sure}}
            for name in ("b", "stay", "nowhere", "a", "on", "sure", "b", "a")
            for sure in (0.9, 1.0)
        ],
    ),
    "tools asked for, Agents bound": (
        two(
            state("a", on("go", "b", effects=[{"call": "t", "args": {"v": "event.data.v"}}])),
            state("b", on("go", "c"), agent="billing", entry=[{"call": "t"}, {"call": "u"}]),
            state("c", on("go", "a", effects=[{"handoff": "sales"}, {"handoff": "billing"}])),
        ),
        [{"event": "go", "data": {"v": n}} for n in range(7)],
    ),
    "cooldowns that are over": (
        two(state("a", on("go", "b")), state("b", on("go", "a")), stability={"cooldown": "1s"}),
        [
            line
            for _ in range(5)
            for line in (GO, {"event": "no"}, {"event": "no"}, {"event": "no"})
        ],
    ),
    "transitions that are taken so often": (
        two(state("a", on("go", "b", max_takes=4)), state("b", on("go", "a"))),
        [GO] * 6,
    ),
    "what history remembers": (
        two(
            state("a", on("go", "b")),
            state(
                "b",
                on("go", "a"),
                regions=[
                    region(
                        "inner",
                        state("one", on("in", "two")),
                        state("two"),
                        state(
                            "back",
                            {"on": {"always": True}, "target": "one"},
                            kind="history",
                            history="shallow",
                        ),
                    )
                ],
            ),
        ),
        [GO, {"event": "in"}, GO, GO, GO],
    ),
    "guards of several regions": (
        [
            region(
                "main",
                state("a", on("go", "b", guard="event.data.v > 1"), on("go", "a")),
                state("b", on("go", "a", guard="event.data.v < 3")),
            ),
            region(
                "beside",
                state("c", on("go", "d", guard="event.data.v == 2"), on("go", effects=[])),
                state("d", on("go", "c", guard="active('a')")),
                role="observer",
            ),
        ],
        [{"event": "go", "data": {"v": v}} for v in (0, 1, 2, 3, 4, 2, 1, 3, 0, 2)],
    ),
}


@pytest.mark.parametrize("kind", VOICE)
def test_what_voice_charts_do_takes_the_fast_path(kind, monkeypatch):
    regions, script = VOICE[kind]
    machine = compile_machine(
        chart(*regions), slots=SLOTS, prompts=TOLD, squad=["billing", "sales"]
    )
    for taken in both(machine, script):
        assert taken.snapshot == Snapshot.from_json(taken.snapshot.to_bytes(), machine)
    monkeypatch.setattr(sys.modules["interpreter.stepping.step"], "literal_step", None)
    for _ in range(2):
        snapshot, _ = start(machine, T0)
        for index, line in enumerate(script):
            snapshot = step(
                machine, snapshot, line, T0 + timedelta(milliseconds=350 * index)
            ).snapshot


def test_an_event_met_seldom_is_left_to_the_literal_algorithm(monkeypatch):
    monkeypatch.setattr(f"{FAST}.WARM", 2)
    machine = ring(1)
    snapshot, _ = start(machine, T0)
    at = machine.configuration(("s0",))
    made = []
    for _ in range(4):
        snapshot = step(machine, snapshot, {"event": "go"}).snapshot
        made.append(len(at.fast))
    assert made == [0, 0, 1, 1]


def test_a_limit_is_hit_at_the_same_step_and_leaves_the_same():
    for limits in ({"transitions": 4}, {"visits": 2}):
        machine = ring(2, target="s0", **limits)
        kinds = []
        for taken in both(machine, [{"event": "go"}] * 8):
            kinds += [record.type for record in taken.records]
        assert kinds.count("machine.limit_reached") == 2, limits
        assert taken.snapshot.outcome == "limit"


def test_a_run_that_is_out_of_time_ends_its_fast_path():
    reached = [
        record.type
        for taken in both(ring(3, target="s0", seconds=2), [{"event": "go"}] * 8)
        for record in taken.records
        if record.type in ("machine.limit_reached", "transition.taken")
    ]
    assert reached == ["transition.taken"] * 6 + ["machine.limit_reached", "transition.taken"]


def test_too_many_refusals_are_a_limit_on_both_ways():
    machine = ring(2, target="s0", refusals=3)
    taken = list(both(machine, [{"event": "what"}] * 5))
    assert [one.snapshot.ended for one in taken] == [False, False, False, False, True]
    assert taken[3].moved


def test_many_invented_names_leave_nothing_behind():
    waits = on("order.*", "b"), on("known", "b")
    machine = compile_machine(chart(region("main", state("a", *waits), state("b"))))
    snapshot, _ = start(machine, T0)

    def held():
        at = machine.configuration(snapshot.active)
        return sum(map(len, (at.fast, at.heat, at.chains, at.plans, at.next)))

    for name in ("known", "order", "order.x", "no", "no.x"):
        step(machine, snapshot, {"event": name})
    before = held()
    for n in range(20_000):
        step(machine, snapshot, Input("event", f"order.{n}.x"))
        step(machine, snapshot, Input("event", f"known.{n}"))
        machine.can(snapshot, Input("event", f"{n}"))
    assert held() == before


def test_a_pattern_and_a_name_below_it_are_told_apart():
    waits = on("order", "b"), on("order.*", "c"), on("order.paid.*", "d"), on("*", "e")
    others = [state(key) for key in "bcde"]
    machine = compile_machine(chart(region("main", state("a", *waits), *others)))
    snapshot, _ = start(machine, T0)
    reached = {
        name: step(machine, snapshot, {"event": name}).snapshot.active[0]
        for name in ("order", "order.x", "order.paid", "order.paid.y", "orders", "order.")
        for _ in range(2)
    }
    assert reached == {
        "order": "b", "order.x": "c", "order.paid": "c", "order.paid.y": "c",
        "orders": "e", "order.": "c",
    }  # fmt: skip


def test_a_chart_of_many_states_counts_each():
    machine = ring(200)
    snapshot, _ = start(machine, T0)
    for taken in both(machine, [{"event": "go"}] * 250):
        snapshot = taken.snapshot
    assert snapshot.visits == {f"s{i}": 2 if i <= 50 else 1 for i in range(200)}
    assert Snapshot.from_json(json.loads(snapshot.to_bytes()), machine) == snapshot


def test_a_step_shares_what_it_leaves_alone():
    machine = ring(200)
    snapshot, _ = start(machine, T0)
    after = step(machine, snapshot, {"event": "go"}).snapshot
    shared = [a is b for a, b in zip(snapshot._visits, after._visits, strict=True)]
    assert shared.count(False) == 1
    assert after._cold is snapshot._cold


SLOTS_OF_ALL_KINDS = [
    {"key": "n", "type": "integer", "maximum": 3, "default": 0},
    {"key": "x", "type": "number", "default": 0.0},
    {"key": "t", "type": "string", "pattern": "[ab]*"},
    {"key": "yes", "type": "boolean"},
    {"key": "when", "type": "date"},
    {"key": "tags", "type": "list"},
    {"key": "mood", "type": "enum", "choices": ["good", "bad"]},
    {"key": "held", "type": "string", "writers": ["host"]},
]
VALUES = [
    "n = slots.n + 1", "n = event.data.v", "x = event.data.v", "t = event.data.v", "n = 7",
    "yes = event.data.v == 1", "when = event.data.v", "tags = event.data.v", "mood = 'bad'",
    "mood = event.data.v", "t = 'ab'", "t = 'c'", "x = 1", "x = -slots.x", "held = 'x'",
    "n = machine.transitions", "x = event.confidence", "t = event.name", "yes = active('a')",
    "n = visits.a",
]  # fmt: skip
SENT = [
    None, 0, 1, 2.0, -0.0, 1.5, "ab", "c", True, ["ab"], "2026-01-01", "bad", 2**53,
]  # fmt: skip


@pytest.mark.parametrize("value", VALUES)
def test_a_slot_is_written_the_same_on_both_ways(value):
    key, _, source = value.partition(" = ")
    put = {"on": {"event": "put"}, "target": "a", "effects": [{"set": key, "value": source}]}
    machine = compile_machine(
        chart(region("main", state("a", put, on("error.effect", "b")), state("b", put))),
        slots=SLOTS_OF_ALL_KINDS,
    )
    script = [{"event": "put", "data": {"v": sent}, "confidence": 0.5} for sent in SENT]
    for taken in both(machine, [*script, {"event": "put"}]):
        assert taken.moved


def test_a_line_that_is_no_input_may_be_one_refusal_too_many_and_never_raises():
    spins = [state("b", {"on": {"always": True}, "target": "c"})]
    spins.append(state("c", {"on": {"always": True}, "target": "b"}))
    machine = compile_machine(
        chart(region("main", state("a"), *spins), refusals=0, target="b"),
    )
    snapshot, _ = start(machine, T0)
    for line in ({"nothing": 1}, {"event": "what"}):
        taken = step(machine, snapshot, line)
        assert taken.snapshot.outcome == "limit"
        assert taken.records[-1].type == "call.ended"


@pytest.fixture
def rows_of_two(monkeypatch):
    """Small charts are as wide ones."""
    for module in ("visits", "writing", "stories"):
        monkeypatch.setattr(f"interpreter.stepping.{module}.ROW", 2)
    monkeypatch.setattr("interpreter.stepping.visits._NEVER", [0, 0])


@LAW
@given(charts(), SCRIPTS)
@pytest.mark.usefixtures("rows_of_two")
def test_both_ways_answer_the_same_where_counts_stand_in_many_rows(document, script):
    machine = compile_machine(document, slots=SLOTS)
    for taken in both(machine, script):
        again = Snapshot.from_json(taken.snapshot.to_bytes(), machine)
        assert again == taken.snapshot
        assert again._visits == taken.snapshot._visits


LATER = T0 + timedelta(days=1)


@LAW
@given(charts())
def test_a_start_is_the_same_whatever_was_started_before(document):
    machine = compile_machine(document, slots=SLOTS)
    start_step(machine, T0)
    for slots in ({}, {"n": 2, "flag": True}):
        again = start_step(machine, LATER, slots=slots)
        fresh = start_step(compile_machine(document, slots=SLOTS), LATER, slots=slots)
        assert said(again) == said(fresh)
        assert again.snapshot.to_bytes() == fresh.snapshot.to_bytes()


def test_a_start_that_reads_a_slot_is_made_anew(monkeypatch):
    begins = state("a", {"on": {"always": True}, "guard": "slots.n > 1", "target": "b"})
    machine = compile_machine(chart(region("main", begins, state("b"))), slots=SLOTS)
    reached = [start_step(machine, T0, slots={"n": n}).snapshot.active for n in (1, 2, 1)]
    assert reached == [("a",), ("b",), ("a",)]


def test_a_start_is_told_when_it_is_read():
    machine = ring(2)
    for _ in range(2):
        first = start_step(machine, T0)
        assert [record.type for record in first.records] == ["call.started", "state.entered"]
        assert start(machine, T0) == (first.snapshot, first.records)
    first.records[0].data["agent"] = "changed by the host"
    assert start_step(machine, T0).records[0].data["agent"] is None


def test_two_compiled_machines_of_one_chart_take_each_others_snapshots():
    one, other = ring(3), ring(3)
    snapshot, _ = start(one, T0)
    for machine in (one, other, one, other):
        snapshot = step(machine, snapshot, {"event": "go"}).snapshot
    assert snapshot.visits == {"s0": 2, "s1": 2, "s2": 1}


def test_a_snapshot_can_be_copied_and_pickled_without_its_machine():
    snapshot, _ = start(ring(3), T0)
    written = pickle.dumps(snapshot)
    assert pickle.loads(written) == snapshot == copy.deepcopy(snapshot)
    assert len(written) < 2_000
