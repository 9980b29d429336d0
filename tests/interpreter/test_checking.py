"""Every code that a check may report, with its exact words; and that a check never raises."""

# ruff: noqa: E501 - tables of cases are wide
from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter import compile_agent, library
from interpreter.checking import CODES, check, check_agent
from interpreter.checking.rules import RULES
from interpreter.checking.table import markdown

Json = dict[str, Any]
BASE: Json = {
    "format": "callchart.agent/1",
    "key": "base",
    "prompts": [{"key": "hello", "text": "Hello"}],
    "tools": [{"key": "look"}],
    "outcomes": [{"key": "fine", "label": "Fine"}],
    "squad": [{"key": "billing", "agent": "b"}],
    "question_sets": [
        {"key": "wants", "questions": [{"key": "want", "answers": [{"key": "a"}, {"key": "b"}]}]}
    ],
    "slots": [
        {"key": "age", "type": "integer"},
        {"key": "plan", "type": "enum", "choices": ["gold", "silver"]},
    ],
    "machine": {
        "format": "callchart.machine/1",
        "limits": {"turns": 40, "transitions": 90, "target": "bye"},
        "regions": [
            {
                "key": "talk",
                "role": "speaker",
                "initial": "greet",
                "states": [
                    {
                        "key": "greet",
                        "prompt": "hello",
                        "transitions": [
                            {
                                "key": "on",
                                "on": {"event": "go"},
                                "guard": "slots.age > 1 && slots.plan == 'gold'",
                                "target": "steps",
                            },
                            {"key": "out", "on": {"after": "20s"}, "target": "bye"},
                        ],
                    },
                    {
                        "key": "steps",
                        "transitions": [{"key": "ready", "on": {"done": True}, "target": "bye"}],
                        "regions": [
                            {
                                "key": "inner",
                                "initial": "first",
                                "states": [
                                    {
                                        "key": "first",
                                        "instructions": "Go on.",
                                        "transitions": [
                                            {"key": "next", "on": {"event": "n"}, "target": "last"}
                                        ],
                                    },
                                    {"key": "last", "kind": "final"},
                                ],
                            }
                        ],
                    },
                    {"key": "bye", "kind": "final", "entry": [{"end": "fine"}]},
                ],
            },
            {
                "key": "watch",
                "role": "observer",
                "initial": "off",
                "states": [
                    {
                        "key": "off",
                        "transitions": [{"key": "start", "on": {"event": "s"}, "target": "seen"}],
                    },
                    {"key": "seen"},
                ],
            },
        ],
    },
}
TALK = ("machine", "regions", 0)
GREET = (*TALK, "states", 0)
ON = (*GREET, "transitions", 0)
STEPS = (*TALK, "states", 1)
INNER = (*STEPS, "regions", 0)
BYE = (*TALK, "states", 2)
OFF = ("machine", "regions", 1, "states", 0)


def at(agent: Json, path: tuple[str | int, ...]) -> Any:
    found: Any = agent
    for part in path:
        found = found[part]
    return found


def put(*path_and_value: Any) -> Callable[[Json], None]:
    *path, last, value = path_and_value
    return lambda agent: at(agent, tuple(path)).__setitem__(last, value)


def add(*path_and_value: Any) -> Callable[[Json], None]:
    *path, last, value = path_and_value
    return lambda agent: at(agent, tuple(path)).setdefault(last, []).append(value)


def drop(*path: Any) -> Callable[[Json], None]:
    return lambda agent: at(agent, path[:-1]).__delitem__(path[-1])


def both(*edits: Callable[[Json], None]) -> Callable[[Json], None]:
    def edit(agent: Json) -> None:
        for one in edits:
            one(agent)

    return edit


def move(key: str, event: str, target: str | None = None, **more: Any) -> Json:
    return {"key": key, "on": {"event": event}, **({"target": target} if target else {}), **more}


def always(key: str, target: str, **more: Any) -> Json:
    return {"key": key, "on": {"always": True}, "target": target, **more}


