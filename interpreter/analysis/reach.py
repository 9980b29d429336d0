"""Which states a run can come to, and how: guards are taken to be able to hold."""

from __future__ import annotations

from collections.abc import Collection

from .index import Index, RegionPlace, StatePlace, TransitionPlace

Witness = tuple[str, ...]


def predecessors(chart: Index, state: str) -> tuple[str, ...]:
    """Keys of the states from which one transition leads to ``state``, in document order.

    A region's own transition counts from every state of that region. Raises KeyError for an
    unknown state.
    """
    target = chart.by_key[state]
    found: set[StatePlace] = set()
    for transition in chart.transitions:
        if chart.target(transition) is target:
            source = transition.source
            found.update([source] if isinstance(source, StatePlace) else chart.inside[source])
    return tuple(place.key for place in sorted(found, key=lambda place: place.order))


def successors(chart: Index, state: str) -> tuple[str, ...]:
    """Keys of the states that a transition offered in ``state`` leads to, in document order, once
    each.
    """
    targets = [chart.target(transition) for transition in chart.offered(chart.by_key[state])]
    found = {place for place in targets if place is not None}
    return tuple(place.key for place in sorted(found, key=lambda place: place.order))


def reachable(chart: Index, dead: Collection[TransitionPlace] = frozenset()) -> dict[str, Witness]:
    """Every state that can become active, with the names of the transitions of a shortest way
    there. ``dead`` are transitions that are known never to be taken.
    """
    walk = _Walk(chart, dead).run()
    ways: dict[StatePlace | None, Witness] = {None: ()}
    for place, (before, name) in walk.came.items():
        ways[place] = (*ways[before], name) if name else ways[before]
    return {place.key: ways[place] for place in walk.came}


def reached(chart: Index, dead: Collection[TransitionPlace] = frozenset()) -> frozenset[str]:
    """The keys of the states of `reachable`, without the ways there."""
    return frozenset(place.key for place in _Walk(chart, dead).run().came)


Came = tuple[StatePlace | None, str]


class _Walk:
    def __init__(self, chart: Index, dead: Collection[TransitionPlace]) -> None:
        self.chart = chart
        self.dead = dead
        self.came: dict[StatePlace, Came] = {}
        self.entered: set[StatePlace] = set()
        self.opened: set[RegionPlace] = set()
        self.recalled: set[RegionPlace] = set()
        self.waiting: list[StatePlace] = []

    def run(self) -> _Walk:
        for region in self.chart.regions:
            if region.parent is None:
                self.open(region, (None, ""))
        limits = self.chart.machine.limits
        if limits and limits.target in self.chart.by_key:
            self.enter(self.chart.by_key[limits.target], (None, "limit"))
        position = 0
        while position < len(self.waiting):
            self.leave(self.waiting[position])
            position += 1
        return self

    def leave(self, place: StatePlace) -> None:
        for transition in (*self.chart.leaving[place], *self.chart.leaving[place.region]):
            target = self.chart.target(transition)
            if target is not None and not never(transition) and transition not in self.dead:
                self.enter(target, (place, transition.name))

    def enter(self, place: StatePlace, way: Came) -> None:
        """Makes ``place`` active, with all that its entry brings along: its own regions begin,
        and so do those beside it in the states around it.
        """
        if place in self.entered:
            return
        self.entered.add(place)
        self.stand(place, way)
        for region in self.chart.regions_of[place]:
            self.open(region, way)
        inner = place
        while inner.region.parent is not None:
            around = inner.region.parent
            self.stand(around, way)
            for region in self.chart.regions_of[around]:
                if region is not inner.region:
                    self.open(region, way)
            inner = around

    def stand(self, place: StatePlace, way: Came) -> None:
        if place not in self.came:
            self.came[place] = way
            self.waiting.append(place)
            self.recall(place, way)

    def recall(self, place: StatePlace, way: Came) -> None:
        """A shallow history enters what was active beside it as if anew: its regions begin."""
        if place.doc.kind == "history" and place.doc.history != "deep":
            self.recalled.add(place.region)
            for beside in self.chart.inside[place.region]:
                if beside in self.came and beside is not place:
                    self.enter(beside, way)
        elif place.region in self.recalled:
            self.enter(place, way)

    def open(self, region: RegionPlace, way: Came) -> None:
        initial = self.chart.initial(region)
        if region not in self.opened and initial is not None:
            self.opened.add(region)
            self.enter(initial, way)


def never(transition: TransitionPlace) -> bool:
    """Whether its guard is the constant false."""
    return (transition.doc.guard or "").strip() == "false"
