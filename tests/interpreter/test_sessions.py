"""Small machines in code: tables, stages, sessions with host callables, hooks and topics."""

from datetime import UTC, datetime, timedelta

import pytest

from interpreter import DocumentError, Machine, Session, SnapshotError
from tests.interpreter.charts import COURSE, REVIEW

REVIEW_ROWS = REVIEW["transitions"]


class Clock:
    def __init__(self):
        self.now = datetime(2026, 11, 30, tzinfo=UTC)

    def __call__(self):
        return self.now

    def wait(self, seconds):
        self.now += timedelta(seconds=seconds)


def stages(**more):
    return Machine.from_stages(**{**REVIEW, **more})


def review(**more):
    return Session(stages(), **more)


def course(**more):
    return Session(Machine.from_table(COURSE, initial="planning"), **more)


@pytest.mark.row("F001")
def test_a_new_run_stands_at_the_initial_state():
    assert review().current == "DRAFT"


@pytest.mark.row("F002")
def test_an_undeclared_initial_state_is_named():
    with pytest.raises(DocumentError, match="'X'"):
        stages(initial="X")


@pytest.mark.row("F003")
def test_an_undeclared_source_is_named():
    with pytest.raises(DocumentError, match="source 'X'"):
        stages(transitions={**REVIEW_ROWS, "X": ["DRAFT"]})


@pytest.mark.row("F004")
def test_an_undeclared_target_is_named_with_its_source():
    with pytest.raises(DocumentError, match=r"target 'Z' \(from DRAFT\)"):
        stages(transitions={**REVIEW_ROWS, "DRAFT": ["Z"]})


@pytest.mark.row("F005", "F043")
def test_a_state_without_rows_is_terminal():
    session = Session(
        stages(stages=["A", "B"], initial="A", transitions={"A": ["B"]}, stage_tools={})
    )
    session.go("B")
    assert session.valid() == []
    assert not session.go("A")
    assert session.current == "B"


@pytest.mark.row("F006")
def test_tools_stand_by_their_state_and_are_empty_where_there_are_none():
    session = review()
    assert session.tools == {"write", "edit"}
    session.go("REVIEW")
    session.go("APPROVED")
    assert session.tools == frozenset()


@pytest.mark.row("F007")
def test_tools_of_an_undeclared_state_are_named():
    with pytest.raises(DocumentError, match="'NOPE'"):
        stages(stage_tools={"NOPE": ["x"]})


@pytest.mark.row("F008")
def test_a_doubled_state_is_named():
    with pytest.raises(DocumentError, match="'A' is listed twice"):
        stages(stages=["A", "B", "A"], initial="A", transitions={}, stage_tools={})


@pytest.mark.row("F009")
def test_cooldown_and_threshold_have_defaults():
    region = stages().root.children[0]
    assert region.cooldown_ms == 0
    assert region.backward_confidence == 0.8
    region = stages(cooldown_seconds=2, backward_threshold=0.9).root.children[0]
    assert (region.cooldown_ms, region.backward_confidence) == (2_000, 0.9)


@pytest.mark.row("F025")
def test_a_legal_move_succeeds():
    session = review()
    assert session.go("REVIEW").ok
    assert session.current == "REVIEW"


@pytest.mark.row("F026", "F132")
def test_a_move_carries_its_confidence():
    session = review()
    session.go("REVIEW", context={"k": 1})
    (row,) = session.history
    assert (row.from_state, row.to_state, row.confidence) == ("DRAFT", "REVIEW", 1.0)
    assert row.context == {"k": 1}
    assert row.at


@pytest.mark.row("F027", "F076")
def test_validators_get_current_target_and_context():
    seen = []

    def watch(current, target, context):
        seen.append((current, target, dict(context)))
        return True, None

    session = review(validators=[watch])
    session.go("REVIEW", context={"k": 1})
    session.go("APPROVED")
    assert seen == [("DRAFT", "REVIEW", {"k": 1}), ("REVIEW", "APPROVED", {})]
    assert session.history[0].context == {"k": 1}


@pytest.mark.row("F028")
def test_going_where_one_is_succeeds_and_does_nothing():
    told = []
    session = review(observers=[lambda *move: told.append(move)])
    session.subscribe("*", lambda topic, data: told.append(topic))
    result = session.go("DRAFT")
    assert result.ok
    assert not result.moved
    assert session.history == []
    assert session.count == 0
    assert told == []


