"""What the expressions of a chart may name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from interpreter.document import MachineDoc, RegionDoc, SlotDoc, StateDoc
from interpreter.expressions import Scope


def states_of(regions: Sequence[RegionDoc]) -> Iterator[StateDoc]:
    """Every state at every depth, in document order."""
    for region in regions:
        for state in region.states:
            yield state
            yield from states_of(state.regions)


def scope_of(machine: MachineDoc, slots: Sequence[SlotDoc]) -> Scope:
    """Slots by key, the keys of all states, and the questions that states ask."""
    states = list(states_of(machine.regions))
    return Scope(
        slots={slot.key: slot for slot in slots},
        states=frozenset(state.key for state in states if state.kind != "history"),
        decisions=frozenset(question for state in states for question in state.ask),
    )
