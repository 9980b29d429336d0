"""The agent loop of the source system as a table: thirteen states, 45 distinct moves.

The table is that of the source, row by row and in its order of registration; guards and the one
action are functions of a LoopContext. The chart `agent_loop` is the same loop driven by events.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from interpreter import Machine, Result, Session

IDLE = "Idle"
CHECKING = "CheckingQueue"
STREAMING = "StreamingLLM"
POST_STREAM = "PostStream"
EVALUATING = "EvaluatingTools"
APPROVING = "ApprovingTools"
BLOCKING = "BlockingTools"
EXECUTING = "ExecutingTools"
POST_TOOLS = "PostToolExecution"
COMPLETING = "Completing"
STOPPED = "Stopped"
CANCELLED = "Cancelled"
ERROR = "Error"

STATES = (
    IDLE, CHECKING, STREAMING, POST_STREAM, EVALUATING, APPROVING, BLOCKING, EXECUTING,
    POST_TOOLS, COMPLETING, STOPPED, CANCELLED, ERROR,
)  # fmt: skip


def printed(number: int) -> str:
    """The printed name of the state with this number (from 0); any other number is Unknown."""
    return STATES[number] if 0 <= number < len(STATES) else "Unknown"


@dataclass(slots=True)
class LoopContext:
    """What the guards look at.

    `conversation` holds who wrote each message; `policy` says whether a tool call needs approval.
    """

    turns: int = 0
    max_turns: int = 50
    pending_results: bool = False
    queue: list[str] = field(default_factory=list)
    conversation: list[str] = field(default_factory=list)
    tool_calls: list[str] = field(default_factory=list)
    policy: Callable[[str], bool] | None = None
    max_turns_exceeded: bool = False


Guard = Callable[[LoopContext], bool]
Action = Callable[[LoopContext], None]


def queue_empty(context: LoopContext) -> bool:
    """No message waits."""
    return not context.queue


def can_complete(context: LoopContext) -> bool:
    """Something was said, nothing waits, and the last word is not the user's."""
    return (
        context.turns != 0
        and not context.pending_results
        and queue_empty(context)
        and (not context.conversation or context.conversation[-1] != "user")
    )


def needs_approval(context: LoopContext) -> bool:
    """There is a policy, and it says yes for at least one call."""
    policy = context.policy
    return policy is not None and any(policy(call) for call in context.tool_calls)


def max_turns_reached(context: LoopContext) -> bool:
    """No turn is left."""
    return context.turns >= context.max_turns


def mark_max_turns_exceeded(context: LoopContext) -> None:
    """The action: the limit was met with work left."""
    context.max_turns_exceeded = max_turns_reached(context) and not can_complete(context)


GUARDS: Mapping[str, Guard] = MappingProxyType(
    {
        "canComplete && queueEmpty": lambda c: can_complete(c) and queue_empty(c),
        "canComplete": can_complete,
        "!queueEmpty || conversation": lambda c: not queue_empty(c) or bool(c.conversation),
        "!queueEmpty": lambda c: not queue_empty(c),
        "toolCalls": lambda c: bool(c.tool_calls),
        "!toolCalls && !canComplete && queueEmpty": lambda c: (
            not c.tool_calls and not can_complete(c) and queue_empty(c)
        ),
        "!toolCalls && canComplete": lambda c: not c.tool_calls and can_complete(c),
        "needsApproval": needs_approval,
        "!needsApproval": lambda c: not needs_approval(c),
        "maxTurnsReached || canComplete": lambda c: max_turns_reached(c) or can_complete(c),
        "!maxTurnsReached && !canComplete && queueEmpty": lambda c: (
            not max_turns_reached(c) and not can_complete(c) and queue_empty(c)
        ),
    }
)
ACTIONS: Mapping[str, Action] = MappingProxyType({"markMaxTurnsExceeded": mark_max_turns_exceeded})


@dataclass(frozen=True, slots=True)
class Row:
    """A registration of the table; `guard` and `action` are names in GUARDS and ACTIONS."""

    source: str
    target: str
    guard: str | None = None
    action: str | None = None


