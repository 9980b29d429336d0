"""Public reports about engines of statecharts (bugs.md, H01 to H17): here each comes out right.

The charts are our own, as small as the report allows.
"""

import json
import subprocess
import sys
import textwrap

import pytest

from interpreter import Snapshot, analyse, check, compile_machine, dry_run, due, start, step
from tests.interpreter.charts import T0, Player, always, chart, on, region, seconds, state

NUMBER = [{"key": "n", "type": "integer", "default": 0}]
ADD = [{"set": "n", "value": "slots.n + 1"}]
DAY_MS = 86_400_000


def final(key):
    return {"key": key, "kind": "final"}


def memory(key, default, kind="shallow"):
    return {"key": key, "kind": "history", "history": kind, "transitions": [always(default)]}


def after(delay, target, **more):
    return {"on": {"after": delay}, "target": target, **more}


# --- H01: an intercept that goes to its own history --------------------


def intercepted(**more):
    first = region(
        "first",
        state("one", on("first.next", "two")),
        state("two"),
        memory("where", "one"),
        transitions=[on("intercept", "where", **more)],
    )
    second = region("second", state("three", on("second.next", "four")), state("four"))
    return chart(region("top", state("both", regions=[first, second])))


@pytest.mark.parametrize(
    ("more", "expected"),
    [({"external": True}, ["both", "two", "three"]), ({}, ["both", "one", "four"])],
)
def test_h01_leaving_decides_what_an_intercept_keeps(more, expected):
    """External: its region is restored, the sibling begins anew. Internal: nothing was left, so
    nothing was remembered. A second intercept changes nothing more.
    """
    run = Player(intercepted(**more))
    run.send("first.next")
    run.send("second.next")
    for _ in range(2):
        run.send("intercept")
        assert run.active == expected


def test_h01_the_author_is_told_that_the_siblings_are_reset():
    codes = {p.code: p for p in check(intercepted(external=True))}
    assert "resets 'second'" in codes["region.reset"].message
    assert "region.reset" not in {p.code for p in check(intercepted())}


# --- H02: a region that begins at its history --------------------


def watch():
    alarm = region(
        "alarm_parts",
        memory("last", "off"),
        state("off", on("press_d", "on")),
        state("on", on("press_d", "off")),
        initial="last",
    )
    return chart(
        region(
            "watch",
            state("time", on("press_a", "alarm")),
            state("alarm", on("press_a", "time"), regions=[alarm]),
        )
    )


def test_h02_an_initial_history_is_looked_up_at_each_entry():
    run = Player(watch())
    seen = []
    for event in ("press_a", "press_d", "press_a", "press_a"):
        run.send(event)
        seen.append(run.active[-1])
    assert seen == ["off", "on", "time", "on"]


# --- H03: transitions of an ancestor are no conflict --------------------


def test_h03_an_idle_transition_around_a_state_stops_no_other_region():
    left = region("left", state("l1", on("e", "l2")), state("l2"))
    inner = region("deep", state("d1", on("e", "d2")), state("d2"))
    right = region("right", state("around", on("x", "r3"), regions=[inner]), state("r3"))
    run = Player(chart(region("top", state("both", regions=[left, right]))))
    run.send("e")
    assert run.active == ["both", "l2", "around", "d2"]
    assert run.exited() == ["d1", "l1"]
    assert run.entered() == ["l2", "d2"]
    run.send("x")
    assert run.active == ["both", "l2", "r3"]


# --- H04: completion once --------------------


@pytest.mark.parametrize("order", [("left.end", "right.end"), ("right.end", "left.end")])
def test_h04_a_state_is_done_once_whichever_region_is_last(order):
    regions = [
        region(name, state(f"{name}_go", on(f"{name}.end", f"{name}_f")), final(f"{name}_f"))
        for name in ("left", "right")
    ]
    both = state("both", {"on": {"done": True}, "effects": ADD}, regions=regions)
    run = Player(chart(region("top", both)), NUMBER)
    run.send(order[0])
    assert run.snapshot.slots["n"] == 0
    run.send(order[1])
    assert run.snapshot.slots["n"] == 1
    run.send("anything")
    assert run.snapshot.slots["n"] == 1


# --- H05, H06, H11: timers --------------------


def delayed(delay, *more):
    return chart(
        region(
            "r",
            state("a", on("go", "b")),
            state("b", after(delay, "c"), on("back", "a"), *more),
            state("c"),
        )
    )


