"""Refusals: a value that names event and state; only the count of refusals changes."""

import socket

import pytest

from interpreter import Machine, Snapshot, SnapshotError, start, step
from tests.interpreter.charts import (
    COURSE,
    COURSE_EVENTS,
    COURSE_STATES,
    REVIEW,
    T0,
    Player,
    always,
    chart,
    on,
    propose,
    region,
    seconds,
    state,
)

FLAG = {"key": "verified", "type": "boolean"}


def course():
    return Player(Machine.from_table(COURSE, initial="planning"))


def course_at(key):
    run = course()
    for path in (["plan_ready", "hits", "answered"], ["out_of_scope"]):
        run = course()
        for event in path:
            if run.active == [key]:
                return run
            run.send(event)
        if run.active == [key]:
            return run
    raise LookupError(key)


def but_count(snapshot):
    return {**snapshot.to_json(), "refusals": None}


UNDECLARED = [
    (here, event)
    for here in COURSE_STATES
    for event in COURSE_EVENTS
    if (here, event) not in COURSE
]


def test_there_are_29_undeclared_pairs():
    assert len(UNDECLARED) == 29


@pytest.mark.row("F015", "F050", "F051", "F052", "F053", "F054", "F058")
@pytest.mark.parametrize(("here", "event"), UNDECLARED)
def test_every_undeclared_pair_is_refused_and_nothing_moves(here, event):
    run = course_at(here)
    before = but_count(run.snapshot)
    step = run.send(event)
    assert not step.moved
    assert but_count(run.snapshot) == before
    assert step.refusal.reason == "undeclared"
    assert event in step.refusal.message
    assert here in step.refusal.message
    assert run.types() == ["transition.refused"]


@pytest.mark.row("F055")
def test_the_sentence_of_the_lesson():
    refusal = course().send("hits").refusal
    assert refusal.message == "'hits' is not a declared event in state 'planning'"


@pytest.mark.row("F056", "F014")
def test_a_legal_move_has_no_refusal():
    run = course()
    assert run.send("plan_ready").refusal is None
    assert run.active == ["retrieving"]


@pytest.mark.row("F059")
def test_a_terminal_state_refuses_all_the_same_way():
    run = course_at("done")
    for event in COURSE_EVENTS:
        refusal = run.send(event).refusal
        assert refusal.reason == "undeclared"
        assert "'done'" in refusal.message


@pytest.mark.row("F016")
def test_a_terminal_state_is_one_without_rows_and_nothing_else():
    run = Player(
        Machine.from_table({**COURSE, ("done", "reopen"): "planning"}, initial="planning")
    )
    for event in ("out_of_scope", "refused", "reopen"):
        run.send(event)
    assert run.active == ["planning"]


@pytest.mark.row("F063")
def test_late_and_doubled_events_are_ordinary():
    run = course()
    run.send("plan_ready")
    assert run.send("plan_ready").refusal is not None
    run.send("hits")
    assert run.active == ["answering"]


@pytest.mark.row("F062", "F274", "R3-14", "R3-44")
def test_a_proposal_whose_guard_is_false_is_recorded_and_refused():
    document = chart(
        region(
            "r",
            state("verify", propose("payment", guard="slots.verified == true")),
            state("payment"),
        )
    )
    run = Player(document, [FLAG])
    run.take({"set": {"slot": "verified", "value": False}})
    before = but_count(run.snapshot)
    step = run.propose("payment")
    assert not step.moved
    assert but_count(run.snapshot) == before
    assert run.types() == ["transition.refused"]
    assert step.records[0].data["reason"] == "guard"
    assert step.records[0].data["guards"][0]["reads"] == {"slots.verified": False}
    assert step.refusal.message == (
        "`transition` to 'payment' was refused in state 'verify': "
        "guard `slots.verified == true` is false (slots.verified = false)"
    )


@pytest.mark.row("F275")
def test_a_proposal_that_is_allowed_moves():
    run = Player(chart(region("r", state("a", propose("b")), state("b"))))
    run.propose("b", confidence=0.4)
    assert run.active == ["b"]
    assert run.step.records[1].data["confidence"] == 0.4


@pytest.mark.row("F278")
def test_a_move_that_is_not_offered_here_is_refused():
    document = chart(region("r", state("a", propose("b")), state("b", propose("c")), state("c")))
    run = Player(document)
    refusal = run.propose("c").refusal
    assert refusal.reason == "undeclared"
    assert "'c'" in refusal.message
    assert "'a'" in refusal.message


def test_a_proposal_may_name_the_transition():
    document = chart(region("r", state("a", propose("b", key="onward")), state("b")))
    run = Player(document)
    run.propose("onward")
    assert run.active == ["b"]