ROWS: tuple[Row, ...] = (
    Row(IDLE, CHECKING),
    Row(CHECKING, IDLE, "canComplete && queueEmpty"),
    Row(CHECKING, COMPLETING, "canComplete"),
    Row(CHECKING, STREAMING, "!queueEmpty || conversation"),
    Row(STREAMING, POST_STREAM),
    Row(POST_STREAM, CHECKING, "!queueEmpty"),
    Row(POST_STREAM, EVALUATING, "toolCalls"),
    Row(POST_STREAM, STREAMING, "!toolCalls && !canComplete && queueEmpty"),
    Row(POST_STREAM, COMPLETING, "!toolCalls && canComplete"),
    Row(EVALUATING, APPROVING, "needsApproval"),
    Row(EVALUATING, BLOCKING, "needsApproval"),
    Row(EVALUATING, EXECUTING, "!needsApproval"),
    Row(APPROVING, EXECUTING),
    Row(APPROVING, POST_TOOLS),
    Row(APPROVING, CANCELLED),
    Row(BLOCKING, POST_TOOLS),
    Row(EXECUTING, POST_TOOLS),
    Row(EXECUTING, STOPPED),
    Row(POST_TOOLS, CHECKING),
    Row(POST_TOOLS, COMPLETING, "maxTurnsReached || canComplete", "markMaxTurnsExceeded"),
    Row(POST_TOOLS, STREAMING, "!maxTurnsReached && !canComplete && queueEmpty"),
    Row(COMPLETING, IDLE),
    *(Row(state, CANCELLED) for state in STATES if state != CANCELLED),
    *(Row(state, ERROR) for state in STATES if state != ERROR),
)
"""The source's table: 46 registrations, one pair twice (ApprovingTools to Cancelled)."""

RESTART = Row(COMPLETING, CHECKING, "!queueEmpty")
"""The move that the source promises for a message that comes while it completes, and forgot."""

PRESET = (*ROWS, RESTART)

PROMISED: tuple[tuple[str, str], ...] = (
    (IDLE, CHECKING),
    (CHECKING, STREAMING),
    (CHECKING, COMPLETING),
    (STREAMING, POST_STREAM),
    (POST_STREAM, CHECKING),
    (POST_STREAM, EVALUATING),
    (POST_STREAM, COMPLETING),
    (POST_STREAM, STREAMING),
    (EVALUATING, APPROVING),
    (EVALUATING, BLOCKING),
    (EVALUATING, EXECUTING),
    (APPROVING, POST_TOOLS),
    (BLOCKING, POST_TOOLS),
    (EXECUTING, POST_TOOLS),
    (EXECUTING, STOPPED),
    (POST_TOOLS, CHECKING),
    (POST_TOOLS, COMPLETING),
    (COMPLETING, IDLE),
    (COMPLETING, CHECKING),
    *((state, CANCELLED) for state in STATES if state != CANCELLED),
    *((state, ERROR) for state in STATES if state != ERROR),
)
"""The moves that the handlers of the states make; for `undeclared_moves`."""


def loop_machine(rows: Iterable[Row] = ROWS) -> Machine:
    """The table as a machine; the transition of row n (from 1) has the key `row_<n>`.

    Every move is a proposal of the state to go to.
    """
    moves: dict[str, list[dict[str, str]]] = {}
    for number, row in enumerate(rows, 1):
        moves.setdefault(row.source, []).append({"target": row.target, "key": f"row_{number}"})
    return Machine.from_stages(STATES, initial=IDLE, transitions=moves, backward_threshold=0.0)


class AgentLoop:
    """One run of the loop over a context that its host keeps up to date."""

    def __init__(self, context: LoopContext | None = None, *, rows: Sequence[Row] = ROWS) -> None:
        self.context = context if context is not None else LoopContext()
        numbered = [(f"row_{number}", row) for number, row in enumerate(rows, 1)]
        self.session = Session(
            loop_machine(rows),
            guards={key: self._guard(GUARDS[row.guard]) for key, row in numbered if row.guard},
            actions={key: self._act(ACTIONS[row.action]) for key, row in numbered if row.action},
        )

    def _guard(self, guard: Guard) -> Callable[[Mapping[str, object]], bool]:
        return lambda _: guard(self.context)

    def _act(self, action: Action) -> Callable[[Mapping[str, object]], None]:
        return lambda _: action(self.context)

    @property
    def current(self) -> str:
        """The state it is in."""
        return self.session.current

    @property
    def previous(self) -> str:
        """The state before the last move or reset; Idle at first."""
        return self.session.previous

    def go(self, state: str) -> Result:
        """Moves if the first row of the pair is there and its guard and action let it; else a
        refused Result (`undeclared`, `guard` or `action`).
        """
        return self.session.go(state)

    def can(self, state: str) -> bool:
        """Whether the pair has a row whose guard passes; runs no action."""
        return self.session.can(state)

    def valid(self) -> list[str]:
        """The targets whose guards pass now, in the order of the table, once each."""
        return self.session.valid()

    def reset(self) -> None:
        """Back to Idle, whatever the guards say."""
        self.session.reset()
