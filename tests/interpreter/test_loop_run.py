"""The agent loop driven by its events (source-systems.md 2.4, 2.5): hooks, progress, ends."""

import pytest

from interpreter.library.hooks import log_moves
from interpreter.library.loop_run import (
    HOOK_POINTS,
    Call,
    Event,
    LoopRun,
    Reply,
    delivery,
)


def speaking(*replies):
    """A model that says these, one a turn, and then nothing more."""
    left = list(replies)
    return lambda context: left.pop(0) if left else Reply("done")


def looped(*replies, hooked=HOOK_POINTS, **more):
    published = []
    run = LoopRun(
        speaking(*replies),
        lambda call: f"{call.name} ran",
        publish=lambda topic, data: published.append((topic, dict(data))),
        **more,
    )
    seen = []
    for point in hooked:
        run.on(point, lambda context, point=point: seen.append(point))
    return run, seen, published


def of(published, topic):
    return [data for name, data in published if name == topic]


ONE_TOOL = Reply("let me look", (Call("read", {"path": "a.py"}),))
TWO = Reply("", (Call("shell", {"command": "rm"}), Call("read", {"path": "a.py"})))


def only_shell(name):
    return name == "shell"


@pytest.mark.row("F104")
def test_a_run_with_one_tool_passes_its_hook_points_in_order():
    run, seen, _ = looped(ONE_TOOL, hooked=[p for p in HOOK_POINTS if "queue" not in p])
    run.submit("look at a.py")
    assert run.run() == "Idle"
    assert seen == [
        "pre_session", "pre_stream", "post_stream", "pre_tool", "post_tool", "pre_stream",
        "post_stream", "post_session",
    ]  # fmt: skip
    assert len(HOOK_POINTS) == 8


@pytest.mark.row("F105")
def test_the_hook_behind_a_drain_is_for_drains_that_took_something():
    queue = [point for point in HOOK_POINTS if "queue" in point]
    run, seen, _ = looped(hooked=queue)
    run.submit("hello")
    run.run()
    assert seen == ["pre_queue_drain", "post_queue_drain"]
    seen.clear()
    run.emit("MessageReceived")
    run.run()
    assert seen == ["pre_queue_drain"]
    assert run.context.turns == 1


@pytest.mark.row("F106")
@pytest.mark.parametrize(
    ("mode", "policy", "expected"),
    [
        ("block", only_shell, []),
        ("prompt", only_shell, ["pre_tool"]),
        ("block", None, ["pre_tool"]),
    ],
)
def test_the_hook_before_the_tools_is_left_out_when_every_gated_call_is_blocked(
    mode, policy, expected
):
    run, seen, _ = looped(TWO, hooked=["pre_tool"], mode=mode, policy=policy)
    run.submit("clean up")
    run.run()
    assert seen == expected


@pytest.mark.row("F107")
@pytest.mark.parametrize("end", ["normal", "cancelled", "limit"])
def test_the_hook_behind_a_session_is_for_a_normal_end(end):
    replies = [ONE_TOOL] * 4
    run, seen, published = looped(
        *([] if end == "normal" else replies), hooked=["post_session"], max_turns=2
    )
    if end == "cancelled":
        run.on("post_stream", lambda context: run.cancel())
    run.submit("hello")
    run.run()
    assert seen == (["post_session"] if end == "normal" else [])
    assert len(of(published, "complete")) == 1


@pytest.mark.row("F108")
def test_an_unknown_hook_point_is_refused():
    run, _, _ = looped()
    with pytest.raises(ValueError, match="'pre_magic'"):
        run.on("pre_magic", print)


def test_a_hook_that_fails_stops_no_run():
    def crash(context):
        raise RuntimeError("boom")

    run, seen, _ = looped(hooked=["post_stream"])
    run._hooks["post_stream"].insert(0, crash)
    run.submit("hello")
    assert run.run() == "Idle"
    assert seen == ["post_stream"]
    assert "boom" in run.errors[0]


@pytest.mark.row("F122")
def test_a_tool_that_was_rejected_or_blocked_says_so_in_its_progress():
    run, _, published = looped(TWO, policy=only_shell, approve=lambda call: "reject")
    run.submit("clean up")
    run.run()
    assert of(published, "tool.progress") == [
        {"tool": "shell", "status": "failed", "message": "rejected"},
        {"tool": "read", "status": "failed", "message": "rejected"},
    ]
    assert [(r.rejected, r.success, r.arguments) for r in run.results] == [
        (True, False, {"command": "rm"}), (True, False, {"path": "a.py"}),
    ]  # fmt: skip
    assert run.context.turns == 1
    run, _, published = looped(TWO, policy=only_shell, mode="block")
    run.submit("clean up")
    run.run()
    assert of(published, "tool.progress") == [
        {"tool": "shell", "status": "failed", "message": "blocked"},
        {"tool": "read", "status": "running", "message": ""},
        {"tool": "read", "status": "complete", "message": ""},
    ]
    assert run.results[0].text.startswith("Blocked: shell requires approval")
    assert run.context.turns == 2


