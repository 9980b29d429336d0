"""The source systems' machines do what their texts say (source-systems.md sections 1, 2)."""

from __future__ import annotations

import copy
from datetime import UTC, datetime, timedelta
from itertools import product
from typing import Any

import pytest

from interpreter import Machine, Snapshot, compile_agent, library, start, step

AT = datetime(2026, 1, 1, tzinfo=UTC)
STAGES = ["initial", "planning", "reading", "analysis", "execution", "verification", "completion"]
NEXT = {
    "initial": ["planning", "reading", "execution"],
    "planning": ["reading", "analysis", "execution"],
    "reading": ["analysis", "execution", "planning"],
    "analysis": ["execution", "planning"],
    "execution": ["verification", "reading", "completion"],
    "verification": ["completion", "execution"],
    "completion": [],
}
LOOK = ["read", "search", "code_search", "overview"]
TOOLS = {
    "initial": LOOK,
    "planning": LOOK,
    "reading": [*LOOK, "web_search"],
    "analysis": LOOK,
    "execution": ["write", "edit", "shell", "git_commit", "refactor"],
    "verification": ["shell", "read", "search", "test"],
    "completion": ["read"],
}
KEYWORDS = {
    "initial": ["initial message, no prior context"],
    "planning": ["plan", "approach", "strategy", "how to"],
    "reading": ["read", "look at", "check", "examine"],
    "analysis": ["analyze", "understand", "figure out"],
    "execution": ["write", "create", "implement", "change", "fix"],
    "verification": ["verify", "test", "check", "confirm"],
    "completion": ["done", "complete", "finished"],
}


def begun_in(name: str, state: str | None = None, **slots: Any) -> tuple[Machine, Snapshot]:
    """A chart of the library, started in ``state`` (without its entry effects) with ``slots``."""
    agent = copy.deepcopy(library.load(name)["document"])
    region = agent["machine"]["regions"][0]
    if state is not None:
        region["initial"] = state
        next(it for it in region["states"] if it["key"] == state).pop("entry", None)
    machine = compile_agent(agent)
    return machine, start(machine, AT, slots=slots)[0]