def silent(key: str, *transitions: Json, **more: Any) -> Json:
    return {"key": key, "instructions": "Wait.", "transitions": list(transitions), **more}


def many(key: str, n: int, **more: Any) -> list[Json]:
    return [{"key": f"{key}{i}", **more} for i in range(n)]


CASES: list[tuple[str, Callable[[Json], None], tuple[str | int, ...], str]] = [
    ("region.missing", put("machine", {"format": "callchart.machine/1"}), ("machine", "regions"), "the machine has no region"),
    ("region.speaker", put(*TALK, "role", "observer"), (*TALK, "role"), "no region is the speaker"),
    ("region.speaker", put("machine", "regions", 1, "role", "speaker"), ("machine", "regions", 1, "role"), "'watch' is a second speaker region beside 'talk'"),
    ("region.role", put(*INNER, "role", "observer"), (*INNER, "role"), "the region 'inner' lies in a state and has a role"),
    ("region.empty", put(*INNER, "states", []), (*INNER, "states"), "the region 'inner' has no states"),
    ("initial.missing", drop(*TALK, "initial"), (*TALK, "initial"), "the region 'talk' does not say where it begins"),
    ("initial.unknown", put(*TALK, "initial", "gret"), (*TALK, "initial"), "the region 'talk' begins in 'gret', which is not in it"),
    ("state.kind", put(*STEPS, "kind", "choice"), (*STEPS, "regions"), "'steps' is a choice state and holds regions"),
    ("state.kind", put(*GREET, "history", "deep"), (*GREET, "history"), "'greet' is no history state and says deep"),
    ("final.leaves", add(*BYE, "transitions", move("again", "x", "greet")), (*BYE, "transitions", 0), "the final state 'bye' has transitions"),
    ("history.default", add(*INNER, "states", {"key": "back", "kind": "history"}), (*INNER, "states", 2), "the history state 'back' has 0 default transitions"),
    ("history.region", add(*INNER, "states", {"key": "back", "kind": "history", "transitions": [always("d", "greet")]}), (*INNER, "states", 2, "transitions", 0, "target"), "the history state 'back' defaults to 'greet', outside its region"),
    ("choice.trigger", add(*TALK, "states", {"key": "fork", "kind": "choice", "transitions": [move("w", "x", "bye")]}), (*TALK, "states", 3, "transitions", 0, "on"), "the choice 'fork' waits for event"),
    ("choice.no_else", add(*TALK, "states", {"key": "fork", "kind": "choice", "transitions": [always("w", "bye", guard="slots.age > 1")]}), (*TALK, "states", 3), "the choice 'fork' has no way out when every guard is false"),
    ("observer.speaks", put(*OFF, "prompt", "hello"), (*OFF, "prompt"), "'off' is in an observer region and has prompt"),
    ("key.duplicate", add(*INNER, "states", silent("greet")), (*INNER, "states", 2, "key"), "two states have the key 'greet'"),
    ("key.duplicate", lambda a: a["slots"].append({"key": "age", "type": "date"}), ("slots", 2, "key"), "two slots have the key 'age'"),
    ("slot.too_many", lambda a: a["slots"].extend(many("k", 31, type="string")), ("slots", 32), "there are 33 slots; 32 are allowed"),
    ("squad.too_many", lambda a: a["squad"].extend(many("k", 8, agent="x")), ("squad", 8), "there are 9 squad agents; 8 are allowed"),
    ("target.unknown", put(*ON, "target", "step"), (*ON, "target"), "the transition 'on' of 'greet' names the state 'step', which does not exist"),
    ("prompt.unknown", put(*GREET, "prompt", "helo"), (*GREET, "prompt"), "the state 'greet' names the prompt 'helo', which does not exist"),
    ("prompt.unknown", add(*ON, "effects", {"say": "x"}), (*ON, "effects", 0, "say"), "an effect of 'greet' names the prompt 'x', which does not exist"),
    ("tool.unknown", put(*GREET, "tools", ["look", "cook"]), (*GREET, "tools", 1), "the state 'greet' names the tool 'cook', which does not exist"),
    ("tool.unknown", add(*GREET, "entry", {"call": "cook"}), (*GREET, "entry", 0, "call"), "an effect of 'greet' names the tool 'cook', which does not exist"),
    ("outcome.unknown", put(*BYE, "entry", [{"end": "bad"}]), (*BYE, "entry", 0, "end"), "an effect of 'bye' names the outcome 'bad', which does not exist"),
    ("agent.unknown", put(*GREET, "agent", "bill"), (*GREET, "agent"), "the state 'greet' names the squad agent 'bill', which does not exist"),
    ("agent.unknown", add(*GREET, "exit", {"handoff": "x"}), (*GREET, "exit", 0, "handoff"), "an effect of 'greet' names the squad agent 'x', which does not exist"),
    ("slot.unknown", add(*ON, "effects", {"clear": "ag"}), (*ON, "effects", 0, "clear"), "an effect of 'greet' names the slot 'ag', which does not exist"),
    ("slot.unknown", put(*ON, "guard", "slots.aeg > 1"), (*ON, "guard"), "the guard of 'on': no slot is named 'aeg'"),
    ("slot.unknown", put("prompts", 0, "text", "Hi {{ slots.nam }}"), ("prompts", 0, "text"), "the prompt 'hello': no slot is named 'nam'"),
    ("slot.unknown", put("instructions", "{{ slots.x }}"), ("instructions",), "the instructions: no slot is named 'x'"),
    ("state.unknown", put(*ON, "guard", "visits.gret > 1"), (*ON, "guard"), "the guard of 'on': no state is named 'gret'"),
    ("question.unknown", put(*ON, "guard", "decision.q == 'a'"), (*ON, "guard"), "the guard of 'on': no question is named 'q'"),
    ("guard.syntax", put(*ON, "guard", "slots.age >"), (*ON, "guard"), "the guard of 'on': expected a value, found the end"),
    ("guard.name", put(*ON, "guard", "age > 1"), (*ON, "guard"), "the guard of 'on': 'age' is not a name"),
    ("guard.type", put(*ON, "guard", "slots.age > '1'"), (*ON, "guard"), "the guard of 'on': cannot compare a whole number with text"),
    ("guard.enum", put(*ON, "guard", "slots.plan == 'glod'"), (*ON, "guard"), "the guard of 'on': 'glod' is not a choice of slots.plan"),
    ("guard.size", put(*ON, "guard", "(" * 40 + "true" + ")" * 40), (*ON, "guard"), "the guard of 'on': nested deeper than 30"),
    ("effect.syntax", add(*ON, "effects", {"set": "age", "value": "1 +"}), (*ON, "effects", 0, "value"), "the value of 'age': expected a value, found the end"),
    ("effect.name", add(*ON, "effects", {"raise": "x", "data": {"k": "y"}}), (*ON, "effects", 0, "data", "k"), "'k': nothing is named 'y'"),
    ("effect.type", add(*ON, "effects", {"set": "age", "value": "'x'"}), (*ON, "effects", 0, "value"), "the value of 'age': this must be a whole number, it is text"),
    ("effect.enum", add(*ON, "effects", {"set": "plan", "value": "'x'"}), (*ON, "effects", 0, "value"), "the value of 'plan': 'x' is not one of the choices"),
    ("effect.size", add(*ON, "effects", {"set": "age", "value": "-" * 40 + "1"}), (*ON, "effects", 0, "value"), "the value of 'age': nested deeper than 30"),
    ("prompt.syntax", put("prompts", 0, "text", "Hi {{ 1 / 2 }}"), ("prompts", 0, "text"), "the prompt 'hello': division is not part of the language"),
    ("prompt.name", put("prompts", 0, "text", "Hi {{ name }}"), ("prompts", 0, "text"), "the prompt 'hello': nothing is named 'name'"),
    ("prompt.type", put(*GREET, "instructions", "Hi {{ slots.age + 'x' }}"), (*GREET, "instructions"), "the instructions of 'greet': '+' does not take a whole number and text"),
    ("prompt.enum", put("prompts", 0, "text", "{{ slots.plan == 'x' }}"), ("prompts", 0, "text"), "the prompt 'hello': 'x' is not a choice of slots.plan"),
    ("prompt.size", put("prompts", 0, "text", "{{" + "!" * 40 + "true}}"), ("prompts", 0, "text"), "the prompt 'hello': nested deeper than 30"),
    ("slot.choices", put("slots", 1, "choices", []), ("slots", 1, "choices"), "the enum slot 'plan' has no choices"),
    ("slot.choices", put("slots", 0, "choices", ["a"]), ("slots", 0, "choices"), "the slot 'age' is integer and has choices"),
    ("slot.pattern", put("slots", 0, {"key": "age", "type": "string", "pattern": "(a"}), ("slots", 0, "pattern"), "the pattern of 'age' is none: missing ): (a"),
    ("slot.range", both(put("slots", 0, "minimum", 5), put("slots", 0, "maximum", 2)), ("slots", 0, "minimum"), "the slot 'age' goes from 5 to 2"),
    ("slot.default", put("slots", 0, "default", "x"), ("slots", 0, "default"), "the default of 'age' does not fit: 'x' is no whole number"),
    ("slot.read_only", both(put("slots", 0, "writers", ["host"]), add(*ON, "effects", {"set": "age", "value": "1"})), (*ON, "effects", 0, "set"), "'greet' writes 'age', which effects may not write"),
    ("slot.unread", lambda a: a["slots"].append({"key": "spare", "type": "date"}), ("slots", 2), "the slot 'spare' is never read"),
    ("slot.unread", both(lambda a: a["slots"].append({"key": "spare", "type": "integer"}), add(*ON, "effects", {"set": "spare", "value": "1"})), ("slots", 2), "the slot 'spare' is written but never read"),
    ("slot.unwritten", put("slots", 0, "writers", ["effect"]), ("slots", 0), "the slot 'age' is read but never written"),
    ("limit.target", drop("machine", "limits", "target"), ("machine", "limits", "target"), "the limits (turns, transitions) lead nowhere"),
    ("limit.target", put("machine", "limits", "target", "by"), ("machine", "limits", "target"), "the limits lead to 'by', which does not exist"),
    ("limit.target", put("machine", "limits", "target", "seen"), ("machine", "limits", "target"), "the limits lead to 'seen', which is not in the speaker region"),
    ("squad.nested_machine", lambda a: None, ("squad", 0), "the squad agent 'billing' has a machine of its own"),
    ("squad.nested_squad", lambda a: None, ("squad", 0), "the squad agent 'billing' has a squad of its own"),
    ("cycle.always", both(add(*TALK, "states", silent("a", always("ab", "b"))), add(*TALK, "states", silent("b", always("ba", "a")))), (*TALK, "states", 3, "transitions", 0), "a -> b -> a is a loop of 'always' that nothing ends"),
    ("always.repeats", add(*GREET, "transitions", {"key": "again", "on": {"always": True}, "guard": "slots.age > 1", "effects": [{"raise": "go"}]}), (*GREET, "transitions", 2), "'again' of 'greet' is an 'always' that goes nowhere, and nothing that it does turns its guard false"),
    ("always.repeats", add(*OFF, "transitions", {"key": "again", "on": {"always": True}}), (*OFF, "transitions", 1), "'again' of 'off' is an 'always' that goes nowhere, and nothing that it does turns its guard false"),
    ("cycle.unbounded", both(drop("machine", "limits", "transitions"), add(*INNER, "states", 0, "transitions", move("again", "r", "first"))), (*INNER, "states", 0, "transitions", 1), "first -> first may repeat without end, by 'again'"),
    ("cycle.unbounded", both(drop("machine", "limits", "transitions"), add(*INNER, "states", 0, "transitions", move("home", "h", "greet"))), (*INNER, "states", 0, "transitions", 1), "greet -> steps -> first -> greet may repeat without end, by 'on', 'home'"),
    ("transition.flags", both(put(*ON, "internal", True), put(*ON, "external", True)), (*ON, "external"), "'on' is both internal and external"),
    ("done.never", add(*GREET, "transitions", {"key": "d", "on": {"done": True}, "target": "bye"}), (*GREET, "transitions", 2, "on"), "'d' waits for 'greet' to be done, which holds no regions"),
    ("done.never", put(*INNER, "states", 1, "kind", "state"), (*STEPS, "transitions", 0, "on"), "'steps' can never be done: the region 'inner' has no final state"),
    ("region.reset", add(*TALK, "transitions", move("restart", "r", "greet", external=True)), (*TALK, "transitions", 0, "external"), "'restart' leaves the region 'talk' itself and resets 'watch'"),
    ("state.unreachable", add(*TALK, "states", silent("lost", move("l", "x", "bye"))), (*TALK, "states", 3), "nothing leads to the state 'lost'"),
    ("state.dead_end", both(add(*TALK, "states", silent("stuck")), put(*ON, "target", "stuck")), (*TALK, "states", 3), "nothing leaves 'stuck', and it is no final state"),
    ("transition.shadowed", both(add(*GREET, "transitions", move("wide", "pay.*", "bye")), add(*GREET, "transitions", move("narrow", "pay.ok", "steps"))), (*GREET, "transitions", 3), "'narrow' of 'greet' can never be taken: 'wide' always comes first"),
    ("guard.overlap", both(put(*ON, "guard", "slots.age > 1"), add(*GREET, "transitions", move("b", "go", "bye", guard="slots.age < 9 && slots.plan == 'gold'"))), (*GREET, "transitions", 2, "guard"), "'on' and 'b' of 'greet' may both be taken, as with age = 2, plan = 'gold'; the first one wins"),
    ("question_set.unknown", put(*GREET, "ask", ["wnats"]), (*GREET, "ask", 0), "the state 'greet' asks the question set 'wnats', which does not exist"),
    ("question.no_answers", put("question_sets", [{"key": "wants", "questions": [{"key": "want"}]}]), ("question_sets", 0, "questions", 0, "answers"), "the question 'want' offers no answer"),
    ("question.unhandled", both(put(*GREET, "ask", ["wants"]), add(*GREET, "transitions", move("wy", "decision.want.a", "bye"))), (*GREET, "ask", 0), "'greet' asks 'want', and nothing takes its answer 'b'"),
    ("key.duplicate", put("question_sets", 0, "questions", 0, "answers", [{"key": "a"}, {"key": "a"}]), ("question_sets", 0, "questions", 0, "answers", 1, "key"), "two answers have the key 'a'"),
    ("tool.arguments", put("tools", 0, "arguments", {"type": "object", "properties": {"order": {"type": "text"}}}), ("tools", 0, "arguments"), "the arguments of the tool 'look' are no JSON Schema: the type of order is none of string, integer, number, boolean, array, object, null"),
    ("tool.url", put("tools", 0, "call", {"kind": "http"}), ("tools", 0, "call"), "the tool 'look' is called by HTTP and has no address"),
    ("tool.argument", both(put("tools", 0, "arguments", {"type": "object", "properties": {"order": {"type": "string"}}}), add(*ON, "effects", {"call": "look", "args": {"ordr": "'1'"}})), (*ON, "effects", 0, "args", "ordr"), "the tool 'look' takes no argument 'ordr'"),
    ("tool.argument", both(put("tools", 0, "arguments", {"type": "object", "properties": {"order": {}}, "required": ["order"]}), add(*ON, "effects", {"call": "look"})), (*ON, "effects", 0, "call"), "a call of the tool 'look' leaves out its argument 'order'"),
    ("state.silent", drop(*INNER, "states", 0, "instructions"), (*INNER, "states", 0), "the speaker has nothing to say in 'first'"),
    ("say.observer", add(*OFF, "entry", {"say": "hello"}), (*OFF, "entry", 0), "'off' says 'hello', but only the speaker region speaks"),
    ("after.missing", drop(*GREET, "transitions", 1), GREET, "'greet' waits for the caller and has no time-out"),
]  # fmt: skip
MEMBER: Json = {
    "format": "callchart.agent/1",
    "key": "b",
    "squad": [{"key": "other", "agent": "x"}],
    "machine": {"format": "callchart.machine/1"},
}