def test_a_proposal_below_the_confidence_of_its_transition_is_refused():
    document = chart(region("r", state("a", propose("b", min_confidence=0.7)), state("b")))
    run = Player(document)
    refusal = run.propose("b", confidence=0.69).refusal
    assert refusal.reason == "confidence"
    assert "0.7" in refusal.message
    run.propose("b", confidence=0.7)
    assert run.active == ["b"]


def test_max_takes_refuses_the_next():
    run = Player(chart(region("r", state("a", on("x", "a", max_takes=2)))))
    run.send("x")
    run.send("x")
    refusal = run.send("x").refusal
    assert refusal.reason == "takes"
    assert run.snapshot.visits == {"a": 3}


@pytest.mark.row("F280", "F146", "F147", "F148")
def test_a_state_is_entered_max_visits_times_and_no_more():
    document = chart(
        region(
            "r",
            state("planning", on("ready", "retrieving")),
            state("retrieving", on("retry", "retrieving"), on("hits", "done"), max_visits=3),
            state("done"),
        )
    )
    run = Player(document)
    run.send("ready")
    run.send("nonsense")
    run.send("retry")
    run.send("retry")
    assert run.snapshot.visits["retrieving"] == 3
    step = run.send("retry")
    assert step.refusal.reason == "visits"
    assert "'retrieving' entered 3 times; retries spent" in step.refusal.message
    assert run.snapshot.visits["retrieving"] == 3
    run.send("hits")
    assert run.active == ["done"]


@pytest.mark.row("F149")
def test_the_cap_is_what_the_application_says():
    run = Player(chart(region("r", state("a", on("x", "a"), max_visits=5))))
    for _ in range(4):
        assert run.send("x").refusal is None
    assert run.send("x").refusal.reason == "visits"


def test_a_later_transition_takes_over_when_retries_are_spent():
    document = chart(region("r", state("a", on("x", "a"), on("x", "b"), max_visits=2), state("b")))
    run = Player(document)
    run.send("x")
    run.send("x")
    assert run.active == ["b"]


def test_a_region_rests_for_its_cooldown():
    document = chart(
        region(
            "r", state("a", on("x", "b")), state("b", on("x", "a")), stability={"cooldown": "10s"}
        )
    )
    run = Player(document)
    run.send("x", at=seconds(1))
    assert run.send("x", at=seconds(5)).refusal.reason == "cooldown"
    run.send("x", at=seconds(11))
    assert run.active == ["a"]


def stages(**more):
    return Player(Machine.from_stages(**{**REVIEW, **more}))


@pytest.mark.row("F069", "F070")
def test_a_backward_move_needs_the_threshold():
    run = stages()
    run.propose("REVIEW")
    assert run.propose("DRAFT", confidence=0.79).refusal.reason == "confidence"
    run.propose("DRAFT", confidence=0.80)
    assert run.active == ["DRAFT"]


@pytest.mark.row("F071")
def test_a_forward_move_ignores_confidence():
    run = stages()
    run.propose("REVIEW", confidence=0.1)
    assert run.active == ["REVIEW"]


@pytest.mark.row("F068", "F010")
def test_backward_is_by_the_order_of_states():
    edges = {"A": ["C"], "B": [], "C": ["A"]}
    run = stages(stages=["A", "B", "C"], initial="A", transitions=edges, stage_tools={})
    run.propose("C", confidence=0.1)
    assert run.propose("A", confidence=0.1).refusal.reason == "confidence"
    run = stages(stages=["C", "B", "A"], initial="A", transitions=edges, stage_tools={})
    assert run.propose("C", confidence=0.1).refusal.reason == "confidence"


@pytest.mark.row("F075")
def test_a_confidence_outside_0_to_1_is_refused():
    run = stages()
    for confidence in (1.1, -0.1, "high", True):
        step = run.propose("REVIEW", confidence=confidence)
        assert step.refusal.reason == "malformed"
        assert "0 to 1" in step.refusal.message
    assert run.active == ["DRAFT"]


@pytest.mark.parametrize(
    "line",
    [
        None, 3, "event", [], {}, {"event": None}, {"event": ""}, {"event": "  "},
        {"event": "x" * 201},
        {"event": "a\nb"}, {"event": "x", "data": []}, {"event": "x", "data": {"k": float("nan")}},
        {"event": "x", "data": {"k": 2**60}}, {"event": "x", "data": {"k": "\ud800"}},
        {"event": "x", "data": {"k": {1: 2}}}, {"event": "x", "data": {"k": object()}},
        {"event": "x", "extra": 1}, {"event": "x", "at": "noon"}, {"event": "x", "at": 5},
        {"propose": {}}, {"propose": {"transition": "a", "handoff": "b"}}, {"propose": "a"},
        {"propose": {"set_slot": {"slot": "n"}}}, {"propose": {"transition": "a", "zzz": 1}},
        {"set": 3}, {"caller": 3}, {"caller": "x" * 70_000}, {"timer": 3}, {"end": {"zzz": 1}},
        {"advance": "2s"}, {"expect": {}},
    ],
)  # fmt: skip
def test_a_malformed_line_is_refused_and_never_raises(line):
    run = Player(chart(region("r", state("a", on("x", "a")))))
    before = but_count(run.snapshot)
    step = run.take(line)
    assert step.refusal.reason == "malformed"
    assert "'a'" in step.refusal.message
    assert but_count(run.snapshot) == before


