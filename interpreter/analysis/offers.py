"""What may be sent to a machine where it stands: script lines that stand for all inputs."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from interpreter.compiling import CompiledTransition, Node
from interpreter.document import matches
from interpreter.expressions import (
    CountersView,
    Environment,
    EvaluationError,
    EventView,
    Expression,
)
from interpreter.stepping import Machine, Snapshot

from .atoms import descriptors, placed_effects
from .domains import Domains
from .playing import Line, spelled

TRIED = 2_000
MOST = 60
_MADE = ("done.state.", "done.region.")
_ERRORS = ("error.guard", "error.effect")
_TURNS = ("caller", "agent")
_VALUED = ("set", "raise")
Copy = tuple[str | None, frozenset[str]]
Copies = tuple[Copy, ...]


def reserved(name: str) -> bool:
    """Whether events of this name are raised by the machine alone (machine.md 5 and 6)."""
    return name.startswith(_MADE) or name in _ERRORS


@dataclass(frozen=True, slots=True)
class Offer:
    """An input for one standing, without values.

    `slots` and `data` are the names that may be given values before and with it; `guards` are
    asked where the machine stands, `later` further on; `raw` names count with each of their
    values.
    """

    line: Mapping[str, Any]
    names: tuple[str, ...] = ()
    guards: tuple[Expression, ...] = ()
    later: tuple[Expression, ...] = ()
    raw: tuple[str, ...] = ()
    confidence: tuple[float, ...] = ()


class Offers:
    """The inputs of a machine, or of some of its top regions (`inside`, a mask of nodes).

    `exact` turns False when there were too many combinations of values to try them all.
    """

    def __init__(self, machine: Machine, domains: Domains, inside: int) -> None:
        self.machine = machine
        self.domains = domains
        self.inside = inside
        self.exact = True
        effects = [(place, e) for place, e in placed_effects(machine) if e.kind in _VALUED]
        self.raised = {effect.key for _, effect in effects if effect.kind == "raise"}
        self.written = {effect.key for _, effect in effects if effect.kind == "set"}
        self.read = sorted(
            ref[6:]
            for ref in domains.atoms.by_name
            if ref.startswith("slots.") and ref[6:] in machine.slots
        )
        self.asked = sorted(ref for ref in domains.atoms.by_name if ref.startswith("decision."))
        self.names = sorted(
            {
                name
                for transition in machine.transitions
                for name in descriptors(transition)
                if not name.endswith("*") and not reserved(name)
            }
        )
        self._copies: dict[int, list[Copy]] = {}
        for place, effect in effects:
            refs = frozenset(ref for _, value in effect.values for ref in value.refs)
            wanted = effect.kind == "raise" or effect.key in self.read
            if refs and wanted:
                slot = effect.key if effect.kind == "set" else None
                self._copies.setdefault(id(place), []).append((slot, refs))
        self._after: dict[int, tuple[tuple[Expression, ...], Copies]] = {}
        self._standing: dict[tuple[str, ...], tuple[Offer, ...]] = {}

    def inner(self, transition: CompiledTransition) -> bool:
        """Whether it may be taken in the middle of a macrostep."""
        if transition.trigger in ("always", "done"):
            return True
        return any(
            reserved(name) or name.endswith("*") or name in self.raised
            for name in descriptors(transition)
        )

    # --- what a macrostep may read --------------------

    def after(self, transition: CompiledTransition) -> tuple[tuple[Expression, ...], Copies]:
        """What may be read once it is taken: guards further on, and names that effects copy."""
        known = self._after.get(transition.index)
        if known is not None:
            return known
        guards: dict[str, Expression] = {}
        copies: dict[tuple[str | None, frozenset[str]], None] = {}
        seen: set[int] = set()
        waiting: list[CompiledTransition] = [transition]
        while waiting:
            one = waiting.pop()
            if one.index in seen:
                continue
            seen.add(one.index)
            nodes = self._entered(one)
            for place in (one, *nodes):
                copies.update(dict.fromkeys(self._copies.get(id(place), ())))
            for other in (t for node in nodes for t in node.transitions if self.inner(t)):
                if other.guard is not None:
                    guards.setdefault(other.guard.source, other.guard)
                waiting.append(other)
        found = (tuple(guards[source] for source in sorted(guards)), tuple(copies))
        self._after[transition.index] = found
        return found

    def _entered(self, transition: CompiledTransition) -> list[Node]:
        """Nodes that a transition may enter; more for a history, whose past is not known."""
        if not transition.targets:
            return [transition.source, *transition.source.ancestors]
        around: dict[int, Node] = {}
        for target in transition.targets:
            parent = target.parent
            if target.kind == "history" and parent is not None:
                around.update((node.index, node) for node in parent.walk())
            around.update((node.index, node) for node in target.ancestors)
            for node in (target, *target.ancestors):
                _below(node, around)
        return [around[index] for index in sorted(around)]

    def _copied(self, copies: list[Copy], read: set[str]) -> set[str]:
        """Names whose values matter further on: copied into what is read, or kept from outside."""
        found: set[str] = set()
        left = copies
        while True:
            used = [
                (slot, refs)
                for slot, refs in left
                if slot is None or not self.domains.outside(slot) or f"slots.{slot}" in read
            ]
            if not used:
                return found
            left = [copy for copy in left if copy not in used]
            for _, refs in used:
                found |= refs
            read = read | found

    # --- lines --------------------

    def lines(self, snapshot: Snapshot, now: int) -> Iterator[tuple[Line, ...]]:
        """Every input that may matter now, each as one or more lines, in a fixed order."""
        if snapshot.ended:
            return
        offers = self._standing.get(snapshot.active)
        if offers is None:
            offers = self._standing[snapshot.active] = tuple(self._offers(snapshot.active))
        for offer in offers:
            yield from self.spell(offer, snapshot)
        yield from self._verdicts(snapshot)
        yield from self._counts(snapshot)
        yield from self._waits(snapshot, now)

    def here(self, active: Iterable[str]) -> list[CompiledTransition]:
        """The transitions of the active states and regions."""
        nodes = [self.machine.states[key] for key in active]
        nodes += [node.parent for node in nodes if node.parent is not None]
        inside = [node for node in dict.fromkeys(nodes) if node.bit & self.inside]
        return [transition for node in inside for transition in node.transitions]

    def _offers(self, active: Iterable[str]) -> Iterator[Offer]:
        here = self.here(active)
        names = dict.fromkeys(name for t in here for name in self._concrete(t))
        inner = [t for t in here if self.inner(t)]
        for name in names:
            answering = [t for t in here if answers(t, name)]
            yield self.offer({"event": name}, answering, inner)
        for transition in here:
            if transition.trigger == "propose":
                target = transition.doc.target
                same_target = [
                    t for t in here if t.trigger == "propose" and t.doc.target == target
                ]
                name = target if target and len(same_target) == 1 else transition.key
                yield self.offer({"propose": {"transition": name}}, [transition], inner)
        always = [t for t in here if t.trigger == "always"]
        if always:
            yield self.offer({}, [], always)

    def _concrete(self, transition: CompiledTransition) -> Iterator[str]:
        for name in descriptors(transition):
            if not name.endswith("*"):
                if not reserved(name):
                    yield name
                continue
            plain = "anything" if name == "*" else name[:-2]
            known = [other for other in self.names if matches(name, other)]
            yield from known
            if plain not in known and not reserved(plain) and not reserved(plain + "."):
                yield plain

    def offer(
        self,
        line: Line,
        answering: Sequence[CompiledTransition],
        inner: Sequence[CompiledTransition] = (),
    ) -> Offer:
        """An Offer of a line that these transitions answer; `inner` may follow in its step."""
        guards = [t.guard for t in answering if t.guard is not None]
        later: dict[str, Expression] = {
            t.guard.source: t.guard for t in inner if t.guard is not None
        }
        copies: list[Copy] = []
        for transition in (*answering, *inner):
            more, copied = self.after(transition)
            later.update((guard.source, guard) for guard in more)
            copies += copied
        raw = self._copied(copies, {ref for guard in later.values() for ref in guard.refs})
        refs = {ref for guard in (*guards, *later.values()) for ref in guard.refs} | raw
        for source in list(later):
            if not self._steady(later[source]):
                raw |= later.pop(source).refs
        names = sorted(ref for ref in refs if self._given(ref, line))
        return Offer(
            line,
            tuple(names),
            tuple(guards),
            tuple(later.values()),
            tuple(sorted(raw & set(names))),
            self._confidences(answering, refs),
        )

    def _given(self, ref: str, line: Line) -> bool:
        if ref.startswith("slots."):
            return ref[6:] in self.machine.slots and self.domains.outside(ref[6:])
        return ref.startswith("event.data.") and "event" in line

    def _steady(self, guard: Expression) -> bool:
        """Whether it says the same further on as it says before the step."""
        return all(
            (ref.startswith("slots.") and ref[6:] not in self.written)
            or ref.startswith("event.data.")
            for ref in guard.refs
        )

    def _confidences(
        self, answering: Sequence[CompiledTransition], refs: set[str]
    ) -> tuple[float, ...]:
        floors = {t.min_confidence for t in answering if t.min_confidence}
        floors |= {t.home.backward_confidence for t in answering if t.home is not None}
        floors -= {0.0}
        read = "event.confidence" in refs
        if not read and (not floors or len(answering) < 2):
            return ()
        points = sorted({0.0, 1.0, *floors, *(self.domains.of("event.confidence").values * read)})
        between = {(a + b) / 2 for a, b in itertools.pairwise(points)}
        return tuple(sorted({*points, *between} if read else {1.0, *between}, reverse=True))

    # --- values --------------------

    def spell(self, offer: Offer, snapshot: Snapshot) -> Iterator[tuple[Line, ...]]:
        """The lines of an Offer, once for each way in which the guards can answer."""
        seen: set[Any] = set()
        for chosen in self.choices(offer, snapshot):
            for confidence in offer.confidence or (1.0,):
                mark = self._mark(offer, snapshot, chosen, confidence)
                if mark in seen:
                    continue
                if len(seen) >= MOST:
                    self.exact = False
                    return
                seen.add(mark)
                lines = self.written_out(offer, snapshot, chosen, confidence)
                if lines:
                    yield lines

    def written_out(
        self, offer: Offer, snapshot: Snapshot, chosen: Mapping[str, Any], confidence: float
    ) -> tuple[Line, ...]:
        """The lines of an Offer with these values."""
        lines = self._sets(chosen, snapshot)
        if offer.line:
            line = _with_data(offer.line, chosen)
            lines = [*lines, _with_confidence(line, confidence)]
        return tuple(lines)

    def choices(self, offer: Offer, snapshot: Snapshot) -> Iterator[dict[str, Any]]:
        """Values for the names of an Offer, those nearest to what is there first."""
        ranges = [self._values(name, snapshot) for name in offer.names]
        base = [values[0] for values in ranges]
        tried = 0
        for changed in range(len(ranges) + 1):
            for places in itertools.combinations(range(len(ranges)), changed):
                for values in itertools.product(*(ranges[place][1:] for place in places)):
                    tried += 1
                    if tried > TRIED:
                        self.exact = False
                        return
                    chosen = list(base)
                    for place, value in zip(places, values, strict=True):
                        chosen[place] = value
                    yield dict(zip(offer.names, chosen, strict=True))

    def _mark(
        self, offer: Offer, snapshot: Snapshot, chosen: Mapping[str, Any], confidence: float
    ) -> Any:
        """How the guards answer."""
        if not offer.names:
            return confidence
        env = environment(snapshot, chosen, offer.line.get("event"), confidence)
        said = [truth(guard, env) for guard in (*offer.guards, *offer.later)]
        return (*said, *[repr(chosen[name]) for name in offer.raw], confidence)

    def _values(self, name: str, snapshot: Snapshot) -> tuple[Any, ...]:
        values = self.domains.of(name).values
        if not name.startswith("slots."):
            return (None, *[value for value in values if value is not None])
        now = snapshot.slots.get(name[6:])
        return (now, *[value for value in values if not same(value, now)])

    def _sets(self, chosen: Mapping[str, Any], snapshot: Snapshot) -> list[Line]:
        return [
            self.put(name[6:], value)
            for name, value in chosen.items()
            if name.startswith("slots.") and not same(snapshot.slots.get(name[6:]), value)
        ]

    def put(self, key: str, value: Any) -> Line:
        """The line by which somebody outside sets a slot."""
        writers = self.machine.slots[key].writers
        body = {"slot": key, "value": value}
        if writers is None or "host" in writers:
            return {"set": body}
        return {"propose": {"set_slot": body}}

    def _verdicts(self, snapshot: Snapshot) -> Iterator[tuple[Line, ...]]:
        for name in self.asked:
            for value in self.domains.of(name).values:
                if isinstance(value, str) and snapshot.decision.get(name[9:]) != value:
                    yield ({"event": f"{name}.{value}"},)

    def _counts(self, snapshot: Snapshot) -> Iterator[tuple[Line, ...]]:
        """What makes `machine.turns`, `machine.refusals` and `machine.elapsed` go on."""
        asked = self.domains.atoms.by_name
        if "machine.turns" in asked:
            yield ({"caller": "Hello"},)
        if "machine.refusals" in asked:
            yield ({"event": "nobody.waits"},)
        for seconds in elapsing(self.domains):
            left = round(seconds * 1_000) - round(snapshot.elapsed * 1_000)
            if left >= 0:
                yield ({"advance": spelled(left + 1)},)
                return

    def _waits(self, snapshot: Snapshot, now: int) -> Iterator[tuple[Line, ...]]:
        rests = resting(self.machine, snapshot, now) if snapshot.moved_at else []
        if rests:
            yield ({"advance": spelled(min(left for _, left in rests))},)
        mine = [
            timer
            for timer in sorted(snapshot.timers, key=lambda timer: timer.due_ms)
            if timer.transition is not None
            and self.machine.transition_keys[timer.transition].source.bit & self.inside
        ]
        if not mine:
            return
        first = self.machine.transition_keys[str(mine[0].transition)]
        wait = max(0, mine[0].due_ms - now)
        yield from self.spell(self.offer({"advance": spelled(wait)}, [first]), snapshot)
        if len(mine) > 1 and wait > 1:
            yield ({"advance": spelled(wait - 1)},)


def elapsing(domains: Domains) -> list[float]:
    """The seconds with which guards compare `machine.elapsed`, in order."""
    if "machine.elapsed" not in domains.atoms.by_name:
        return []
    constants = domains.atoms.of("machine.elapsed").constants
    return sorted({n for n in constants if isinstance(n, int | float)})


def environment(
    snapshot: Snapshot, chosen: Mapping[str, Any], event: str | None, confidence: float
) -> Environment:
    """What guards see when an input of these values comes."""
    slots = dict(snapshot.slots)
    slots.update((n[6:], value) for n, value in chosen.items() if n.startswith("slots."))
    view = EventView(event, _data(chosen), confidence)
    counters = CountersView(
        snapshot.turns, snapshot.transitions, snapshot.refusals, snapshot.elapsed
    )
    active = snapshot.active.__contains__
    return Environment(slots, view, counters, _Visits(snapshot), active, snapshot.decision)


class _Visits(Mapping[str, int]):
    """The visits of a Snapshot, counted when a guard reads one."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._counts: dict[str, int] | None = None

    def _all(self) -> dict[str, int]:
        if self._counts is None:
            self._counts = self._snapshot.visits
        return self._counts

    def __getitem__(self, key: str) -> int:
        return self._all()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())


