"""Small machines written in code: a table of (state, event), or ordered stages, as a document.

Names are free here (`DRAFT`, `PostStream`): no document with spelling rules stands behind them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from interpreter.document import (
    EventTrigger,
    MachineDoc,
    ProposeTrigger,
    RegionDoc,
    Stability,
    StateDoc,
    TransitionDoc,
)
from interpreter.errors import DocumentError, Problem

REGION = "main"


def table_document(
    table: Mapping[tuple[str, str], Any], *, initial: str, states: Sequence[str] | None
) -> MachineDoc:
    """One region; each row of the table is a transition, in the order of the table.

    A row says its target, or `{"target": ..., "key": ...}`: the key is the name under which a
    Session finds the host's guard and action of the transition.
    """
    rows = [
        (source, event, row["target"], row.get("key"))
        if isinstance(row, Mapping)
        else (source, event, row, None)
        for (source, event), row in table.items()
    ]
    if states is None:
        seen = [initial]
        for source, _, target, _key in rows:
            seen += [source, target]
        states = list(dict.fromkeys(seen))
    named = [(source, target) for source, _, target, _key in rows]
    _check(states, initial, named, ())
    return _document(
        initial,
        [
            StateDoc(
                key=state,
                transitions=tuple(
                    TransitionDoc(key=key, on=EventTrigger(event), target=target)
                    for source, event, target, key in rows
                    if source == state
                ),
            )
            for state in states
        ],
        None,
    )


def stages_document(
    stages: Iterable[str],
    *,
    initial: str,
    transitions: Mapping[str, Iterable[Any]],
    stage_tools: Mapping[str, Iterable[str]],
    keywords: Mapping[str, Iterable[str]],
    cooldown_seconds: float,
    backward_threshold: float,
) -> MachineDoc:
    """One region whose order of states is that of the stages; every move is a proposal.

    A target is its name, or `{"target": ..., "key": ..., "min_confidence": ...}`.
    """
    names = list(stages)
    rows = [
        (source, row if isinstance(row, Mapping) else {"target": row})
        for source, targets in transitions.items()
        for row in targets
    ]
    named = [(source, row["target"]) for source, row in rows]
    _check(names, initial, named, [*stage_tools, *keywords])
    if cooldown_seconds < 0 or not 0 <= backward_threshold <= 1:
        raise DocumentError(
            [_problem("stability", "a cooldown is not negative, a threshold is from 0 to 1")]
        )
    return _document(
        initial,
        [
            StateDoc(
                key=name,
                tools=tuple(stage_tools.get(name, ())),
                keywords=tuple(keywords.get(name, ())),
                transitions=tuple(
                    TransitionDoc(
                        on=ProposeTrigger(""),
                        target=row["target"],
                        key=row.get("key"),
                        min_confidence=row.get("min_confidence"),
                    )
                    for source, row in rows
                    if source == name
                ),
            )
            for name in names
        ],
        Stability(
            cooldown=f"{round(cooldown_seconds * 1000)}ms", backward_confidence=backward_threshold
        ),
    )


def _document(initial: str, states: list[StateDoc], stability: Stability | None) -> MachineDoc:
    region = RegionDoc(
        key=REGION,
        role="speaker",
        initial=initial,
        stability=stability,
        states=tuple(states),
    )
    return MachineDoc(regions=(region,))


def _problem(field: str, message: str) -> Problem:
    return Problem("table." + field, "error", (field,), message)


def _check(
    states: Sequence[str], initial: str, edges: Sequence[tuple[str, str]], more: Iterable[str]
) -> None:
    problems = [
        _problem("states", f"state '{name}' is listed twice")
        for name in dict.fromkeys(states)
        if list(states).count(name) > 1
    ]
    known = frozenset(states)
    if initial not in known:
        problems.append(_problem("initial", f"initial state '{initial}' is not in {list(states)}"))
    for source, target in edges:
        if source not in known:
            problems.append(_problem("transitions", f"transition source '{source}' is no state"))
        if target not in known:
            problems.append(
                _problem(
                    "transitions", f"transition target '{target}' (from {source}) is no state"
                )
            )
    problems += [
        _problem("stages", f"'{name}' has tools or keywords and is no state")
        for name in more
        if name not in known
    ]
    if problems:
        raise DocumentError(problems)
