"""A conversation does not get stuck: every state of the speaker region leads on or is final."""

from collections.abc import Iterator

from .chart import Chart
from .rule import Code, Found, Rule


def find(chart: Chart) -> Iterator[Found]:
    """States of the speaker region that nothing leaves."""
    for place in chart.index.states:
        if not place.speaker or place.doc.kind != "state" or chart.index.regions_of[place]:
            continue
        leaves = any(
            transition.doc.target not in (None, place.key)
            for transition in chart.index.offered(place)
        )
        if not leaves:
            message = f"nothing leaves '{place.key}', and it is no final state"
            hint = "Add a transition, or make it final."
            yield Found("state.dead_end", place.path, message, hint)


RULE = Rule(
    (
        Code(
            "state.dead_end",
            "warning",
            "Nothing leaves a state of the speaker, and it is not final.",
        ),
    ),
    find,
)
