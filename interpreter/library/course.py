"""The course's machine and its checker: every declared pair lands, every other pair is refused.

The checker takes a step function `(state, event) -> state` over dicts, as the course does
(`{"state", "visited", "rejected"}`, `{"name"}`), a table `{(state, event): target}`, or a Machine.
It calls no model and no network, and writes its event sequences itself.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Any

from interpreter import Machine, Snapshot, compile_agent, library, start_step, step
from interpreter.library.course_charts import judge_chart
from interpreter.library.course_report import Faulty, Judgement, Tally

STATES = ("planning", "retrieving", "answering", "refusing", "done")
TABLE: Mapping[tuple[str, str], str] = {
    ("planning", "plan_ready"): "retrieving",
    ("planning", "out_of_scope"): "refusing",
    ("retrieving", "hits"): "answering",
    ("retrieving", "no_hits"): "refusing",
    ("answering", "answered"): "done",
    ("refusing", "refused"): "done",
}
PROBE = "skip_ahead"
EVENTS = (*(event for _, event in TABLE), PROBE)
ANSWER = ("plan_ready", "hits", "answered")
REFUSALS = {
    "out-of-scope path": ("out_of_scope", "refused"),
    "empty-retrieval path": ("plan_ready", "no_hits", "refused"),
}
MAX_VISITS = 3
_NOW = datetime(2026, 1, 1, tzinfo=UTC)

State = dict[str, Any]
StepFunction = Callable[[State, dict[str, Any]], Any]
Table = Mapping[tuple[str, str], str]
__all__ = [
    "ANSWER", "EVENTS", "MAX_VISITS", "PROBE", "STATES", "TABLE", "Judgement", "course_machine",
    "event_of", "judge", "step_of", "storm_machine",
]  # fmt: skip


def course_machine() -> Machine:
    """The preset: the chart `course_answers`."""
    return compile_agent(library.load("course_answers")["document"])


def storm_machine(max_visits: int = MAX_VISITS) -> Machine:
    """The preset with (retrieving, retry) -> retrieving, and a cap on the visits of retrieving."""
    document = copy.deepcopy(library.load("course_answers")["document"])
    states = document["machine"]["regions"][0]["states"]
    retrieving = next(state for state in states if state["key"] == "retrieving")
    retrieving["max_visits"] = max_visits
    retrieving["transitions"].append({"on": {"event": "retry"}, "target": "retrieving"})
    return compile_agent(document)


def event_of(sources: Mapping[str, Sequence[Any] | None]) -> dict[str, Any]:
    """The event that a search over sources becomes: `hits` or `no_hits`, never a failure.

    A source that failed is None. What was found with a source missing is partial, and the event
    names the first source that failed.
    """
    failed = [name for name, found in sources.items() if found is None]
    if not any(sources.values()):
        return {"name": "no_hits"}
    if not failed:
        return {"name": "hits"}
    return {"name": "hits", "data": {"partial": True, "failed_source": failed[0]}}


def step_of(machine: Machine) -> StepFunction:
    """A Machine of one region as the course's step function.

    A state dict is `{"state", "visited", "rejected", "slots"}`; an event dict `{"name", "data"}`.
    """
    first = start_step(machine, _NOW)

    def move(state: State, event: dict[str, Any]) -> State:
        slots = state.get("slots", first.snapshot.slots)
        place = {
            **first.snapshot.to_json(),
            "active": [state["state"]],
            "visits": dict(Counter(state["visited"])),
            "slots": slots,
            "timers": [],
        }
        line = {"event": event["name"], "data": event.get("data", {})}
        taken = step(machine, Snapshot.from_json(place), line)
        entered = [r.data["state"] for r in taken.records if r.type == "state.entered"]
        return {
            "state": taken.snapshot.active[-1],
            "visited": [*state["visited"], *entered],
            "rejected": taken.refusal.message if taken.refusal is not None else None,
            "slots": dict(taken.snapshot.slots),
        }

    return move


def judge(subject: object, *, table: Table | None = None, initial: str | None = None) -> Judgement:
    """Judges a step function, a table or a Machine; never raises for what it does.

    A step function, and a Machine that has the course's states, is held against `table`, the
    course's own by default; with the course's table the six scenarios of the course come first.
    A table becomes a Machine. Any other Machine is held against what it declares itself.
    """
    if isinstance(subject, Machine):
        own = table is None and not set(STATES) <= set(subject.states)
        return judge_chart(subject) if own else _judge_steps(step_of(subject), table, initial)
    if isinstance(subject, Mapping) and subject and all(_is_pair(key) for key in subject):
        first = initial if initial is not None else next(iter(subject))[0]
        return judge_chart(Machine.from_table(subject, initial=first))
    if not callable(subject):
        kind = type(subject).__name__
        said = f"this is a {kind}, not a function: pass the step function itself, not its result"
        return Judgement(passed=False, message=f"{said}.")
    return _judge_steps(subject, table, initial)


def _is_pair(key: object) -> bool:
    return isinstance(key, tuple) and len(key) == 2


def _judge_steps(function: StepFunction, table: Table | None, initial: str | None) -> Judgement:
    course = table is None or dict(table) == dict(TABLE)
    rows = TABLE if table is None else table
    first = initial if initial is not None else next(iter(rows))[0]
    judged = _Judge(function, rows, first, course=course)
    try:
        for name, scenario in judged.scenarios():
            judged.name = name
            scenario()
            judged.passed.append(name)
    except Faulty as fault:
        return judged.tally.told(f"{judged.name}: {fault}", tuple(judged.passed))
    return judged.tally.told("", tuple(judged.passed))


@dataclass(eq=False)
class _Judge:
    """Holds one step function against one table."""

    function: StepFunction
    table: Table
    initial: str
    course: bool
    name: str = ""
    passed: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        rows = self.table
        self.states = tuple(
            STATES
            if self.course
            else dict.fromkeys([self.initial, *(s for s, _ in rows), *rows.values()])
        )
        self.events = tuple(dict.fromkeys([*(event for _, event in rows), PROBE]))
        undeclared = [(s, e) for s in self.states for e in self.events if (s, e) not in rows]
        self.tally = Tally(tuple(rows), tuple(undeclared))

    def scenarios(self) -> Iterator[tuple[str, Callable[[], None]]]:
        """What is judged, in order."""
        if self.course:
            yield "answer path", self._answer
            for name, events in REFUSALS.items():
                yield name, partial(self._refusal_path, events)
            yield "terminal", self._terminal
        else:
            yield "declared edges", self._edges
        yield "undeclared edges", self._undeclared
        yield "same run twice", self._repeatable
        if self.course:
            yield "declared edges", self._edges

    # --- the scenarios --------------------

    def _answer(self) -> None:
        end = self._run(ANSWER)
        wanted = ["planning", "retrieving", "answering", "done"]
        if end["visited"] != wanted:
            raise Faulty(f"visited is {end['visited']}, not {wanted}", "append each state entered")

    def _refusal_path(self, events: Sequence[str]) -> None:
        here: State = self._start()
        for event in events:
            here = self._called(here, event)
            if here["state"] == "answering" or "answering" in here["visited"]:
                hint = "only (retrieving, hits) leads to answering"
                raise Faulty(f"'{event}' visits 'answering' on the way to a refusal", hint)
        if here["visited"][-2:] != ["refusing", "done"]:
            hint = "a refusal goes through refusing to done"
            raise Faulty(f"visited ends {here['visited'][-2:]}, not ['refusing', 'done']", hint)
        self._run(events)

    def _terminal(self) -> None:
        end = self._run(ANSWER)
        for event in self.events:
            self._refused(end, event)

    def _undeclared(self) -> None:
        for state, event in self.tally.undeclared:
            self._refused({"state": state, "visited": [state], "rejected": None}, event)
            self.tally.refused.add((state, event))

    def _repeatable(self) -> None:
        events = ANSWER if self.course else self._longest()
        first, second = self._run(events), self._run(events)
        if first != second:
            hint = "keep no counter and no global: the state that comes in is all there is"
            raise Faulty(f"{', '.join(events)} gives {first} and then {second}", hint)

    def _edges(self) -> None:
        """Every edge, by a sequence of events made for it."""
        for (source, event), _target in self.table.items():
            way = self._way_to(source)
            if way is None:
                start: State = {"state": source, "visited": [source], "rejected": None}
                self._moved(start, event)
            else:
                self._run((*way, event))

    # --- sequences --------------------

    def _way_to(self, state: str) -> tuple[str, ...] | None:
        return self._ways().get(state)

    def _ways(self) -> dict[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {self.initial: ()}
        waiting = [self.initial]
        for here in waiting:
            for (source, event), target in self.table.items():
                if source == here and target not in found:
                    found[target] = (*found[here], event)
                    waiting.append(target)
        return found

    def _longest(self) -> tuple[str, ...]:
        return max(self._ways().values(), key=len)

    # --- single steps --------------------

    def _start(self) -> State:
        return {"state": self.initial, "visited": [self.initial], "rejected": None}

    def _run(self, events: Sequence[str]) -> State:
        here = self._start()
        for event in events:
            here = self._moved(here, event)
        return here

    def _called(self, before: State, event: str) -> State:
        where = f"'{event}' in '{before['state']}'"
        try:
            after = self.function(copy.deepcopy(before), {"name": event})
        except (Exception, SystemExit) as error:  # noqa: BLE001 - a judged function may do anything
            said = f"{where} raised {type(error).__name__}: {error}"
            raise Faulty(said, "return the state with a 'rejected' sentence instead") from None
        self._shape(where, after)
        return copy.deepcopy(after) if isinstance(after, dict) else {}

    def _shape(self, where: str, after: Any) -> None:
        if not isinstance(after, dict):
            said = f"{where} returned {type(after).__name__}, not a dict"
            raise Faulty(said, "return the new state as a dict")
        for key in ("state", "visited"):
            if key not in after:
                raise Faulty(f"{where} returned a dict without '{key}'", "keep every key")
        if after["state"] not in self.states:
            said = f"{where} returned the unknown state {after['state']!r}"
            raise Faulty(said, f"the states are {', '.join(self.states)}")
        visited = after["visited"]
        if not isinstance(visited, list) or any(one not in self.states for one in visited):
            said = f"{where} returned visited = {visited!r}, which is no list of states"
            raise Faulty(said, "visited is the list of the states entered")

    def _moved(self, before: State, event: str) -> State:
        target = self.table[before["state"], event]
        where = f"'{event}' in '{before['state']}'"
        after = self._called(before, event)
        if after["state"] != target:
            said = f"{where} leads to '{after['state']}', not to '{target}'"
            raise Faulty(said, "follow the table")
        if after.get("rejected"):
            said = f"{where} is declared and was rejected: {after['rejected']}"
            raise Faulty(said, "a legal move has no 'rejected'")
        if after["visited"] != [*before["visited"], target]:
            said = f"{where} made visited {after['visited']} of {before['visited']}"
            raise Faulty(said, f"append '{target}' and keep the rest")
        self.tally.taken.add((before["state"], event))
        return after

    def _refused(self, before: State, event: str) -> None:
        state = before["state"]
        where = f"'{event}' in '{state}'"
        after = self._called(before, event)
        if after["state"] != state:
            said = f"{where} is not declared and moved to '{after['state']}'"
            raise Faulty(said, "refuse what the table does not have")
        if after["visited"] != before["visited"]:
            said = f"{where} was refused and changed visited to {after['visited']}"
            raise Faulty(said, "a refusal changes nothing but 'rejected'")
        rejected = after.get("rejected")
        if not isinstance(rejected, str) or not rejected.strip():
            said = f"{where} was refused without a sentence (rejected is {rejected!r})"
            raise Faulty(said, "say which event was refused in which state")
        for what, name in (("event", event), ("state", state)):
            if name not in rejected:
                said = f"{where}: the refusal {rejected!r} does not name the {what} '{name}'"
                raise Faulty(said, "name the event and the state")