def test_data_nested_too_deep_is_refused():
    data = {}
    for _ in range(2_000):
        data = {"k": data}
    run = Player(chart(region("r", state("a", on("x", "a")))))
    assert run.take({"event": "x", "data": data}).refusal.reason == "malformed"


@pytest.mark.row("F045")
def test_the_same_path_twice_is_equal():
    machine = Machine.from_table(COURSE, initial="planning")

    def play():
        snapshot, records = start(machine, T0)
        for event in ("plan_ready", "hits", "answered"):
            taken = step(machine, snapshot, {"event": event}, T0)
            snapshot, records = taken.snapshot, records + taken.records
        return snapshot, records

    assert play() == play()


@pytest.mark.row("F047")
def test_it_runs_without_a_network(monkeypatch):
    def cut(*_args, **_more):
        raise OSError("no network")

    before = [record.to_json() for record in course_at("done").records]
    monkeypatch.setattr(socket, "socket", cut)
    assert [record.to_json() for record in course_at("done").records] == before


@pytest.mark.row("F046")
def test_the_state_that_goes_in_is_not_modified():
    machine = Machine.from_table(COURSE, initial="planning")
    snapshot, _ = start(machine, T0)
    kept = snapshot.to_json()
    step(machine, snapshot, {"event": "plan_ready"}, T0)
    assert snapshot.to_json() == kept


@pytest.mark.row("F154")
@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"active": ["elsewhere"]}, "elsewhere"),
        ({"active": []}, "main"),
        ({"active": ["planning", "done"]}, "main"),
        ({"visits": {"elsewhere": 1}}, "elsewhere"),
        ({"slots": {"zzz": 1}}, "zzz"),
        ({"takes": {"zzz": 1}}, "zzz"),
        ({"format": "other/9"}, "other/9"),
        ({"turns": "many"}, "turns"),
        ({"more": 1}, "more"),
    ],
)
def test_a_tampered_snapshot_is_refused_by_name(change, named):
    machine = Machine.from_table(COURSE, initial="planning")
    snapshot, _ = start(machine, T0)
    with pytest.raises(SnapshotError, match=named):
        Snapshot.from_json({**snapshot.to_json(), **change}, machine)


def resting(*states, **more):
    stability = {"cooldown": "5s", "backward_confidence": 0.8}
    return chart(region("talk", *states, stability=stability, **more))


def test_a_cooldown_holds_up_what_comes_from_outside_and_nothing_else():
    """What the chart does of itself is part of the move, or would be lost: a timer is spent."""
    document = resting(
        state("a", on("x", "pick")),
        {"key": "pick", "kind": "choice", "transitions": [always("b")]},
        state("b", {"on": {"after": "1s"}, "target": "c"}, on("x", "a")),
        state("c", on("raised", "d"), entry=[{"raise": "raised"}]),
        state("d", on("x", "a")),
    )
    run = Player(document)
    run.send("x")
    assert run.active == ["b"]
    assert run.send("x").refusal.reason == "cooldown"
    (timer,) = run.snapshot.timers
    run.take({"timer": timer.key}, at=timer.due)
    assert run.active == ["d"]
    assert run.send("x", at=seconds(5.9)).refusal.reason == "cooldown"
    run.send("x", at=seconds(6))
    assert run.active == ["a"]


def test_an_eventless_move_in_a_resting_region_is_made_when_another_region_enables_it():
    document = resting(
        state("a", on("x", "b")), state("b", always("c", "active('told')")), state("c")
    )
    document["regions"].append(region("other", state("quiet", on("tell", "told")), state("told")))
    run = Player(document)
    run.send("x")
    run.send("tell")
    assert run.active == ["c", "told"]


def test_a_region_that_refuses_a_move_of_its_own_names_the_state_it_is_in():
    document = resting(
        state("a", on("go", "c")), state("b"), state("c"), transitions=[on("home", "a")]
    )
    run = Player(document)
    run.send("go")
    refusal = run.send("home", confidence=0.5, at=seconds(9)).refusal
    assert (refusal.reason, refusal.states) == ("confidence", ("c",))
    assert "in state 'c'" in refusal.message
    run.send("home", confidence=0.8, at=seconds(9))
    assert run.active == ["a"]
