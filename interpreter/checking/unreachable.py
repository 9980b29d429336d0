"""Every state can be come to."""

from collections.abc import Iterator

from .chart import Chart
from .rule import Code, Found, Rule


def find(chart: Chart) -> Iterator[Found]:
    """States that no path leads to; what lies inside one is not told again."""
    for place in chart.index.states:
        around = place.region.parent
        if place.key not in chart.reachable and (around is None or around.key in chart.reachable):
            message = f"nothing leads to the state '{place.key}'"
            hint = "Add a transition to it, make it initial, or remove it."
            yield Found("state.unreachable", place.path, message, hint)


RULE = Rule((Code("state.unreachable", "warning", "No path leads to the state."),), find)
