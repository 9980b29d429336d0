"""What an analysis finds, and that its witnesses show it when they are played."""

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from interpreter import analyse, compile_agent, compile_machine, dry_run, library
from tests.interpreter.charts import always, chart, on, propose, region, state
from tests.interpreter.random_charts import COUNT, EVENTS, Drawer

AGE = {"key": "age", "type": "integer"}
PLAN = {"key": "plan", "type": "enum", "choices": ["gold", "silver"]}
HIDDEN = {"key": "hidden", "type": "boolean", "writers": ["effect"]}


def after(delay, target, **more):
    return {"on": {"after": delay}, "target": target, **more}


def final(key, **more):
    return {"key": key, "kind": "final", **more}


def found(document, slots=(), **more):
    """The findings by code; every witness is played."""
    machine = compile_machine(document, slots=list(slots))
    report = analyse(machine, **more)
    for finding in report.findings:
        if finding.witness is not None:
            played = dry_run(machine, list(finding.witness))
            assert played.ok, (finding, [s.to_json() for s in played.steps[-2:]])
    return {
        code: [one for one in report.findings if one.code == code]
        for code in {one.code for one in report.findings}
    }


def only(findings, code):
    assert list(findings) == [code], findings
    (one,) = findings[code]
    return one


def talk(*states, **more):
    return chart(region("talk", *states), **more)


# --- unreachable states --------------------


def test_a_state_that_nothing_leads_to_says_so_and_nothing_else_is_found():
    one = only(found(talk(state("a", on("go", "z")), state("b"), final("z"))), "state.unreachable")
    assert (one.certainty, one.witness) == ("certain", None)
    assert one.blocked == ("no transition leads to it, and it is not initial where it lies",)
    assert one.path == ("regions", 0, "states", 1)


@pytest.mark.parametrize(
    "guard",
    [
        "slots.age > 5 && slots.age < 5",
        "slots.age > 5 && slots.age < 6",
        "slots.plan == 'gold' && slots.plan == 'silver'",
        "slots.age == null && slots.age > 3",
        "slots.plan == null && slots.plan == 'gold'",
        "!(slots.age > 2 || slots.age <= 2 || slots.age == null)",
        "active('z')",
        "event.data.x == 1 && event.data.x == 2",
    ],
)
def test_a_state_behind_a_guard_that_is_never_true_is_unreachable(guard):
    document = talk(state("a", on("x", "b", guard=guard), on("go", "z")), state("b"), final("z"))
    findings = found(document, [AGE, PLAN])
    assert set(findings) == {"state.unreachable", "guard.never"}
    (one,) = findings["state.unreachable"]
    assert one.certainty == "certain"
    assert one.blocked == (f"'a_1' of 'a': its guard {guard} is never true",)


@pytest.mark.parametrize(
    "guard",
    [
        "slots.age > 5 && slots.age < 7",
        "slots.plan == 'gold' && slots.age == 7",
        "slots.age == null",
        "slots.age != null && slots.plan != null && slots.plan != 'gold'",
        "event.data.x.y == 'deep' && event.data.z > 3",
        "event.confidence < 0.5 && event.confidence > 0.4",
        "slots.age in [3, 9] && !(slots.age == 3)",
        "visits.a > 2",
        "machine.turns > 2",
    ],
)
def test_a_guard_that_can_be_true_is_no_alarm(guard):
    document = talk(
        state("a", on("x", "b", guard=guard), on("again", "a", max_takes=9), on("go", "z")),
        state("b", on("go", "z")),
        final("z"),
    )
    assert "state.unreachable" not in found(document, [AGE, PLAN])
    assert "guard.never" not in found(document, [AGE, PLAN])


def test_what_cannot_be_decided_is_told_as_may():
    slots = [{"key": "name", "type": "string"}]
    guard = "size(slots.name) == 4 && slots.name.startsWith('q')"
    document = talk(
        state("a", on("x", "b", guard=guard), on("go", "z")), state("b", on("go", "z")), final("z")
    )
    one = only(found(document, slots), "state.unreachable")
    assert one.certainty == "may"
    assert "may never be reached" in one.message