@pytest.mark.row("F123")
@pytest.mark.parametrize(
    ("end", "cancelled", "limit"),
    [("normal", False, False), ("cancelled", True, False), ("limit", False, True)],
)
def test_the_event_of_completion_says_how_it_ended(end, cancelled, limit):
    run, _, published = looped(*([] if end == "normal" else [ONE_TOOL] * 4), max_turns=2)
    if end == "cancelled":
        run.on("pre_tool", lambda context: run.cancel())
    run.submit("hello")
    state = run.run()
    assert of(published, "complete") == [{"cancelled": cancelled, "max_turns_reached": limit}]
    assert state == ("Cancelled" if cancelled else "Idle")
    run.cancel()
    run.run()
    assert len(of(published, "complete")) == 1


@pytest.mark.row("F121")
def test_every_move_is_logged_with_where_from_where_to_and_the_run():
    run, _, _ = looped(ONE_TOOL)
    lines = []
    log_moves(run.loop.session, lines.append, run_id="run-7")
    run.submit("look")
    run.run()
    assert [line["from"] for line in lines] == [
        "Idle", "CheckingQueue", "StreamingLLM", "PostStream", "EvaluatingTools",
        "ExecutingTools", "PostToolExecution", "CheckingQueue", "StreamingLLM", "PostStream",
        "Completing",
    ]  # fmt: skip
    assert [line["to"] for line in lines] == [*(line["from"] for line in lines[1:]), "Idle"]
    assert {line["run_id"] for line in lines} == {"run-7"}


def test_all_approved_calls_run_and_the_model_answers():
    asked = []
    run, _, _ = looped(
        TWO, policy=only_shell, approve=lambda call: asked.append(call.name) or "approve"
    )
    run.submit("go")
    assert run.run() == "Idle"
    assert asked == ["shell", "read"]
    assert [result.text for result in run.results] == ["shell ran", "read ran"]
    assert run.context.turns == 2


def test_auto_accept_asks_no_more():
    asked = []

    def accept(call):
        asked.append(call.name)
        return "auto_accept"

    run, _, _ = looped(TWO, TWO, policy=only_shell, approve=accept)
    run.submit("go")
    run.run()
    assert asked == ["shell"]
    assert run.auto_accept
    assert all(result.success for result in run.results)


def test_an_approval_that_fails_is_an_error_of_the_run():
    def crash(call):
        raise TimeoutError("nobody answered")

    run, _, published = looped(TWO, policy=only_shell, approve=crash)
    run.submit("go")
    assert run.run() == "Error"
    assert of(published, "error") == [{"message": "approval failed: nobody answered"}]


def test_a_model_that_fails_is_an_error_of_the_run():
    def crash(context):
        raise RuntimeError("gone")

    published = []
    run = LoopRun(crash, str, publish=lambda topic, data: published.append(topic))
    run.submit("go")
    assert run.run() == "Error"
    assert published == ["error"]


def test_a_message_that_waits_while_the_loop_completes_restarts_it():
    """The source promises this and lacks the row; the preset has it."""
    run, _, _ = looped(hooked=[])
    run.submit("one")
    once = []

    def late(context):
        if not once:
            once.append(context.queue.append("two"))

    while run.current != "Completing":
        run.handle(run._events.popleft())
    late(run.context)
    assert run.run() == "Idle"
    assert run.context.turns == 2


@pytest.mark.parametrize("state", ["Idle", "Cancelled", "Error"])
def test_an_event_that_a_state_does_not_know_is_nothing(state):
    run, seen, published = looped()
    run.loop.go(state)
    names = ["StartStreaming", "ToolsCompleted", "AllToolsProcessed", "Nonsense"]
    for name in names if state == "Idle" else [*names, "MessageReceived"]:
        run.emit(name)
    run.run()
    assert (run.current, seen, published, run.errors) == (state, [], [], [])


def test_the_executing_path_stops_on_a_rejected_result():
    run, _, _ = looped(ONE_TOOL)
    run.submit("look")
    while run.current != "ExecutingTools":
        run.handle(run._events.popleft())
    (event,) = run._events
    run._events.clear()
    run.handle(Event(event.name, {**event.data, "stop": True}))
    assert run.run() == "Stopped"


@pytest.mark.parametrize(
    ("mode", "chat", "broker", "expected"),
    [
        ("block", True, True, "block"),
        ("ipc", True, True, "ipc"),
        ("ipc", True, False, "block"),
        ("prompt", True, False, "prompt"),
        ("prompt", False, True, "ipc"),
        ("prompt", False, False, "block"),
        ("x", True, False, "prompt"),
    ],
)
def test_how_an_approval_is_delivered(mode, chat, broker, expected):
    assert delivery(mode, chat=chat, broker=broker) == expected