def test_the_base_has_no_problems() -> None:
    assert check_agent(BASE) == []


@pytest.mark.parametrize(
    ("code", "edit", "path", "message"), CASES, ids=[f"{n}-{c[0]}" for n, c in enumerate(CASES)]
)
def test_a_fault_is_told_with_its_place_and_names(
    code: str, edit: Callable[[Json], None], path: tuple[str | int, ...], message: str
) -> None:
    agent = copy.deepcopy(BASE)
    edit(agent)
    members = {"billing": MEMBER} if code.startswith("squad.nested") else {}
    found = [p for p in check_agent(agent, members) if p.code == code and p.path == path]
    assert [p.message for p in found] == [message]
    assert found[0].severity == CODES[code].severity
    assert found[0].hint or found[0].span


def test_every_code_has_a_case() -> None:
    assert {case[0] for case in CASES} == set(CODES)


def test_a_code_belongs_to_one_rule() -> None:
    codes = [code.code for rule in RULES for code in rule.codes]
    assert len(codes) == len(set(codes))


def test_a_problem_in_an_expression_has_its_range() -> None:
    agent = copy.deepcopy(BASE)
    at(agent, ON)["guard"] = "slots.age > 1 && slots.plan == 'glod'"
    (problem,) = check_agent(agent)
    assert (problem.span, problem.hint) == ((31, 37), "Did you mean 'gold'?")
    assert problem.to_json() == {
        "code": "guard.enum", "severity": "error",
        "path": ["machine", "regions", 0, "states", 0, "transitions", 0, "guard"],
        "message": "the guard of 'on': 'glod' is not a choice of slots.plan",
        "hint": "Did you mean 'gold'?", "span": [31, 37],
        "fix": {"label": "Use 'gold'", "edits": [{
            "do": "set",
            "path": ["machine", "regions", 0, "states", 0, "transitions", 0, "guard"],
            "value": "slots.age > 1 && slots.plan == 'gold'",
        }]},
    }  # fmt: skip


