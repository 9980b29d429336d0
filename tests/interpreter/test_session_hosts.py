"""A Session and its host: guards, actions, validators, detectors, hooks, timers, saved runs."""

import json
import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pytest

from interpreter import (
    History,
    Hooks,
    Machine,
    Session,
    SnapshotError,
    Thrashing,
    compile_machine,
    keyword_detector,
)
from tests.interpreter.charts import REVIEW, always, chart, on, propose, region, state


class Clock:
    def __init__(self):
        self.now = datetime(2026, 11, 30, tzinfo=UTC)

    def __call__(self):
        return self.now

    def wait(self, seconds):
        self.now += timedelta(seconds=seconds)


def between(*names, **more):
    """Stages of which each leads to every other."""
    edges = {name: [other for other in names if other != name] for name in names}
    machine = Machine.from_stages(
        names, initial=names[0], transitions=edges, backward_threshold=0.0
    )
    return Session(machine, **more)


def walk(session, *states, wait=None):
    for name in states:
        assert session.go(name)
        if wait is not None:
            wait()


N = [{"key": "n", "type": "integer", "default": 0}]


def boom(*_):
    raise RuntimeError("boom")


# --- guards and actions --------------------


def guarded(**more):
    document = chart(
        region(
            "r",
            state(
                "a",
                on("x", "b", key="small", guard="slots.n > 5"),
                on("x", "c", key="large", effects=[{"raise": "y"}]),
                propose("b", key="offered", guard="slots.n > 5"),
            ),
            state("b"),
            state("c", on("y", "d", key="next")),
            state("d"),
        )
    )
    return Session(compile_machine(document, slots=N), **more)


def test_the_host_is_asked_about_the_transitions_that_are_taken_and_no_others():
    asked, ran = [], []
    session = guarded(
        guards={key: lambda c, key=key: not asked.append(key) for key in ("small", "large")},
        actions={key: lambda c, key=key: ran.append(key) for key in ("small", "large", "next")},
    )
    assert session.send("x").state == "d"
    assert asked == ["large"]
    assert ran == ["large", "next"]


def test_a_guard_that_says_no_to_any_part_of_a_move_refuses_it_whole():
    ran = []
    session = guarded(guards={"next": lambda c: False}, actions={"large": ran.append})
    result = session.send("x")
    assert (result.ok, result.reason, session.current, ran) == (False, "guard", "a", [])
    assert "'next'" in result.rejected


def test_a_guard_that_fails_counts_as_false_and_never_raises():
    session = guarded(guards={"large": boom})
    result = session.send("x")
    assert (result.reason, session.current) == ("guard", "a")
    assert "boom" in result.rejected
    assert session.can("x") is False
    assert session.valid() == []


def test_can_and_valid_ask_the_guards_of_the_chart_too():
    session = guarded()
    assert session.valid() == ["c"]
    assert not session.can("offered")
    session.take({"set": {"slot": "n", "value": 6}})
    assert session.valid() == ["b"]
    assert session.can("offered")
    assert session.slots == {"n": 6}


def test_valid_looks_into_nested_states():
    inner = region("in", state("p", on("go", "q")), state("q"))
    document = chart(region("r", state("box", on("out", "away"), regions=[inner]), state("away")))
    session = Session(compile_machine(document))
    assert session.valid() == session.declared() == ["q", "away"]
    session.send("go")
    assert session.valid() == ["away"]
    assert session.visited == ("box", "q")


def test_a_limit_reached_by_a_refusal_is_a_move_like_any_other():
    document = chart(region("r", state("a"), state("over")), refusals=0, target="over")
    session = Session(compile_machine(document))
    result = session.send("nonsense")
    assert (result.ok, result.moved, result.state) == (False, True, "over")
    assert session.visited == ("a", "over")
    assert session.previous == "a"


def test_the_host_has_no_say_over_a_limit():
    document = chart(
        region("r", state("a", on("x", "a")), state("over")), transitions=1, target="over"
    )
    session = Session(compile_machine(document), validators=[lambda c, t, _: (t != "over", None)])
    assert session.send("x").state == "a"
    assert session.send("x").state == "over"


