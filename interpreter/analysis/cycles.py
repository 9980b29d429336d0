"""Loops: those that nothing bounds, and those that would turn within one macrostep."""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from .index import Index, StatePlace, TransitionPlace
from .reach import never

_COUNTS = re.compile(r"\b(?:visits|machine)\s*\.")


@dataclass(frozen=True)
class Edge:
    """A move from state to state.

    ``transition`` is None where entering a state enters its initial one.
    """

    source: StatePlace
    target: StatePlace
    transition: TransitionPlace | None


@dataclass(frozen=True)
class Cycle:
    """A shortest loop: its states in order from the first in the document, and its transitions."""

    states: tuple[str, ...]
    transitions: tuple[TransitionPlace, ...]


def unbounded_cycles(chart: Index, dead: Collection[TransitionPlace] = frozenset()) -> list[Cycle]:
    """One loop of each knot that no cap holds.

    Caps are: ``max_visits`` of a state entered, ``max_takes`` of a transition, a guard that reads
    ``visits`` or ``machine``, and the machine's limits on visits or transitions. ``dead`` are
    transitions that are known never to be taken.
    """
    limits = chart.machine.limits
    if limits and (limits.visits is not None or limits.transitions is not None):
        return []
    edges = (edge for edge in _edges(chart) if edge.transition not in dead)
    return _loops(edge for edge in edges if not _bounded(chart, edge))


def all_cycles(chart: Index) -> list[Cycle]:
    """One loop of each knot of states, bounded or not."""
    return _loops(_edges(chart))


def bounds_of(chart: Index, cycle: Cycle) -> tuple[str, ...]:
    """What bounds a loop, as people name it; empty when nothing does."""
    found: list[str] = []
    for key in cycle.states:
        place = chart.by_key[key]
        if place.doc.max_visits is not None:
            found.append(f"max_visits {place.doc.max_visits} of '{key}'")
    for transition in cycle.transitions:
        if transition.doc.max_takes is not None:
            found.append(f"max_takes {transition.doc.max_takes} of '{transition.name}'")
        if _COUNTS.search(transition.doc.guard or ""):
            found.append(f"the guard of '{transition.name}'")
    limits = chart.machine.limits
    for name in ("visits", "transitions") if limits else ():
        if getattr(limits, name) is not None:
            found.append(f"the limit of {getattr(limits, name)} {name}")
    return tuple(found)


def endless_always(chart: Index) -> list[Cycle]:
    """Loops of ``always`` transitions that no guard and no bound can end."""
    edges: list[Edge] = []
    for place in chart.states:
        guarded = False
        for transition in chart.leaving[place]:
            target = chart.target(transition)
            if transition.kind != "always" or target is None:
                continue
            if transition.doc.guard not in (None, "true"):
                guarded = True
            elif not guarded:
                edges.append(Edge(place, target, transition))
        edges += _enters(chart, place)
    return _loops(edge for edge in edges if not _bounded(chart, edge))


def _edges(chart: Index) -> list[Edge]:
    found: list[Edge] = []
    for transition in chart.transitions:
        target = chart.target(transition)
        if target is None or never(transition):
            continue
        source = transition.source
        if isinstance(source, StatePlace):
            sources = [source, *chart.within(source)]
        else:
            sources = chart.under(source)
        found += [
            Edge(place, target, transition)
            for place in sources
            if not _excluded(place, transition)
        ]
    for place in chart.states:
        found += _enters(chart, place)
    return found


def _excluded(place: StatePlace, transition: TransitionPlace) -> bool:
    """Whether the guard says, as one of its conditions, that ``place`` must not be active; or the
    Call ends there.
    """
    guard = transition.doc.guard or ""
    if place.doc.kind == "final" and place.speaker and place.region.parent is None:
        return True
    return "||" not in guard and f"!active('{place.key}')" in guard.replace(" ", "").replace(
        '"', "'"
    )


