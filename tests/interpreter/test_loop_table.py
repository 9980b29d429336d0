"""The agent loop's table, as the source system has it (source-systems.md 2.1 to 2.3)."""

import copy
from itertools import count

import pytest

from interpreter import compile_agent, library, undeclared_moves
from interpreter.library.loop import (
    GUARDS,
    PRESET,
    PROMISED,
    RESTART,
    ROWS,
    STATES,
    AgentLoop,
    LoopContext,
    can_complete,
    loop_machine,
    max_turns_reached,
    needs_approval,
    printed,
)

NAMES = [
    "Idle", "CheckingQueue", "StreamingLLM", "PostStream", "EvaluatingTools", "ApprovingTools",
    "BlockingTools", "ExecutingTools", "PostToolExecution", "Completing", "Stopped", "Cancelled",
    "Error",
]  # fmt: skip
CE = ["Cancelled", "Error"]

# source | target | guard | action: section 2.2
TABLE = """
Idle CheckingQueue
CheckingQueue Idle | canComplete && queueEmpty
CheckingQueue Completing | canComplete
CheckingQueue StreamingLLM | !queueEmpty || conversation
StreamingLLM PostStream
PostStream CheckingQueue | !queueEmpty
PostStream EvaluatingTools | toolCalls
PostStream StreamingLLM | !toolCalls && !canComplete && queueEmpty
PostStream Completing | !toolCalls && canComplete
EvaluatingTools ApprovingTools | needsApproval
EvaluatingTools BlockingTools | needsApproval
EvaluatingTools ExecutingTools | !needsApproval
ApprovingTools ExecutingTools
ApprovingTools PostToolExecution
ApprovingTools Cancelled
BlockingTools PostToolExecution
ExecutingTools PostToolExecution
ExecutingTools Stopped
PostToolExecution CheckingQueue
PostToolExecution Completing | maxTurnsReached || canComplete | markMaxTurnsExceeded
PostToolExecution StreamingLLM | !maxTurnsReached && !canComplete && queueEmpty
Completing Idle
"""


def loop_in(state, rows=ROWS, **context):
    """A loop that was driven to `state` over a context that lets it, and then has `context`."""
    loop = AgentLoop(rows=rows)
    for facts, step in _way(state):
        loop.context = LoopContext(**facts)
        assert loop.go(step), (state, step)
    loop.context = LoopContext(**context)
    assert loop.current == state
    return loop


def _way(state):
    gated = {"tool_calls": ["a"], "policy": lambda call: True}
    spoken = {"conversation": ["user"]}
    stream = [({}, "CheckingQueue"), (spoken, "StreamingLLM"), ({}, "PostStream")]
    tools = [*stream, ({"tool_calls": ["a"]}, "EvaluatingTools")]
    ways = {
        "Idle": [],
        "CheckingQueue": stream[:1],
        "StreamingLLM": stream[:2],
        "PostStream": stream,
        "EvaluatingTools": tools,
        "ApprovingTools": [*tools, (gated, "ApprovingTools")],
        "BlockingTools": [*tools, (gated, "BlockingTools")],
        "ExecutingTools": [*tools, ({}, "ExecutingTools")],
        "PostToolExecution": [*tools, ({}, "ExecutingTools"), ({}, "PostToolExecution")],
        "Completing": [({}, "CheckingQueue"), ({"turns": 1}, "Completing")],
        "Stopped": [*tools, ({}, "ExecutingTools"), ({}, "Stopped")],
        "Cancelled": [({}, "Cancelled")],
        "Error": [({}, "Error")],
    }
    return ways[state]


@pytest.mark.row("F189")
def test_thirteen_states_have_their_printed_names_in_order():
    assert list(STATES) == NAMES
    assert list(loop_machine().states) == NAMES
    assert [printed(number) for number in range(13)] == NAMES
    assert printed(13) == printed(-1) == "Unknown"


@pytest.mark.row("F190")
def test_the_table_is_that_of_the_source():
    expected = []
    for line in TABLE.strip().splitlines():
        pair, guard, action, *_ = [*(part.strip() for part in line.split(" | ")), "", ""]
        expected.append((*pair.split(), guard or None, action or None))
    expected += [(state, end, None, None) for end in CE for state in NAMES if state != end]
    assert [(r.source, r.target, r.guard, r.action) for r in ROWS] == expected
    assert len(ROWS) == 46
    assert len({(row.source, row.target) for row in ROWS}) == 45
    assert {row.guard for row in ROWS if row.guard} == set(GUARDS)


def test_the_machine_is_made_of_the_rows_and_nothing_else():
    machine = loop_machine()
    made = {
        (transition.key, node.key, transition.target.key)
        for node in machine.states.values()
        for transition in node.transitions
    }
    assert made == {(f"row_{n}", row.source, row.target) for n, row in zip(count(1), ROWS)}