def test_the_host_is_asked_about_a_move_that_follows_from_a_refusal():
    document = chart(
        region(
            "r",
            state("a", on("x", "b", guard="event.data.v > 1"), on("error.guard", "c")),
            state("b"),
            state("c"),
        )
    )
    session = Session(compile_machine(document), validators=[lambda *_: (False, "closed")])
    result = session.send("x", {"v": "text"})
    assert (result.ok, result.moved, session.current) == (False, False, "a")
    assert "closed" in result.rejected


def test_a_line_that_is_no_input_is_refused():
    session = guarded()
    for line in ({}, {"event": 3}, {"event": "x", "colour": "red"}):
        assert session.take(line).reason == "malformed"
    assert session.current == "a"


# --- validators and detectors --------------------


def test_validators_may_have_names():
    session = between("A", "B", validators={"never": lambda *_: (False, None)})
    assert "'never'" in session.go("B").rejected


def test_a_detector_that_fails_stops_no_other():
    session = between("A", "B", detectors=[boom, lambda c: ("B", 0.9)])
    assert session.detect_and_go({}).moved
    assert session.current == "B"


def test_keywords_of_a_chart_make_a_detector():
    machine = Machine.from_stages(
        ["IDLE", "REFUND", "PAY"],
        initial="IDLE",
        transitions={"IDLE": ["REFUND", "PAY"]},
        keywords={"REFUND": ["refund", "money back"], "PAY": ["pay", "money"]},
    )
    session = Session(machine, detectors=[keyword_detector(machine)])
    for message, expected in (
        ({"message": "I want my MONEY BACK, a refund"}, ("REFUND", 0.7)),
        ({"message": "money"}, ("PAY", 0.7)),
        ({"message": "refund or pay"}, ("REFUND", 0.7)),
        ({"message": "hello"}, None),
        ({"message": 7}, None),
        ({}, None),
    ):
        assert session.detect(message) == expected


# --- hooks --------------------


@pytest.mark.row("F098")
def test_a_set_of_hooks_is_attached_replaced_and_taken_away():
    told = []

    def hooks(name):
        made = Hooks()
        made.on_enter()(lambda state, context: told.append((name, state)))
        return made

    session = between("A", "B")
    session.hooks = hooks("first")
    session.go("B")
    session.hooks = hooks("second")
    session.go("A")
    assert told == [("first", "B"), ("second", "A")]
    session.hooks.clear()
    session.go("B")
    assert len(told) == 2


def test_an_unknown_kind_of_hook_is_refused():
    with pytest.raises(ValueError, match="'before'"):
        Hooks().add("before", (), 0, boom)


@pytest.mark.row("F101")
def test_a_hook_with_history_gets_one_that_answers_questions():
    session = between("A", "B")
    seen = []
    session.on_transition_with_history(
        lambda old, new, context, history: seen.append(
            (len(history), history.visits(new), history.last()[0].path)
        )
    )
    session.go("B")
    session.go("A")
    assert seen == [(1, 1, "A->B"), (2, 1, "B->A")]


def test_hooks_hear_of_states_inside_states_and_in_other_regions():
    inner = region("in", state("p", on("go", "q")), state("q"))
    document = chart(
        region("r", state("box", regions=[inner])),
        region("s", state("u", on("told", "v")), state("v")),
    )
    session = Session(compile_machine(document))
    told = []
    session.on_exit()(lambda state, context: told.append(("exit", state)))
    session.on_enter("q", "v")(lambda state, context: told.append(("enter", state)))
    session.send("go")
    session.send("told")
    assert told == [("exit", "p"), ("enter", "q"), ("exit", "u"), ("enter", "v")]
    assert session.history == []
    assert session.count == 2


