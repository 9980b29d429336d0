"""What a run could do now, by what is declared and by its guards; nothing is done.

Cooldown, confidence, caps and validators are not asked: they decide when a move is tried.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from interpreter.document import EventTrigger
from interpreter.session.host import Context, Guard, guard_fault
from interpreter.stepping import Input, Machine, Snapshot, Step, step

_WAITING = frozenset({"cooldown", "confidence", "visits", "takes"})


def taken_keys(taken: Step) -> tuple[str, ...]:
    """The keys of the transitions that a step took, in order."""
    return tuple(r.data["transition"] for r in taken.records if r.type == "transition.taken")


def enters(taken: Step, region: str) -> bool:
    """Whether a step entered a state that lies in this region itself."""
    return any(r.type == "state.entered" and r.data["region"] == region for r in taken.records)


def is_forced(taken: Step) -> bool:
    """Whether a limit forced the move."""
    return any(record.type == "machine.limit_reached" for record in taken.records)


def targets(transitions: Iterable[Any]) -> list[str]:
    """The keys of their targets, in order and once each."""
    return list(dict.fromkeys(t.target.key for t in transitions if t.target is not None))


def outgoing(machine: Machine, snapshot: Snapshot) -> Iterator[Any]:
    """The transitions of what is active in the first region, innermost first."""
    yield from _inside(machine.root.children[0], frozenset(snapshot.active))


def _inside(region: Any, active: frozenset[str]) -> Iterator[Any]:
    for state in region.children:
        if state.is_state and state.key in active:
            for inner in state.children:
                yield from _inside(inner, active)
            yield from state.transitions
    yield from region.transitions


def is_open(
    machine: Machine,
    snapshot: Snapshot,
    guards: Mapping[str, Guard],
    transition: Any,
    context: Context,
) -> bool:
    """Whether an event or a proposal would pass the guards of a transition now."""
    on = transition.doc.on
    if isinstance(on, EventTrigger):
        asked = [Input("event", name.removesuffix(".*")) for name in on.events]
    elif on.kind == "propose":
        asked = [Input("transition", transition.key)]
    else:
        return False
    if guard_fault(guards, (transition.key,), context) is not None:
        return False
    return any(_passes(machine, snapshot, transition, one) for one in asked)


def _passes(machine: Machine, snapshot: Snapshot, transition: Any, one: Input) -> bool:
    trial = step(machine, snapshot, one)
    if trial.refusal is None:
        return transition.key in taken_keys(trial)
    return trial.refusal.reason in _WAITING


def can(
    machine: Machine,
    snapshot: Snapshot,
    guards: Mapping[str, Guard],
    one: Input,
    context: Context,
) -> bool:
    """Whether an input would pass the guards of what it leads to."""
    if not machine.declared(snapshot, one):
        return False
    trial = step(machine, snapshot, one)
    if trial.refusal is None:
        return guard_fault(guards, taken_keys(trial), context) is None
    if trial.refusal.reason not in _WAITING:
        return False
    lookup = ("propose", one.name) if one.kind == "transition" else one.name
    first = machine.chains(machine.configuration(snapshot.active), lookup)[0][0].transition
    return guard_fault(guards, (first.key,), context) is None