def test_a_machine_alone_has_paths_from_its_top() -> None:
    machine = copy.deepcopy(BASE["machine"])
    machine["regions"][0]["states"][0]["transitions"][0]["guard"] = "slots.x > 1"
    beside = {key: BASE[key] for key in ("slots", "squad", "prompts", "tools", "outcomes")}
    (first, *_) = check(machine, **beside)
    assert first.path == ("regions", 0, "states", 0, "transitions", 0, "guard")


@pytest.mark.row("F309")
def test_all_faults_come_at_once_errors_first() -> None:
    agent = copy.deepcopy(BASE)
    at(agent, ON)["target"] = "nowhere"
    at(agent, GREET)["prompt"] = "nothing"
    at(agent, TALK)["states"].append(silent("lost"))
    found = [(p.severity, p.code) for p in check_agent(agent)]
    assert {("error", "target.unknown"), ("error", "prompt.unknown")} <= set(found)
    assert ("warning", "state.unreachable") in found
    assert [s for s, _ in found] == sorted(s for s, _ in found)


@pytest.mark.row("F020")
def test_an_isolated_state_is_a_warning_that_names_it() -> None:
    agent = copy.deepcopy(BASE)
    at(agent, TALK)["states"].append(silent("lost", move("l", "x", "bye")))
    (problem,) = check_agent(agent)
    assert (problem.severity, "'lost'" in problem.message) == ("warning", True)