def test_a_callable_cannot_move_the_run_while_a_move_is_made():
    said = []
    session = between("A", "B", "C")
    session.on_exit("A")(lambda state, context: said.append(session.go("C").reason))
    session.validators.append(lambda *_: (not said.append(session.go("C").reason), None))
    assert session.go("B").state == "B"
    assert said == ["busy", "busy"]
    assert session.current == "B"


def test_a_refusal_is_heard_by_subscribers_whoever_refused():
    session = between("A", "B", validators=[lambda *_: (False, "closed")])
    heard = []
    session.subscribe("transition.refused", lambda topic, data: heard.append(data["reason"]))
    session.subscribe("state.*", lambda topic, data: heard.append(topic))
    session.go("B")
    session.go("NOPE")
    assert heard == ["validator", "undeclared"]


# --- timers --------------------


def waiting(clock, **more):
    document = chart(
        region(
            "r",
            state("a", {"key": "late", "on": {"after": "5s"}, "target": "b"}, on("x", "c")),
            state("b", on("x", "d")),
            state("c"),
            state("d"),
        )
    )
    return Session(compile_machine(document), clock=clock, **more)


def test_a_timer_fires_by_the_clock_and_before_what_comes_in():
    clock = Clock()
    session = waiting(clock)
    clock.wait(4)
    assert session.tick() == []
    clock.wait(3)
    assert session.send("x").state == "d"
    assert session.visited == ("a", "b", "d")
    assert [row.stayed_ms for row in session.history] == [7_000, 0]


def test_an_overdue_timer_of_a_restored_run_fires_once():
    clock = Clock()
    saved = json.loads(json.dumps(waiting(clock).to_json()))
    clock.wait(10)
    session = waiting(clock)
    session.restore(saved)
    clock.wait(10)
    (result,) = session.tick()
    assert (result.state, session.tick()) == ("b", [])
    (fired,) = [r for r in result.step.records if r.type == "timer.fired"]
    assert fired.data["late_ms"] == 15_000
    assert session.history[0].stayed_ms == 20_000


def test_a_timer_that_the_host_refuses_is_spent():
    clock = Clock()
    session = waiting(clock, guards={"late": lambda c: False})
    clock.wait(6)
    (result,) = session.tick()
    assert (result.reason, session.current) == ("guard", "a")
    assert session.snapshot.timers == ()
    assert session.send("x").state == "c"


# --- history --------------------


@pytest.mark.row("F138")
def test_the_history_is_asked_for_its_last_rows_and_by_state():
    session = between("A", "B", "C")
    walk(session, "B", "C", "A", "B")
    history = session.history
    assert [move.path for move in history.last(2)] == ["C->A", "A->B"]
    assert history.last(0) == []
    assert [move.number for move in history.to("B")] == [1, 4]
    assert [move.number for move in history.leaving("A")] == [1, 4]
    assert [move.number for move in history.between("C", "A")] == [3]
    assert history.between("A", "C") == []


@pytest.mark.row("F139")
def test_sequence_visits_and_patterns():
    session = between("A", "B", "C")
    walk(session, "B", "A")
    history = session.history
    assert history.sequence == ["A", "B", "A"]
    assert history.visits("A") == 1
    assert history.has_visited("A")
    assert not history.has_visited("C")
    assert history.pattern("A", "B", "A") == 1
    assert history.pattern("B", "B") == history.pattern() == 0
    walk(session, "B", "A")
    assert session.history.pattern("A", "B", "A") == 2
    assert History().sequence == []


@pytest.mark.row("F140")
def test_a_cycle_is_a_state_entered_twice():
    session = between("A", "B")
    walk(session, "B", "A")
    assert session.history.has_cycle is False
    walk(session, "B")
    assert session.history.has_cycle is True


@pytest.mark.row("F141")
def test_the_stay_in_a_state_is_known_once_it_ended():
    clock = Clock()
    session = between("A", "B", clock=clock)
    for stay in (0.1, 0.3, 0.1):
        clock.wait(stay)
        session.go("B" if session.current == "A" else "A")
    assert session.history.average_ms("A") == 100
    assert session.history.average_ms("B") == 300
    assert session.history.average_ms() == pytest.approx(500 / 3)
    assert session.history.average_ms("C") is None


