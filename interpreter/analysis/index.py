"""A machine document with every state, region and transition at hand, each with its path and what
it lies in.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from interpreter.document import Effect, MachineDoc, RegionDoc, StateDoc, TransitionDoc
from interpreter.errors import Path


@dataclass(frozen=True, eq=False)
class RegionPlace:
    """A region where it stands; ``parent`` is the state around it, ``top`` its top region."""

    doc: RegionDoc
    path: Path
    parent: "StatePlace | None"
    speaker: bool

    @property
    def key(self) -> str:
        """The region's key."""
        return self.doc.key


@dataclass(frozen=True, eq=False)
class StatePlace:
    """A state where it stands; ``order`` is its place in document order."""

    doc: StateDoc
    path: Path
    region: RegionPlace
    order: int

    @property
    def key(self) -> str:
        """The state's key."""
        return self.doc.key

    @property
    def speaker(self) -> bool:
        """Whether it lies in the speaker region."""
        return self.region.speaker

    @cached_property
    def ancestors(self) -> "tuple[StatePlace, ...]":
        """The states around it, innermost first."""
        parent = self.region.parent
        return (parent, *parent.ancestors) if parent else ()


@dataclass(frozen=True, eq=False)
class TransitionPlace:
    """A transition where it stands.

    ``source`` is a state or a region; ``name`` is its key, given or made.
    """

    doc: TransitionDoc
    path: Path
    source: StatePlace | RegionPlace
    name: str

    @property
    def kind(self) -> str:
        """The kind of its trigger."""
        return self.doc.on.kind

    @property
    def region(self) -> RegionPlace:
        """The region of its source."""
        return self.source.region if isinstance(self.source, StatePlace) else self.source


@dataclass(frozen=True, eq=False)
class EffectPlace:
    """An effect where it stands, and the state or region whose it is."""

    doc: Effect
    path: Path
    owner: StatePlace | RegionPlace


@dataclass(eq=False)
class Index:
    """All places of one machine, in document order. Where keys repeat, the first one counts."""

    machine: MachineDoc
    regions: list[RegionPlace] = field(default_factory=list)
    states: list[StatePlace] = field(default_factory=list)
    transitions: list[TransitionPlace] = field(default_factory=list)
    effects: list[EffectPlace] = field(default_factory=list)

    @cached_property
    def by_key(self) -> dict[str, StatePlace]:
        """The states by key."""
        found: dict[str, StatePlace] = {}
        for place in self.states:
            found.setdefault(place.key, place)
        return found

    @cached_property
    def inside(self) -> dict[RegionPlace, list[StatePlace]]:
        """The direct states of every region."""
        found: dict[RegionPlace, list[StatePlace]] = {region: [] for region in self.regions}
        for place in self.states:
            found[place.region].append(place)
        return found

    @cached_property
    def regions_of(self) -> dict[StatePlace, list[RegionPlace]]:
        """The regions inside every state."""
        found: dict[StatePlace, list[RegionPlace]] = {place: [] for place in self.states}
        for region in self.regions:
            if region.parent is not None:
                found[region.parent].append(region)
        return found

    @cached_property
    def leaving(self) -> "dict[StatePlace | RegionPlace, list[TransitionPlace]]":
        """The transitions of every state and region."""
        found: dict[StatePlace | RegionPlace, list[TransitionPlace]] = {}
        places: list[StatePlace | RegionPlace] = [*self.states, *self.regions]
        for place in places:
            found[place] = []
        for transition in self.transitions:
            found[transition.source].append(transition)
        return found

    def target(self, transition: TransitionPlace) -> StatePlace | None:
        """The state that ``transition`` leads to, if it names one that is there."""
        return self.by_key.get(transition.doc.target) if transition.doc.target else None

    def under(self, region: RegionPlace) -> list[StatePlace]:
        """All states in ``region`` at any depth."""
        found: list[StatePlace] = []
        for place in self.inside[region]:
            found += [place, *self.within(place)]
        return found

    def within(self, place: StatePlace) -> list[StatePlace]:
        """All states inside ``place`` at any depth."""
        return [state for region in self.regions_of[place] for state in self.under(region)]

    def initial(self, region: RegionPlace) -> StatePlace | None:
        """The initial state of ``region``, if it is one of its own."""
        place = self.by_key.get(region.doc.initial) if region.doc.initial else None
        return place if place is not None and place.region is region else None

    def offered(self, place: StatePlace) -> Iterator[TransitionPlace]:
        """What may move the machine while ``place`` is active.

        Its own transitions and those around it.
        """
        current: StatePlace | None = place
        while current is not None:
            yield from self.leaving[current]
            yield from self.leaving[current.region]
            current = current.region.parent


def index(machine: MachineDoc) -> Index:
    """The Index of a parsed machine."""
    found = Index(machine)
    for number, region in enumerate(machine.regions):
        _region(found, region, ("regions", number), None, speaker=region.role == "speaker")
    return found


def _region(
    found: Index, doc: RegionDoc, path: Path, parent: StatePlace | None, *, speaker: bool
) -> None:
    region = RegionPlace(doc, path, parent, speaker)
    found.regions.append(region)
    _moves(found, region, doc.transitions, path)
    _effects(found, region, doc.entry, (*path, "entry"))
    _effects(found, region, doc.exit, (*path, "exit"))
    for number, state in enumerate(doc.states):
        _state(found, state, (*path, "states", number), region)


def _state(found: Index, doc: StateDoc, path: Path, region: RegionPlace) -> None:
    place = StatePlace(doc, path, region, len(found.states))
    found.states.append(place)
    _moves(found, place, doc.transitions, path)
    _effects(found, place, doc.entry, (*path, "entry"))
    _effects(found, place, doc.exit, (*path, "exit"))
    for number, inner in enumerate(doc.regions):
        _region(found, inner, (*path, "regions", number), place, speaker=region.speaker)


def _moves(
    found: Index,
    source: StatePlace | RegionPlace,
    docs: tuple[TransitionDoc, ...],
    path: Path,
) -> None:
    for number, doc in enumerate(docs):
        at = (*path, "transitions", number)
        name = doc.key or f"{source.key}_{number + 1}"
        found.transitions.append(TransitionPlace(doc, at, source, name))
        _effects(found, source, doc.effects, (*at, "effects"))


def _effects(
    found: Index, owner: StatePlace | RegionPlace, docs: tuple[Effect, ...], path: Path
) -> None:
    for number, doc in enumerate(docs):
        found.effects.append(EffectPlace(doc, (*path, number), owner))
