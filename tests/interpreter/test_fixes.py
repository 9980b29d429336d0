"""A fix that is offered takes its problem away, and leaves a document that can be read."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from interpreter import check_agent
from interpreter.checking.fixes import FIXES
from tests.interpreter.test_checking import BASE, CASES, GREET, ON, at, both, put

Json = dict[str, Any]
FIXABLE = [(n, case) for n, case in enumerate(CASES) if case[0] in FIXES]


def applied(agent: Json, fix: Json) -> Json:
    """The document after the edits of a fix, as the words of its contract say."""
    out = copy.deepcopy(agent)
    for edit in fix["edits"]:
        *way, last = edit["path"]
        if edit["do"] == "add":
            at(out, tuple(way)).setdefault(last, []).append(edit["value"])
        elif edit["do"] == "remove":
            del at(out, tuple(way))[last]
        elif edit["do"] == "move":
            items = at(out, tuple(way))
            items.insert(edit["value"], items.pop(last))
        elif edit["value"] is None:
            at(out, tuple(way)).pop(last, None)
        else:
            at(out, tuple(way))[last] = edit["value"]
    return out


@pytest.mark.parametrize("case", [c for _, c in FIXABLE], ids=[f"{n}-{c[0]}" for n, c in FIXABLE])
def test_a_fix_takes_its_problem_away(case: tuple[str, Callable[[Json], None], Any, str]) -> None:
    code, edit, path, message = case
    agent = copy.deepcopy(BASE)
    edit(agent)
    problem = next(p for p in check_agent(agent) if p.code == code and p.path == path)
    if problem.fix is None:
        return
    after = check_agent(applied(agent, dict(problem.fix)))
    assert not any(p.code.startswith("document.") for p in after)
    assert (code, message) not in {(p.code, p.message) for p in after}


OFFERED: list[tuple[str, Callable[[Json], None], str]] = [
    ("target.unknown", put(*ON, "target", "step"), "Use 'steps'"),
    ("prompt.unknown", put(*GREET, "prompt", "farewell"), "Add the prompt 'farewell'"),
    ("slot.unknown", put(*ON, "guard", "slots.aeg > 1 && slots.age < 3"), "Use 'age'"),
    ("guard.enum", put(*ON, "guard", "slots.plan == 'glod'"), "Use 'gold'"),
    ("state.unknown", put(*ON, "guard", "visits.gret > 1"), "Use 'greet'"),
    ("initial.missing", put("machine", "regions", 0, "initial", None), "Begin in 'greet'"),
    ("question_set.unknown", put(*GREET, "ask", ["wnats"]), "Use 'wants'"),
    ("question.unhandled", put(*GREET, "ask", ["wants"]), "Add a transition on decision.want.a"),
    ("limit.target", put("machine", "limits", {"turns": 4}), "Lead to 'bye'"),
    (
        "slot.range",
        both(put("slots", 0, "minimum", 5), put("slots", 0, "maximum", 2)),
        "Swap them",
    ),
]


@pytest.mark.parametrize(("code", "edit", "label"), OFFERED, ids=[o[0] for o in OFFERED])
def test_what_is_plain_has_a_fix_that_says_what_it_does(
    code: str, edit: Callable[[Json], None], label: str
) -> None:
    agent = copy.deepcopy(BASE)
    edit(agent)
    fixes = [p.fix["label"] for p in check_agent(agent) if p.code == code and p.fix]
    assert label in fixes


def test_a_near_name_is_put_in_its_place_and_nowhere_else() -> None:
    agent = copy.deepcopy(BASE)
    put(*ON, "guard", "slots.plan == 'aeg' && slots.aeg > 1")(agent)
    problem = next(p for p in check_agent(agent) if p.code == "slot.unknown")
    after = applied(agent, dict(problem.fix or {}))
    assert at(after, (*ON, "guard")) == "slots.plan == 'aeg' && slots.age > 1"


def test_a_slot_that_effects_write_is_not_offered_for_removal() -> None:
    agent = copy.deepcopy(BASE)
    agent["slots"].append({"key": "spare", "type": "integer"})
    at(agent, ON)["effects"] = [{"set": "spare", "value": "1"}]
    problem = next(p for p in check_agent(agent) if p.code == "slot.unread")
    assert problem.fix is None
