"""A transition can win: no earlier one of its state always takes its trigger."""

from collections.abc import Iterator

from interpreter.analysis import TransitionPlace
from interpreter.document import AfterTrigger, EventTrigger, matches

from .chart import Chart
from .rule import Code, Found, Rule


def find(chart: Chart) -> Iterator[Found]:
    """Transitions that can never be taken, with the one that is taken instead."""
    for transitions in chart.index.leaving.values():
        for number, later in enumerate(transitions):
            for earlier in transitions[:number]:
                if _shadows(chart, earlier, later):
                    message = (
                        f"'{later.name}' of '{later.source.key}' can never be taken: "
                        f"'{earlier.name}' always comes first"
                    )
                    hint = "Put it first, or give the earlier one a guard."
                    yield Found("transition.shadowed", later.path, message, hint)
                    break


def _shadows(chart: Chart, earlier: TransitionPlace, later: TransitionPlace) -> bool:
    if earlier.kind != later.kind or earlier.kind == "propose":
        return False
    doc = earlier.doc
    if doc.guard not in (None, "true", later.doc.guard):
        return False
    if doc.min_confidence is not None or doc.max_takes is not None:
        return False
    target = chart.index.target(earlier)
    if target is not None and target.doc.max_visits is not None:
        return False
    first, second = earlier.doc.on, later.doc.on
    if isinstance(first, EventTrigger) and isinstance(second, EventTrigger):
        return all(any(_covers(a, b) for a in first.events) for b in second.events)
    if isinstance(first, AfterTrigger) and isinstance(second, AfterTrigger):
        return first.milliseconds <= second.milliseconds and doc.target is not None
    return True


def _covers(wide: str, narrow: str) -> bool:
    return wide == narrow or (narrow != "*" and matches(wide, narrow.removesuffix(".*")))


RULE = Rule(
    (Code("transition.shadowed", "warning", "An earlier transition always wins over this one."),),
    find,
)