def _enters(chart: Index, place: StatePlace) -> list[Edge]:
    initials = [chart.initial(region) for region in chart.regions_of[place]]
    return [Edge(place, initial, None) for initial in initials if initial is not None]


def _bounded(chart: Index, edge: Edge) -> bool:
    if edge.target.doc.max_visits is not None:
        return True
    transition = edge.transition
    if transition is None:
        return False
    if transition.doc.max_takes is not None or _COUNTS.search(transition.doc.guard or ""):
        return True
    around = set(edge.source.ancestors) | {edge.source}
    entered = [place for place in edge.target.ancestors if place not in around]
    return any(place.doc.max_visits is not None for place in entered)


def _loops(edges: Iterable[Edge]) -> list[Cycle]:
    graph: dict[StatePlace, list[Edge]] = {}
    for edge in edges:
        graph.setdefault(edge.source, []).append(edge)
    knots = _knots(graph)
    loops = [_shortest(graph, knot) for knot in knots]
    return sorted(loops, key=lambda loop: loop.transitions[0].path)


def _knots(graph: dict[StatePlace, list[Edge]]) -> list[set[StatePlace]]:
    """Strongly connected components that hold a loop (Tarjan, without recursion)."""
    number: dict[StatePlace, int] = {}
    low: dict[StatePlace, int] = {}
    stack: list[StatePlace] = []
    on_stack: set[StatePlace] = set()
    found: list[set[StatePlace]] = []
    for root in sorted(graph, key=lambda place: place.order):
        if root in number:
            continue
        work = [(root, 0)]
        while work:
            place, step = work.pop()
            if step == 0:
                number[place] = low[place] = len(number)
                stack.append(place)
                on_stack.add(place)
            edges = graph.get(place, [])
            if step:
                low[place] = min(low[place], low[edges[step - 1].target])
            while step < len(edges) and edges[step].target in number:
                if edges[step].target in on_stack:
                    low[place] = min(low[place], number[edges[step].target])
                step += 1
            if step < len(edges):
                work += [(place, step + 1), (edges[step].target, 0)]
            elif low[place] == number[place]:
                found += _pop(stack, on_stack, place, graph)
    return found


def _pop(
    stack: list[StatePlace],
    on_stack: set[StatePlace],
    root: StatePlace,
    graph: dict[StatePlace, list[Edge]],
) -> list[set[StatePlace]]:
    knot: set[StatePlace] = set()
    while root not in knot:
        knot.add(stack.pop())
    on_stack -= knot
    loops = len(knot) > 1 or any(edge.target is root for edge in graph.get(root, []))
    return [knot] if loops else []


def _shortest(graph: dict[StatePlace, list[Edge]], knot: set[StatePlace]) -> Cycle:
    best: list[Edge] | None = None
    for start in sorted(knot, key=lambda place: place.order)[:50]:
        loop = _back_to(graph, knot, start)
        if best is None or len(loop) < len(best):
            best = loop
    edges = best or []
    first = min(range(len(edges)), key=lambda number: edges[number].source.order)
    turned = edges[first:] + edges[:first]
    return Cycle(
        tuple(edge.source.key for edge in turned),
        tuple(edge.transition for edge in turned if edge.transition is not None),
    )


def _back_to(
    graph: dict[StatePlace, list[Edge]], knot: set[StatePlace], start: StatePlace
) -> list[Edge]:
    came: dict[StatePlace, Edge] = {}
    waiting = [start]
    for place in waiting:
        for edge in graph.get(place, []):
            if edge.target is start:
                return _trace(came, edge, start)
            if edge.target in knot and edge.target not in came:
                came[edge.target] = edge
                waiting.append(edge.target)
    raise AssertionError("a knot always leads back to each of its states")


def _trace(came: dict[StatePlace, Edge], last: Edge, start: StatePlace) -> list[Edge]:
    edges = [last]
    while edges[-1].source is not start:
        edges.append(came[edges[-1].source])
    return edges[::-1]
