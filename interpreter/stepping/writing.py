"""What a step of the fast path does once its transitions are chosen, as lines of Python.

The new slots, counts and configuration; timers armed and cancelled, cooldowns, takes, what is
remembered, who speaks. What is not plain raises `NotPlainError`: the literal algorithm does it.
"""

from __future__ import annotations

from typing import Any

from interpreter.budget import MAX_EFFECTS, MAX_INTEGER
from interpreter.compiling import (
    CompiledEffect,
    CompiledTransition,
    Configuration,
    Node,
    Plan,
)
from interpreter.document import why_not
from interpreter.expressions import Environment, EvaluationError, Expression, Template
from interpreter.stepping.snapshot import Cold
from interpreter.stepping.stories import Asked, Moved
from interpreter.stepping.visits import ROW, is_wide

MOST_TIMERS = 64
"""A Snapshot that came in with more timers than this is left to the literal algorithm."""

_NOTHING = Environment()
# What the effects of a step may read here: what the step itself does not change, and the slots.
_STEADY = frozenset({"slots", "event", "decision"})


class NotPlainError(Exception):
    """What the literal algorithm has to do."""


class Writing:
    """The lines of one function, and the values that it is made with."""

    def __init__(self, at: Configuration) -> None:
        self.at = at
        self.tables = at.tables
        self.wide = is_wide(at.tables)
        self.lines: list[str] = []
        self.held: list[Any] = []
        self.roots: set[str] = set()
        self.values: list[str] = []
        self.tries = False

    def hold(self, value: Any) -> str:
        """The name of a value that the function is made with."""
        self.held.append(value)
        return f"k{len(self.held) - 1}"

    def code(self, expression: Expression, only: frozenset[str] | None = None) -> str:
        """The Python of an expression; `only` are the roots that it may read."""
        roots = {name.partition(".")[0].partition("(")[0] for name in expression.refs}
        if only is not None and not roots <= only:
            raise NotPlainError
        self.roots |= roots
        self.tries = True
        return expression.code

    def count(self, node: Node) -> str:
        """The visits of a state before the step."""
        if not self.wide:
            return f"s._visits[{self.hold(node.place)}]"
        row, place = divmod(node.place, ROW)
        return f"s._visits[{self.hold(row)}][{self.hold(place)}]"

    # --- taking --------------------

    def taking(self, transitions: tuple[CompiledTransition, ...], asked: Asked) -> list[str]:
        """The lines that take transitions together, after `asked` guards."""
        if any(aims_at_history(transition) for transition in transitions):
            raise NotPlainError
        plan = self.tables.plan(self.at, transitions, {})
        after = self.tables.at_mask(plan.mask)
        self._only_plain(plan, after)
        effects = _effects_of(plan)
        self._in_budget(plan, effects)
        lines = self._limits(plan)
        constants: dict[int, Any] = {}
        self.values = []
        writes = any(effect.kind in ("set", "clear") for effect in effects)
        if writes:
            lines.append("slots = s.slots.copy()")
        for effect in effects:
            lines += self._effect(effect, after, constants)
        entered = [node.place for node in plan.entries if node.is_state]
        lines += self._entering(entered)
        cold = _ColdLines(self, plan, after, effects)
        story = self.hold(Moved(self.at, plan, asked, constants, after))
        values = "(" + "".join(f"{name}, " for name in self.values) + ")"
        lines += cold.lines
        lines.append(
            f"return Step(Snapshot({self.hold(after)}, now, {'slots' if writes else 's.slots'}, "
            f"{'v' if entered else 's._visits'}, s.transitions + {len(transitions)}, s.refusals, "
            f"{cold.code}), True, {story}, s, i, {values if self.values else None})"
        )
        return lines

    def _only_plain(self, plan: Plan, after: Configuration) -> None:
        """Raises unless nothing follows from the microstep and it is the same at every time."""
        tables = self.tables
        if not plan.whole or plan.defaults:
            raise NotPlainError
        if tables.has_always and tables.chains(after, ("always",)):
            raise NotPlainError
        if after.ends is not None or any(node.done_data for node in plan.entries):
            raise NotPlainError
        for region, owners in plan.finals.values():
            if region is not None and tables.chains(after, "done.region." + region):
                raise NotPlainError
            if any(tables.chains(after, ("done", owner)) for owner in owners):
                raise NotPlainError

    def _in_budget(self, plan: Plan, effects: list[CompiledEffect]) -> None:
        """Raises where a macrostep could leave more than it may: each part at most one record."""
        nodes = len(plan.exits) + len(plan.entries)
        timers = sum(len(node.afters) for node in plan.entries)
        if any(node.afters for node in plan.exits):
            timers += MOST_TIMERS
        records = len(effects) + nodes + len(plan.transitions) + timers + plan.binds
        if len(effects) + plan.binds > MAX_EFFECTS or records > self.tables.record_cap:
            raise NotPlainError

    def _limits(self, plan: Plan) -> list[str]:
        limits = self.tables.limits
        lines = []
        if limits.transitions is not None:
            room = self.hold(limits.transitions - len(plan.transitions))
            lines.append(f"if s.transitions > {room}: return None")
        if limits.visits is not None:
            lines += [
                f"if {self.count(node)} >= {self.hold(limits.visits)}: return None"
                for node in plan.entries
                if node.is_state and node.max_visits is None and node.key != limits.target
            ]
        return lines

    def _entering(self, places: list[int]) -> list[str]:
        if not places:
            return []
        lines = ["v = s._visits[:]"]
        if not self.wide:
            return [*lines, *[f"v[{self.hold(place)}] += 1" for place in places]]
        rows: dict[int, str] = {}
        for place in places:
            if place // ROW not in rows:
                name = rows[place // ROW] = f"r{len(rows)}"
                row = self.hold(place // ROW)
                lines.append(f"{name} = v[{row}] = v[{row}][:]")
            lines.append(f"{rows[place // ROW]}[{self.hold(place % ROW)}] += 1")
        return lines

    # --- effects --------------------

    def _effect(
        self, effect: CompiledEffect, after: Configuration, constants: dict[int, Any]
    ) -> list[str]:
        kind = effect.kind
        if kind == "set":
            return self._set(effect, constants)
        if kind == "say":
            return self._say(effect, constants)
        if kind == "clear":
            _writable(effect)
            constants[id(effect)] = None
            key = repr(effect.key)
            return [f"if slots.get({key}) is not None: slots[{key}] = None"]
        if kind == "handoff":
            constants[id(effect)] = None
            return []
        if kind not in ("hook", "raise", "call"):
            raise NotPlainError
        if kind == "hook" and effect.key in self.tables.actions:
            raise NotPlainError
        if kind == "raise" and self.tables.chains(after, effect.key):
            raise NotPlainError
        parts = [f"{name!r}: {self.code(code, _STEADY)}" for name, code in effect.values]
        return [f"{self._value()} = {{{', '.join(parts)}}}"]

    def _value(self) -> str:
        """The name of a computed value that the story needs."""
        self.values.append(f"x{len(self.values)}")
        return self.values[-1]

    def _say(self, effect: CompiledEffect, constants: dict[int, Any]) -> list[str]:
        """A prompt: its text where it has one, with what its holes read now."""
        if effect.muted:
            raise NotPlainError
        template = self.tables.templates.get(effect.key)
        if template is None or not template.refs:
            constants[id(effect)] = None if template is None else _constant(template)
            return []
        parts = [
            self.hold(part) if isinstance(part, str) else f"shown({self.code(part, _STEADY)})"
            for part in template.parts
        ]
        return [f"{self._value()} = {' + '.join(parts)}"]

    def _set(self, effect: CompiledEffect, constants: dict[int, Any]) -> list[str]:
        slot = effect.slot
        _writable(effect)
        if slot is None or slot.type == "list" or not effect.values:
            raise NotPlainError
        expression = effect.values[0][1]
        key = repr(effect.key)
        if not expression.refs:
            value = _constant(expression)
            if type(value) not in (int, str, bool) or why_not(slot, value) is not None:
                raise NotPlainError
            constants[id(effect)] = value
            return [f"slots[{key}] = {value!r}"]
        code = self.code(expression, _STEADY)
        name = self._value()
        fits = _FITS.get(slot.type)
        if fits is None or slot.minimum is not None or slot.maximum is not None:
            good = "int" if slot.type == "integer" else "(int, float, str)"
            test = "is" if slot.type == "integer" else "in"
            fits = f"type({name}) {test} {good} and why_not({self.hold(slot)}, {name}) is None"
        write = f"slots[{key}] = {name}"
        if slot.type not in _EXACT:  # 0.0 and -0.0 are alike and keep their place
            same = f"type(slots.get({key})) is not type({name}) or slots[{key}] != {name}"
            write = f"if {same}: {write}"
        return [f"{name} = {code}", f"if not ({fits.format(x=name)}): return None", write]


class _ColdLines:
    """The lines that make the Cold of a step, and the code that stands for it; `s._cold` itself
    where the step leaves it alone.
    """

    def __init__(
        self, writing: Writing, plan: Plan, after: Configuration, effects: list[CompiledEffect]
    ) -> None:
        self.writing = writing
        self.lines: list[str] = []
        self.put: dict[str, str] = {}
        self._timers(plan)
        self._counted(plan, effects)
        handoffs = [effect.key for effect in effects if effect.kind == "handoff"]
        if plan.binds or handoffs:
            self.put["agent"] = writing.hold(after.agent if plan.binds else handoffs[-1])
        self.code = "s._cold"
        if self.put:
            self.lines.insert(0, "c = s._cold")
            put = {"active": "()", **self.put}
            fields = [put.get(name, f"c.{name}") for name in Cold.__struct_fields__]
            self.code = f"Cold({', '.join(fields)})"

    def _timers(self, plan: Plan) -> None:
        hold = self.writing.hold
        left = frozenset([one.key for node in plan.exits for one in node.afters])
        armed = [(node, one) for node in plan.entries for one in node.afters]
        if not left and not armed:
            return
        test = ""
        if left:
            self.lines.append(f"if len(c.timers) > {MOST_TIMERS}: return None")
            test = f" if t.transition not in {hold(left)}"
        self.lines.append(f"d = {{t.key: t for t in c.timers{test}}}")
        for number, (node, one) in enumerate(armed, 1):
            name = hold(f"{node.key}#{one.key}@")
            self.lines.append(f"y = f'{{{name}}}{{c.armed + {number}}}'")
            self.lines.append(f"d[y] = Timer(y, now + {hold(one.after_ms)}, {hold(one.key)})")
        self.put["timers"] = "tuple(d.values())"
        if armed:
            self.put["armed"] = f"c.armed + {len(armed)}"

    def _counted(self, plan: Plan, effects: list[CompiledEffect]) -> None:
        hold = self.writing.hold
        calls = sum(effect.kind == "call" for effect in effects)
        if calls:
            self.put["tool_calls"] = f"c.tool_calls + {calls}"
        takes = [hold(one.key) for one in plan.transitions if one.max_takes is not None]
        if takes:
            more = ", ".join(f"{key}: c.takes.get({key}, 0) + 1" for key in takes)
            self.put["takes"] = f"{{**c.takes, {more}}}"
        if plan.stamps:
            more = ", ".join(f"{hold(key)}: now" for key in plan.stamps)
            self.put["moved_at"] = f"{{**c.moved_at, {more}}}"
        if plan.remembers:
            self.put["history"] = f"{{**c.history, **{hold(dict(plan.remembers))}}}"


_EXACT = ("integer", "boolean", "string", "enum")
_FITS = {
    "integer": f"type({{x}}) is int and -{MAX_INTEGER} <= {{x}} <= {MAX_INTEGER}",
    "boolean": "{x} is True or {x} is False",
}


def _effects_of(plan: Plan) -> list[CompiledEffect]:
    """All effects of a microstep, in order."""
    blocks = [
        *[node.exit for node in plan.exits],
        *[transition.effects for transition in plan.transitions],
        *[block for node in plan.entries for block in (node.speech, node.entry)],
    ]
    return [effect for block in blocks for effect in block]


def _writable(effect: CompiledEffect) -> None:
    slot = effect.slot
    if slot is None or (slot.writers is not None and "effect" not in slot.writers):
        raise NotPlainError


def aims_at_history(transition: CompiledTransition) -> bool:
    """Whether what a transition enters depends on what a history state remembers."""
    return any(target.kind == "history" for target in transition.targets)


def _constant(expression: Expression | Template) -> Any:
    """The value of an expression, or a text, that reads nothing."""
    try:
        return expression(_NOTHING)
    except EvaluationError:
        raise NotPlainError from None
