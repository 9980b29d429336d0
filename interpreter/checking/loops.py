"""Loops end: those of 'always' must, the others should have a bound."""

from collections.abc import Iterator

from interpreter.analysis import Cycle, endless_always, unbounded_cycles

from .chart import Chart
from .rule import Code, Found, Rule


def find(chart: Chart) -> Iterator[Found]:
    """Loops that turn within one step, and loops that may turn for ever."""
    told = set()
    for cycle in endless_always(chart.index):
        told.add(frozenset(cycle.states))
        message = f"{_round(cycle)} is a loop of 'always' that nothing ends"
        hint = "Give one of its transitions a guard, or let an event start it."
        yield Found("cycle.always", cycle.transitions[0].path, message, hint)
    asleep = {place for place in chart.index.transitions if not chart.stands(place)}
    for cycle in unbounded_cycles(chart.index, chart.lost | asleep):
        if frozenset(cycle.states) in told:
            continue
        names = ", ".join(f"'{transition.name}'" for transition in cycle.transitions)
        message = f"{_round(cycle)} may repeat without end, by {names}"
        hint = "Set max_visits on a state, max_takes on a transition, or a limit on transitions."
        yield Found("cycle.unbounded", cycle.transitions[-1].path, message, hint)


def _round(cycle: Cycle) -> str:
    states = cycle.states
    if len(states) > 6:
        states = (*states[:5], "...")
    return " -> ".join((*states, cycle.states[0]))


RULE = Rule(
    (
        Code("cycle.always", "error", "A loop of 'always' transitions has no guard or bound."),
        Code(
            "cycle.unbounded", "warning", "A loop has no cap: the Call may repeat it without end."
        ),
    ),
    find,
)