@pytest.mark.row("F137")
def test_the_summary_counts_paths_and_states_entered():
    session = between("A", "B", "C")
    assert session.history.summary() == {
        "total_transitions": 0,
        "unique_paths": 0,
        "transitions_by_path": {},
        "transitions_by_stage": {},
        "average_confidence": 0.0,
    }
    for name, confidence in (("B", 0.7), ("C", 0.8), ("B", 0.9), ("C", 0.6)):
        session.go(name, confidence=confidence)
    summary = session.history.summary()
    assert summary["total_transitions"] == 4
    assert summary["unique_paths"] == 3
    assert summary["transitions_by_path"] == {"A->B": 1, "B->C": 2, "C->B": 1}
    assert summary["transitions_by_stage"] == {"B": 2, "C": 2}
    assert summary["average_confidence"] == pytest.approx(0.75)


@pytest.mark.row("F142")
def test_the_figures_of_a_run():
    clock = Clock()
    session = between("A", "B", "C", clock=clock)
    clock.wait(1)
    walk(session, "B", "A", "B", wait=lambda: clock.wait(2))
    assert session.history.metrics(session.current) == {
        "total_transitions": 3,
        "unique_stages_visited": 2,
        "has_cycles": True,
        "current_stage": "B",
        "stage_sequence": ["A", "B", "A", "B"],
        "stage_average_durations_ms": {"A": 1_500.0, "B": 2_000.0},
        "overall_average_duration_ms": pytest.approx(5_000 / 3),
        "stage_visit_counts": {"A": 1, "B": 2},
    }
    fresh = between("A", "B").history.metrics("A")
    assert fresh["unique_stages_visited"] == 1
    assert fresh["overall_average_duration_ms"] is None


# --- saved runs --------------------


@pytest.mark.row("F156")
def test_a_saved_session_is_resumed_in_another_process():
    session = Session(Machine.from_stages(**REVIEW))
    walk(session, "REVIEW", "APPROVED")
    script = (
        "import json, sys\n"
        "from interpreter import Machine, Session\n"
        "stages, saved = json.load(sys.stdin)\n"
        "session = Session(Machine.from_stages(**stages))\n"
        "session.restore(saved)\n"
        "told = [session.current, session.previous, session.valid(), session.to_json()]\n"
        "print(json.dumps(told))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        input=json.dumps([REVIEW, session.to_json()]),
        capture_output=True,
        text=True,
        check=True,
    )
    saved = json.loads(json.dumps(session.to_json()))
    assert json.loads(done.stdout) == ["APPROVED", "REVIEW", ["PUBLISHED"], saved]


@pytest.mark.row("F157")
def test_run_data_is_put_back_to_what_it_was():
    session = guarded()
    session.take({"set": {"slot": "n", "value": 3}})
    saved = session.to_json()
    session.take({"set": {"slot": "n", "value": 9}})
    session.send("x")
    assert (session.slots, session.current) == ({"n": 9}, "b")
    session.restore(saved)
    assert (session.slots, session.current, session.visited) == ({"n": 3}, "a", ("a",))


@pytest.mark.row("F154")
@pytest.mark.parametrize("where", ["active", "visited", "previous", "history"])
def test_a_saved_run_with_an_unknown_state_is_refused_by_name(where):
    session = between("A", "B")
    session.go("B")
    saved = session.to_json()
    if where == "active":
        saved["snapshot"]["active"] = ["bogus"]
    elif where == "history":
        saved["history"][0]["to"] = "bogus"
    else:
        saved[where] = ["bogus"] if where == "visited" else "bogus"
    fresh = between("A", "B")
    with pytest.raises(SnapshotError, match="bogus"):
        fresh.restore(saved)
    assert (fresh.current, fresh.count) == ("A", 0)