CONTEXTS = [
    (
        {},
        {
            "CheckingQueue": [],
            "PostStream": ["StreamingLLM"],
            "EvaluatingTools": ["ExecutingTools"],
            "PostToolExecution": ["CheckingQueue", "StreamingLLM"],
        },
    ),
    (
        {"queue": ["hello"]},
        {
            "CheckingQueue": ["StreamingLLM"],
            "PostStream": ["CheckingQueue"],
            "EvaluatingTools": ["ExecutingTools"],
            "PostToolExecution": ["CheckingQueue"],
        },
    ),
    (
        {"turns": 1, "conversation": ["user", "assistant"]},
        {
            "CheckingQueue": ["Idle", "Completing", "StreamingLLM"],
            "PostStream": ["Completing"],
            "EvaluatingTools": ["ExecutingTools"],
            "PostToolExecution": ["CheckingQueue", "Completing"],
        },
    ),
    (
        {
            "turns": 1,
            "conversation": ["user", "assistant"],
            "tool_calls": ["a", "b"],
            "policy": lambda call: True,
        },
        {
            "CheckingQueue": ["Idle", "Completing", "StreamingLLM"],
            "PostStream": ["EvaluatingTools"],
            "EvaluatingTools": ["ApprovingTools", "BlockingTools"],
            "PostToolExecution": ["CheckingQueue", "Completing"],
        },
    ),
    (
        {
            "turns": 1,
            "conversation": ["user", "assistant"],
            "tool_calls": ["a"],
            "pending_results": True,
        },
        {
            "CheckingQueue": ["StreamingLLM"],
            "PostStream": ["EvaluatingTools"],
            "EvaluatingTools": ["ExecutingTools"],
            "PostToolExecution": ["CheckingQueue", "StreamingLLM"],
        },
    ),
    (
        {
            "turns": 50,
            "conversation": ["user", "assistant"],
            "tool_calls": ["a"],
            "pending_results": True,
        },
        {
            "CheckingQueue": ["StreamingLLM"],
            "PostStream": ["EvaluatingTools"],
            "EvaluatingTools": ["ExecutingTools"],
            "PostToolExecution": ["CheckingQueue", "Completing"],
        },
    ),
]


@pytest.mark.row("F191")
@pytest.mark.parametrize(("context", "valid"), CONTEXTS)
def test_the_valid_list_follows_the_context(context, valid):
    for state, targets in valid.items():
        assert loop_in(state, **context).valid() == [*targets, *CE], state


@pytest.mark.row("F042")
def test_valid_targets_are_those_whose_guard_passes_in_the_order_of_the_table():
    loop = loop_in("CheckingQueue", turns=1, conversation=["user", "assistant"])
    assert loop.valid() == ["Idle", "Completing", "StreamingLLM", "Cancelled", "Error"]


@pytest.mark.row("F044")
def test_cancelled_is_listed_once_though_it_is_registered_twice():
    assert sum((r.source, r.target) == ("ApprovingTools", "Cancelled") for r in ROWS) == 2
    valid = loop_in("ApprovingTools").valid()
    assert valid == ["ExecutingTools", "PostToolExecution", "Cancelled", "Error"]


@pytest.mark.parametrize(
    ("state", "valid"),
    [
        ("Idle", ["CheckingQueue", *CE]),
        ("StreamingLLM", ["PostStream", *CE]),
        ("BlockingTools", ["PostToolExecution", *CE]),
        ("ExecutingTools", ["PostToolExecution", "Stopped", *CE]),
        ("Completing", ["Idle", *CE]),
        ("Stopped", CE),
        ("Cancelled", ["Error"]),
        ("Error", ["Cancelled"]),
    ],
)
def test_some_states_ask_no_context(state, valid):
    assert loop_in(state).valid() == valid


@pytest.mark.row("F013")
@pytest.mark.parametrize("context", [context for context, _ in CONTEXTS])
def test_a_row_without_guard_is_always_allowed(context):
    loop = loop_in("Idle", **context)
    assert loop.can("CheckingQueue")
    assert loop.go("CheckingQueue")
    assert (loop.current, loop.previous) == ("CheckingQueue", "Idle")


@pytest.mark.row("F032")
def test_a_guard_that_is_false_refuses():
    loop = loop_in("CheckingQueue", turns=0)
    result = loop.go("Completing")
    assert (result.ok, result.reason, loop.current) == (False, "guard", "CheckingQueue")
    assert "guard" in result.rejected
    assert "'CheckingQueue'" in result.rejected
    assert "'Completing'" in result.rejected


AT_THE_LIMIT = {"turns": 50, "pending_results": True, "conversation": ["user", "assistant"]}


