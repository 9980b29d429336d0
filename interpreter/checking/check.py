"""The door of checking: JSON in, problems out; nothing is ever raised for what an author wrote."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from interpreter.document import (
    AgentDoc,
    MachineDoc,
    parse_agent,
    parse_document,
    parse_outcomes,
    parse_prompts,
    parse_slots,
    parse_squad,
    parse_tools,
)
from interpreter.errors import DocumentError, Problem

from .chart import Chart
from .fixes import fix_for
from .rules import RULES, SEVERITIES

_Read = TypeVar("_Read")
_ORDER = {"error": 0, "warning": 1, "info": 2}


def check(
    machine: object,
    *,
    slots: Sequence[object] = (),
    squad: Sequence[object] = (),
    prompts: Sequence[object] = (),
    tools: Sequence[object] = (),
    outcomes: Sequence[object] = (),
) -> list[Problem]:
    """All problems of a machine with what stands beside it, errors first.

    Faults of shape are problems too (code ``document.*``); while the machine has one, nothing else
    is told of it.
    """
    reader = _Reader()
    doc = reader.read(parse_document, machine, MachineDoc())
    broken = bool(reader.problems)
    chart = Chart(
        doc,
        slots=reader.read(parse_slots, slots, ()),
        squad=reader.read(parse_squad, squad, ()),
        prompts=reader.read(parse_prompts, prompts, ()),
        tools=reader.read(parse_tools, tools, ()),
        outcomes=reader.read(parse_outcomes, outcomes, ()),
    )
    if not broken and not reader.problems:
        return check_chart(chart)
    return reader.problems


def check_agent(agent: object, members: Mapping[str, object] | None = None) -> list[Problem]:
    """All problems of an agent document; those of its machine have ``machine`` before their path.

    ``members`` are the documents of its squad Agents by squad key, as far as they are known.
    """
    reader = _Reader()
    doc = reader.read(parse_agent, agent, None)
    if doc is None:
        return reader.problems
    known = {
        key: reader.read(parse_agent, member, None) for key, member in (members or {}).items()
    }
    chart = Chart(
        doc.machine or MachineDoc(),
        slots=doc.slots,
        squad=doc.squad,
        prompts=doc.prompts,
        tools=doc.tools,
        outcomes=doc.outcomes,
        policies=doc.policies,
        question_sets=doc.question_sets,
        instructions=doc.instructions,
        members={key: member for key, member in known.items() if isinstance(member, AgentDoc)},
        has_machine=doc.machine is not None,
    )
    return [_placed(problem) for problem in check_chart(chart)]


def check_chart(chart: Chart) -> list[Problem]:
    """What all rules find, errors first, then in the order of the rules."""
    problems = [
        Problem(
            found.code,
            SEVERITIES[found.code],
            found.path,
            found.message,
            found.hint,
            found.span,
            fix.to_json() if (fix := fix_for(chart, found)) is not None else None,
        )
        for rule in RULES
        for found in rule.find(chart)
        if chart.has_machine or found.path[:1] not in (("regions",), ("limits",))
    ]
    return sorted(problems, key=lambda problem: _ORDER[problem.severity])


def _placed(problem: Problem) -> Problem:
    if problem.fix is not None:
        edits = [
            {**edit, "path": ["machine", *edit["path"]]}
            if edit["path"][0] in ("regions", "limits")
            else edit
            for edit in problem.fix["edits"]
        ]
        problem = replace(problem, fix={**problem.fix, "edits": edits})
    if problem.path[:1] not in (("regions",), ("limits",)):
        return problem
    return replace(problem, path=("machine", *problem.path))


class _Reader:
    """Reads pieces and keeps what is wrong with them."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def read(self, parse: Callable[[Any], _Read], value: Any, instead: _Read) -> _Read:
        try:
            return parse(value)
        except DocumentError as error:
            self.problems += error.problems
            return instead
