"""Runs of stages that move by themselves (source-systems.md 1.2 to 1.5, rows of E to J).

Where the source and its own page differ, or the source is at fault, the test says which is ours.
"""

import json
from datetime import UTC, datetime, timedelta

import pytest

from interpreter.library.bus import Bus
from interpreter.library.hooks import Metrics, log_moves
from interpreter.library.stage_run import StageRun
from interpreter.library.stage_sets import SETS, Stage, StageSet
from interpreter.library.stage_tables import KEYWORDS, PREDICTIONS, TOOLS
from interpreter.library.stages import STAGES, stage_session

COMMON = ["code_search", "ls", "read", "refs", "symbol"]  # INITIAL, READING and ANALYSIS have them
EDITING = ["edit", "extract", "notebook_edit", "rename", "shell"]


class Clock:
    """Each reading is `step` seconds after the one before, when there is a step."""

    def __init__(self, step=0):
        self.now = datetime(2026, 11, 30, tzinfo=UTC)
        self.step = step

    def __call__(self):
        self.now += timedelta(seconds=self.step)
        return self.now

    def wait(self, seconds):
        self.now += timedelta(seconds=seconds)


def run_in(stage="INITIAL", **more):
    """A run that was led to a stage, and is rested."""
    clock = Clock()
    run = StageRun(clock, **more)
    if stage != run.stage:
        assert run.go(stage)
        clock.wait(2)
    return run, clock


# --- what is said --------------------


@pytest.mark.row("F172")
def test_keywords_in_a_message_point_at_a_stage():
    run, _ = run_in("PLANNING")
    assert run.detect_from_text("run the test and verify") == ("VERIFICATION", 0.7)
    assert run.detect_from_text("hello there") is None
    run.say("hello there")
    assert run.stage == "PLANNING"
    run.say("run the test and verify")
    assert run.stage == "VERIFICATION"


@pytest.mark.parametrize(("stage", "word"), [(s, w) for s, ws in KEYWORDS.items() for w in ws])
def test_every_keyword_speaks_for_its_stage(stage, word):
    run, _ = run_in()
    assert run.scores(word.upper())[stage] >= 0.5


def test_a_keyword_may_stand_inside_a_word_and_ties_go_to_the_earlier_stage():
    run, _ = run_in("EXECUTION")
    assert run.scores("show") == {"INITIAL": 1, "READING": 1}
    assert run.detect_from_text("what is the plan?") == ("INITIAL", 0.7)


@pytest.mark.row("F173")
@pytest.mark.parametrize("word", ["fix", "add", "change", "update"])
def test_a_weak_word_counts_half(word):
    run, _ = run_in()
    assert run.scores(word) == {"EXECUTION": 0.5}
    assert run.scores("implement") == {"EXECUTION": 1.0}


@pytest.mark.row("F174")
def test_the_first_message_does_not_lead_to_execution():
    run, clock = run_in()
    run.say("please fix the bug")
    assert (run.stage, run.session.history[0].confidence) == ("READING", 0.7)
    clock.wait(2)
    run.say("now fix it")
    assert run.stage == "EXECUTION"
    seen, _ = run_in()
    seen.use("read", {"path": "a.py"})
    seen.say("please fix the bug")
    assert seen.stage == "EXECUTION"


@pytest.mark.row("F175")
def test_what_the_assistant_says_is_only_counted():
    run, _ = run_in("EXECUTION")
    assert run.say("we are done", role="assistant") is None
    assert (run.stage, run.state.message_count) == ("EXECUTION", 1)


@pytest.mark.row("F176")
def test_a_move_by_a_message_has_a_confidence_of_0_7():
    run, _ = run_in()
    run.say("make a plan")
    assert (run.stage, run.history()[0]["confidence"]) == ("PLANNING", 0.7)
    assert run.summary()["confidence"] == 0.7


# --- the tools --------------------