def test_states_reached_by_initial_history_timer_done_error_and_limit_count_as_reached():
    inner = region(
        "steps",
        state("one", on("go", "two")),
        final("two"),
        {
            "key": "past",
            "kind": "history",
            "history": "deep",
            "transitions": [always("one")],
        },
    )
    document = talk(
        state("a", on("in", "box"), on("back", "past"), on("error.guard", "d"), after("5s", "b")),
        state("box", {"on": {"done": True}, "target": "c"}, regions=[inner]),
        state("b", on("go", "a", guard="slots.age > event.data.text"), on("error.guard", "d")),
        state("c", on("go", "z")),
        state("d", on("go", "z")),
        state("late", on("go", "z")),
        final("z"),
        turns=4,
        target="late",
    )
    assert "state.unreachable" not in found(document, [AGE])


def test_the_states_inside_an_unreachable_one_are_not_told_again():
    inner = region("steps", state("one", on("go", "two")), final("two"))
    document = talk(state("a", on("go", "z")), state("box", regions=[inner]), final("z"))
    assert only(found(document), "state.unreachable").path == ("regions", 0, "states", 1)


# --- dead ends --------------------


def test_a_dead_end_is_shown_by_the_way_there():
    document = talk(
        state("a", on("x", "b"), on("y", "c"), on("go", "z")),
        state("b", on("n", "c")),
        state("c", on("stay", "c")),
        final("z"),
    )
    one = found(document)["state.dead_end"][0]
    assert one.witness == ({"event": "y"}, {"expect": {"active": "c", "ended": False}})


def test_a_guard_that_is_never_true_leads_nowhere_and_so_leaves_a_dead_end():
    document = talk(
        state("a", on("x", "b", guard="slots.age > 1 && slots.age < 1"), on("stay")), final("b")
    )
    (one,) = found(document, [AGE])["state.dead_end"]
    assert "never true" in one.blocked[0]


@pytest.mark.parametrize(
    "document",
    [
        talk(state("a", after("3s", "z")), final("z")),
        talk(state("a", propose("z")), final("z")),
        chart(region("talk", state("a"), final("z"), transitions=[on("go", "z")])),
        talk(
            state("box", on("out", "z"), regions=[region("in", state("one"))]),
            final("z"),
        ),
    ],
)
def test_a_way_out_of_any_kind_is_no_dead_end(document):
    assert "state.dead_end" not in found(document)


def test_being_done_is_no_way_out_of_a_state_that_is_not_final():
    inner = region("in", state("one"), final("two"))
    document = talk(
        state("box", {"on": {"done": True}, "target": "z"}, regions=[inner]), final("z")
    )
    assert [one.path[-1] for one in found(document)["state.dead_end"]] == [0]


# --- loops --------------------


def test_a_loop_without_a_cap_is_shown_by_going_round():
    document = talk(state("a", on("x", "b"), on("go", "z")), state("b", on("y", "a")), final("z"))
    one = only(found(document), "cycle.unbounded")
    assert one.certainty == "certain"
    assert one.witness == ({"event": "x"}, {"event": "y"}, {"expect": {"active": "a"}})


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"transition": {"max_takes": 3}}, "max_takes 3"),
        ({"state": {"max_visits": 3}}, "max_visits 3 of 'b'"),
        ({"transition": {"guard": "visits.b < 3"}}, "the guard of 'a_1'"),
        ({"limits": {"transitions": 30, "target": "z"}}, "the limit of 30 transitions"),
    ],
)
def test_what_bounds_a_loop_is_named(more, said):
    document = talk(
        state("a", on("x", "b", **more.get("transition", {})), on("go", "z")),
        state("b", on("y", "a"), **more.get("state", {})),
        final("z"),
        **more.get("limits", {}),
    )
    one = only(found(document), "cycle.bounded")
    assert one.severity == "info"
    assert said in one.message


def test_a_loop_that_its_own_counter_ends_is_no_alarm():
    tries = {"key": "tries", "type": "integer", "default": 0, "writers": ["effect"]}
    more = {"set": "tries", "value": "slots.tries + 1"}
    document = talk(
        state("a", on("x", "b", guard="slots.tries < 3", effects=[more]), on("go", "z")),
        state("b", on("y", "a"), on("go", "z")),
        final("z"),
    )
    one = only(found(document, [tries]), "cycle.bounded")
    assert "ends after 3 rounds at most, by its guards" in one.message