def test_h05_a_timer_ends_with_the_stay_that_armed_it():
    script = [
        {"event": "go"},
        {"advance": "300ms"},
        {"event": "back"},
        {"advance": "1200ms"},
        {"event": "go"},
        {"advance": "999ms"},
        {"advance": "1ms"},
    ]
    steps = dry_run(compile_machine(delayed("1s")), script).steps
    assert [s.active[0] for s in steps] == ["b", "b", "a", "a", "b", "b", "c"]
    assert [len(s.snapshot.timers) for s in steps] == [1, 1, 0, 0, 1, 1, 0]
    assert not any(s.refusal for s in steps)
    fired = [r.at for s in steps for r in s.records if r.type == "timer.fired"]
    assert fired == ["2026-01-01T00:00:02.500Z"]


@pytest.mark.parametrize("delay", ["30d", "PT720H", "2592000s", "2592000000ms"])
def test_h06_thirty_days_are_thirty_days(delay):
    machine = compile_machine(delayed(delay))
    snapshot, _ = step(machine, start(machine, T0)[0], {"event": "go"}, T0)
    (timer,) = snapshot.timers
    assert timer.due_ms - snapshot.now == 30 * DAY_MS
    assert Snapshot.from_json(json.loads(snapshot.to_bytes()), machine).timers == (timer,)
    assert due(machine, snapshot, seconds(30 * 86_400 - 1)) is None
    script = [{"event": "go"}, {"advance": "1s"}, {"advance": "29d"}, {"advance": "86398999ms"}]
    steps = dry_run(machine, [*script, {"advance": "1ms"}]).steps
    assert [s.active[0] for s in steps] == ["b", "b", "b", "b", "c"]


def test_h11_an_overdue_timer_of_a_saved_run_fires_once_and_says_how_late():
    """The due time is part of the Snapshot: whoever loads it, in whatever process, finds it."""
    machine = compile_machine(delayed("5s"))
    saved = step(machine, start(machine, T0)[0], {"event": "go"}, T0).snapshot.to_bytes()
    script = textwrap.dedent("""
        import json, sys
        from datetime import UTC, datetime, timedelta
        from interpreter import Snapshot, compile_machine, due, step
        chart, saved = json.load(sys.stdin)
        machine = compile_machine(chart)
        snapshot = Snapshot.from_json(saved, machine)
        late = datetime(2026, 11, 30, 10, tzinfo=UTC) + timedelta(seconds=10)
        said = []
        while timer := due(machine, snapshot, late):
            snapshot, records = step(machine, snapshot, {"timer": timer.key}, late)
            said += [r.data["late_ms"] for r in records if r.type == "timer.fired"]
        print(json.dumps([snapshot.active, said]))
    """)
    done = subprocess.run(
        [sys.executable, "-c", script],
        input=json.dumps([delayed("5s"), json.loads(saved)]),
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout) == [["c"], [5_000]]


# --- H07: an eventless transition that is enabled for ever --------------------


def bankrupt(guard):
    return chart(
        region(
            "r",
            state("one", on("next", "two")),
            state(
                "two",
                always("rich", "slots.n > 300"),
                {
                    "key": "again",
                    "on": {"always": True},
                    "guard": guard,
                    "effects": [{"raise": "broke"}],
                },
                on("broke", "bankrupt"),
            ),
            state("rich"),
            state("bankrupt"),
        )
    )


def test_h07_an_endless_eventless_transition_ends_at_the_limit_and_names_itself():
    document = bankrupt("slots.n <= 300")
    script = [{"event": "next"}]
    report = dry_run(compile_machine(document, slots=NUMBER), script)
    (reached,) = [r.data for r in report.steps[0].records if r.type == "machine.limit_reached"]
    assert reached["limit"] == "microsteps"
    assert (reached["state"], reached["transition"]) == ("two", "again")
    live = Player(document, NUMBER)
    live.send("next")
    assert live.snapshot.to_json() | {"started": 0, "now": 0} == report.snapshot.to_json() | {
        "started": 0,
        "now": 0,
    }


def test_h07_the_check_warns_of_it_and_the_analysis_shows_it():
    document = bankrupt("slots.n <= 300")
    (problem,) = [p for p in check(document, slots=NUMBER) if p.code == "always.repeats"]
    assert problem.severity == "warning"
    assert "'again' of 'two'" in problem.message
    machine = compile_machine(document, slots=NUMBER)
    found = [one for one in analyse(machine).findings if one.code == "cycle.endless"]
    assert "by 'again'" in found[0].message
    assert dry_run(machine, list(found[0].witness)).ok


# --- H08: guards are asked once --------------------