@pytest.mark.row("F177")
def test_a_tie_that_holds_the_current_stage_stays_and_any_other_goes_to_the_most_advanced():
    run, _ = run_in("READING")
    for tool in COMMON:
        run.use(tool)
    assert run.stage == "READING"
    run, _ = run_in("PLANNING")
    for tool in COMMON:
        run.use(tool)
    assert run.stage == "ANALYSIS"


@pytest.mark.row("F178")
def test_five_distinct_tools_of_a_stage_move_to_it_and_four_do_not():
    """The source gives such a move a confidence of 1.1; ours is kept within 1 (F075)."""
    run, _ = run_in()
    for tool in [*EDITING[:4], EDITING[0]]:
        run.use(tool)
    assert run.stage == "INITIAL"
    for tool in EDITING[1:]:
        run.use(tool)
    assert run.stage == "EXECUTION"
    assert run.session.history[0].confidence == 1.0


def test_tools_are_not_looked_at_while_the_stage_rests():
    run, clock = run_in()
    run.go("PLANNING")
    for tool in EDITING:
        assert run.use(tool).moved is None
    clock.wait(2)
    assert run.use("edit").moved.state == "EXECUTION"


@pytest.mark.row("F179")
def test_files_that_were_read_and_written_are_kept():
    run, _ = run_in()
    run.use("read", {"path": "a.py"})
    run.use("search", {"file": "b.py"})
    run.use("ls", {"file_path": "src"})
    run.use("read", {"path": "a.py"})
    run.use("write", {"path": "c.py"})
    run.use("edit", {"path": "a.py"})
    run.use("shell", {"path": "d.py"})
    run.use("read", {})
    assert run.state.files_observed == ("a.py", "b.py", "src")
    assert run.state.files_modified == ("c.py", "a.py")


@pytest.mark.row("F180")
@pytest.mark.parametrize("stage", STAGES)
def test_the_tools_of_a_stage_and_its_neighbours_are_advised(stage):
    run, _ = run_in(stage)
    here = STAGES.index(stage)
    beside = {tool for name in STAGES[max(0, here - 1) : here + 2] for tool in TOOLS[name]}
    for tool in {tool for tools in TOOLS.values() for tool in tools} | {"unheard_of"}:
        expected = 0.15 if tool in TOOLS[stage] else 0.08 if tool in beside else 0.0
        assert run.boost(tool) == expected, tool
    assert run.recommended() == beside
    assert run.summary()["recommended_tools"] == sorted(beside)


@pytest.mark.row("F181")
def test_a_tool_outside_of_the_stage_is_advised_against_or_refused_as_the_setting_says():
    run, _ = run_in("INITIAL")
    used = run.use("write", {"path": "a"})
    assert (used.allowed, used.reason) == (True, None)
    assert "'write'" in used.warning
    assert run.facts.tool_history == ["write"]
    run.enforce_tools = True
    used = run.use("write", {"path": "b"})
    assert (used.allowed, used.warning) == (False, None)
    assert "'write'" in used.reason
    assert "INITIAL" in used.reason
    assert run.facts.tool_history == ["write"]
    assert run.use("read").allowed


@pytest.mark.row("F182")
def test_a_turn_is_looked_at_once_at_its_end():
    clock = Clock(step=5)
    asked = []

    def model(said, stage):
        asked.append(said)
        return ("VERIFICATION", 0.9) if stage == "INITIAL" else ("COMPLETION", 0.9)

    run = StageRun(clock, llm=model)
    run.begin_turn()
    for tool in ("read", "shell", "test"):
        assert run.use(tool).moved is None
        assert run.stage == "INITIAL"
    assert run.end_turn().state == "VERIFICATION"
    assert asked == ["read shell test"]
    assert run.session.count == 1
    run.use("docs")
    assert run.stage == "COMPLETION"