@pytest.mark.parametrize(
    "change",
    [
        lambda saved: None,
        lambda saved: 7,
        lambda saved: {},
        lambda saved: {**saved, "history": 3},
        lambda saved: {**saved, "history": [{"from": "A"}]},
        lambda saved: {**saved, "count": "many"},
        lambda saved: {**saved, "visited": None},
        lambda saved: {**saved, "visited": [["A"]]},
        lambda saved: {**saved, "snapshot": []},
    ],
)
def test_what_is_no_saved_run_is_refused_and_changes_nothing(change):
    session = between("A", "B")
    session.go("B")
    kept = session.to_json()
    with pytest.raises(SnapshotError):
        session.restore(change(kept))
    assert session.to_json() == kept


def test_a_fork_stands_where_its_origin_does_and_goes_its_own_way():
    session = between("A", "B", "C")
    session.go("B", context={"k": 1})
    other = session.fork()
    assert other.to_json() == session.to_json()
    kept = session.to_json()
    other.go("C")
    assert (session.current, other.current) == ("B", "C")
    assert session.to_json() == kept


def test_an_eventless_target_is_no_valid_move():
    document = chart(
        region("r", state("a", always("b", "slots.n > 5"), on("x", "c")), state("b"), state("c"))
    )
    session = Session(compile_machine(document, slots=N))
    assert session.valid() == ["c"]
    assert session.declared() == ["b", "c"]


def test_a_result_keeps_what_was_visited_when_it_was_given():
    session = between("A", "B")
    first, second = session.go("B"), session.go("A")
    session.reset()
    session.go("B")
    assert (first.visited, second.visited) == (("A", "B"), ("A", "B", "A"))
    assert session.visited == ("A", "B")


def test_the_clock_is_read_once_for_what_comes_in():
    read = []

    def clock():
        read.append(len(read))
        return datetime(2026, 11, 30, tzinfo=UTC)

    session = waiting(clock)
    read.clear()
    session.send("x")
    assert len(read) == 1


# --- thrashing --------------------


def restless(clock, **more):
    return between("A", "B", clock=clock, thrashing=Thrashing(3, 60, 10), **more)


@pytest.mark.parametrize("limit", [None, 0])
def test_a_run_that_goes_to_and_fro_rests_whatever_is_kept_of_its_history(limit):
    clock = Clock()
    session = restless(clock, history_limit=limit)
    walk(session, "B", "A", "B", wait=lambda: clock.wait(1))
    result = session.go("A")
    assert (result.reason, session.current) == ("thrashing", "B")
    assert "3 moves in 60 seconds; it rests for 10" in result.rejected
    clock.wait(8)
    assert session.go("A").reason == "thrashing"
    clock.wait(1)
    assert session.go("A")


def test_moves_outside_of_the_window_do_not_count_and_nor_do_refused_ones():
    clock = Clock()
    session = restless(clock)
    for _ in range(6):
        assert session.go("B" if session.current == "A" else "A")
        assert not session.go("NOPE")
        clock.wait(31)


def test_a_fork_and_a_restored_run_rest_too_and_each_by_its_own_moves():
    clock = Clock()
    session = restless(clock)
    walk(session, "B", "A")
    other = session.fork()
    again = restless(clock)
    again.restore(json.loads(json.dumps(session.to_json())))
    walk(session, "B")
    assert session.go("A").reason == "thrashing"
    for run in (other, again):
        assert run.go("B")
        assert run.go("A").reason == "thrashing"


def test_what_a_chart_does_without_moving_is_never_too_much():
    document = chart(region("r", state("a", on("beat"))))
    session = Session(compile_machine(document), thrashing=Thrashing(1, 60, 60))
    assert all(session.send("beat").moved for _ in range(5))


@pytest.mark.parametrize("figures", [(0, 1, 1), (1, 0, 1), (1, 1, -1)])
def test_figures_of_thrashing_are_positive(figures):
    with pytest.raises(ValueError, match="positive"):
        Thrashing(*figures)
