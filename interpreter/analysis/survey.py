"""One look at a chart: what could happen, what was found by running, and how to show it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from interpreter.compiling import CompiledTransition, Node
from interpreter.document import MachineDoc, RegionDoc
from interpreter.errors import Path
from interpreter.stepping import Machine

from .domains import Domains
from .explore import BUDGET, Edge, Exploration, Stop, explore
from .index import Index, index
from .offers import Offers
from .playing import Line
from .possible import Possible

Certainty = Literal["certain", "may"]
Severity = Literal["warning", "info"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that an analysis found.

    `certainty` is `certain`, or `may` where the guards involved cannot be decided. `witness` is
    the shortest script that was found to show it (lines of docs/contracts.md section 2, which
    `run` plays and whose expectations are met); None where there is nothing to play: then
    `blocked` says what stands in the way.
    """

    code: str
    severity: Severity
    certainty: Certainty
    path: Path
    message: str
    hint: str = ""
    witness: tuple[Line, ...] | None = None
    blocked: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The finding as JSON; `path` as a list."""
        return {
            "code": self.code,
            "severity": self.severity,
            "certainty": self.certainty,
            "path": list(self.path),
            "message": self.message,
            "hint": self.hint,
            "witness": None if self.witness is None else [dict(line) for line in self.witness],
            "blocked": list(self.blocked),
        }


@dataclass(eq=False)
class Survey:
    """What the kinds of findings look at. Everything is worked out once, when first asked for."""

    machine: Machine
    budget: int = BUDGET
    told: set[tuple[str, str]] = field(default_factory=set)

    @cached_property
    def domains(self) -> Domains:
        """Values that stand for all values."""
        return Domains(self.machine)

    @cached_property
    def possible(self) -> Possible:
        """What no argument rules out."""
        return Possible(self.machine, self.domains)

    @cached_property
    def explorations(self) -> list[Exploration]:
        """What was found by running."""
        wanted = {node.key for node in self.possible.nodes if node.is_state}
        wanted |= {transition.key for transition in self.possible.transitions}
        return explore(self.machine, self.domains, frozenset(wanted), self.budget)

    @cached_property
    def index(self) -> Index:
        """The places of the document that was compiled."""
        tops = tuple(n.doc for n in self.machine.root.children if isinstance(n.doc, RegionDoc))
        return index(MachineDoc(regions=tops, limits=self.machine.limits))

    @cached_property
    def _offers(self) -> dict[int, Offers]:
        return {
            one.inside: Offers(self.machine, self.domains, one.inside) for one in self.explorations
        }

    @property
    def complete(self) -> bool:
        """Whether the search came to its end."""
        return all(one.complete for one in self.explorations)

    def at(self, node: Node) -> Exploration:
        """The exploration that looked at a node."""
        return next(one for one in self.explorations if one.inside & node.bit)

    def offers(self, one: Exploration) -> Offers:
        """The inputs of an exploration's regions."""
        return self._offers[one.inside]

    def entered(self, node: Node) -> bool:
        """Whether a run was found that enters a state; a region counts by the state around it."""
        if node.kind == "region":
            return node.parent is None or node.parent.kind == "root" or self.entered(node.parent)
        return node.key in self.at(node).entered

    def taken(self, transition: CompiledTransition) -> Edge | None:
        """The shortest way found to take a transition."""
        return self.at(transition.source).taken.get(transition.key)

    @cached_property
    def _stops(self) -> dict[str, list[Stop]]:
        found: dict[str, list[Stop]] = {}
        for one in self.explorations:
            for stop in one.stops:
                for key in () if stop.snapshot.ended else stop.snapshot.active:
                    if self.machine.states[key].bit & one.inside:
                        found.setdefault(key, []).append(stop)
        return found

    def stops(self, node: Node) -> list[Stop]:
        """The standings in which a state (or a region's state) is active, shortest first."""
        if node.kind != "region":
            return self._stops.get(node.key, [])
        if node.parent is not None and node.parent.is_state:
            return self._stops.get(node.parent.key, [])
        return [stop for stop in self.at(node).stops if not stop.snapshot.ended]

    @cached_property
    def _taking(self) -> dict[str, list[Edge]]:
        found: dict[str, list[Edge]] = {}
        for one in self.explorations:
            for edge in one.edges():
                for key in dict.fromkeys(edge.taken):
                    source = self.machine.transition_keys[key].source
                    if source.bit & one.inside:
                        found.setdefault(key, []).append(edge)
        return found

    def taking(self, transition: CompiledTransition) -> list[Edge]:
        """The inputs by which a transition was taken, in the order of the search."""
        return self._taking.get(transition.key, [])


def leaves_of(active: Iterable[str], machine: Machine) -> list[str]:
    """The innermost of some active states, in document order."""
    keys = list(active)
    around = {n.key for key in keys for n in machine.states[key].ancestors}
    return [key for key in keys if key not in around]


def shown(lines: Iterable[Line], **expected: Any) -> tuple[Line, ...]:
    """A witness: lines, and what is to be seen after them."""
    found: list[Mapping[str, Any]] = list(lines)
    if expected:
        found.append({"expect": expected})
    return tuple(found)