@pytest.mark.row("F183")
def test_the_order_of_strategies_is_set_and_the_second_is_asked_only_when_the_first_is_silent():
    asked = []

    def model(said, stage):
        asked.append(said)
        return None if said == "plan it" else ("ANALYSIS", 0.9)

    rules_first, _ = run_in(llm=model)
    assert rules_first.detect_from_text("plan it") == ("PLANNING", 0.7)
    assert asked == []
    assert rules_first.detect_from_text("hm") == ("ANALYSIS", 0.9)
    assert asked == ["hm"]
    asked.clear()
    model_first, _ = run_in(llm=model, strategies=("llm", "heuristic"))
    assert model_first.detect_from_text("verify it") == ("ANALYSIS", 0.9)
    assert model_first.detect_from_text("plan it") == ("PLANNING", 0.7)
    assert asked == ["verify it", "plan it"]
    with pytest.raises(ValueError, match="'dice'"):
        run_in(strategies=("dice",))


def test_a_model_that_is_too_sure_of_execution_is_held_back():
    sure = {"llm": lambda said, stage: ("EXECUTION", 0.95), "strategies": ("llm",)}
    run, _ = run_in("PLANNING", **sure)
    for number in range(11):
        run.facts.record("read", {"path": f"{number}.py"})
    assert run.detect_from_text("hm") == ("ANALYSIS", 0.7)
    run.facts.record("write", {"path": "a.py"})
    assert run.detect_from_text("hm") == ("EXECUTION", 0.95)
    reader, _ = run_in("PLANNING", **sure, intent="READ_ONLY")
    reader.facts.record("read", {"path": "a.py"})
    assert reader.detect_from_text("hm") == ("ANALYSIS", pytest.approx(0.76))


# --- by itself --------------------

TASK = [
    {"user": "read the parser"},
    {"tool": "read", "args": {"path": "parser.py"}},
    {"user": "now modify it and write the change"},
    {"tool": "edit", "args": {"path": "parser.py"}},
    {"user": "verify it with a test run"},
    {"tool": "test"},
    {"assistant": "all green"},
    {"user": "done, finish and summarize"},
]


@pytest.mark.row("F170")
def test_a_task_moves_through_the_stages_by_itself_and_ends_in_completion():
    run = StageRun(Clock(step=3))
    assert run.run(TASK).stage == "COMPLETION"
    assert run.session.history.sequence == [
        "INITIAL", "READING", "EXECUTION", "VERIFICATION", "COMPLETION",
    ]  # fmt: skip


@pytest.mark.row("F187")
def test_the_state_of_an_agent_is_readable():
    run = StageRun(Clock(step=3), budget=20)
    view = run.run(TASK[:4])
    assert (view.stage, view.tool_calls_used, view.tool_budget) == ("EXECUTION", 2, 20)
    assert (view.files_observed, view.files_modified) == (("parser.py",), ("parser.py",))
    assert view.message_count == 2


@pytest.mark.row("F188")
@pytest.mark.parametrize("how", ["run", "stream"])
def test_a_change_of_state_is_told_with_the_true_old_and_new(how):
    """In the source both show the new stage, and `run` tells nobody. Here both tell the truth."""
    told = []
    run = StageRun(Clock(step=3))
    run.on_state_change(lambda old, new: told.append((old.stage, new.stage)))
    lines = [{"user": "make a plan"}, {"assistant": "we are done"}]
    list(run.stream(lines)) if how == "stream" else run.run(lines)
    assert told == [("INITIAL", "PLANNING")]


def test_a_line_of_a_task_that_is_none_is_refused():
    with pytest.raises(ValueError, match="colour"):
        StageRun(Clock()).play({"colour": "red"})


# --- sets of stages --------------------


@pytest.mark.row("F184")
def test_a_stage_of_ones_own_appears_in_its_place_with_its_tools():
    loading = Stage(
        "data_loading",
        order=2,
        purpose="Load the data",
        keywords=("load",),
        tools=("load_csv",),
        min_confidence=0.75,
    )
    base = [Stage("INITIAL", 0), Stage("ANALYSIS", 5, keywords=("why",)), Stage("COMPLETION", 9)]
    stages = StageSet("mine", base).registered(loading)
    assert stages.names == ("INITIAL", "data_loading", "ANALYSIS", "COMPLETION")
    run, clock = run_in(stages=stages)
    run.say("load it")
    assert run.stage == "INITIAL"
    assert run.go("data_loading", 0.74).reason == "confidence"
    assert run.go("data_loading", 0.75)
    assert run.session.tools == {"load_csv"}
    assert run.boost("load_csv") == 0.15
    clock.wait(2)
    run.say("why is that so")
    assert run.stage == "ANALYSIS"


