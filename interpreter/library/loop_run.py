"""The agent loop as a whole: seven events, handlers, hook points (source-systems.md 2.4, 2.5).

`AgentLoop` is the table; this drives it. One event is handled at a time, and everything outside
(the model, the tools, the one who approves) is a callable of the host's. Nothing here waits.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from interpreter.library import loop
from interpreter.library.loop import PRESET, AgentLoop, LoopContext, max_turns_reached

HOOK_POINTS = (
    "pre_session", "pre_stream", "post_stream", "pre_tool", "post_tool", "pre_queue_drain",
    "post_queue_drain", "post_session",
)  # fmt: skip
ENDS = frozenset({loop.STOPPED, loop.CANCELLED, loop.ERROR, loop.IDLE})
APPROVE, REJECT, AUTO_ACCEPT = "approve", "reject", "auto_accept"
MAX_EVENTS = 10_000

MESSAGE_RECEIVED = "MessageReceived"
STREAM_COMPLETED = "StreamCompleted"
TOOLS_COMPLETED = "ToolsCompleted"
COMPLETION_REQUESTED = "CompletionRequested"
START_STREAMING = "StartStreaming"
ALL_TOOLS_PROCESSED = "AllToolsProcessed"
APPROVAL_FAILED = "ApprovalFailed"


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call that the model asks for."""

    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What became of a call; `arguments` are those of the call, whatever happened."""

    name: str
    arguments: Mapping[str, Any]
    text: str
    success: bool = True
    rejected: bool = False


@dataclass(frozen=True, slots=True)
class Reply:
    """What the model said in one turn."""

    text: str = ""
    calls: tuple[Call, ...] = ()


@dataclass(frozen=True, slots=True)
class Event:
    """One of the seven events, with its payload."""

    name: str
    data: Mapping[str, Any] = field(default_factory=dict)


Model = Callable[[LoopContext], Reply]
RunTool = Callable[[Call], str]
Approve = Callable[[Call], str]
Publish = Callable[[str, Mapping[str, Any]], None]


def delivery(mode: str, *, chat: bool, broker: bool) -> str:
    """How an approval reaches a person: `prompt`, `ipc` or `block`; an unknown mode is prompt."""
    if mode == "block":
        return "block"
    if mode != "ipc" and chat:
        return "prompt"
    return "ipc" if broker else "block"


class LoopRun:
    """One run of the loop. `submit` a message, then `run` until it rests.

    `policy` says whether a call needs approval, `approve` asks for it. `publish` hears of the
    run: `tool.progress`, `chat.complete`, `error`, `complete` (`cancelled`, `max_turns_reached`).
    """

    def __init__(
        self,
        model: Model,
        run_tool: RunTool,
        *,
        policy: Callable[[str], bool] | None = None,
        approve: Approve = lambda call: APPROVE,
        mode: str = "prompt",
        chat: bool = True,
        broker: bool = False,
        max_turns: int = 50,
        publish: Publish = lambda topic, data: None,
    ) -> None:
        self.context = LoopContext(max_turns=max_turns, policy=policy)
        self.loop = AgentLoop(self.context, rows=PRESET)
        self.calls: tuple[Call, ...] = ()
        self.results: list[ToolResult] = []
        self.errors: list[str] = []
        self.cancelled = False
        self.auto_accept = False
        self._model = model
        self._run_tool = run_tool
        self._approve = approve
        self._delivery = delivery(mode, chat=chat, broker=broker)
        self._publish = publish
        self._events: deque[Event] = deque()
        self._hooks: dict[str, list[Callable[[LoopContext], None]]] = {}

    @property
    def current(self) -> str:
        """The state of the loop."""
        return self.loop.current

    def on(self, point: str, hook: Callable[[LoopContext], None]) -> None:
        """Attaches a hook. Raises ValueError for an unknown point."""
        if point not in HOOK_POINTS:
            raise ValueError(f"there is no hook point '{point}'; there are {HOOK_POINTS}")
        self._hooks.setdefault(point, []).append(hook)

    def submit(self, text: str) -> None:
        """A message of the user: it waits in the queue until the loop takes it."""
        self.context.queue.append(text)
        if self.current == loop.IDLE:
            self.emit(MESSAGE_RECEIVED, message=text)

    def cancel(self) -> None:
        """The run is over before its next event; asking twice changes nothing."""
        self.cancelled = True

    def emit(self, name: str, **data: Any) -> None:
        """Puts an event behind those that wait."""
        self._events.append(Event(name, data))

    def run(self) -> str:
        """Handles events until none waits or the loop is at an end; gives the state."""
        for _ in range(MAX_EVENTS):
            if self.cancelled and self.current not in ENDS:
                self._cancel()
            if not self._events or self.current in ENDS - {loop.IDLE}:
                return self.current
            self.handle(self._events.popleft())
        self._fail(f"more than {MAX_EVENTS} events")
        return self.current

    def handle(self, event: Event) -> None:
        """One event where the loop is now; one that its state does not know is nothing."""
        handler = _HANDLERS.get(self.current)
        if handler is not None:
            handler(self, event)

    # --- what handlers use --------------------------------------------------------------------

    def _go(self, state: str, then: str, **data: Any) -> None:
        """Moves and emits. A move that the table refuses is reported, and the loop fails."""
        result = self.loop.go(state)
        if result.ok:
            self.emit(then, **data)
        else:
            self._fail(result.rejected or "refused")

    def _fail(self, message: str) -> None:
        self.errors.append(message)
        self._publish("error", {"message": message})
        self.loop.go(loop.ERROR)

    def _cancel(self) -> None:
        self._events.clear()
        self.context.conversation += ["user"] * len(self.context.queue)
        self.context.queue.clear()
        self.loop.go(loop.CANCELLED)
        self._complete(cancelled=True)

    def _complete(self, *, cancelled: bool = False, max_turns: bool = False) -> None:
        self._publish("complete", {"cancelled": cancelled, "max_turns_reached": max_turns})

    def _hook(self, point: str) -> None:
        for hook in self._hooks.get(point, ()):
            try:
                hook(self.context)
            except Exception as error:  # noqa: BLE001 - a host's hook stops no run
                self.errors.append(f"hook {point}: {error}")

    def _drain(self) -> None:
        self._hook("pre_queue_drain")
        drained = len(self.context.queue)
        self.context.conversation += ["user"] * drained
        self.context.queue.clear()
        if drained:
            self._hook("post_queue_drain")

    def _done(self) -> bool:
        return loop.can_complete(self.context)

    def _progress(self, call: Call, status: str, message: str) -> None:
        self._publish("tool.progress", {"tool": call.name, "status": status, "message": message})

    def _run_call(self, call: Call) -> ToolResult:
        self._progress(call, "running", "")
        try:
            text = self._run_tool(call)
        except Exception as error:  # noqa: BLE001 - a tool of the host's: its failure is a result
            self._progress(call, "failed", str(error))
            return ToolResult(call.name, call.arguments, str(error), success=False)
        self._progress(call, "complete", "")
        return ToolResult(call.name, call.arguments, text)

    def _turned_away(self, call: Call, text: str, message: str) -> ToolResult:
        self._progress(call, "failed", message)
        return ToolResult(call.name, call.arguments, text, success=False, rejected=True)

    def _gated(self, call: Call) -> bool:
        policy = self.context.policy
        return policy is not None and not self.auto_accept and policy(call.name)

    def _store(self, results: Sequence[ToolResult], *, pending: bool) -> None:
        self.results += results
        self.context.conversation += ["tool"] * len(results)
        self.context.pending_results = pending

    # --- the handlers, one a state ------------------------------------------------------------

    def _idle(self, event: Event) -> None:
        if event.name == MESSAGE_RECEIVED:
            self._go(loop.CHECKING, event.name, **event.data)

    def _checking(self, event: Event) -> None:
        if event.name != MESSAGE_RECEIVED:
            return
        if not self.context.pending_results:
            self._drain()
            if self._done():
                self._go(loop.COMPLETING, COMPLETION_REQUESTED)
                return
        self._go(loop.STREAMING, START_STREAMING)

    def _streaming(self, event: Event) -> None:
        if event.name == START_STREAMING:
            self.context.turns += 1
            self.context.pending_results = False
            if self.context.turns == 1:
                self._hook("pre_session")
            self._hook("pre_stream")
            try:
                reply = self._model(self.context)
            except Exception as error:  # noqa: BLE001 - the host's model: its failure ends the run
                self._fail(f"the stream failed: {error}")
                return
            self.emit(STREAM_COMPLETED, message=reply.text, tool_calls=reply.calls)
        elif event.name == STREAM_COMPLETED:
            self.calls = event.data["tool_calls"]
            self.context.tool_calls = [call.name for call in self.calls]
            self.context.conversation.append("assistant")
            self._go(loop.POST_STREAM, MESSAGE_RECEIVED)

    def _post_stream(self, event: Event) -> None:
        del event
        self._hook("post_stream")
        if self.context.queue:
            self._go(loop.CHECKING, MESSAGE_RECEIVED)
        elif self.calls:
            self._go(loop.EVALUATING, MESSAGE_RECEIVED)
        elif self._done():
            self._publish("chat.complete", {"calls": []})
            self._go(loop.COMPLETING, COMPLETION_REQUESTED)
        else:
            self._go(loop.STREAMING, START_STREAMING)

    def _evaluating(self, event: Event) -> None:
        del event
        self._publish("chat.complete", {"calls": [call.name for call in self.calls]})
        gated = any(self._gated(call) for call in self.calls)
        blocked = gated and self._delivery == "block"
        if not blocked:
            self._hook("pre_tool")
        if blocked:
            self._go(loop.BLOCKING, MESSAGE_RECEIVED)
        elif gated:
            self._go(loop.APPROVING, MESSAGE_RECEIVED)
        elif self.loop.go(loop.EXECUTING):
            self._execute()
        else:
            self._fail("no way to run the tools")

    def _execute(self) -> None:
        results = [self._run_call(call) for call in self.calls]
        self.emit(TOOLS_COMPLETED, results=results, stop=any(r.rejected for r in results))

    def _executing(self, event: Event) -> None:
        if event.name != TOOLS_COMPLETED:
            return
        self._store(event.data["results"], pending=True)
        if event.data["stop"]:
            self.loop.go(loop.STOPPED)
        else:
            self._go(loop.POST_TOOLS, MESSAGE_RECEIVED)

    def _approving(self, event: Event) -> None:
        if event.name == MESSAGE_RECEIVED:
            self._ask_each()
        elif event.name == ALL_TOOLS_PROCESSED:
            self._go(loop.POST_TOOLS, MESSAGE_RECEIVED)
        elif event.name == APPROVAL_FAILED:
            self._fail(f"approval failed: {event.data['error']}")

    def _ask_each(self) -> None:
        results = []
        for call in self.calls:
            if self.cancelled:
                break
            try:
                answer = APPROVE if self.auto_accept else self._approve(call)
            except Exception as error:  # noqa: BLE001 - the host's prompt: its failure is an event
                self.emit(APPROVAL_FAILED, error=str(error))
                return
            self.auto_accept = self.auto_accept or answer == AUTO_ACCEPT
            if answer == REJECT:
                text = f"Tool execution rejected by user: {call.name}"
                results.append(self._turned_away(call, text, "rejected"))
            else:
                results.append(self._run_call(call))
        self._store(results, pending=not any(result.rejected for result in results))
        self.emit(ALL_TOOLS_PROCESSED)

    def _blocking(self, event: Event) -> None:
        if event.name == ALL_TOOLS_PROCESSED:
            self._go(loop.POST_TOOLS, MESSAGE_RECEIVED)
        elif event.name == MESSAGE_RECEIVED:
            results = []
            for call in () if self.cancelled else self.calls:
                if self._gated(call):
                    text = (
                        f"Blocked: {call.name} requires approval, but approvals are not "
                        "available in this session"
                    )
                    results.append(self._turned_away(call, text, "blocked"))
                else:
                    results.append(self._run_call(call))
            self._store(results, pending=True)
            self.emit(ALL_TOOLS_PROCESSED)

    def _post_tools(self, event: Event) -> None:
        del event
        self._hook("post_tool")
        self.calls, self.context.tool_calls = (), []
        if self.context.queue:
            self._drain()
            self._go(loop.CHECKING, MESSAGE_RECEIVED)
        elif self._done() or max_turns_reached(self.context):
            self._go(loop.COMPLETING, COMPLETION_REQUESTED)
        else:
            self._go(loop.CHECKING, MESSAGE_RECEIVED)

    def _completing(self, event: Event) -> None:
        if event.name != COMPLETION_REQUESTED:
            return
        if self.context.queue:
            self._go(loop.CHECKING, MESSAGE_RECEIVED)
            return
        exceeded = self.context.max_turns_exceeded
        self._complete(max_turns=exceeded)
        if not exceeded:
            self._hook("post_session")
        self.loop.go(loop.IDLE)


_HANDLERS: Mapping[str, Callable[[LoopRun, Event], None]] = {
    loop.IDLE: LoopRun._idle,
    loop.CHECKING: LoopRun._checking,
    loop.STREAMING: LoopRun._streaming,
    loop.POST_STREAM: LoopRun._post_stream,
    loop.EVALUATING: LoopRun._evaluating,
    loop.APPROVING: LoopRun._approving,
    loop.BLOCKING: LoopRun._blocking,
    loop.EXECUTING: LoopRun._executing,
    loop.POST_TOOLS: LoopRun._post_tools,
    loop.COMPLETING: LoopRun._completing,
}
"""The handlers; Stopped, Cancelled and Error ignore every event."""