@pytest.mark.row("F022")
def test_a_retry_storm_is_reported_with_its_edge() -> None:
    agent = copy.deepcopy(library.load("course_answers")["document"])
    retrieving = agent["machine"]["regions"][0]["states"][1]
    retrieving["transitions"].append(move("retry", "retry", "retrieving"))
    (problem,) = [p for p in check_agent(agent) if p.code == "cycle.unbounded"]
    assert "'retry'" in problem.message
    retrieving["max_visits"] = 3
    assert [p for p in check_agent(agent) if p.code == "cycle.unbounded"] == []


@pytest.mark.parametrize("bound", ["max_takes", "guard", "limit"])
def test_a_bounded_loop_is_no_problem(bound: str) -> None:
    agent = copy.deepcopy(BASE)
    del agent["machine"]["limits"]["transitions"]
    again = move("again", "again", "greet")
    at(agent, GREET)["transitions"].append(again)
    assert [p.code for p in check_agent(agent)] == ["cycle.unbounded"]
    if bound == "limit":
        agent["machine"]["limits"]["visits"] = 25
    else:
        again[bound] = 2 if bound == "max_takes" else "visits.greet < 3"
    assert check_agent(agent) == []


@pytest.mark.parametrize(
    "more",
    [
        {"guard": "slots.age < 3", "effects": [{"set": "age", "value": "slots.age + 1"}]},
        {"guard": "slots.age != null", "effects": [{"clear": "age"}]},
        {"guard": "machine.transitions < 9"},
        {"max_takes": 3},
    ],
)
def test_an_always_without_a_target_that_ends_by_itself_is_fine(more: Json) -> None:
    agent = copy.deepcopy(BASE)
    at(agent, GREET)["transitions"].append({"key": "again", "on": {"always": True}, **more})
    assert "always.repeats" not in [p.code for p in check_agent(agent)]