@pytest.mark.row("F185")
@pytest.mark.parametrize(
    ("name", "stages"),
    [
        ("coding", STAGES),
        (
            "data_analysis",
            (
                "INITIAL", "DATA_LOADING", "EXPLORATION", "ANALYSIS", "VISUALIZATION",
                "REPORTING", "COMPLETION",
            ),
        ),
        (
            "research",
            (
                "INITIAL", "SEARCHING", "READING", "SYNTHESIS", "WRITING", "VERIFICATION",
                "COMPLETION",
            ),
        ),
        ("default", ("INITIAL", "EXECUTION", "COMPLETION")),
    ],
)  # fmt: skip
def test_the_ready_made_sets_load_with_their_stages(name, stages):
    assert set(SETS) == {"coding", "data_analysis", "research", "default"}
    run, clock = run_in(stages=SETS[name])
    assert SETS[name].names == stages
    assert tuple(run.session.machine.states) == stages
    for stage in stages[1:]:
        assert run.go(stage)
        clock.wait(2)


@pytest.mark.row("F186")
@pytest.mark.parametrize("missing", ["INITIAL", "COMPLETION"])
def test_a_set_without_its_first_or_last_stage_is_refused(missing):
    stages = [stage for stage in SETS["coding"].stages if stage.name != missing]
    with pytest.raises(ValueError, match=missing):
        StageSet("broken", stages)


@pytest.mark.parametrize(
    ("stages", "named"),
    [
        (
            [Stage("INITIAL", 0), Stage("COMPLETION", 1), Stage("COMPLETION", 2)],
            "COMPLETION twice",
        ),
        ([Stage("INITIAL", 0, min_confidence=2), Stage("COMPLETION", 1)], "INITIAL"),
        ([Stage("INITIAL", 0, next_stages={"X": 1}), Stage("COMPLETION", 1)], "X, which"),
        ([Stage("INITIAL", 5), Stage("COMPLETION", 1)], "begins with COMPLETION"),
    ],
)
def test_a_set_that_is_none_is_refused_by_name(stages, named):
    with pytest.raises(ValueError, match=named):
        StageSet("broken", stages)


@pytest.mark.row("F150")
def test_what_comes_next_is_predicted_from_a_table():
    run, _ = run_in("READING")
    assert run.predict() == {"EXECUTION": 0.5, "ANALYSIS": 0.3, "READING": 0.2}
    assert next(iter(run.predict())) == "EXECUTION"


def test_the_table_of_predictions_is_whole():
    assert tuple(PREDICTIONS) == STAGES
    for row in PREDICTIONS.values():
        assert sum(row.values()) == pytest.approx(1)
        assert set(row) <= set(STAGES)


# --- hooks and history --------------------


@pytest.mark.row("F102")
def test_a_hook_gets_what_is_known_of_the_run():
    run, _ = run_in("READING")
    seen = []
    run.session.on_transition(lambda old, new, context: seen.append(context))
    for number in range(12):
        run.use("read", {"path": f"{number % 3}.py"})
    run.use("write", {"path": "a.py"})
    run.say("verify and test it")
    (context,) = seen
    assert context == {
        "confidence": 0.7,
        "tool_history": [*["read"] * 9, "write"],
        "last_tools": [*["read"] * 4, "write"],
        "message_count": 1,
        "files_observed": 3,
        "files_modified": 1,
        "transition_count": 1,
    }


