"""What the expressions of a chart may name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from interpreter.document import MachineDoc, QuestionSetDoc, RegionDoc, SlotDoc, StateDoc
from interpreter.expressions import Scope


def states_of(regions: Sequence[RegionDoc]) -> Iterator[StateDoc]:
    """Every state at every depth, in document order."""
    for region in regions:
        for state in region.states:
            yield state
            yield from states_of(state.regions)


def questions_asked(asked: Iterable[str], sets: Sequence[QuestionSetDoc]) -> frozenset[str]:
    """The questions behind what states ask: those of a set of that name, else the name itself
    (a machine alone knows no sets).
    """
    known = {one.key: [question.key for question in one.questions] for one in sets}
    return frozenset(question for key in asked for question in known.get(key, [key]))


def scope_of(
    machine: MachineDoc, slots: Sequence[SlotDoc], sets: Sequence[QuestionSetDoc] = ()
) -> Scope:
    """Slots by key, the keys of all states, and the questions that states ask."""
    states = list(states_of(machine.regions))
    return Scope(
        slots={slot.key: slot for slot in slots},
        states=frozenset(state.key for state in states if state.kind != "history"),
        decisions=questions_asked((key for state in states for key in state.ask), sets),
    )