@pytest.mark.row("F029")
def test_an_unknown_state_is_refused():
    session = review()
    result = session.go("NOPE")
    assert not result
    assert session.current == "DRAFT"
    assert "no such state" in result.rejected


@pytest.mark.row("F030")
def test_an_undeclared_edge_is_refused():
    session = review()
    assert not session.go("APPROVED")
    assert session.current == "DRAFT"


@pytest.mark.row("F031")
def test_the_edge_is_asked_before_cooldown_and_validators():
    clock = Clock()
    session = Session(
        stages(cooldown_seconds=60),
        clock=clock,
        validators=[lambda *_: (len(session.history) < 1, "no")],
    )
    session.go("REVIEW")
    assert session.go("PUBLISHED").reason == "undeclared"
    assert session.go("APPROVED").reason == "cooldown"
    clock.wait(60)
    assert session.go("DRAFT", confidence=0.1).reason == "confidence"
    assert session.go("APPROVED").reason == "validator"


@pytest.mark.row("F011")
def test_an_action_runs_when_the_move_is_made_and_not_before():
    facts = {"full": False, "asked": True}

    def mark(context):
        facts["full"] = session.current

    table = {("a", "x"): {"target": "b", "key": "ab"}}
    session = Session(
        Machine.from_table(table, initial="a"),
        guards={"ab": lambda context: facts["asked"]},
        actions={"ab": mark},
    )
    facts["asked"] = False
    assert session.send("x").reason == "guard"
    assert facts["full"] is False
    facts["asked"] = True
    assert session.send("x")
    assert facts["full"] == "a"


@pytest.mark.row("F034", "F060")
def test_edge_guard_and_action_refuse_with_reasons_of_their_own():
    def explode(context):
        raise RuntimeError("boom")

    session = Session(
        stages(stages=[*"ABCD"], initial="A", transitions={"A": ["B", "C"]}, stage_tools={}),
        guards={"A_1": lambda context: False},
        actions={"A_2": explode},
    )
    results = {target: session.go(target) for target in "DBC"}
    assert [r.reason for r in results.values()] == ["undeclared", "guard", "action"]
    for target, result in results.items():
        assert "'A'" in result.rejected
        assert f"'{target}'" in result.rejected
    assert "boom" in results["C"].rejected
    assert session.current == "A"
    assert session.previous == "A"


@pytest.mark.row("F012")
def test_the_first_row_of_a_pair_decides():
    table = {
        ("a", "x"): {"target": "b", "key": "first"},
        ("a", "x.*"): {"target": "b", "key": "second"},
    }
    session = Session(
        Machine.from_table(table, initial="a"), guards={"first": lambda context: False}
    )
    assert session.send("x").reason == "guard"
    rows = [{"target": "B", "key": "first"}, {"target": "B", "key": "second"}]
    machine = stages(stages=["A", "B"], initial="A", transitions={"A": rows}, stage_tools={})
    asked = []
    session = Session(
        machine,
        guards={"first": lambda context: False, "second": lambda context: not asked.append(1)},
    )
    assert session.go("B").reason == "guard"
    assert (session.current, asked) == ("A", [])


def test_a_guard_that_is_false_refuses():
    table = {("a", "x"): {"target": "b", "key": "ab"}}
    session = Session(
        Machine.from_table(table, initial="a"), guards={"ab": lambda context: context["n"] > 1}
    )
    assert session.send("x", {"n": 1}).reason == "guard"
    assert session.send("x", {"n": 2}).moved


LOOP = {
    ("Idle", "message"): "CheckingQueue",
    ("CheckingQueue", "continue"): {"target": "StreamingLLM", "key": "continue"},
}


def loop(**more):
    return Session(Machine.from_table(LOOP, initial="Idle"), **more)


@pytest.mark.row("F035", "F036")
def test_the_previous_state_is_kept():
    session = loop()
    assert (session.current, session.previous) == ("Idle", "Idle")
    session.send("message")
    assert session.previous == "Idle"
    session.send("nonsense")
    assert session.previous == "Idle"
    session.send("continue")
    assert session.previous == "CheckingQueue"


@pytest.mark.row("F037")
def test_a_reset_goes_to_the_initial_state_and_remembers_where_it_was():
    asked = []
    session = loop(guards={"continue": lambda context: not asked.append(context)})
    session.send("message")
    session.send("continue")
    assert session.current == "StreamingLLM"
    asked.clear()
    session.reset()
    assert (session.current, session.previous) == ("Idle", "StreamingLLM")
    assert asked == []


