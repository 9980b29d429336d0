"""The limits lead somewhere: to a state of the speaker region."""

from collections.abc import Iterator

from interpreter.expressions import near

from .chart import Chart
from .rule import Code, Found, Rule

_PATH = ("limits", "target")


def find(chart: Chart) -> Iterator[Found]:
    """A limits target that is missing, unknown or out of reach."""
    limits = chart.machine.limits
    if limits is None:
        return
    counted = [
        name
        for name in ("turns", "transitions", "visits", "refusals", "seconds")
        if getattr(limits, name) is not None
    ]
    if limits.target is None:
        if counted:
            message = f"the limits ({', '.join(counted)}) lead nowhere"
            yield Found("limit.target", _PATH, message, "Name a state of the speaker region.")
        return
    place = chart.index.by_key.get(limits.target)
    if place is None:
        message = f"the limits lead to '{limits.target}', which does not exist"
        hint = near(limits.target, chart.index.by_key) or "Name a state of the speaker region."
        yield Found("limit.target", _PATH, message, hint[0].upper() + hint[1:])
    elif not place.speaker:
        message = f"the limits lead to '{place.key}', which is not in the speaker region"
        yield Found("limit.target", _PATH, message, "Name a state of the speaker region.")
    elif place.doc.kind in ("history", "choice"):
        message = f"the limits lead to '{place.key}', which is a {place.doc.kind} state"
        yield Found("limit.target", _PATH, message, "Name a state that can be stayed in.")


RULE = Rule(
    (Code("limit.target", "error", "The limits name no state of the speaker region to go to."),),
    find,
)
