"""Guards and effects compiled once, every name looked up; faults are collected, not raised."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from interpreter.compiling.nodes import CompiledEffect
from interpreter.document import NOT_WIDENED, Branch, Effect, SlotDoc, Widening, is_loose
from interpreter.errors import Path, Problem
from interpreter.expressions import Expression, ExpressionSyntaxError, Scope, compile_expression


class EffectCompiler:
    """Compiles the blocks of one chart.

    `prompts`, `squad` and `outcomes` are the declared keys, or None when nothing is known of them
    (a machine compiled by itself): then any key passes.
    """

    def __init__(
        self,
        scope: Scope,
        slots: Mapping[str, SlotDoc],
        *,
        prompts: Collection[str] | None,
        squad: Collection[str] | None,
        outcomes: Collection[str] | None,
        tools: Collection[str] | None = None,
        wider: Widening = NOT_WIDENED,
    ) -> None:
        self.scope = scope
        self.wider = wider
        self.slots = slots
        self.known = {"prompt": prompts, "agent": squad, "outcome": outcomes, "tool": tools}
        self.problems: list[Problem] = []
        self._cache: dict[tuple[str, str], Expression] = {}

    def guard(self, source: str | None, path: Path) -> Expression | None:
        """The compiled guard; None without one, or when it has faults."""
        return None if source is None else self._expression(source, "boolean", path)

    def block(
        self, effects: Sequence[Effect], path: Path, *, speaker: bool
    ) -> tuple[CompiledEffect, ...]:
        """A block of effects; `speaker` says whether it may speak."""
        block = []
        for place, effect in enumerate(effects):
            compiled = _KINDS[effect.kind](self, effect, (*path, place))
            compiled.muted = compiled.kind == "say" and not speaker
            block.append(compiled)
        return tuple(block)

    def prompt(self, key: str, path: Path) -> None:
        """Checks that a prompt exists."""
        self._reference("prompt", key, path)

    def squad_member(self, key: str, path: Path) -> None:
        """Checks that a squad Agent exists."""
        self._reference("agent", key, path)

    def _reference(self, what: str, key: str, path: Path) -> None:
        known = self.known[what]
        if known is not None and key not in known:
            name = "squad Agent" if what == "agent" else what
            self.problems.append(
                Problem(f"reference.{what}", "error", path, f"there is no {name} '{key}'")
            )

    def _slot(self, key: str, path: Path) -> SlotDoc | None:
        slot = self.slots.get(key)
        if slot is None:
            self.problems.append(
                Problem("reference.slot", "error", path, f"there is no slot '{key}'")
            )
        return slot

    def _expression(self, source: str, want: Any, path: Path) -> Expression | None:
        name = want if isinstance(want, str) else f"slot {want.key}" if want else ""
        found = self._cache.get((source, name))
        if found is None:
            try:
                found = compile_expression(source, self.scope, want)
            except ExpressionSyntaxError as error:
                self.problems += [
                    Problem(
                        f"expression.{p.code}", "error", path, p.message, p.hint, (p.start, p.end)
                    )
                    for p in error.problems
                ]
                return None
            self._cache[(source, name)] = found
        return found

    def values(
        self, sources: Mapping[str, str] | None, path: Path
    ) -> tuple[tuple[str, Expression], ...]:
        """Named expressions in the order of the document."""
        found = []
        for name, source in (sources or {}).items():
            expression = self._expression(source, None, (*path, name))
            if expression is not None:
                found.append((name, expression))
        return tuple(found)


def _set(c: EffectCompiler, effect: Any, path: Path) -> CompiledEffect:
    slot = c._slot(effect.set, (*path, "set"))
    want = None if slot is not None and is_loose(slot) else slot
    value = c._expression(effect.value, want, (*path, "value"))
    return CompiledEffect("set", effect.set, (("", value),) if value else (), slot)


def _clear(c: EffectCompiler, effect: Any, path: Path) -> CompiledEffect:
    return CompiledEffect("clear", effect.clear, (), c._slot(effect.clear, (*path, "clear")))


def _raise(c: EffectCompiler, effect: Any, path: Path) -> CompiledEffect:
    return CompiledEffect("raise", effect.raises, c.values(effect.data, (*path, "data")))


def _say(c: EffectCompiler, effect: Any, path: Path) -> CompiledEffect:
    c.prompt(effect.say, (*path, "say"))
    return CompiledEffect("say", effect.say)


def _call(c: EffectCompiler, effect: Any, path: Path) -> CompiledEffect:
    c._reference("tool", effect.call, (*path, "call"))
    return CompiledEffect("call", effect.call, c.values(effect.args, (*path, "args")))


def _handoff(c: EffectCompiler, effect: Any, path: Path) -> CompiledEffect:
    c.squad_member(effect.handoff, (*path, "handoff"))
    return CompiledEffect("handoff", effect.handoff)


def _hook(c: EffectCompiler, effect: Any, path: Path) -> CompiledEffect:
    branches = c.wider.branches.get(effect.hook)
    if branches is not None:
        return _choose(c, effect.hook, branches, path)
    inner = c.wider.blocks.get(effect.hook)
    if inner is not None:
        block = c.block(inner, path, speaker=True)
        return CompiledEffect("block", effect.hook, branches=((None, block),))
    return CompiledEffect("hook", effect.hook, c.values(effect.data, (*path, "data")))


def _choose(c: EffectCompiler, key: str, branches: Sequence[Branch], path: Path) -> CompiledEffect:
    """SCXML's `<if>` (4.3): the block of the first branch whose guard holds."""
    made = [
        (c.guard(guard, (*path, place)), c.block(effects, (*path, place), speaker=True))
        for place, (guard, effects) in enumerate(branches)
    ]
    return CompiledEffect("choose", key, branches=tuple(made))


def _end(c: EffectCompiler, effect: Any, path: Path) -> CompiledEffect:
    c._reference("outcome", effect.end, (*path, "end"))
    return CompiledEffect("end", effect.end)


_KINDS: dict[str, Callable[[EffectCompiler, Any, Path], CompiledEffect]] = {
    "set": _set,
    "clear": _clear,
    "raise": _raise,
    "say": _say,
    "call": _call,
    "handoff": _handoff,
    "hook": _hook,
    "end": _end,
}