def truth(guard: Expression, env: Environment) -> bool | None:
    """Whether a guard passes; None where it fails."""
    try:
        return guard(env) is True
    except EvaluationError:
        return None


def _below(node: Node, found: dict[int, Node]) -> None:
    """Adds a node and what entering it brings along."""
    found[node.index] = node
    if node.kind == "region":
        for initial in node.initials or (node.initial,):
            if initial is not None and initial.index not in found:
                _below(initial, found)
        return
    for child in node.children:
        if child.index not in found:
            _below(child, found)


def resting(machine: Machine, snapshot: Snapshot, now: int) -> list[tuple[str, int]]:
    """The regions that rest after a move, each with the milliseconds until it is over."""
    found = []
    for key, at in sorted(snapshot.moved_at.items()):
        left = at + machine.regions[key].cooldown_ms - now
        if left > 0:
            found.append((key, left))
    return found


def answers(transition: CompiledTransition, name: str) -> bool:
    """Whether an event of this name can trigger it."""
    return any(matches(descriptor, name) for descriptor in descriptors(transition))


def same(one: Any, other: Any) -> bool:
    """Equal, and both or neither true/false."""
    return bool(one == other) and isinstance(one, bool) == isinstance(other, bool)


def _data(chosen: Mapping[str, Any]) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for name, value in chosen.items():
        if not name.startswith("event.data.") or value is None:
            continue
        *around, last = name.split(".")[2:]
        place = data
        for part in around:
            inner = place.setdefault(part, {})
            place = inner if isinstance(inner, dict) else {}
        place[last] = value
    return data


def _with_data(line: Line, chosen: Mapping[str, Any]) -> Line:
    data = _data(chosen)
    name = line.get("event", "")
    if name.startswith("turn.") and name[5:] in _TURNS:
        text = data.get("text")
        return {name[5:]: text if isinstance(text, str) else "Hello"}
    return {**line, "data": data} if data else line


def _with_confidence(line: Line, confidence: float | None) -> Line:
    if confidence is None or confidence == 1.0:
        return line
    if "propose" in line:
        return {"propose": {**line["propose"], "confidence": confidence}}
    return {**line, "confidence": confidence} if "event" in line else line
