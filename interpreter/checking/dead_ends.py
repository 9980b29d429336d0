"""A conversation does not get stuck: every state of the speaker region leads on or is final."""

from collections.abc import Iterator

from interpreter.analysis import StatePlace, TransitionPlace
from interpreter.errors import Path

from .chart import Chart
from .rule import Code, Found, Rule


def find(chart: Chart) -> Iterator[Found]:
    """States of the speaker region that can be come to and that nothing leaves."""
    wide: list[tuple[Path, TransitionPlace]] | None = None
    for place in chart.index.states:
        if not place.speaker or place.doc.kind != "state" or chart.index.regions_of[place]:
            continue
        if place.key not in chart.reachable:
            continue
        if any(_leaves(chart, transition, place) for transition in chart.index.offered(place)):
            continue
        wide = list(_wide(chart)) if wide is None else wide
        if not any(_resets(domain, transition, place) for domain, transition in wide):
            drawn = [
                t for t in chart.index.offered(place) if t.doc.target not in (None, place.key)
            ]
            message = (
                f"nothing leaves '{place.key}', and it is no final state{chart.but_lost(drawn)}"
            )
            hint = "Add a transition, or make it final."
            yield Found("state.dead_end", place.path, message, hint)


def _leaves(chart: Chart, transition: TransitionPlace, place: StatePlace) -> bool:
    return transition.doc.target not in (None, place.key) and transition not in chart.lost


def _wide(chart: Chart) -> Iterator[tuple[Path, TransitionPlace]]:
    """Transitions that leave more than their own region, with the path of all they leave."""
    for transition in chart.index.transitions:
        target = chart.index.target(transition)
        if target is None or transition in chart.lost or not chart.stands(transition):
            continue
        shared = _shared(transition.source.path, target.path)
        domain = target.path[: max(0, shared - (shared + 2) % 4)]
        if transition.source is transition.region and transition.doc.external:
            domain = transition.region.path[:-4]
        if len(domain) < len(transition.region.path):
            yield domain, transition


def _shared(one: Path, other: Path) -> int:
    """How many parts two paths have in common."""
    pairs = zip(one, other, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _resets(domain: Path, transition: TransitionPlace, place: StatePlace) -> bool:
    """Whether it leaves a state of another region that is active beside its source."""
    beside = _shared(transition.source.path, place.path) % 4 < 2
    return beside and place.path[: len(domain)] == domain


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