@pytest.mark.row("F038")
def test_a_reset_clears_the_run_and_keeps_what_was_registered():
    told = []
    session = Session(
        stages(cooldown_seconds=60), clock=Clock(), observers=[lambda *move: told.append(move)]
    )
    asked = []
    session.add_validator(lambda *move: (not asked.append(move), None))
    session.go("REVIEW")
    assert session.go("APPROVED").reason == "cooldown"
    session.reset()
    assert (session.current, session.count, session.history) == ("DRAFT", 0, [])
    assert session.visited == ("DRAFT",)
    assert session.go("REVIEW")
    assert len(told) == 2
    assert len(asked) == 2


@pytest.mark.row("F039")
def test_can_looks_at_the_edge_alone():
    session = Session(stages(cooldown_seconds=60), clock=Clock())
    session.go("REVIEW")
    rows = session.history
    assert session.can("APPROVED")
    assert not session.can("PUBLISHED")
    assert not session.go("APPROVED")
    assert session.history == rows


def test_can_asks_the_guard_and_runs_no_action():
    ran = []
    table = {("a", "x"): {"target": "b", "key": "ab"}}
    session = Session(
        Machine.from_table(table, initial="a"),
        guards={"ab": lambda context: context.get("ok", False)},
        actions={"ab": ran.append},
    )
    assert session.can("x", {"ok": True})
    assert not session.can("x")
    assert not session.can("nonsense")
    assert ran == []
    assert session.current == "a"


@pytest.mark.row("F041", "F048")
def test_declared_targets_come_in_declared_order():
    session = review()
    session.go("REVIEW")
    assert session.declared() == ["DRAFT", "APPROVED"]
    assert session.index == 1


def test_valid_targets_are_listed_once():
    table = {("a", "x"): "b", ("a", "y"): "b", ("a", "z"): "c"}
    assert Session(Machine.from_table(table, initial="a")).valid() == ["b", "c"]


@pytest.mark.row("F049")
def test_the_count_is_of_successful_moves():
    session = review()
    session.go("REVIEW")
    session.go("PUBLISHED")
    session.go("APPROVED")
    assert session.count == 2


@pytest.mark.row("F057")
def test_moved_and_refused_results_have_the_same_fields():
    session = course()
    refused, moved = session.send("hits"), session.send("plan_ready")
    assert refused.__slots__ == moved.__slots__
    for result in (refused, moved):
        assert result.state
        assert result.visited
    assert moved.rejected is None
    assert refused.rejected


@pytest.mark.row("F061", "F080")
def test_the_message_of_a_validator_reaches_the_caller():
    def enough(current, target, context):
        return target != "COMPLETION" or context["tool_calls"] >= 3, "Need at least 3 tool calls"

    edges = {"EXECUTION": ["COMPLETION"]}
    machine = stages(
        stages=["EXECUTION", "COMPLETION"], initial="EXECUTION", transitions=edges, stage_tools={}
    )
    session = Session(machine, validators=[enough])
    result = session.go("COMPLETION", context={"tool_calls": 2})
    assert "Need at least 3 tool calls" in result.rejected
    assert session.current == "EXECUTION"
    assert session.go("COMPLETION", context={"tool_calls": 3})


def cooled(seconds):
    clock = Clock()
    both = {"A": ["B"], "B": ["A"]}
    machine = stages(
        stages=["A", "B"], initial="A", transitions=both, stage_tools={}, cooldown_seconds=seconds
    )
    return Session(machine, clock=clock), clock


@pytest.mark.row("F064")
def test_a_move_too_soon_is_refused():
    session, _ = cooled(1)
    assert session.go("B")
    assert session.go("A").reason == "cooldown"


@pytest.mark.row("F065")
def test_the_first_move_is_never_too_soon():
    session, _ = cooled(60)
    assert session.go("B")


@pytest.mark.row("F066")
def test_exactly_at_the_cooldown_is_late_enough():
    session, clock = cooled(1)
    session.go("B")
    clock.wait(1)
    assert session.go("A")


@pytest.mark.row("F067")
def test_a_refused_move_does_not_restart_the_cooldown():
    session, clock = cooled(1)
    session.go("B")
    clock.wait(0.5)
    assert not session.go("A")
    assert session.go("B").ok
    clock.wait(0.5)
    assert session.go("A")


