"""Every state can be come to."""

from collections.abc import Iterator

from .chart import Chart
from .rule import Code, Found, Rule


def find(chart: Chart) -> Iterator[Found]:
    """States that no path leads to; what lies inside one is not told again."""
    for place in chart.index.states:
        around = place.region.parent
        if place.key not in chart.reachable and (around is None or around.key in chart.reachable):
            drawn = [t for t in chart.lost if t.doc.target == place.key]
            why = chart.but_lost(sorted(drawn, key=lambda transition: transition.path))
            message = f"nothing leads to the state '{place.key}'{why}"
            hint = "Add a transition to it, make it initial, or remove it."
            yield Found("state.unreachable", place.path, message, hint)


RULE = Rule((Code("state.unreachable", "warning", "No path leads to the state."),), find)
