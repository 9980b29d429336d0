"""The speaker has something to say, does not wait for ever, and nobody else speaks."""

from collections.abc import Iterator

from interpreter.analysis import StatePlace
from interpreter.document import SayEffect

from .chart import Chart
from .rule import Code, Found, Rule


def find(chart: Chart) -> Iterator[Found]:
    """Speaker states without words, waiting states without a time-out, observers that speak."""
    for effect in chart.index.effects:
        owner = effect.owner
        region = owner.region if isinstance(owner, StatePlace) else owner
        if isinstance(effect.doc, SayEffect) and not region.speaker:
            message = f"'{owner.key}' says '{effect.doc.say}', but only the speaker region speaks"
            hint = "Raise an event here, and say it in a state of the speaker region."
            yield Found("say.observer", effect.path, message, hint)
    for place in chart.index.states:
        if not place.speaker or place.doc.kind != "state" or chart.index.regions_of[place]:
            continue
        if not any(_words(state) for state in (place, *place.ancestors)):
            message = f"the speaker has nothing to say in '{place.key}'"
            yield Found("state.silent", place.path, message, "Give it a prompt or instructions.")
        if place.doc.prompt is not None:
            yield from _waits(chart, place)


def _words(place: StatePlace) -> bool:
    doc = place.doc
    says = any(isinstance(effect, SayEffect) for effect in doc.entry)
    return bool(doc.prompt or doc.instructions or doc.agent or says)


def _waits(chart: Chart, place: StatePlace) -> Iterator[Found]:
    kinds = {transition.kind for transition in chart.index.offered(place)}
    if kinds & {"event", "propose"} and "after" not in kinds:
        message = f"'{place.key}' waits for the caller and has no time-out"
        hint = "Add a transition with 'after', as in 20s."
        yield Found("after.missing", place.path, message, hint)


RULE = Rule(
    (
        Code("state.silent", "warning", "A state of the speaker has no words at all."),
        Code("say.observer", "warning", "A region that observes says a prompt: it stays unsaid."),
        Code("after.missing", "warning", "A state waits for the caller without an 'after'."),
    ),
    find,
)