@pytest.mark.row("F077")
def test_the_first_validator_that_refuses_stops_the_rest():
    called = []

    def no(name):
        return lambda *_: (called.append(name) is not None, f"{name} says no")

    session = review(validators=[no("first"), no("second")])
    assert "first says no" in session.go("REVIEW").rejected
    assert called == ["first"]


@pytest.mark.row("F078")
def test_a_validator_can_be_added_later():
    session = review()
    session.go("REVIEW")
    session.add_validator(lambda *_: (False, "closed"))
    assert not session.go("APPROVED")


@pytest.mark.row("F079")
def test_a_validator_that_crashes_never_moves_the_run():
    def crash(*_):
        raise RuntimeError("boom")

    session = review(validators=[crash])
    result = session.go("REVIEW")
    assert "boom" in result.rejected
    assert session.current == "DRAFT"


def abc(**more):
    machine = stages(
        stages=["A", "B", "C"],
        initial="A",
        transitions={"A": ["B", "C"], "B": ["A"]},
        stage_tools={},
    )
    return Session(machine, **more)


@pytest.mark.row("F081")
def test_a_detector_may_say_nothing():
    session = abc(detectors=[lambda context: None, lambda context: (None, 0.0)])
    assert session.detect_and_go({}) is None
    assert session.current == "A"


@pytest.mark.row("F082")
def test_the_surest_detector_wins_and_ties_go_to_the_first():
    session = abc(detectors=[lambda c: ("B", 0.6), lambda c: ("C", 0.6)])
    session.detect_and_go({})
    assert session.current == "B"


@pytest.mark.row("F083")
def test_a_detected_state_needs_a_declared_edge():
    session = Session(
        stages(stages=["A", "B", "C"], initial="A", transitions={"A": ["B"]}, stage_tools={}),
        detectors=[lambda c: ("C", 0.99), lambda c: ("B", 0.6)],
    )
    session.detect_and_go({})
    assert session.current == "B"


@pytest.mark.row("F084")
def test_detection_needs_more_than_one_half():
    sure = [0.5]
    session = abc(detectors=[lambda c: ("B", sure[0])])
    assert session.detect_and_go({}) is None
    sure[0] = 0.51
    assert session.detect_and_go({}).moved


@pytest.mark.row("F085")
def test_detecting_the_current_state_does_nothing():
    session = abc(detectors=[lambda c: ("A", 0.9)])
    assert session.detect_and_go({}) is None


@pytest.mark.row("F086")
def test_a_detected_move_obeys_the_threshold():
    session = abc(detectors=[lambda c: ("A", 0.6)])
    session.go("B")
    assert session.detect_and_go({}).reason == "confidence"


@pytest.mark.row("F087")
def test_the_sample_detector_hears_urgency():
    def urgent(context):
        return ("EXECUTION", 0.95) if "urgent" in context["message"].lower() else None

    edges = {"INITIAL": ["EXECUTION"]}
    machine = stages(
        stages=["INITIAL", "EXECUTION"], initial="INITIAL", transitions=edges, stage_tools={}
    )
    session = Session(machine, detectors=[urgent])
    assert session.detect({"message": "hello"}) is None
    assert session.detect({"message": "URGENT fix"}) == ("EXECUTION", 0.95)


@pytest.mark.row("F088")
def test_observers_hear_each_move_once_and_no_refusal():
    told = []
    session = review(observers=[lambda old, new, context: told.append((old, new, dict(context)))])
    session.go("PUBLISHED")
    session.go("REVIEW", context={"k": 1})
    assert told == [("DRAFT", "REVIEW", {"k": 1})]


@pytest.mark.row("F089")
def test_an_observer_can_be_removed_twice():
    told = []
    session = review()
    remove = session.add_observer(lambda *move: told.append(move))
    assert remove()
    assert not remove()
    session.go("REVIEW")
    assert told == []


@pytest.mark.row("F090")
def test_an_observer_that_crashes_undoes_nothing():
    told = []

    def crash(*_):
        raise RuntimeError("boom")

    session = review(observers=[crash, lambda *move: told.append(move)])
    result = session.go("REVIEW")
    assert result.ok
    assert len(result.failures) == 1
    assert len(told) == 1