def test_an_always_that_changes_nothing_does_not_come_to_rest():
    document = talk(
        state("a", on("NEXT", "two"), on("go", "z")),
        {
            "key": "two",
            "transitions": [
                {"key": "fallback", "on": {"always": True}, "effects": [{"raise": "b"}]},
                on("b", "z"),
            ],
        },
        final("z"),
        target="z",
        turns=9,
    )
    (one,) = found(document)["cycle.endless"]
    assert one.witness == ({"event": "NEXT"}, {"expect": {"record": "machine.limit_reached"}})
    assert "'fallback'" in one.message


# --- guards that shadow and overlap --------------------


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (on("x", "b"), on("x", "c")),
        (on("x.*", "b"), on("x.y", "c")),
        (on("*", "b"), on("x", "c", guard="slots.age > 1")),
        (on("x", "b", guard="slots.age > 1"), on("x", "c", guard="slots.age > 2")),
        (
            on("x", "b", guard="slots.plan != null"),
            on("x", "c", guard="slots.plan == 'gold' || slots.plan == 'silver'"),
        ),
    ],
)
def test_a_shadowed_transition_is_shown_by_the_one_taken_instead(first, second):
    document = talk(
        state(
            "a",
            first,
            second,
            on("other.way", "c") if first["on"]["event"] != "*" else after("1s", "c"),
        ),
        state("b", on("go", "z")),
        state("c", on("go", "z")),
        final("z"),
    )
    one = only(found(document, [AGE, PLAN]), "transition.shadowed")
    assert one.certainty == "certain"
    assert one.witness[-1]["expect"]["active"] == ["b"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (on("x", "b", guard="slots.age > 2"), on("x", "c", guard="slots.age <= 2")),
        (on("x", "b", guard="slots.age > 2"), on("x", "c")),
        (on("x", "b", guard="slots.plan == 'gold'"), on("x", "c", guard="slots.plan == 'silver'")),
        (on("x", "b", guard="event.data.n == 1"), on("x", "c", guard="event.data.n == 2")),
        (on("x", "b", guard="slots.age != null"), on("x", "c", guard="slots.age == null")),
        (on("x.y", "b"), on("x.*", "c")),
    ],
)
def test_guards_that_part_the_values_are_no_alarm(first, second):
    document = talk(state("a", first, second), final("b"), final("c"))
    assert found(document, [AGE, PLAN]) == {}


def test_overlapping_guards_are_shown_by_values_that_pass_both():
    document = talk(
        state("a", on("x", "b", guard="slots.age > 2"), on("x", "c", guard="slots.age < 9")),
        final("b"),
        final("c"),
    )
    one = only(found(document, [AGE]), "guard.overlap")
    assert one.witness == (
        {"set": {"slot": "age", "value": 3}},
        {"event": "x"},
        {"expect": {"active": ["b"]}},
    )


def test_guards_that_overlap_only_where_no_run_comes_are_no_alarm():
    level = {"key": "level", "type": "integer", "writers": ["effect"]}
    document = talk(
        state(
            "start",
            on("low", "a", effects=[{"set": "level", "value": "1"}]),
            on("high", "a", effects=[{"set": "level", "value": "9"}]),
        ),
        state("a", on("x", "b", guard="slots.level > 2"), on("x", "c", guard="slots.level < 5")),
        final("b"),
        final("c"),
    )
    assert found(document, [level]) == {}


# --- slots, regions, limits --------------------


def test_a_slot_that_is_read_before_it_can_be_set():
    late = {"set": "hidden", "value": "true"}
    document = talk(
        state("a", on("x", "z", guard="slots.hidden"), on("go", "b")),
        state("b", on("x", "z", guard="slots.hidden"), entry=[late]),
        final("z"),
    )
    findings = found(document, [HIDDEN])
    (one,) = findings["slot.unset"]
    assert one.path == ("regions", 0, "states", 0, "transitions", 0, "guard")
    assert one.witness == ({"expect": {"slots": {"hidden": None}}},)