@pytest.mark.row("F033")
def test_the_action_runs_after_the_guard_and_before_the_state_changes(monkeypatch):
    loop = loop_in("PostToolExecution", **AT_THE_LIMIT)
    seen = []
    key, action = next(iter(loop.session.actions.items()))
    loop.session.actions[key] = lambda context: (seen.append(loop.current), action(context))
    assert loop.go("Completing")
    assert seen == ["PostToolExecution"]
    assert loop.context.max_turns_exceeded is True
    assert loop.current == "Completing"


def test_the_action_does_not_run_when_the_guard_says_no():
    loop = loop_in("PostToolExecution", **{**AT_THE_LIMIT, "turns": 49})
    assert loop.go("Completing").reason == "guard"
    assert loop.context.max_turns_exceeded is False


def test_a_limit_met_with_nothing_left_is_not_exceeded():
    loop = loop_in("PostToolExecution", turns=50, conversation=["user", "assistant"])
    assert loop.go("Completing")
    assert loop.context.max_turns_exceeded is False


@pytest.mark.row("F040")
def test_can_evaluates_the_guard_and_runs_no_action():
    loop = loop_in("PostToolExecution", **AT_THE_LIMIT)
    assert loop.can("Completing") is True
    assert loop.context.max_turns_exceeded is False
    assert loop.current == "PostToolExecution"
    assert loop.can("StreamingLLM") is False
    assert loop.can("NoSuchState") is False


@pytest.mark.row("F211")
def test_stopped_is_reached_from_executing_tools_alone():
    result = AgentLoop().go("Stopped")
    assert (result.ok, result.reason, result.state) == (False, "undeclared", "Idle")
    for state in NAMES:
        assert loop_in(state).can("Stopped") is (state == "ExecutingTools"), state


@pytest.mark.row("F217")
@pytest.mark.parametrize(
    ("state", "target"), [("PostStream", "ExecutingTools"), ("StreamingLLM", "Idle")]
)
def test_states_are_not_jumped(state, target):
    loop = loop_in(state)
    result = loop.go(target)
    assert (result.ok, result.reason, loop.current) == (False, "undeclared", state)
    assert f"'{state}'" in result.rejected
    assert f"'{target}'" in result.rejected


@pytest.mark.row("F193")
def test_approval_is_needed_when_the_policy_says_so_for_any_call():
    def only_b(call):
        return call == "b"

    assert not needs_approval(LoopContext(tool_calls=["a", "b"]))
    assert needs_approval(LoopContext(tool_calls=["a", "b"], policy=only_b))
    assert not needs_approval(LoopContext(tool_calls=["a", "c"], policy=only_b))
    assert not needs_approval(LoopContext(tool_calls=[], policy=lambda call: True))


@pytest.mark.row("F192")
@pytest.mark.parametrize(
    ("broken", "complete"),
    [
        ({}, True),
        ({"turns": 0}, False),
        ({"pending_results": True}, False),
        ({"queue": ["one more"]}, False),
        ({"conversation": ["assistant", "user"]}, False),
        ({"conversation": []}, True),
    ],
)
def test_a_run_can_complete_when_all_conditions_hold(broken, complete):
    whole = {"turns": 1, "conversation": ["user", "assistant"]}
    assert can_complete(LoopContext(**{**whole, **broken})) is complete


@pytest.mark.row("F194")
@pytest.mark.parametrize(("turns", "reached"), [(5, False), (10, True), (15, True), (0, False)])
def test_the_limit_of_turns_is_reached_at_its_number(turns, reached):
    assert max_turns_reached(LoopContext(turns=turns, max_turns=10)) is reached


@pytest.mark.parametrize("state", NAMES)
def test_a_reset_leads_to_idle_from_everywhere(state):
    loop = loop_in(state)
    loop.reset()
    assert (loop.current, loop.previous) == ("Idle", state)


@pytest.mark.row("F021")
def test_a_promised_move_that_is_not_declared_is_named():
    assert undeclared_moves(loop_machine(PRESET), PROMISED) == ()
    without = [row for row in PRESET if row is not RESTART]
    assert undeclared_moves(loop_machine(without), PROMISED) == (("Completing", "CheckingQueue"),)


@pytest.mark.row("F021")
def test_the_chart_of_the_loop_keeps_its_promises_until_the_move_is_taken_out():
    agent = copy.deepcopy(library.load("agent_loop")["document"])
    assert undeclared_moves(compile_agent(agent), PROMISED) == ()
    for state in agent["machine"]["regions"][0]["states"]:
        if state["label"] == "Completing":
            rows = state["transitions"]
            state["transitions"] = [t for t in rows if t["target"] != "checking_queue"]
    gap = undeclared_moves(compile_agent(agent), PROMISED)
    assert gap == (("Completing", "CheckingQueue"),)


def test_the_repaired_loop_restarts_for_a_queued_message():
    loop = loop_in("Completing", rows=PRESET, queue=["one more"])
    assert loop.go("CheckingQueue")
    assert not loop_in("Completing", rows=PRESET).can("CheckingQueue")
