"""What each kind of input does: one function a kind, one table."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.budget import MICROSTEPS
from interpreter.compiling import Lookup
from interpreter.document import why_not
from interpreter.expressions import EventView
from interpreter.records import rfc3339
from interpreter.stepping import refusals
from interpreter.stepping.inputs import Input
from interpreter.stepping.outcome import Refusal
from interpreter.stepping.run import SECONDS_TIMER, OverBudgetError, Run
from interpreter.stepping.select import Blocked, select

PROPOSALS = frozenset({"transition", "set_slot", "handoff"})
NO_VERDICT = frozenset({"failed", "unsure"})
"""What the decision lane raises in the place of an answer; guards keep the last one."""


def handle(run: Run, one: Input) -> None:
    """One macrostep: the input, and everything it sets off."""
    proposal = one.kind if one.kind in PROPOSALS else None
    if run.ended:
        refuse(run, refusals.over(run, one.name, proposal))
        return
    if _out_of_time(run):
        run.settle()
        return
    HANDLERS[one.kind](run, one)


def refuse(run: Run, refusal: Refusal) -> None:
    """Leaves the refusal; too many of them are a limit."""
    run.refusal = refusal
    run.record("transition.refused", refusal.data())
    used = run.refusals
    run.refusals += 1
    allowed = run.machine.limits.refusals
    if allowed is not None and used >= allowed and not run.ended:
        run.hit_limit("refusals", allowed, used)
    if run.queue or run.moved:
        run.settle()


def _out_of_time(run: Run) -> bool:
    allowed = run.machine.limits.seconds
    if allowed is None or "seconds" in run.limits_hit:
        return False
    elapsed = run.now - run.snapshot.started
    if elapsed < allowed * 1_000:
        return False
    timers = run.own_timers()
    for key in [key for key, timer in timers.items() if timer.transition is None]:
        late = max(0, run.now - timers[key].due_ms)
        run.record("timer.fired", {"timer": key, "transition": None, "late_ms": late})
        del timers[key]
    run.hit_limit("seconds", allowed, elapsed // 1_000)
    return True


def _moves(run: Run, one: Input, lookup: Lookup, view: EventView) -> None:
    """Selects for an event or a `transition` proposal; takes it or refuses it."""
    run.see(view)
    proposal = one.kind if one.kind in PROPOSALS else None
    blocked: list[Blocked] = []
    confidence = 1.0 if one.confidence is None else one.confidence
    chosen = select(run, lookup, confidence, blocked)
    if chosen:
        run.move(chosen, view.name)
        run.settle()
    elif blocked:
        refuse(run, refusals.blocked_by(run.config, one.name, proposal, blocked))
    else:
        refuse(run, refusals.not_declared(run.config, one.name, proposal))


def _event(run: Run, one: Input) -> None:
    confidence = 1.0 if one.confidence is None else one.confidence
    if one.name.startswith("decision."):
        question, dot, answer = one.name[9:].partition(".")
        if dot and question in run.machine.scope.decisions:
            _answered(run, one, question, answer, confidence)
    _moves(run, one, one.name, EventView(one.name, one.data, confidence))


def _answered(run: Run, one: Input, question: str, answer: str, confidence: float) -> None:
    """What the decision lane said to a question: a verdict or a failure, never both.

    machine.md section 9. Who answered and how long it took stand in the data of the event,
    where the lane put them.
    """
    lane = {name: one.data.get(name) for name in ("provider", "model", "latency_ms")}
    if answer == "failed":
        error = one.data.get("error")
        run.record("decision.failed", {"question": question, "error": error, **lane})
        return
    if answer not in NO_VERDICT:
        run.decision = {**run.decision, question: answer}
    said = {"question": question, "answer": answer, "confidence": confidence}
    run.record("decision.verdict", said | lane)


def _transition(run: Run, one: Input) -> None:
    confidence = 1.0 if one.confidence is None else one.confidence
    view = EventView(None, {"target": one.name}, confidence)
    _moves(run, one, ("propose", one.name), view)


def _slot(run: Run, one: Input) -> None:
    by = "model" if one.kind == "set_slot" else "host"
    proposal = one.kind if one.kind in PROPOSALS else None
    fault = slot_fault(run, one, by)
    if fault is not None:
        refuse(run, refusals.plain(run, *fault, one.name, proposal))
        return
    run.put_slot(one.name, one.value, by)
    run.settle()


def slot_fault(run: Run, one: Input, by: str) -> tuple[str, str] | None:
    """Why this writer may not put this value into this slot: reason and sentence."""
    slot = run.machine.slots.get(one.name)
    if slot is None:
        return "unknown_slot", f"there is no slot '{one.name}'"
    if slot.writers is not None and by not in slot.writers:
        return "read_only", f"slot '{slot.key}' is not written by the {by}"
    fault = why_not(slot, one.value)
    return None if fault is None else ("type", f"slot '{slot.key}' ({slot.type}): {fault}")


def _handoff(run: Run, one: Input) -> None:
    detail = agent_fault(run, one.name)
    if detail is not None:
        refuse(run, refusals.plain(run, "unknown_agent", detail, one.name, "handoff"))
        return
    run.hand_off(one.name, {"on": "proposal"})
    run.settle()


def agent_fault(run: Run, name: str) -> str | None:
    """Why there can be no handoff to this key."""
    squad = run.machine.squad or frozenset()
    return None if name in squad else f"'{name}' is not in the squad"


def _turn(run: Run, one: Input) -> None:
    run.record(f"turn.{one.kind}", {"text": one.name, "agent": run.agent})
    allowed = run.machine.limits.turns
    if allowed is not None and run.turns >= allowed:
        run.hit_limit("turns", allowed, run.turns)
        run.settle()
        return
    run.turns += 1
    name = f"turn.{one.kind}"
    run.see(EventView(name, {"text": one.name}, 1.0))
    chosen = select(run, name, 1.0)
    run.dirty = True
    if chosen:
        run.move(chosen, name)
    run.settle()


def _timer(run: Run, one: Input) -> None:
    timer = run.own_timers().get(one.name)
    if timer is None:
        refuse(run, refusals.plain(run, "undeclared", "this timer is not armed", one.name, None))
        return
    if timer.due_ms > run.now:
        detail = f"it is due at {rfc3339(timer.due_ms)}"
        refuse(run, refusals.plain(run, "early", detail, one.name, None))
        return
    _count_instant(run, timer.transition)
    del run.own_timers()[one.name]
    late = max(0, run.now - timer.due_ms)
    run.record(
        "timer.fired", {"timer": timer.key, "transition": timer.transition, "late_ms": late}
    )
    if timer.transition is None:
        return
    run.outside = False
    run.see(EventView("after." + timer.transition, {"late_ms": late}, 1.0))
    chosen = select(run, ("after", timer.transition), 1.0)
    if chosen:
        run.move(chosen, run.event.name)
    run.settle()


def _count_instant(run: Run, key: str | None) -> None:
    """Timers without delay that arm each other would fire for ever while time stands still."""
    transition = run.machine.transition_keys.get(key) if key is not None else None
    if transition is not None and transition.after_ms == 0:
        run.instant += 1
        if run.instant > MICROSTEPS:
            raise OverBudgetError(transition)


def _end(run: Run, one: Input) -> None:
    run.end(one.value, one.name)


HANDLERS: dict[str, Callable[[Run, Input], None]] = {
    "event": _event,
    "transition": _transition,
    "set_slot": _slot,
    "handoff": _handoff,
    "caller": _turn,
    "agent": _turn,
    "set": _slot,
    "timer": _timer,
    "end": _end,
}

__all__ = [
    "HANDLERS",
    "PROPOSALS",
    "SECONDS_TIMER",
    "agent_fault",
    "handle",
    "refuse",
    "slot_fault",
]
