"""The sentences of refusals: each names what came in and the states it was refused from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from interpreter.compiling import Configuration
from interpreter.stepping.outcome import GuardOutcome, Refusal
from interpreter.stepping.select import Blocked
from interpreter.stepping.work import Work


def leaves(at: Configuration) -> tuple[str, ...]:
    """The innermost active states in document order: where an input is refused from."""
    return tuple([node.key for node in at.leaves])


def where(states: Sequence[str]) -> str:
    """`state 'a'`, or `states 'a', 'b'`."""
    named = ", ".join(f"'{key}'" for key in states)
    return f"state {named}" if len(states) == 1 else f"states {named}"


def shown(value: Any) -> str:
    """A value as a sentence shows it."""
    if value is None:
        return "unset"
    if isinstance(value, bool):
        return "true" if value else "false"
    text = repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= 80 else text[:77] + "..."


def not_declared(at: Configuration, name: str, proposal: str | None) -> Refusal:
    """No active state waits for this event, or offers this move."""
    states = leaves(at)
    if proposal is None:
        message = f"'{name}' is not a declared event in {where(states)}"
    elif name in at.tables.states or name in at.tables.transition_keys:
        message = f"`transition` to '{name}' is not declared in {where(states)}"
    else:
        message = (
            f"`transition` to '{name}' was refused in {where(states)}: there is no such state"
        )
    return Refusal("undeclared", message, name, states, proposal=proposal)


def blocked_by(
    at: Configuration, name: str, proposal: str | None, blocked: Sequence[Blocked]
) -> Refusal:
    """Declared, but nobody may take it now: the first reason that is no guard, else the guards."""
    other = next((no for no in blocked if no.reason != "guard"), None)
    guards = tuple(no.guard for no in blocked if no.guard is not None)
    found = [key for no in blocked for key in _refused_from(at, no)]
    states = tuple(dict.fromkeys(found))
    what = f"`transition` to '{name}'" if proposal else f"'{name}'"
    head = f"{what} was refused in {where(states)}: "
    if other is not None:
        return Refusal(
            other.reason, head + other.detail, name, states, proposal=proposal, guards=guards
        )
    detail = "; ".join(_guard_sentence(guard) for guard in guards)
    return Refusal("guard", head + detail, name, states, proposal=proposal, guards=guards)


def _refused_from(at: Configuration, no: Blocked) -> list[str]:
    """The state that declares the transition; for one of a region, the active leaves in it."""
    source = no.candidate.transition.source
    if source.is_state:
        return [source.key]
    return [leaf.key for leaf in at.leaves if leaf.is_within(source)]


def _guard_sentence(guard: GuardOutcome) -> str:
    source = guard.transition.doc.guard
    if guard.error is not None:
        return f"guard `{source}` failed: {guard.error}"
    reads = ", ".join(f"{name} = {shown(value)}" for name, value in guard.reads.items())
    return f"guard `{source}` is false" + (f" ({reads})" if reads else "")


def over(run: Work, name: str, proposal: str | None) -> Refusal:
    """The Call has ended."""
    states = leaves(run.config)
    message = f"'{name}' was refused: the Call has ended in {where(states)}"
    return Refusal("ended", message, name, states, proposal=proposal)


def plain(run: Work, reason: str, detail: str, name: str, proposal: str | None) -> Refusal:
    """Any other reason; `detail` is the end of the sentence."""
    states = leaves(run.config)
    what = f"`{proposal}` of '{name}'" if proposal else f"'{name}'"
    message = f"{what} was refused in {where(states)}: {detail}"
    return Refusal(reason, message, name, states, proposal=proposal)