@pytest.mark.row("F103")
def test_the_ready_made_hooks_count_and_log():
    clock = Clock(step=3)
    session = stage_session(clock)
    metrics, lines = Metrics().attach(session), []
    remove = log_moves(session, lines.append, run_id="r1")
    for stage in ("EXECUTION", "READING", "EXECUTION"):
        session.go(stage)
    session.go("NOPE")
    assert metrics.total_transitions == 3
    assert metrics.transitions == {
        "INITIAL->EXECUTION": 1,
        "EXECUTION->READING": 1,
        "READING->EXECUTION": 1,
    }
    assert metrics.stage_entries == {"EXECUTION": 2, "READING": 1}
    assert [(line["from"], line["to"]) for line in lines] == [
        ("INITIAL", "EXECUTION"), ("EXECUTION", "READING"), ("READING", "EXECUTION"),
    ]  # fmt: skip
    assert remove()
    session.go("COMPLETION")
    assert (len(lines), metrics.total_transitions) == (3, 4)


@pytest.mark.row("F136")
def test_a_row_of_the_history_has_the_fields_of_a_stage():
    run, clock = run_in()
    for tool in EDITING[:3]:
        run.use(tool)
    run.say("make a plan")
    (row,) = run.history()
    assert row == {
        "from_stage": "INITIAL",
        "to_stage": "PLANNING",
        "confidence": 0.7,
        "timestamp": clock.now.timestamp(),
        "datetime": "2026-11-30T00:00:00+00:00",
        "transition_number": 1,
        "message_count": 1,
        "tool_count": 3,
    }
    assert datetime.fromisoformat(row["datetime"]) == clock.now
    clock.wait(2)
    for _ in range(12):
        run.use("jira")
    run.go("EXECUTION")
    assert (run.history()[1]["transition_number"], run.history()[1]["tool_count"]) == (2, 10)


def test_the_history_can_be_off_while_moves_are_counted():
    run, _ = run_in(track_history=False)
    run.go("PLANNING")
    assert (run.history(), run.document()["transition_count"]) == ([], 1)


@pytest.mark.row("F151")
def test_the_document_of_a_run_has_the_count_and_the_last_ten_rows():
    clock = Clock()
    run = StageRun(clock)
    for _ in range(12):
        run.go("READING" if run.stage == "EXECUTION" else "EXECUTION", 0.9)
        clock.wait(20)
    document = json.loads(json.dumps(run.document()))
    assert document["current_stage"] == "READING"
    assert document["transition_count"] == 12
    assert len(document["history"]) == 10
    assert document["history"] == [
        {
            "from": move.from_state,
            "to": move.to_state,
            "timestamp": move.at.timestamp(),
            "confidence": 0.9,
        }
        for move in run.session.history[2:]
    ]


def test_a_saved_run_of_stages_goes_on_with_all_it_had():
    """The source saves neither history nor count nor the cooldown; ours come back."""
    run, clock = run_in("EXECUTION")
    run.use("write", {"path": "a.py"})
    run.go("VERIFICATION")
    saved = json.loads(json.dumps(run.to_json()))
    again = StageRun(clock)
    again.restore(saved)
    assert (again.state, again.history()) == (run.state, run.history())
    assert again.go("COMPLETION").reason == "cooldown"


# --- events on the bus --------------------


def heard(*topics):
    clock = Clock()
    bus = Bus("run-7", clock, source="stages")
    events = []
    for topic in topics:
        bus.subscribe(topic, events.append)
    run = StageRun(clock, bus=bus)
    return run, clock, events


@pytest.mark.row("F114")
def test_an_event_has_an_envelope_and_an_id_of_its_own():
    run, clock, events = heard("*")
    first_at = clock.now
    run.go("PLANNING")
    clock.wait(2)
    run.go("READING")
    first, second = events
    assert (first.topic, first.source, first.correlation_id) == (
        "state.stage_changed", "stages", "run-7",
    )  # fmt: skip
    assert first.category == "state"
    assert first.data["new_stage"] == "PLANNING"
    assert first.timestamp == first_at
    assert first.id
    assert first.id != second.id


