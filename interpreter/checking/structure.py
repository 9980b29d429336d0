"""Regions and states are put together as the language says."""

from collections.abc import Iterator

from interpreter.analysis import RegionPlace, StatePlace
from interpreter.expressions import near

from .chart import Chart
from .rule import Code, Found, Rule

_SPEAKER_FIELDS = ("prompt", "instructions", "tools", "ask", "agent")


def find(chart: Chart) -> Iterator[Found]:
    """All faults of build."""
    yield from _speakers(chart)
    for region in chart.index.regions:
        yield from _initial(chart, region)
        if region.parent is not None and region.doc.role is not None:
            message = f"the region '{region.key}' lies in a state and has a role"
            yield Found(
                "region.role", (*region.path, "role"), message, "Only top regions have one."
            )
    for place in chart.index.states:
        yield from _kind(chart, place)
        if not place.speaker:
            yield from _silent_region(place)


def _speakers(chart: Chart) -> Iterator[Found]:
    if not chart.machine.regions:
        message = "the machine has no region"
        yield Found("region.missing", ("regions",), message, "Add a region with role 'speaker'.")
        return
    top = chart.machine.regions
    speakers = [n for n, region in enumerate(top) if region.role == "speaker"]
    hint = "Exactly one top region has the role 'speaker'."
    if not speakers:
        yield Found("region.speaker", ("regions", 0, "role"), "no region is the speaker", hint)
    for number in speakers[1:]:
        first, other = top[speakers[0]].key, top[number].key
        message = f"'{other}' is a second speaker region beside '{first}'"
        yield Found("region.speaker", ("regions", number, "role"), message, hint)


def _initial(chart: Chart, region: RegionPlace) -> Iterator[Found]:
    own = [place.key for place in chart.index.inside[region]]
    path = (*region.path, "initial")
    if not own:
        message = f"the region '{region.key}' has no states"
        yield Found("region.empty", (*region.path, "states"), message, "Add a state.")
    elif region.doc.initial is None:
        message = f"the region '{region.key}' does not say where it begins"
        yield Found("initial.missing", path, message, f"Make '{own[0]}' initial.")
    elif region.doc.initial not in own:
        message = f"the region '{region.key}' begins in '{region.doc.initial}', which is not in it"
        hint = near(region.doc.initial, own) or "Name one of its own states."
        yield Found("initial.unknown", path, message, hint[0].upper() + hint[1:])


def _kind(chart: Chart, place: StatePlace) -> Iterator[Found]:
    doc = place.doc
    if doc.kind in ("final", "history", "choice") and doc.regions:
        message = f"'{place.key}' is a {doc.kind} state and holds regions"
        yield Found(
            "state.kind", (*place.path, "regions"), message, "Only plain states hold regions."
        )
    if doc.kind == "final" and doc.transitions:
        message = f"the final state '{place.key}' has transitions"
        yield Found("final.leaves", (*place.path, "transitions", 0), message, "Nothing leaves it.")
    if doc.kind == "history":
        yield from _history(chart, place)
    elif doc.history is not None:
        message = f"'{place.key}' is no history state and says {doc.history}"
        yield Found(
            "state.kind", (*place.path, "history"), message, "Remove it, or change the kind."
        )
    if doc.kind == "choice":
        yield from _choice(place)


def _history(chart: Chart, place: StatePlace) -> Iterator[Found]:
    transitions = chart.index.leaving[place]
    hint = "A history state has one transition, to a state of its own region."
    if len(transitions) != 1:
        message = f"the history state '{place.key}' has {len(transitions)} default transitions"
        yield Found("history.default", place.path, message, hint)
        return
    target = chart.index.target(transitions[0])
    path = (*transitions[0].path, "target")
    if transitions[0].doc.target is None:
        message = f"the default transition of '{place.key}' has no target"
        yield Found("history.default", path, message, hint)
    elif target is not None and place.region not in (target.region, *_around(target)):
        message = f"the history state '{place.key}' defaults to '{target.key}', outside its region"
        yield Found("history.region", path, message, hint)


def _around(place: StatePlace) -> tuple[RegionPlace, ...]:
    return tuple(ancestor.region for ancestor in place.ancestors)


def _choice(place: StatePlace) -> Iterator[Found]:
    for number, transition in enumerate(place.doc.transitions):
        if transition.on.kind != "always":
            message = f"the choice '{place.key}' waits for {transition.on.kind}"
            path = (*place.path, "transitions", number, "on")
            yield Found("choice.trigger", path, message, "A choice is left by 'always' alone.")
    last = place.doc.transitions[-1] if place.doc.transitions else None
    if last is None or last.guard is not None:
        message = f"the choice '{place.key}' has no way out when every guard is false"
        yield Found(
            "choice.no_else", place.path, message, "Add a last transition without a guard."
        )


def _silent_region(place: StatePlace) -> Iterator[Found]:
    for name in _SPEAKER_FIELDS:
        if getattr(place.doc, name):
            message = f"'{place.key}' is in an observer region and has {name}"
            hint = "Only the speaker region speaks, asks and uses tools."
            yield Found("observer.speaks", (*place.path, name), message, hint)


RULE = Rule(
    (
        Code("region.missing", "error", "The machine has no region."),
        Code("region.speaker", "error", "Not exactly one top region is the speaker."),
        Code("region.role", "error", "A region inside a state has a role."),
        Code("region.empty", "error", "A region has no states."),
        Code("initial.missing", "error", "A region has no initial state."),
        Code("initial.unknown", "error", "The initial state is not one of the region's own."),
        Code("state.kind", "error", "A state holds what its kind does not allow."),
        Code("final.leaves", "error", "A final state has transitions."),
        Code(
            "history.default", "error", "A history state has not exactly one default transition."
        ),
        Code("history.region", "error", "A history state's default lies outside its region."),
        Code("choice.trigger", "error", "A choice has a transition that is not 'always'."),
        Code("choice.no_else", "warning", "A choice may find no way out."),
        Code(
            "observer.speaks",
            "error",
            "A state of an observer region has words, tools or an agent.",
        ),
    ),
    find,
)
