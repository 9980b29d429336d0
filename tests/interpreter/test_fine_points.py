"""Points on which engines of statecharts differ: history, completion, conflict, limits."""

import pytest

from interpreter import dry_run, due
from tests.interpreter.charts import (
    T0,
    Player,
    always,
    chart,
    on,
    propose,
    region,
    state,
)

COUNT = [{"key": "count", "type": "integer", "default": 0}]
PLUS_ONE = [{"set": "count", "value": "slots.count + 1"}]


def history(key, default, kind="shallow"):
    return {"key": key, "kind": "history", "history": kind, "transitions": [always(default)]}


def final(key):
    return {"key": key, "kind": "final"}


# --- history --------------------


def two_lanes(**more):
    return chart(
        region(
            "all",
            {
                "key": "both",
                "regions": [
                    region(
                        "left",
                        state("l1", on("left.next", "l2")),
                        state("l2"),
                        history("again", "l1"),
                        transitions=[on("recall", "again", **more)],
                    ),
                    region("right", state("r1", on("right.next", "r2")), state("r2")),
                ],
            },
        )
    )


def test_a_history_reached_by_leaving_its_region_recalls_what_was_just_left():
    player = Player(two_lanes(external=True))
    player.send("left.next")
    player.send("right.next")
    player.send("recall")
    assert player.active == ["both", "l2", "r1"]
    player.send("recall")
    assert player.active == ["both", "l2", "r1"]


def test_a_history_reached_without_leaving_its_region_has_nothing_new_to_recall():
    player = Player(two_lanes())
    player.send("left.next")
    player.send("right.next")
    player.send("recall")
    assert player.active == ["both", "l1", "r2"]


def test_what_a_history_stands_for_decides_how_much_is_left():
    """The remembered leaf lies beside the source, so that the state around both stays."""
    inner = {
        "key": "around",
        "exit": [{"hook": "left_around"}],
        "regions": [
            region("steps", state("one", on("next", "two")), state("two", on("h", "deep")))
        ],
    }
    outer = region(
        "outer", state("first", on("go", "around")), inner, history("deep", "first", "deep")
    )
    player = Player(
        chart(
            region(
                "top",
                state("work", on("out", "rest"), regions=[outer]),
                state("rest", on("back", "deep")),
            )
        )
    )
    for event in ("go", "next", "out", "back"):
        player.send(event)
    assert player.active == ["work", "around", "two"]
    taken = player.send("h")
    assert player.exited() == ["two"]
    assert not taken.hooks


def test_a_limit_may_lead_to_a_history():
    inner = region("steps", state("one", on("next", "two")), state("two"), history("h", "one"))
    player = Player(
        chart(
            region(
                "top",
                state("work", on("out", "rest"), on("in", "work"), regions=[inner]),
                state("rest", on("again", "rest")),
            ),
            transitions=3,
            target="h",
        )
    )
    for event in ("next", "out", "again", "again"):
        player.send(event)
    assert player.active == ["work", "two"]


# --- completion --------------------


@pytest.mark.parametrize("script", [["both"], ["left", "right"], ["right", "left"]])
def test_a_state_is_done_once_however_its_regions_finish(script):
    player = Player(
        chart(
            region(
                "top",
                state(
                    "work",
                    on("done.state.work", effects=PLUS_ONE),
                    regions=[
                        region("a", state("a1", on(["left", "both"], "a2")), final("a2")),
                        region("b", state("b1", on(["right", "both"], "b2")), final("b2")),
                    ],
                ),
            )
        ),
        COUNT,
    )
    for event in script:
        player.send(event)
    assert player.snapshot.slots == {"count": 1}


def test_regions_that_finish_together_are_done_in_document_order():
    heard = {"set": "heard", "value": "slots.heard + event.name + ' '"}
    player = Player(
        chart(
            region(
                "top",
                state(
                    "work",
                    on("done.*", effects=[heard]),
                    regions=[
                        region("a", state("a1", on("go", "a2")), final("a2")),
                        region("b", state("b1", on("go", "b2")), final("b2")),
                    ],
                ),
            )
        ),
        [{"key": "heard", "type": "string", "default": ""}],
    )
    player.send("go")
    assert player.snapshot.slots["heard"].split() == [
        "done.region.a", "done.region.b", "done.state.work",
    ]  # fmt: skip


# --- memory that outsiders cannot fill --------------------


