"""The fast path: a step from a configuration on an event as one function, made when it pays.

Where an event was met often, what it does from a configuration is written as Python: the guards in
order, then the new Snapshot, with the effects in between. The text is made from the compiled and
checked tree alone. What is not plain there (an effect that fails, a limit close to being hit, what
a history state remembers) gives None, and the literal algorithm takes the step from the start.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from interpreter.budget import MAX_EFFECTS, MAX_INTEGER
from interpreter.compiling import (
    Candidate,
    Chains,
    CompiledEffect,
    CompiledTransition,
    Configuration,
    Node,
    Plan,
)
from interpreter.document import why_not
from interpreter.expressions import (
    RUNTIME,
    CountersView,
    Environment,
    EvaluationError,
    EventView,
    Expression,
)
from interpreter.stepping.inputs import Input
from interpreter.stepping.outcome import Step
from interpreter.stepping.select import without_conflicts
from interpreter.stepping.snapshot import Snapshot
from interpreter.stepping.stories import Asked, Barred, Moved, Undeclared
from interpreter.stepping.visits import ROW, Visits, is_wide

WARM = 8
"""How often an event is met in a configuration before a function is made of it."""

Fast = Callable[[Snapshot, Input, int], Step | None]
_UNDECLARED = Undeclared()
_FAULTS = (EvaluationError, TypeError, ValueError, AttributeError, KeyError, ArithmeticError)
_NAMES: dict[str, Any] = {
    "__builtins__": {},
    "type": type, "int": int, "float": float, "str": str,
    "Snapshot": Snapshot, "Step": Step, "Visits": Visits, "EventView": EventView,
    "CountersView": CountersView, "FAULTS": _FAULTS, "why_not": why_not,
    **RUNTIME,
}  # fmt: skip
_NOTHING = Environment()
# What the effects of a step may read here: what the step itself does not change, and the slots.
_STEADY = frozenset({"slots", "event", "decision"})


def fast_for(at: Configuration, name: str) -> Fast:
    """The function of an event from a configuration; for one met seldom it gives None."""
    tables = at.tables
    key = tables.declared_as(name)
    if key is None:
        asked = bool(tables.scope.decisions) and name.startswith("decision.")
        return slowly if asked else refuse_undeclared
    found: Fast | None = at.fast.get(key)
    if found is not None:
        return found
    met = at.heat.get(key, 0)
    if met < WARM:
        at.heat[key] = met + 1
        return slowly
    made = _Writer(at).function(name, key)
    tables.remember(at.fast, key, made)
    return made


def slowly(snapshot: Snapshot, one: Input, now: int) -> Step | None:
    """Leaves the step to the literal algorithm."""
    del snapshot, one, now
    return None


def refuse_undeclared(snapshot: Snapshot, one: Input, now: int) -> Step | None:
    """An event that no active state waits for."""
    at, refusals = snapshot._at, snapshot.refusals
    assert at is not None
    allowed = at.tables.limits.refusals
    if allowed is not None and refusals >= allowed:
        return None
    after = Snapshot(
        at,
        now,
        snapshot.slots,
        snapshot._visits,
        snapshot.transitions,
        refusals + 1,
        snapshot._cold,
    )
    return Step(after, False, _UNDECLARED, snapshot, one, None)  # noqa: FBT003 - a keyword costs time


class _NotPlainError(Exception):
    """What the literal algorithm has to do."""


class _Writer:
    """One use: writes the function of one event from one configuration."""

    def __init__(self, at: Configuration) -> None:
        self.at = at
        self.tables = at.tables
        self.wide = is_wide(at.tables)
        self.lines: list[str] = []
        self.held: list[Any] = []
        self.roots: set[str] = set()
        self.values: list[str] = []
        self.tries = False

    # --- the function --------------------

    def function(self, name: str, key: str) -> Fast:
        """The function for an event `name` that the memo keeps as `key`."""
        chains = self.tables.chains(self.at, name)
        if self.tables.scope.decisions and (key == "*" or key.startswith("decision.")):
            return slowly
        if not chains:
            return refuse_undeclared
        try:
            if len(chains) == 1:
                self._ladder(chains[0])
            else:
                self._together(chains)
        except _NotPlainError:
            return slowly
        body = [*self._views(), *self.lines]
        names = ", ".join(f"k{n}" for n in range(len(self.held)))
        if self.tries:
            body = ["try:", *[" " + line for line in body], "except FAULTS:", " return None"]
        text = [f"def make({names}):", " def fast(s, i, now):"]
        text += ["  " + line for line in body]
        made: Fast = _factory("\n".join([*text, " return fast"]))(*self.held)
        return made

    def _views(self) -> list[str]:
        """The names that the expressions read."""
        views = {
            "slots": "slots = s.slots",
            "event": "event = EventView(i.name, i.data, "
            "1.0 if i.confidence is None else i.confidence)",
            "machine": "machine = CountersView(s._cold.turns, s.transitions, s.refusals, "
            "(now - s._cold.started) / 1000)",
            "decision": "decision = s._cold.decision",
        }
        lines = [line for root, line in views.items() if root in self.roots]
        if "visits" in self.roots:
            lines.append(f"visits = Visits({self._hold(self.tables)}, s._visits)")
        if "active" in self.roots:
            lines.append(f"active = {self._hold(self.at.keys.__contains__)}")
        return lines

    def _hold(self, value: Any) -> str:
        """The name of a value that the function is made with."""
        self.held.append(value)
        return f"k{len(self.held) - 1}"

    # --- who may answer --------------------

    def _ladder(self, chain: tuple[Candidate, ...]) -> None:
        """Candidates in order: the first whose guard passes is taken."""
        asked: list[tuple[Candidate, str]] = []
        for candidate in chain:
            transition = candidate.transition
            try:
                self.lines += self._barriers(candidate)
            except _NotPlainError:
                if not asked:
                    raise
                self.lines.append("return None")
                return
            if transition.guard is None:
                self._rung((transition,), tuple(asked), "")
                return
            self.lines.append(f"if ({self._code(transition.guard)}) is True:")
            self._rung((transition,), (*asked, (candidate, "true")), " ")
            asked.append((candidate, "false"))
        allowed = self.tables.limits.refusals
        if allowed is not None:
            self.lines.append(f"if s.refusals >= {self._hold(allowed)}: return None")
        self.lines.append(
            f"return Step(Snapshot({self._hold(self.at)}, now, s.slots, s._visits, s.transitions,"
            " s.refusals + 1, s._cold), False, "
            f"{self._hold(Barred(self.at, tuple(asked)))}, s, i, None)"
        )

    def _together(self, chains: Chains) -> None:
        """Several regions answer: plain where the first candidate of each has no guard."""
        firsts = list(dict.fromkeys(chain[0] for chain in chains))
        for candidate in firsts:
            if candidate.transition.guard is not None or _aims_at_history(candidate.transition):
                raise _NotPlainError
            self.lines += self._barriers(candidate)
        chosen = without_conflicts(self.tables, self.at.mask, {}, firsts)
        self._rung(tuple(candidate.transition for candidate in chosen), (), "")

    def _barriers(self, candidate: Candidate) -> list[str]:
        """Where something but its guard may keep a transition from being taken."""
        if candidate.plain:
            return []
        transition, home = candidate.transition, candidate.transition.home
        moves = home if transition.target is not None else None
        if transition.max_takes is not None or (moves is not None and moves.cooldown_ms):
            raise _NotPlainError
        if _aims_at_history(transition):
            raise _NotPlainError
        lines = []
        floor = transition.min_confidence or 0.0
        if candidate.backward and home is not None:
            floor = max(floor, home.backward_confidence)
        if floor > 0:
            held = self._hold(floor)
            lines.append(f"if i.confidence is not None and i.confidence < {held}: return None")
            if floor > 1:
                lines.append("return None")
        if transition.target is not None and self.tables.has_caps:
            plan = self.tables.plan(self.at, (transition,), {})
            lines += [
                f"if {self._count(node)} >= {self._hold(node.max_visits)}: return None"
                for node in plan.capped
            ]
        return lines

    # --- taking it --------------------

    def _rung(
        self, transitions: tuple[CompiledTransition, ...], asked: Asked, indent: str
    ) -> None:
        try:
            lines = self._taking(transitions, asked)
        except _NotPlainError:
            if not asked:
                raise
            lines = ["return None"]
        self.lines += [indent + line for line in lines]

    def _taking(self, transitions: tuple[CompiledTransition, ...], asked: Asked) -> list[str]:
        if any(_aims_at_history(transition) for transition in transitions):
            raise _NotPlainError
        plan = self.tables.plan(self.at, transitions, {})
        after = self.tables.at_mask(plan.mask)
        self._only_plain(plan, after)
        blocks = [
            *[node.exit for node in plan.exits],
            *[transition.effects for transition in transitions],
            *[node.entry for node in plan.entries],
        ]
        effects = [effect for block in blocks for effect in block]
        if (
            len(effects) > MAX_EFFECTS
            or len(effects) + len(plan.exits) + len(plan.entries) + len(transitions)
            > self.tables.record_cap
        ):
            raise _NotPlainError
        lines = self._limits(plan)
        constants: dict[int, Any] = {}
        self.values = []
        if any(effect.kind in ("set", "clear") for effect in effects):
            lines.append("slots = s.slots.copy()")
        for effect in effects:
            lines += self._effect(effect, after, constants)
        entered = [node.place for node in plan.entries if node.is_state]
        lines += self._entering(entered)
        story = self._hold(Moved(self.at, plan, asked, constants))
        written = "slots" if "slots = s.slots.copy()" in lines else "s.slots"
        values = "(" + "".join(f"{name}, " for name in self.values) + ")"
        lines.append(
            f"return Step(Snapshot({self._hold(after)}, now, {written}, "
            f"{'v' if entered else 's._visits'}, s.transitions + {len(transitions)}, s.refusals, "
            f"s._cold), True, {story}, s, i, {values if self.values else None})"
        )
        return lines

    def _only_plain(self, plan: Plan, after: Configuration) -> None:
        """Raises unless a microstep changes slots, visits and the configuration alone."""
        tables = self.tables
        if not plan.whole or plan.remembers or plan.defaults or plan.stamps or plan.binds:
            raise _NotPlainError
        if any(node.afters for node in (*plan.exits, *plan.entries)):
            raise _NotPlainError
        if any(node.prompt is not None for node in plan.entries):
            raise _NotPlainError
        if any(transition.max_takes is not None for transition in plan.transitions):
            raise _NotPlainError
        if tables.has_always and tables.chains(after, ("always",)):
            raise _NotPlainError
        if after.ends is not None or any(node.done_data for node in plan.entries):
            raise _NotPlainError
        for region, owners in plan.finals.values():
            if region is not None and tables.chains(after, "done.region." + region):
                raise _NotPlainError
            if any(tables.chains(after, ("done", owner)) for owner in owners):
                raise _NotPlainError

    def _limits(self, plan: Plan) -> list[str]:
        limits = self.tables.limits
        lines = []
        if limits.transitions is not None:
            room = self._hold(limits.transitions - len(plan.transitions))
            lines.append(f"if s.transitions > {room}: return None")
        if limits.visits is not None:
            lines += [
                f"if {self._count(node)} >= {self._hold(limits.visits)}: return None"
                for node in plan.entries
                if node.is_state and node.max_visits is None and node.key != limits.target
            ]
        return lines

    def _count(self, node: Node) -> str:
        """The visits of a state before the step."""
        if not self.wide:
            return f"s._visits[{self._hold(node.place)}]"
        row, place = divmod(node.place, ROW)
        return f"s._visits[{self._hold(row)}][{self._hold(place)}]"

    def _entering(self, places: list[int]) -> list[str]:
        if not places:
            return []
        lines = ["v = s._visits[:]"]
        if not self.wide:
            return [*lines, *[f"v[{self._hold(place)}] += 1" for place in places]]
        rows: dict[int, str] = {}
        for place in places:
            if place // ROW not in rows:
                name = rows[place // ROW] = f"r{len(rows)}"
                row = self._hold(place // ROW)
                lines.append(f"{name} = v[{row}] = v[{row}][:]")
            lines.append(f"{rows[place // ROW]}[{self._hold(place % ROW)}] += 1")
        return lines

    # --- effects --------------------

    def _code(self, expression: Expression, only: frozenset[str] | None = None) -> str:
        """The Python of an expression; `only` are the roots that it may read."""
        roots = {name.partition(".")[0].partition("(")[0] for name in expression.refs}
        if only is not None and not roots <= only:
            raise _NotPlainError
        self.roots |= roots
        self.tries = True
        return expression.code

    def _effect(
        self, effect: CompiledEffect, after: Configuration, constants: dict[int, Any]
    ) -> list[str]:
        if effect.kind == "set":
            return self._set(effect, constants)
        if effect.kind == "clear":
            _writable(effect)
            constants[id(effect)] = None
            key = repr(effect.key)
            return [f"if slots.get({key}) is not None: slots[{key}] = None"]
        if effect.kind not in ("hook", "raise") or effect.key in self.tables.actions:
            raise _NotPlainError
        if effect.kind == "raise" and self.tables.chains(after, effect.key):
            raise _NotPlainError
        parts = [f"{name!r}: {self._code(code, _STEADY)}" for name, code in effect.values]
        return [f"{self._value()} = {{{', '.join(parts)}}}"]

    def _value(self) -> str:
        """The name of a computed value that the story needs."""
        self.values.append(f"x{len(self.values)}")
        return self.values[-1]

    def _set(self, effect: CompiledEffect, constants: dict[int, Any]) -> list[str]:
        slot = effect.slot
        _writable(effect)
        if slot is None or slot.type == "list" or not effect.values:
            raise _NotPlainError
        expression = effect.values[0][1]
        key = repr(effect.key)
        if not expression.refs:
            value = _constant(expression)
            if type(value) not in (int, str, bool) or why_not(slot, value) is not None:
                raise _NotPlainError
            constants[id(effect)] = value
            return [f"slots[{key}] = {value!r}"]
        code = self._code(expression, _STEADY)
        name = self._value()
        fits = _FITS.get(slot.type)
        if fits is None or slot.minimum is not None or slot.maximum is not None:
            good = "int" if slot.type == "integer" else "(int, float, str)"
            test = "is" if slot.type == "integer" else "in"
            fits = f"type({name}) {test} {good} and why_not({self._hold(slot)}, {name}) is None"
        write = f"slots[{key}] = {name}"
        if slot.type not in (
            "integer",
            "boolean",
            "string",
            "enum",
        ):  # 0.0 and -0.0 are alike and keep their place
            write = (
                f"if type(slots.get({key})) is not type({name}) or slots[{key}] != {name}: {write}"
            )
        return [f"{name} = {code}", f"if not ({fits.format(x=name)}): return None", write]


_FITS = {
    "integer": f"type({{x}}) is int and -{MAX_INTEGER} <= {{x}} <= {MAX_INTEGER}",
    "boolean": "{x} is True or {x} is False",
}


def _writable(effect: CompiledEffect) -> None:
    slot = effect.slot
    if slot is None or (slot.writers is not None and "effect" not in slot.writers):
        raise _NotPlainError


def _aims_at_history(transition: CompiledTransition) -> bool:
    return any(target.kind == "history" for target in transition.targets)


def _constant(expression: Expression) -> Any:
    """The value of an expression that reads nothing."""
    try:
        return expression(_NOTHING)
    except EvaluationError:
        raise _NotPlainError from None


@lru_cache(maxsize=4096)
def _factory(text: str) -> Callable[..., Fast]:
    """Functions of one shape differ in what they hold; the text is compiled once."""
    names = dict(_NAMES)
    exec(compile(text, "<fast path>", "exec"), names)  # noqa: S102 - from the checked tree alone
    made: Callable[..., Fast] = names["make"]
    return made