def states(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = library.load(name)["document"]["machine"]["regions"][0]["states"]
    return found


def move(target: str, confidence: float | None = None) -> dict[str, Any]:
    more = {} if confidence is None else {"confidence": confidence}
    return {"propose": {"transition": target, **more}}


def offered(machine: Machine, snapshot: Snapshot) -> list[str]:
    return [entry["target"] for entry in machine.allowed(snapshot)["proposals"]]


# DRAFT .. PUBLISHED


@pytest.mark.row("F025")
def test_a_draft_goes_to_review() -> None:
    machine, snapshot = begun_in("document_review")
    after = step(machine, snapshot, move("review"), AT)
    assert (after.moved, after.snapshot.active) == (True, ("review",))


@pytest.mark.row("F030")
def test_an_undeclared_move_is_refused() -> None:
    machine, snapshot = begun_in("document_review")
    after = step(machine, snapshot, move("approved"), AT)
    assert (after.moved, after.snapshot.active) == (False, ("draft",))


@pytest.mark.row("F041")
def test_review_leads_to_draft_and_approved_in_that_order() -> None:
    assert offered(*begun_in("document_review", "review")) == ["draft", "approved"]


@pytest.mark.row("F069", "F070")
@pytest.mark.parametrize(("confidence", "moved"), [(0.79, False), (0.8, True)])
def test_going_back_needs_the_threshold(confidence: float, moved: bool) -> None:
    machine, snapshot = begun_in("document_review", "review")
    assert step(machine, snapshot, move("draft", confidence), AT).moved is moved


@pytest.mark.row("F071")
def test_going_forward_ignores_confidence() -> None:
    machine, snapshot = begun_in("document_review")
    assert step(machine, snapshot, move("review", 0.1), AT).moved


# the seven stages


@pytest.mark.row("F165")
def test_there_are_seven_stages_in_order() -> None:
    assert [state["key"] for state in states("coding_stages")] == STAGES
    assert [state["label"] for state in states("coding_stages")] == [s.upper() for s in STAGES]


@pytest.mark.row("F166")
@pytest.mark.parametrize("stage", STAGES[:-1])
def test_a_stage_leads_where_the_page_says(stage: str) -> None:
    assert offered(*begun_in("coding_stages", stage)) == NEXT[stage]


@pytest.mark.row("F166")
def test_completion_is_terminal() -> None:
    machine, snapshot = begun_in("coding_stages", "execution")
    snapshot = step(machine, snapshot, move("completion"), AT).snapshot
    assert offered(machine, snapshot) == NEXT["completion"]
    assert not any(step(machine, snapshot, move(stage), AT).moved for stage in STAGES)


@pytest.mark.row("F167")
def test_the_stages_have_the_documented_tools() -> None:
    assert {state["key"]: state["tools"] for state in states("coding_stages")} == TOOLS


@pytest.mark.row("F168")
def test_the_stages_have_the_documented_keywords() -> None:
    assert {state["key"]: state["keywords"] for state in states("coding_stages")} == KEYWORDS


@pytest.mark.row("F169")
def test_a_new_run_offers_a_direct_move_and_a_valid_list() -> None:
    machine, snapshot = begun_in("coding_stages")
    assert offered(machine, snapshot) == ["planning", "reading", "execution"]
    assert step(machine, snapshot, move("planning", 0.9), AT).moved


@pytest.mark.row("F171")
def test_each_stage_shows_its_purpose() -> None:
    assert all(state["instructions"] for state in states("coding_stages"))


@pytest.mark.parametrize(("after", "moved"), [(1.9, False), (2.0, True)])
def test_two_seconds_lie_between_two_moves(after: float, moved: bool) -> None:
    machine, snapshot = begun_in("coding_stages")
    snapshot = step(machine, snapshot, move("planning"), AT).snapshot
    late = AT + timedelta(seconds=after)
    assert step(machine, snapshot, move("reading"), late).moved is moved


@pytest.mark.parametrize(
    ("stage", "target", "enough"),
    [
        ("reading", "planning", 0.85),
        ("analysis", "planning", 0.85),
        ("execution", "reading", 0.5),
        ("verification", "execution", 0.5),
    ],
)
def test_a_natural_way_back_needs_less_confidence(stage: str, target: str, enough: float) -> None:
    machine, snapshot = begun_in("coding_stages", stage)
    assert not step(machine, snapshot, move(target, enough - 0.01), AT).moved
    assert step(machine, snapshot, move(target, enough), AT).moved


# the agent loop

LOOP = [
    "Idle", "CheckingQueue", "StreamingLLM", "PostStream", "EvaluatingTools", "ApprovingTools",
    "BlockingTools", "ExecutingTools", "PostToolExecution", "Completing", "Stopped", "Cancelled",
    "Error",
]  # fmt: skip
DONE = {"turns": 1, "pending_results": False, "queued": 0, "messages": 2, "last_from_user": False}


def after(state: str, event: str, **slots: Any) -> str:
    machine, snapshot = begun_in("agent_loop", state, **slots)
    return step(machine, snapshot, {"event": event}, AT).snapshot.active[0]


def test_the_loop_has_thirteen_states_with_their_printed_names() -> None:
    assert [state["label"] for state in states("agent_loop")] == LOOP


@pytest.mark.row("F192")
@pytest.mark.parametrize(
    ("broken", "state"),
    [
        ({}, "completing"),
        ({"turns": 0}, "streaming_llm"),
        ({"pending_results": True}, "streaming_llm"),
        ({"queued": 1}, "streaming_llm"),
        ({"last_from_user": True}, "streaming_llm"),
        ({"messages": 0, "last_from_user": True}, "completing"),
    ],
)
def test_each_condition_of_can_complete_counts(broken: dict[str, Any], state: str) -> None:
    assert after("checking_queue", "message_received", **(DONE | broken)) == state


@pytest.mark.row("F194")
@pytest.mark.parametrize(("turns", "reached"), [(5, False), (10, True), (15, True), (0, False)])
def test_the_turn_limit_is_reached_at_its_number(turns: int, reached: bool) -> None:
    slots = {**DONE, "turns": turns, "max_turns": 10, "pending_results": True}
    state = after("post_tool_execution", "message_received", **slots)
    assert (state == "completing") is reached


@pytest.mark.row("F203")
@pytest.mark.parametrize(
    ("slots", "state"),
    [
        ({"queued": 1, "tool_calls": 2}, "checking_queue"),
        ({"tool_calls": 2}, "evaluating_tools"),
        ({}, "completing"),
        ({"pending_results": True}, "streaming_llm"),
    ],
)
def test_what_comes_first_after_a_stream(slots: dict[str, Any], state: str) -> None:
    assert after("post_stream", "message_received", **(DONE | slots)) == state


@pytest.mark.row("F206")
@pytest.mark.parametrize(
    ("slots", "state"),
    [
        ({"queued": 1}, "checking_queue"),
        ({}, "completing"),
        ({"pending_results": True}, "checking_queue"),
    ],
)
def test_what_comes_after_the_tools(slots: dict[str, Any], state: str) -> None:
    assert after("post_tool_execution", "message_received", **(DONE | slots)) == state


@pytest.mark.row("F207", "F208")
def test_completing_is_finished_by_its_own_event_or_restarted_by_a_queued_message() -> None:
    assert after("completing", "message_received", **DONE) == "completing"
    assert after("completing", "message_received", **(DONE | {"queued": 1})) == "checking_queue"
    assert after("completing", "completion_requested", **DONE) == "idle"


@pytest.mark.parametrize("event", ["message_received", "start_streaming", "tools_completed"])
def test_a_stopped_loop_takes_no_event(event: str) -> None:
    assert after("stopped", event) == "stopped"


@pytest.mark.row("F243", "F249")
@pytest.mark.parametrize(
    ("state", "event"),
    list(product([s["key"] for s in states("agent_loop")], ["cancel", "error_occurred"])),
)
def test_cancel_and_error_reach_every_state_but_their_own(state: str, event: str) -> None:
    target = "cancelled" if event == "cancel" else "error"
    assert after(state, event) == target
    machine, snapshot = begun_in("agent_loop", state)
    assert step(machine, snapshot, {"event": event}, AT).moved is (state != target)


def test_stop_is_the_only_way_into_stopped() -> None:
    assert after("executing_tools", "tools_stopped") == "stopped"
    assert after("idle", "tools_stopped") == "idle"
    targets = [t["target"] for s in states("agent_loop") for t in s.get("transitions", ())]
    assert targets.count("stopped") == 1
