"""The fast path: a step from a configuration on an event as one function, made when it pays.

Where an event, or a proposal of a transition, was met often, what it does from a configuration is
written as Python: the guards in order, then the new Snapshot, with the effects in between. The
text is made from the compiled and checked tree alone. What is not plain there (an effect that
fails, a limit close to being hit, a move to a history state) gives None, and the literal algorithm
takes the step from the start.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from interpreter.compiling import Candidate, Chains, Configuration, Lookup
from interpreter.document import why_not
from interpreter.expressions import (
    RUNTIME,
    CountersView,
    EvaluationError,
    EventView,
    show_bounded,
)
from interpreter.stepping.inputs import Input
from interpreter.stepping.outcome import Step
from interpreter.stepping.select import without_conflicts
from interpreter.stepping.snapshot import Cold, Snapshot, Timer
from interpreter.stepping.stories import Asked, Barred, Undeclared
from interpreter.stepping.visits import Visits
from interpreter.stepping.writing import NotPlainError, Writing, aims_at_history

WARM = 8
"""How often an event is met in a configuration before a function is made of it."""
MOST_ENDS = 64
"""In how many ways an event may be answered from a configuration; the others are literal."""
MOST_REGIONS = 16

Fast = Callable[[Snapshot, Input, int], Step | None]
_UNDECLARED = Undeclared()
_FAULTS = (EvaluationError, TypeError, ValueError, AttributeError, KeyError, ArithmeticError)
_NAMES: dict[str, Any] = {
    "__builtins__": {},
    "type": type, "int": int, "float": float, "str": str, "len": len, "tuple": tuple,
    "Cold": Cold, "Timer": Timer, "shown": show_bounded,
    "Snapshot": Snapshot, "Step": Step, "Visits": Visits, "EventView": EventView,
    "CountersView": CountersView, "FAULTS": _FAULTS, "why_not": why_not,
    **RUNTIME,
}  # fmt: skip


def fast_for(at: Configuration, lookup: Lookup) -> Fast:
    """The function of an event's name, or of `("propose", name)`, from a configuration.

    For what was met seldom it gives None.
    """
    tables = at.tables
    key = _kept_as(at, lookup)
    if key is None:
        decides = isinstance(lookup, str) and lookup.startswith("decision.")
        return slowly if decides and tables.scope.decisions else refuse_undeclared
    found: Fast | None = at.fast.get(key)
    if found is not None:
        return found
    met = at.heat.get(key, 0)
    if met < WARM:
        at.heat[key] = met + 1
        return slowly
    made = _Writer(at, lookup).function(key)
    tables.remember(at.fast, key, made)
    return made


def _kept_as(at: Configuration, lookup: Lookup) -> Lookup | None:
    """The name under which the memo keeps it: one of the document, so that they are few."""
    if isinstance(lookup, str):
        return at.tables.declared_as(lookup)
    return lookup if lookup[1] in at.tables.proposals else None


def slowly(snapshot: Snapshot, one: Input, now: int) -> Step | None:
    """Leaves the step to the literal algorithm."""
    del snapshot, one, now
    return None


def refuse_undeclared(snapshot: Snapshot, one: Input, now: int) -> Step | None:
    """An event or a proposal that no active state waits for."""
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


class _Writer(Writing):
    """One use: writes the function of one event, or proposal, from one configuration."""

    def __init__(self, at: Configuration, lookup: Lookup) -> None:
        super().__init__(at)
        self.lookup = lookup
        self.proposal = not isinstance(lookup, str)
        self.ends = 0

    def function(self, key: Lookup) -> Fast:
        """The function that the memo keeps as `key`."""
        chains = self.tables.chains(self.at, self.lookup)
        decides = isinstance(key, str) and (key == "*" or key.startswith("decision."))
        if decides and self.tables.scope.decisions:
            return slowly
        if not chains:
            return refuse_undeclared
        self._decide(chains, {}, (), (), "")
        if self.lines[0] == "return None":
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
        named = "None, {'target': i.name}" if self.proposal else "i.name, i.data"
        views = {
            "slots": "slots = s.slots",
            "event": f"event = EventView({named}, 1.0 if i.confidence is None else i.confidence)",
            "machine": "machine = CountersView(s._cold.turns, s.transitions, s.refusals, "
            "(now - s._cold.started) / 1000)",
            "decision": "decision = s._cold.decision",
        }
        lines = [line for root, line in views.items() if root in self.roots]
        if "visits" in self.roots:
            lines.append(f"visits = Visits({self.hold(self.tables)}, s._visits)")
        if "active" in self.roots:
            lines.append(f"active = {self.hold(self.at.keys.__contains__)}")
        return lines

    # --- who may answer --------------------

    def _decide(
        self,
        rest: Chains,
        known: dict[int, bool],
        chosen: tuple[Candidate, ...],
        asked: Asked,
        indent: str,
    ) -> None:
        """The first enabled candidate of each chain, each asked once.

        What is not plain gives None. `known` are the verdicts so far, by the transition's index.
        """
        rest = tuple([chain for chain in rest if chain])
        try:
            if not rest:
                self._end(chosen, asked, indent)
                return
            candidate, others = rest[0][0], rest[1:]
            index, guard = candidate.transition.index, candidate.transition.guard
            no = (rest[0][1:], *others)
            if index in known:
                self._decide(others if known[index] else no, known, chosen, asked, indent)
                return
            lines = self._barriers(candidate, len(indent))
            if guard is not None:
                lines.append(f"if ({self.code(guard)}) is True:")
        except NotPlainError:
            self.lines.append(indent + "return None")
            return
        self.lines += [indent + line for line in lines]
        picked, passed = (*chosen, candidate), {**known, index: True}
        if guard is None:
            self._decide(others, passed, picked, asked, indent)
            return
        self._decide(others, passed, picked, (*asked, (candidate, "true")), indent + " ")
        failed = {**known, index: False}
        self._decide(no, failed, chosen, (*asked, (candidate, "false")), indent)

    def _end(self, chosen: tuple[Candidate, ...], asked: Asked, indent: str) -> None:
        """Every chain has answered: taken together, or refused."""
        self.ends += 1
        if not chosen:
            lines = self._barred(asked)
        else:
            if any(aims_at_history(candidate.transition) for candidate in chosen):
                raise NotPlainError
            if len(chosen) > 1:
                chosen = without_conflicts(self.tables, self.at.mask, {}, list(chosen))
            lines = self.taking(tuple([one.transition for one in chosen]), asked)
        self.lines += [indent + line for line in lines]

    def _barred(self, asked: Asked) -> list[str]:
        lines = []
        allowed = self.tables.limits.refusals
        if allowed is not None:
            lines.append(f"if s.refusals >= {self.hold(allowed)}: return None")
        after = "now, s.slots, s._visits, s.transitions, s.refusals + 1, s._cold"
        story = self.hold(Barred(self.at, asked))
        lines.append(
            f"return Step(Snapshot({self.hold(self.at)}, {after}), False, {story}, s, i, None)"
        )
        return lines

    def _barriers(self, candidate: Candidate, deep: int) -> list[str]:
        """Where something but its guard may keep a transition from being taken."""
        if self.ends >= MOST_ENDS or deep > MOST_REGIONS:
            raise NotPlainError
        if candidate.plain:
            return []
        transition, home = candidate.transition, candidate.transition.home
        if aims_at_history(transition):
            raise NotPlainError
        lines = []
        if home is not None and transition.target is not None and home.cooldown_ms:
            lines.append(f"m = s._cold.moved_at.get({self.hold(home.key)})")
            rest = self.hold(home.cooldown_ms)
            lines.append(f"if m is not None and now - m < {rest}: return None")
        if transition.max_takes is not None:
            taken = f"s._cold.takes.get({self.hold(transition.key)}, 0)"
            lines.append(f"if {taken} >= {self.hold(transition.max_takes)}: return None")
        lines += self._unsure(candidate)
        if transition.target is not None and self.tables.has_caps:
            plan = self.tables.plan(self.at, (transition,), {})
            if not plan.whole:
                raise NotPlainError
            lines += [
                f"if {self.count(node)} >= {self.hold(node.max_visits)}: return None"
                for node in plan.capped
            ]
        return lines

    def _unsure(self, candidate: Candidate) -> list[str]:
        """Where the confidence may be too low."""
        transition, home = candidate.transition, candidate.transition.home
        lines = []
        floor = transition.min_confidence or 0.0
        if candidate.backward and home is not None:
            floor = max(floor, home.backward_confidence)
        if floor > 0:
            held = self.hold(floor)
            lines.append(f"if i.confidence is not None and i.confidence < {held}: return None")
            if floor > 1:
                lines.append("if i.confidence is None: return None")
        return lines


@lru_cache(maxsize=4096)
def _factory(text: str) -> Callable[..., Fast]:
    """Functions of one shape differ in what they hold; the text is compiled once."""
    names = dict(_NAMES)
    exec(compile(text, "<fast path>", "exec"), names)  # noqa: S102 - from the checked tree alone
    made: Callable[..., Fast] = names["make"]
    return made