def test_an_always_loop_with_a_guard_can_end() -> None:
    agent = copy.deepcopy(BASE)
    states = at(agent, TALK)["states"]
    states.append(silent("a", always("out", "bye", guard="slots.age > 3"), always("ab", "b")))
    states.append(silent("b", always("ba", "a")))
    assert "cycle.always" not in [p.code for p in check_agent(agent)]


@pytest.mark.parametrize(
    "bad",
    [None, 3, "x", [], {}, {"format": "callchart.machine/2"}, {"regions": 3}, {"regions": [{}]}, {"nonsense": 1}],
)  # fmt: skip
def test_bad_shapes_are_problems_and_never_raise(bad: Any) -> None:
    assert all(p.code for p in check(bad))
    assert check_agent(bad)
    for name in ("slots", "squad", "prompts", "tools", "outcomes"):
        check(BASE["machine"], **{name: bad if isinstance(bad, list) else [bad]})


def mutants() -> st.SearchStrategy[Json]:
    """The demo with one thing in it gone or replaced by nonsense."""
    text = json.dumps(library.load("northwind_support")["document"])

    def paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()  # fmt: skip
        return [found for key, inner in items for found in [(*path, key), *paths(inner, (*path, key))]]  # fmt: skip

    places = paths(json.loads(text))
    nonsense = st.sampled_from([None, "", "x", 0, -1, 1.5, True, [], {}, [1], {"a": 1}, "greeting", "consent"])  # fmt: skip

    def mutate(path: tuple[Any, ...], value: Any, gone: bool) -> Json:
        agent = json.loads(text)
        if gone:
            del at(agent, path[:-1])[path[-1]]
        else:
            at(agent, path[:-1])[path[-1]] = value
        return agent

    return st.builds(mutate, st.sampled_from(places), nonsense, st.booleans())