def test_h08_each_guard_is_asked_once_and_none_behind_the_first_that_holds():
    document = chart(
        region(
            "r",
            state(
                "a",
                on("e", "x", key="g1", guard="slots.n > 0"),
                on("e", "y", key="g2", guard="slots.n == 0"),
                on("e", "z", key="g3", guard="slots.n >= 0"),
            ),
            *(state(key) for key in "xyz"),
        )
    )
    machine = compile_machine(document, slots=NUMBER)
    snapshot, _ = start(machine, T0)
    before = snapshot.to_bytes()
    machine.allowed(snapshot)
    assert machine.can(snapshot, {"event": "e"})
    assert snapshot.to_bytes() == before
    taken = step(machine, snapshot, {"event": "e"})
    assert [(g.transition.key, g.outcome) for g in taken.guards] == [
        ("g1", "false"),
        ("g2", "true"),
    ]
    assert taken.snapshot.active == ("y",)


# --- H09: a heartbeat is no self-transition --------------------


def test_h09_a_heartbeat_leaves_the_state_alone_and_a_self_transition_does_not():
    hook = [{"hook": "seen"}]
    beating = state(
        "c",
        on("beat", effects=[{"hook": "beaten"}]),
        on("self", "c"),
        after("20s", "d"),
        entry=hook,
        exit=hook,
    )
    run = Player(chart(region("r", beating, state("d"))))
    first = run.snapshot.timers
    run.send("beat", at=seconds(5))
    assert [hook["hook"] for hook in run.step.hooks] == ["beaten"]
    assert run.types() == ["transition.taken", "hook.dispatched"]
    assert run.snapshot.timers == first
    run.send("self", at=seconds(10))
    assert [hook["on"] for hook in run.step.hooks] == ["exit", "entry"]
    assert [timer.due for timer in run.snapshot.timers] == [seconds(30)]


# --- H10: names match by their tokens --------------------


@pytest.mark.parametrize(
    ("pattern", "event", "taken"),
    [
        ("foo.*", "foobar", False),
        ("foo.*", "foo.bar", True),
        ("foo.*", "foo", True),
        ("foo", "foobar", False),
        ("foo", "foo.bar", False),
        ("foo", "foo", True),
        ("*", "foobar", True),
        ("foo.bar.*", "foo.barn", False),
        ("foo.bar.*", "foo.bar.n", True),
    ],
)
def test_h10_event_names_match_whole_tokens(pattern, event, taken):
    """An SCXML descriptor `foo` is both `foo` and `foo.*` here; the reader of SCXML says so."""
    run = Player(chart(region("r", state("a", on(pattern, "b")), state("b"))))
    refusal = run.send(event).refusal
    assert run.active == (["b"] if taken else ["a"])
    if not taken:
        assert refusal.reason == "undeclared"
        assert event in refusal.message


# --- H13: transitions of an orthogonal state --------------------


def forked(trigger):
    regions = [
        region(name, state(f"{name}_s", on(f"{name}.end", f"{name}_f")), final(f"{name}_f"))
        for name in ("r1", "r2")
    ]
    return chart(
        region(
            "top",
            state("begin", on("fork", "both")),
            state("both", {"on": trigger, "target": "over"}, regions=regions),
            state("over"),
        )
    )


def test_h13_a_transition_of_an_orthogonal_state_waits_for_all_its_regions():
    run = Player(forked({"done": True}))
    run.send("fork")
    run.send("r1.end")
    assert run.active == ["both", "r1_f", "r2_s"]
    run.send("r2.end")
    assert run.active == ["over"]


def test_h13_without_a_trigger_of_its_own_it_is_taken_at_once():
    run = Player(forked({"always": True}))
    run.send("fork")
    assert run.active == ["over"]


# --- H17: what nothing leads to --------------------


def test_h17_the_state_that_nothing_leads_to_is_the_only_finding():
    document = chart(
        region(
            "r",
            state("begin", on("next", "finished"), instructions="Say hello."),
            {
                "key": "finished_choice",
                "kind": "choice",
                "transitions": [always("finished", "slots.n > 0"), always("finished")],
            },
            final("finished"),
        )
    )
    (problem,) = check(document, slots=NUMBER)
    assert (problem.code, problem.severity) == ("state.unreachable", "warning")
    assert "'finished_choice'" in problem.message


def test_h17_initials_histories_completion_delays_and_limits_count_as_ways():
    inner = region("steps", state("one", on("x", "two")), final("two"), memory("back", "one"))
    document = chart(
        region(
            "r",
            state(
                "box",
                {"on": {"done": True}, "target": "by_done"},
                after("20s", "by_delay"),
                on("error.guard", "by_error"),
                regions=[inner],
            ),
            state("by_done", on("again", "back")),
            final("by_delay"),
            final("by_error"),
            final("by_limit"),
        ),
        transitions=50,
        target="by_limit",
    )
    assert [p for p in check(document) if p.code == "state.unreachable"] == []
