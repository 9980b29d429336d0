"""Which states a run can come to, and how: guards are taken to be able to hold."""

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


def reachable(chart: Index) -> dict[str, Witness]:
    """Every state that can become active, with the names of the transitions of a shortest way
    there.
    """
    return _Walk(chart).run()


class _Walk:
    def __init__(self, chart: Index) -> None:
        self.chart = chart
        self.ways: dict[StatePlace, Witness] = {}
        self.opened: set[RegionPlace] = set()
        self.waiting: list[StatePlace] = []

    def run(self) -> dict[str, Witness]:
        for region in self.chart.regions:
            if region.parent is None:
                self.open(region, ())
        limits = self.chart.machine.limits
        if limits and limits.target in self.chart.by_key:
            self.enter(self.chart.by_key[limits.target], ("limit",))
        position = 0
        while position < len(self.waiting):
            self.leave(self.waiting[position])
            position += 1
        return {place.key: way for place, way in self.ways.items()}

    def leave(self, place: StatePlace) -> None:
        for transition in (*self.chart.leaving[place], *self.chart.leaving[place.region]):
            target = self.chart.target(transition)
            if target is not None and not never(transition):
                self.enter(target, (*self.ways[place], transition.name))

    def enter(self, place: StatePlace, way: Witness) -> None:
        """Makes ``place`` active, with all that its entry brings along."""
        if place in self.ways:
            return
        self.ways[place] = way
        self.waiting.append(place)
        for region in self.chart.regions_of[place]:
            if region is not place.region:
                self.open(region, way)
        if place.region.parent is not None:
            self.opened.add(place.region)
            self.enter(place.region.parent, way)

    def open(self, region: RegionPlace, way: Witness) -> None:
        initial = self.chart.initial(region)
        if region not in self.opened and initial is not None:
            self.opened.add(region)
            self.enter(initial, way)


def never(transition: TransitionPlace) -> bool:
    """Whether its guard is the constant false."""
    return (transition.doc.guard or "").strip() == "false"