@settings(deadline=None)
@given(mutants())
def test_a_spoilt_chart_never_makes_the_check_raise(agent: Json) -> None:
    for problem in check_agent(agent):
        assert problem.message
        assert json.dumps(problem.to_json())


@settings(deadline=None)
@given(mutants())
def test_what_has_no_errors_compiles(agent: Json) -> None:
    if all(problem.severity != "error" for problem in check_agent(agent)):
        assert compile_agent(agent).digest


def test_the_table_of_problems_is_fresh() -> None:
    path = Path(__file__).resolve().parents[2] / "docs" / "problems.md"
    assert path.read_text() == markdown(), "run: python -m interpreter.checking.table"


BETWEEN = "slots.age > 5 && slots.age < 3"


@pytest.mark.parametrize(
    "guard", [BETWEEN, "slots.plan == 'gold' && slots.plan != 'gold'", "false"]
)
def test_a_guard_that_is_never_true_neither_leads_nor_leaves(guard: str) -> None:
    agent = copy.deepcopy(BASE)
    states = at(agent, TALK)["states"]
    states.append(silent("lost", move("l", "x", "bye")))
    states.append(silent("stuck", move("away", "x", "bye", guard=guard)))
    at(agent, GREET)["transitions"] += [
        move("never", "y", "lost", guard=guard),
        move("stick", "z", "stuck"),
    ]
    assert [(p.code, p.message) for p in check_agent(agent)] == [
        (
            "state.unreachable",
            "nothing leads to the state 'lost'; the guard of 'never' is never true",
        ),
        (
            "state.dead_end",
            "nothing leaves 'stuck', and it is no final state; the guard of 'away' is never true",
        ),
    ]