def test_proposals_that_nobody_offers_leave_nothing_in_the_memo():
    player = Player(chart(region("top", state("a", propose("b")), state("b"))))
    at = player.machine.configuration(player.snapshot.active)
    for number in range(50):
        player.propose(f"nowhere_{number}")
    assert not at.chains


# --- limits --------------------


def test_timers_without_delay_that_arm_each_other_reach_the_limit_of_microsteps():
    looping = chart(
        region(
            "top",
            state("a", {"on": {"after": "0ms"}, "target": "b"}),
            state("b", {"on": {"after": "0ms"}, "target": "a"}),
            state("over"),
        ),
        target="over",
    )
    player = Player(looping)
    reached = []
    for _ in range(500):
        timer = due(player.machine, player.snapshot, T0)
        if timer is None:
            break
        before = player.snapshot
        player.take({"timer": timer.key}, T0)
        reached += [r for r in player.step.records if r.type == "machine.limit_reached"]
    assert player.active == ["over"]
    assert [r.data["limit"] for r in reached] == ["microsteps"]
    assert player.snapshot.transitions == before.transitions == 100
    report = dry_run(player.machine, [{"advance": "1s"}])
    assert report.steps[0].active == ("over",)


def test_many_timers_may_fall_due_at_once():
    regions = [
        region(f"r{i}", state(f"a{i}", {"on": {"after": "5s"}, "target": f"b{i}"}), state(f"b{i}"))
        for i in range(150)
    ]
    report = dry_run(Player(chart(*regions)).machine, [{"advance": "5s"}])
    assert not any(r.type == "machine.limit_reached" for r in report.steps[0].records)
    assert report.steps[0].active == tuple(f"b{i}" for i in range(150))


def test_a_dry_run_says_when_it_stops_letting_time_pass():
    beat = chart(region("top", state("a", {"on": {"after": "1s"}, "target": "a"})))
    report = dry_run(Player(beat).machine, [{"advance": "1d"}, {"advance": "1s"}])
    first, second = report.steps
    assert first.refusal is not None
    assert "timers fell due" in first.refusal.message
    assert first.at_ms == first.snapshot.now
    assert second.refusal is None


def test_a_limit_state_that_never_comes_to_rest_ends_the_call_and_leaves_nothing_else():
    spin = {"hook": "spin"}
    player = Player(
        chart(
            region(
                "top",
                state("a", on("go", "b")),
                state("b", always("c"), entry=[spin]),
                state("c", always("b")),
            ),
            target="b",
        )
    )
    before = player.snapshot
    taken = player.send("go")
    assert [record.type for record in taken.records] == ["machine.limit_reached", "call.ended"]
    assert taken.records[0].data["target"] is None
    assert not taken.effects
    assert (player.snapshot.status, player.snapshot.outcome) == ("ended", "limit")
    assert player.snapshot.visits == before.visits


def test_the_entry_of_the_limit_state_may_be_long():
    many = [{"hook": f"h{i}"} for i in range(300)]
    player = Player(
        chart(
            region("top", state("a", on("go", "a")), state("over", entry=many)),
            transitions=0,
            target="over",
        )
    )
    player.send("go")
    assert player.active == ["over"]
    assert len(player.step.hooks) == 300


# --- slots --------------------


def test_an_effect_that_changes_nothing_leaves_no_record():
    again = [{"clear": "name"}, {"set": "count", "value": "0"}]
    slots = [*COUNT, {"key": "name", "type": "string"}]
    player = Player(chart(region("top", state("a", on("go", effects=again)))), slots)
    taken = player.send("go")
    assert "slot.set" not in player.types()
    assert [effect["kind"] for effect in taken.effects] == ["clear", "set"]


def test_a_value_from_outside_leaves_a_record_even_when_it_was_there():
    player = Player(chart(region("top", state("a"))), COUNT)
    player.take({"propose": {"set_slot": {"slot": "count", "value": 0}}})
    assert player.types() == ["slot.set"]


def test_a_storm_of_raised_events_is_bounded():
    storm = [{"raise": "again"}] * 400
    player = Player(
        chart(
            region(
                "top",
                state("a", on("go", "b", effects=storm)),
                state("b", on("again", "b", effects=storm)),
                state("over"),
            ),
            target="over",
        )
    )
    taken = player.send("go")
    assert player.active == ["over"]
    assert [r.type for r in taken.records if r.type[0] == "m"] == ["machine.limit_reached"]
    assert taken.effects == ()
