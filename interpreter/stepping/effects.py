"""What each kind of effect does to a run: one function a kind, one table (machine.md section 6).

Nothing here does outside work: what the host has to do is appended to the run's effects as data.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.compiling import CompiledEffect
from interpreter.document import SlotDoc, why_not
from interpreter.expressions import EvaluationError, Expression
from interpreter.stepping.work import Work

Origin = dict[str, Any]


class EffectError(Exception):
    """An effect that cannot be carried out; its block ends. `data` goes into the event."""

    def __init__(
        self, message: str, source: str | None = None, data: dict[str, Any] | None = None
    ) -> None:
        super().__init__(message)
        self.source = source
        self.data = data or {}


def _values(run: Work, effect: CompiledEffect) -> dict[str, Any]:
    env = run.env() if effect.values else None
    return {name: _value(expression, env) for name, expression in effect.values}


def _value(expression: Expression, env: Any) -> Any:
    try:
        return expression(env)
    except EvaluationError as error:
        raise EffectError(error.message, expression.source) from None


def _writable(slot: SlotDoc) -> None:
    if slot.writers is not None and "effect" not in slot.writers:
        raise EffectError(f"slot '{slot.key}' is not written by effects")


def _set(run: Work, effect: CompiledEffect, origin: Origin) -> None:
    slot = effect.slot
    if slot is None or not effect.values:
        raise EffectError(f"there is no slot '{effect.key}'")
    _writable(slot)
    expression = effect.values[0][1]
    value = expression(run.env())
    if slot.type == "integer" and isinstance(value, float) and value.is_integer():
        value = int(value)
    fault = why_not(slot, value)
    if fault is not None:
        raise EffectError(f"slot '{slot.key}' ({slot.type}): {fault}", expression.source)
    run.put_slot(slot.key, value, "effect")
    run.effects.append({"kind": "set", "slot": slot.key, "value": value, "from": origin})


def _clear(run: Work, effect: CompiledEffect, origin: Origin) -> None:
    if effect.slot is not None:
        _writable(effect.slot)
    run.put_slot(effect.key, None, "effect")
    run.effects.append({"kind": "clear", "slot": effect.key, "from": origin})


def _raise(run: Work, effect: CompiledEffect, origin: Origin) -> None:
    data = _values(run, effect)
    run.raise_event(effect.key, data)
    run.effects.append({"kind": "raise", "event": effect.key, "data": data, "from": origin})


def _say(run: Work, effect: CompiledEffect, origin: Origin) -> None:
    if effect.muted:
        raise EffectError("only the speaker region speaks")
    template = run.machine.templates.get(effect.key)
    text = None
    if template is not None:
        try:
            text = template(run.env())
        except EvaluationError as error:
            raise EffectError(error.message, template.text) from None
    run.effects.append({"kind": "say", "prompt": effect.key, "text": text, "from": origin})


def _call(run: Work, effect: CompiledEffect, origin: Origin) -> None:
    args = _values(run, effect)
    run.tool_calls += 1
    call = f"call_{run.tool_calls}"
    run.record("tool.requested", {"tool": effect.key, "call": call, "arguments": args})
    run.effects.append(
        {"kind": "call", "tool": effect.key, "call": call, "args": args, "from": origin}
    )


def _handoff(run: Work, effect: CompiledEffect, origin: Origin) -> None:
    run.hand_off(effect.key, origin)


def _hook(run: Work, effect: CompiledEffect, origin: Origin) -> None:
    data = _values(run, effect)
    action = run.machine.actions.get(effect.key)
    if action is not None:
        action(run, data, origin)
        return
    run.record("hook.dispatched", {"hook": effect.key, **origin, "data": data})
    run.effects.append({"kind": "hook", "hook": effect.key, "data": data, "from": origin})


def _choose(run: Work, effect: CompiledEffect, origin: Origin) -> None:
    for guard, block in effect.branches:
        if guard is None or _holds(run, guard):
            for inner in block:
                EFFECTS[inner.kind](run, inner, origin)
            return


def _holds(run: Work, guard: Expression) -> bool:
    """A guard that fails to evaluate counts as false and raises the error (SCXML 5.9.1)."""
    try:
        return guard(run.env()) is True
    except EvaluationError as error:
        run.raise_event("error.guard", {"error": error.message})
        return False


def _end(run: Work, effect: CompiledEffect, origin: Origin) -> None:
    if run.ending is None:
        run.ending = (effect.key, "effect")
    run.effects.append({"kind": "end", "outcome": effect.key, "from": origin})


EFFECTS: dict[str, Callable[[Work, CompiledEffect, Origin], None]] = {
    "set": _set,
    "clear": _clear,
    "raise": _raise,
    "say": _say,
    "call": _call,
    "handoff": _handoff,
    "hook": _hook,
    "end": _end,
    "choose": _choose,
}