def test_a_slot_that_may_come_from_outside_is_no_alarm():
    document = talk(state("a", on("x", "z", guard="slots.age > 1")), final("z"))
    assert found(document, [AGE]) == {}


def test_a_transition_that_resets_its_siblings_is_shown_with_them_moved():
    left = region(
        "left",
        state("l1", on("x", "l2")),
        state("l2"),
        transitions=[on("reset", "l1", external=True)],
    )
    right = region("right", state("r1", on("y", "r2")), state("r2"))
    document = talk(state("box", on("go", "z"), regions=[left, right]), final("z"))
    (one,) = found(document)["region.reset"]
    assert one.witness == (
        {"event": "y"},
        {"event": "reset"},
        {"expect": {"active": ["l1", "r1"]}},
    )


def test_a_transition_across_regions_resets_them_too():
    document = chart(
        region("talk", state("a", on("x", "s2"), on("go", "z")), final("z"), role="speaker"),
        region("watch", state("s1", on("y", "s2")), state("s2")),
    )
    assert "'watch'" in found(document)["region.reset"][0].message


def test_a_limits_target_that_no_limit_leads_to():
    document = talk(state("a", on("go", "z")), final("z"), target="z")
    one = only(found(document), "limit.unreachable")
    assert one.blocked[0].startswith("nothing is counted")
    document = talk(state("a", on("go", "z")), final("z"), transitions=50, target="z")
    assert "no loop" in only(found(document), "limit.unreachable").blocked[0]
    document = talk(state("a", on("go", "z")), final("z"), turns=50, target="z")
    assert found(document) == {}


# --- the search --------------------


def test_the_budget_is_told_when_it_ended_the_search():
    states = [state(f"s{n}", on("go", f"s{n + 1}")) for n in range(50)]
    machine = compile_machine(talk(*states, final("s50")))
    short = analyse(machine, budget=10)
    assert (short.complete, short.explored, short.findings) == (False, 10, ())
    assert analyse(machine).complete


def test_regions_that_do_not_touch_each_other_are_not_multiplied():
    regions = [
        region(
            f"r{n}", *[state(f"r{n}_{i}", on(f"e{n}", f"r{n}_{(i + 1) % 50}")) for i in range(50)]
        )
        for n in range(4)
    ]
    report = analyse(compile_machine(chart(*regions)))
    assert (report.complete, report.explored) == (True, 200)


@pytest.mark.parametrize("name", library.names())
def test_the_charts_that_ship_have_witnesses_that_play(name):
    machine = compile_agent(library.load(name)["document"])
    report = analyse(machine)
    assert report.complete
    assert not [one for one in report.findings if one.code == "state.unreachable"]
    for finding in report.findings:
        assert finding.witness is None or dry_run(machine, list(finding.witness)).ok


def lines_of(draw):
    kinds = [{"event": name} for name in EVENTS]
    kinds += [{"set": {"slot": "count", "value": n}} for n in (0, 2, 5)]
    kinds += [{"event": "unknown"}, {"caller": "Hello"}]
    return [draw.choice(kinds) for _ in range(25)]


@given(st.integers(0, 10**6))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_witnesses_play_and_what_is_unreachable_is_never_reached(seed):
    machine = compile_machine(Drawer(seed).draw(), slots=COUNT)
    report = analyse(machine, budget=150)
    assert report == analyse(machine, budget=150)
    lost = {
        machine_path(machine, one.path)
        for one in report.findings
        if one.code == "state.unreachable" and one.certainty == "certain"
    }
    for finding in report.findings:
        if finding.witness is not None:
            assert dry_run(machine, list(finding.witness)).ok, finding
    chance = random.Random(seed)
    for _ in range(12):
        played = dry_run(machine, lines_of(chance))
        records = [r for s in (played.start, *played.steps) for r in s.records]
        assert not lost & {r.data["state"] for r in records if r.type == "state.entered"}


def machine_path(machine, path):
    return next(key for key, node in machine.states.items() if node.path == path)
