"""Limits, counted in moves that happened; timers with absolute due times."""

from datetime import timedelta

import pytest

from interpreter import due
from tests.interpreter.charts import T0, Player, always, chart, on, region, seconds, state


def after(delay, target, **more):
    return {"on": {"after": delay}, "target": target, **more}


def limited(*states, **limits):
    return chart(
        region("r", *states, state("too_long", on("x", "too_long"))), target="too_long", **limits
    )


def reached(run):
    return [r.data for r in run.records if r.type == "machine.limit_reached"]


@pytest.mark.row("F282", "F126", "R3-10", "R3-11", "R3-46")
def test_the_move_after_the_limit_enters_the_limit_state():
    run = Player(limited(state("a", on("x", "a")), transitions=5))
    for _ in range(5):
        run.send("x")
        assert run.active == ["a"]
    run.send("x")
    assert run.active == ["too_long"]
    assert reached(run) == [
        {"limit": "transitions", "allowed": 5, "used": 5, "target": "too_long"}
    ]
    assert run.types()[0] == "machine.limit_reached"


def test_a_second_limit_ends_the_call():
    run = Player(limited(state("a", on("x", "a")), transitions=1))
    for _ in range(3):
        run.send("x")
    assert run.snapshot.ended
    assert run.snapshot.outcome == "limit"
    assert len(reached(run)) == 2


def test_a_limit_without_a_target_ends_the_call():
    run = Player(chart(region("r", state("a", on("x", "a"))), transitions=1))
    run.send("x")
    run.send("x")
    assert run.snapshot.outcome == "limit"


def test_turns_are_limited():
    run = Player(limited(state("a"), turns=2))
    for _ in range(3):
        run.take({"caller": "hm"})
    assert run.active == ["too_long"]
    assert run.snapshot.turns == 2


def test_refusals_are_limited():
    run = Player(limited(state("a"), refusals=2))
    run.send("zz")
    run.send("zz")
    assert run.active == ["a"]
    step = run.send("zz")
    assert run.active == ["too_long"]
    assert step.refusal is not None


def test_visits_have_a_default_limit_for_every_state():
    run = Player(limited(state("a", on("x", "a")), visits=3))
    for _ in range(2):
        run.send("x")
    assert run.snapshot.visits == {"a": 3}
    run.send("x")
    assert run.active == ["too_long"]
    assert reached(run)[0]["limit"] == "visits"


def test_seconds_are_limited_by_a_timer_and_by_any_input():
    document = limited(state("a", on("x", "a")), seconds=60)
    run = Player(document)
    (timer,) = run.snapshot.timers
    assert timer.due == T0 + timedelta(seconds=60)
    run.take({"timer": timer.key}, at=timer.due)
    assert run.active == ["too_long"]
    run = Player(document)
    run.send("x", at=seconds(59))
    assert run.active == ["a"]
    run.send("x", at=seconds(61))
    assert run.active == ["too_long"]
    assert run.snapshot.timers == ()
    run.send("x", at=seconds(90))
    assert not run.snapshot.ended


def test_a_macrostep_without_end_is_undone_as_a_whole():
    document = limited(
        state("a", on("x", "b", effects=[{"set": "n", "value": "1"}])),
        state("b", always("c")),
        state("c", always("b")),
        visits=1_000,
    )
    run = Player(document, [{"key": "n", "type": "integer"}])
    run.send("x")
    assert run.active == ["too_long"]
    assert run.snapshot.slots == {}
    assert run.snapshot.visits == {"a": 1, "too_long": 1}
    assert [d["limit"] for d in reached(run)] == ["microsteps"]
    assert run.types() == ["machine.limit_reached", "state.exited", "state.entered"]


def test_a_start_without_end_reaches_the_limit_too():
    run = Player(limited(state("b", always("c")), state("c", always("b"))))
    assert run.active == ["too_long"]


def test_a_limit_state_without_end_ends_the_call():
    document = chart(
        region("r", state("a", on("x", "b")), state("b", always("c")), state("c", always("b"))),
        target="b",
    )
    run = Player(document)
    run.send("x")
    assert run.snapshot.outcome == "limit"


def test_a_timer_is_armed_on_entry_and_cancelled_on_exit():
    document = chart(
        region(
            "r", state("a", after("20s", "c"), on("x", "b")), state("b", on("y", "a")), state("c")
        )
    )
    run = Player(document)
    (first,) = run.snapshot.timers
    assert first.due == seconds(20)
    run.send("x", at=seconds(5))
    assert run.snapshot.timers == ()
    assert "timer.cancelled" in run.types()
    run.send("y", at=seconds(15))
    (second,) = run.snapshot.timers
    assert second.due == seconds(35)
    assert second.key != first.key
    assert run.take({"timer": first.key}, at=seconds(40)).refusal is not None
    run.take({"timer": second.key}, at=seconds(40))
    assert run.active == ["c"]
    fired = [r.data for r in run.records if r.type == "timer.fired"]
    assert fired == [{"timer": second.key, "transition": "a_1", "late_ms": 5_000}]


def test_a_timer_does_not_fire_before_its_time():
    run = Player(chart(region("r", state("a", after("20s", "b")), state("b"))))
    (timer,) = run.snapshot.timers
    assert run.take({"timer": timer.key}, at=seconds(19)).refusal.reason == "early"
    assert run.snapshot.timers == (timer,)


def test_a_timer_whose_guard_is_false_is_spent():
    document = chart(region("r", state("a", after("20s", "b", guard="slots.n == 1")), state("b")))
    run = Player(document, [{"key": "n", "type": "integer"}])
    (timer,) = run.snapshot.timers
    step = run.take({"timer": timer.key}, at=seconds(20))
    assert step.refusal is None
    assert run.active == ["a"]
    assert run.snapshot.timers == ()
    assert run.snapshot.refusals == 0


def test_due_gives_the_earliest_timer_first():
    document = chart(
        region("r", state("a", after("20s", "b"), after("10s", "b")), state("b")),
        region("s", state("c", after("10s", "d")), state("d")),
    )
    run = Player(document)
    assert due(run.machine, run.snapshot, seconds(9)) is None
    order = []
    while timer := due(run.machine, run.snapshot, seconds(60)):
        order.append(timer.transition)
        run.take({"timer": timer.key}, at=timer.due)
    assert order == ["a_2", "c_1"]


def test_a_transition_inside_does_not_restart_the_timer_of_the_state_around():
    inner = region("in", state("x", on("go", "y")), state("y"))
    document = chart(region("r", state("box", after("20s", "out"), regions=[inner]), state("out")))
    run = Player(document)
    run.send("go", at=seconds(10))
    (timer,) = run.snapshot.timers
    assert timer.due == seconds(20)


def test_time_never_runs_backwards():
    run = Player(chart(region("r", state("a", on("x", "a")))))
    run.send("x", at=seconds(10))
    run.send("x", at=seconds(5))
    assert run.snapshot.at == seconds(10)
    run.send("x")
    assert run.snapshot.at == seconds(10)


def test_a_limit_of_no_visits_stops_the_first_move():
    run = Player(limited(state("a", on("x", "b")), state("b"), visits=0))
    run.send("x")
    assert run.active == ["too_long"]