@pytest.mark.row("F115")
def test_a_stage_change_says_what_it_was_like():
    run, _, events = heard("state.stage_changed")
    run.use("read", {"path": "a.py"})
    run.use("write", {"path": "b.py"})
    run.say("make a plan")
    nine = {
        "old_stage": "INITIAL",
        "new_stage": "PLANNING",
        "confidence": 0.7,
        "transition_count": 1,
        "message_count": 1,
        "tools_executed": 2,
        "files_observed": 1,
        "files_modified": 1,
        "category": "state",
    }
    assert nine.items() <= dict(events[0].data).items()


@pytest.mark.row("F116")
def test_a_stage_change_knows_of_cycles_visits_and_stays():
    run, clock, events = heard("state.stage_changed")
    for stage, stay in (("PLANNING", 4), ("INITIAL", 5), ("PLANNING", 6)):
        clock.wait(stay)
        run.go(stage)
    told = [
        (e.data["has_cycle"], e.data["visit_count"], e.data["stage_duration_ms"]) for e in events
    ]
    assert told == [(False, 1, 4_000), (False, 1, 5_000), (True, 2, 6_000)]
    assert events[2].data["stage_sequence"] == ["INITIAL", "PLANNING", "INITIAL", "PLANNING"]


@pytest.mark.row("F117")
def test_one_move_is_one_event():
    """The source's own integration can send it twice."""
    run, _, events = heard("state.*")
    run.go("PLANNING")
    assert [event.topic for event in events] == ["state.stage_changed"]


@pytest.mark.row("F118")
def test_the_third_entry_into_a_stage_warns_of_a_cycle():
    run, clock, events = heard("error.cycle_warning")
    for number, stage in enumerate(["EXECUTION", "READING"] * 3, 1):
        assert events == []
        clock.wait(30)
        run.go(stage)
        if number == 5:
            break
    (event,) = events
    assert dict(event.data) == {
        "stage": "EXECUTION",
        "visit_count": 3,
        "sequence": ["EXECUTION", "READING", "EXECUTION", "READING", "EXECUTION"],
        "severity": "warning",
        "category": "error",
    }


@pytest.mark.row("F119")
def test_a_transition_is_sent_with_whatever_else_is_known():
    clock, events = Clock(), []
    bus = Bus("run-7", clock)
    bus.subscribe("state.transition", events.append)
    bus.transition("A", "B", 0.9, reason="asked", ticket=7)
    assert dict(events[0].data) == {
        "old_stage": "A",
        "new_stage": "B",
        "confidence": 0.9,
        "category": "state",
        "reason": "asked",
        "ticket": 7,
    }


@pytest.mark.row("F120")
def test_a_refused_move_sends_no_change():
    run, _, events = heard("*")
    assert not run.go("NOPE")
    run.go("EXECUTION")
    assert run.go("READING").reason == "cooldown"
    assert run.go("EXECUTION").ok
    assert [event.data["new_stage"] for event in events] == ["EXECUTION"]


@pytest.mark.row("F110")
def test_a_pattern_hears_every_depth_below_it():
    bus = Bus("run-7", Clock())
    heard_by = {"state.*": [], "state.stage_changed": [], "*": []}
    for pattern, topics in heard_by.items():
        bus.subscribe(pattern, lambda event, topics=topics: topics.append(event.topic))
    for topic in ("state.stage_changed", "state.continuation.finish", "error.cycle_warning"):
        bus.publish(topic, {})
    assert heard_by["state.*"] == ["state.stage_changed", "state.continuation.finish"]
    assert heard_by["state.stage_changed"] == ["state.stage_changed"]
    assert len(heard_by["*"]) == 3


@pytest.mark.row("F111", "F113")
def test_a_handle_unsubscribes_once_and_a_failing_handler_stops_no_other():
    def crash(event):
        raise RuntimeError("boom")

    bus, events = Bus("run-7", Clock()), []
    bus.subscribe("*", crash)
    handle = bus.subscribe("state.*", events.append)
    bus.publish("state.x", {})
    assert (len(events), len(bus.failures)) == (1, 1)
    assert bus.unsubscribe(handle) is True
    assert bus.unsubscribe(handle) is False
    bus.publish("state.x", {})
    assert len(events) == 1