def test_a_loop_that_a_guard_never_lets_through_is_no_loop() -> None:
    agent = copy.deepcopy(BASE)
    del agent["machine"]["limits"]["transitions"]
    at(agent, GREET)["transitions"].append(move("again", "again", "greet", guard=BETWEEN))
    assert "cycle.unbounded" not in [p.code for p in check_agent(agent)]


def test_guards_that_part_the_values_do_not_overlap_nor_do_those_of_slots_that_never_hold_them() -> (
    None
):
    agent = copy.deepcopy(BASE)
    agent["slots"].append(
        {"key": "inner", "type": "string", "default": "x", "writers": ["effect"]}
    )
    at(agent, GREET)["transitions"] += [
        move("low", "p", "bye", guard="slots.age <= 7"),
        move("high", "p", "steps", guard="slots.age > 7"),
        move("y", "q", "bye", guard="slots.inner == 'y'"),
        move("any", "q", "steps", guard="slots.inner != null"),
    ]
    assert check_agent(agent) == []


def test_numbers_between_two_whole_ones_are_tried_too() -> None:
    agent = copy.deepcopy(BASE)
    agent["slots"].append({"key": "rate", "type": "number"})
    at(agent, GREET)["transitions"] += [
        move("over", "p", "bye", guard="slots.rate > 1"),
        move("under", "p", "steps", guard="slots.rate < 1.5"),
    ]
    (problem,) = check_agent(agent)
    assert "as with rate = 1.25;" in problem.message


def test_a_state_begun_by_default_after_a_move_into_its_middle_is_reached() -> None:
    inner = {
        "key": "r",
        "initial": "a",
        "states": [silent("a", move("ab", "x", "b")), silent("b", move("out", "x", "bye"))],
    }
    agent = copy.deepcopy(BASE)
    at(agent, TALK)["states"].append({"key": "whole", "prompt": "hello", "regions": [inner]})
    at(agent, GREET)["transitions"] += [move("middle", "m", "b"), move("start", "s", "whole")]
    assert [p for p in check_agent(agent) if p.code == "state.unreachable"] == []


def test_a_cooldown_may_hold_back_the_earlier_transition() -> None:
    agent = copy.deepcopy(BASE)
    at(agent, GREET)["transitions"] += [move("one", "p", "bye"), move("two", "p", "steps")]
    assert [p.code for p in check_agent(agent)] == ["transition.shadowed"]
    agent["machine"]["regions"][0]["stability"] = {"cooldown": "2s"}
    assert check_agent(agent) == []
