"""A transition can win: no earlier one of its state always takes its trigger."""

from collections.abc import Iterator

from .chart import Chart
from .rule import Code, Found, Rule


def find(chart: Chart) -> Iterator[Found]:
    """Transitions that can never be taken, with the one that is taken instead."""
    for later, earlier in chart.shadowed.items():
        if chart.stands(later):
            message = (
                f"'{later.name}' of '{later.source.key}' can never be taken: "
                f"'{earlier.name}' always comes first"
            )
            hint = "Put it first, or give the earlier one a guard."
            yield Found("transition.shadowed", later.path, message, hint)


RULE = Rule(
    (Code("transition.shadowed", "warning", "An earlier transition always wins over this one."),),
    find,
)