@pytest.mark.row("F091", "F092", "F093", "F095", "F096")
def test_hooks_fire_exit_transition_history_enter_and_enter_sees_the_new_state():
    session = review()
    told = []
    session.on_enter("REVIEW")(
        lambda state, context: told.append(("enter", state, session.current))
    )
    session.on_exit("DRAFT")(lambda state, context: told.append(("exit", state, session.current)))
    session.on_enter("PUBLISHED")(lambda state, context: told.append(("wrong", state, "")))
    session.on_transition(
        lambda old, new, context: told.append(("transition", old, new, dict(context)))
    )
    session.on_transition_with_history(
        lambda old, new, context, history: told.append(("history", len(history), new))
    )
    session.go("REVIEW", context={"k": 1})
    assert told == [
        ("exit", "DRAFT", "DRAFT"),
        ("transition", "DRAFT", "REVIEW", {"k": 1}),
        ("history", 1, "REVIEW"),
        ("enter", "REVIEW", "REVIEW"),
    ]


@pytest.mark.row("F094")
@pytest.mark.parametrize("names", [(), ("*",)])
def test_a_hook_without_names_fires_for_every_state(names):
    session = review()
    told = []
    session.on_enter(*names)(lambda state, context: told.append(state))
    session.go("REVIEW")
    session.go("APPROVED")
    assert told == ["REVIEW", "APPROVED"]


@pytest.mark.row("F097", "F099", "F100")
def test_hooks_have_priority_are_isolated_and_can_be_switched_off():
    session = review()
    told = []

    def crash(state, context):
        told.append("crash")
        raise RuntimeError("boom")

    session.on_enter(priority=0)(lambda state, context: told.append("low"))
    session.on_enter(priority=10)(crash)
    remove = session.hooks.add("enter", (), 5, lambda state, context: told.append("mid"))
    assert len(session.hooks) == 3
    result = session.go("REVIEW")
    assert told == ["crash", "mid", "low"]
    assert result.ok
    assert len(result.failures) == 1
    session.hooks.enabled = False
    session.go("DRAFT")
    assert len(told) == 3
    session.hooks.enabled = True
    assert remove()
    session.go("REVIEW")
    assert told[3:] == ["crash", "low"]
    session.hooks.clear()
    assert len(session.hooks) == 0


@pytest.mark.row("F110", "F111", "F112", "F113")
def test_topics_are_heard_by_name_and_by_star():
    session = course()
    states, exact = [], []

    def crash(topic, data):
        raise RuntimeError("boom")

    session.subscribe("*", crash)
    remove = session.subscribe("state.*", lambda topic, data: states.append(topic))
    session.subscribe("transition.taken", lambda topic, data: exact.append(data["transition"]))
    result = session.send("plan_ready")
    assert states == ["state.exited", "state.entered"]
    assert len(exact) == 1
    assert len(result.failures) == 3
    assert remove()
    assert not remove()
    session.send("hits")
    assert len(states) == 2


@pytest.mark.row("F143", "F144", "F145")
def test_visited_starts_with_the_start_and_only_grows():
    session = course()
    assert session.visited == ("planning",)
    before = session.visited
    for event, expected in (("plan_ready", "retrieving"), ("zz", None), ("hits", "answering")):
        session.send(event)
        assert session.visited[: len(before)] == before
        assert session.visited == (before if expected is None else (*before, expected))
        before = session.visited


@pytest.mark.row("F133")
def test_the_history_given_out_is_a_copy():
    session = review()
    session.go("REVIEW")
    session.history.clear()
    assert len(session.history) == 1


@pytest.mark.row("F134", "F135")
def test_the_history_can_be_bounded_and_off():
    for limit, rows in ((3, 3), (0, 0)):
        session = review(history_limit=limit)
        for _ in range(2):
            session.go("REVIEW")
            session.go("DRAFT")
        session.go("REVIEW")
        assert [move.number for move in session.history] == [3, 4, 5][:rows]
        assert session.count == 5


@pytest.mark.row("F152", "F153", "F155")
def test_a_restored_run_continues_with_its_history_and_its_cooldown():
    session, clock = cooled(60)
    session.go("B")
    again = Session(session.machine, clock=clock)
    again.restore(session.to_json())
    assert again.current == "B"
    assert again.count == 1
    assert again.valid() == session.valid()
    assert again.history == session.history
    assert again.go("A").reason == "cooldown"
    clock.wait(60)
    assert again.go("A")


def test_a_restored_run_with_an_unknown_state_is_refused():
    saved = course().to_json()
    saved["visited"] = ["elsewhere"]
    with pytest.raises(SnapshotError, match="elsewhere"):
        course().restore(saved)
