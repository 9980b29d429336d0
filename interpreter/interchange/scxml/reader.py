"""SCXML 1.0 read as a chart (https://www.w3.org/TR/scxml/).

A `<state>` with states in it becomes a state with one region, a `<parallel>` a state with one
region for each child. A compound child that nobody asks for by name is that region; any other is
framed by one. What a document cannot hold goes into the Widening, what nothing of ours can hold
into the report.
"""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree.ElementTree import Element

from interpreter.document import (
    NOT_WIDENED,
    AlwaysTrigger,
    DoneTrigger,
    Effect,
    EventTrigger,
    HookEffect,
    Initial,
    MachineDoc,
    RegionDoc,
    StateDoc,
    TransitionDoc,
    Trigger,
    Widening,
)
from interpreter.interchange.scxml.blocks import Blocks, Reading, parameters
from interpreter.interchange.scxml.data import gather, initial_effects, slots_of
from interpreter.interchange.scxml.names import Names
from interpreter.interchange.scxml.ours import is_ours, read_ours
from interpreter.interchange.scxml.report import Imported, InterchangeError
from interpreter.interchange.scxml.tree import STATES, children, ids, parse_tree, tag

MICROSTEPS, RECORDS = 2_000, 20_000
_INSIDE = frozenset({
    *STATES, "history", "initial", "transition", "onentry", "onexit", "datamodel", "donedata",
})  # fmt: skip
_ERRORS = ("error.guard", "error.effect")
_QUOTED = re.compile(r"""'([^']*)'|"([^"]*)\"""")
MOST_MEMORIES = 10_000


def read_scxml(source: bytes | str) -> Imported:
    """A chart from the text of an SCXML document, with what it could not carry.

    One that `write_scxml` wrote comes back exactly.

    Raises InterchangeError: it is no SCXML, two states have one id, a target does not exist.
    """
    root = parse_tree(source)
    if not is_ours(root):
        return _Reader(root).read()
    whole = read_ours(root)
    machine = whole.machine or MachineDoc()
    return Imported(machine, whole.slots, NOT_WIDENED, {}, {}, (), whole.name, whole)


class _Reader:
    def __init__(self, root: Element) -> None:
        self.root = root
        self.parents = {child: parent for parent in root.iter() for child in parent}
        self.names = Names("s")
        self.region_names = Names("r")
        self.transition_names = Names("t")
        self.elements: dict[str, Element] = {}
        self.ids: dict[Element, str] = {}
        self.memories: dict[str, list[str]] = {}
        self.targets: dict[str, tuple[str, ...]] = {}
        self.initials: dict[str, Initial] = {}
        self.frames: set[str] = set()
        self.silent: set[str] = set()
        self.done_data: dict[str, dict[str, str]] = {}
        self._name_states()
        self.late = root.get("binding") == "late"
        self.histories: dict[Element, list[Element]] = {}
        for element in self.elements.values():
            if tag(element) == "history":
                self.histories.setdefault(self.parents[element], []).append(element)
        asked = _asked_for(root)
        self.merged = {
            name: self.region_names.fresh(name)
            for name, element in self.elements.items()
            if name not in asked and self._can_be_region(element)
        }
        data = gather(root, self._inside(), Names("v"))
        self.reading = Reading(data.known(self._inside()))
        self.reading.typed_events = _asks_for_types(root)
        self.blocks = Blocks(self.reading)
        self.slots = slots_of(data, self.reading, root.get("name") or "", late=self.late)
        self.first, self.later = initial_effects(data, self.reading, late=self.late)

    def _name_states(self) -> None:
        count = 0
        for element in self.root.iter():
            if tag(element) not in (*STATES, "history"):
                continue
            count += 1
            name = element.get("id") or f"{tag(element)} {count}"
            if name in self.elements:
                raise InterchangeError(f"two states have the id '{name}'")
            self.elements[name] = element
            self.ids[element] = name
            self.names.key(name)

    def _inside(self) -> dict[str, str]:
        """The states that can be active, for In(): a history state never is (SCXML 5.9.2)."""
        keys = self.names.given.items()
        return {
            name: key
            for name, key in keys
            if tag(self.elements[name]) != "history" and name not in self.merged
        }

    def _can_be_region(self, element: Element) -> bool:
        """Whether a state is a compound child of a `<parallel>` that has no history to keep."""
        around = self.parents.get(element)
        if around is None or tag(around) != "parallel" or tag(element) != "state":
            return False
        if around in self.histories or next(children(element, *STATES), None) is None:
            return False
        return not (self.late and next(children(element, "datamodel"), None) is not None)

    # --- the whole --------------------

    def read(self) -> Imported:
        key = self.region_names.fresh("main")
        self.silent.add(key)
        top = self._region(self.root, key)
        region = replace(
            top, role="speaker", entry=self.first, transitions=self._transitions(self.root, key)
        )
        self._loose(self.root, "<scxml>")
        if not region.states:
            raise InterchangeError("the document has no state")
        return Imported(
            machine=MachineDoc(regions=(region,)),
            slots=self.slots,
            wider=Widening(
                targets=self.targets,
                initials=self.initials,
                frames=frozenset(self.frames),
                silent=frozenset(self.silent),
                branches=self.reading.branches,
                blocks=self.reading.blocks,
                done_data=self.done_data,
                microsteps=MICROSTEPS,
                records=RECORDS,
            ),
            states={n: k for n, k in self.names.given.items() if n not in self.merged},
            events=self.reading.events,
            losses=tuple(self.reading.losses),
            name=self.root.get("name") or "",
        )

    def _loose(self, element: Element, where: str) -> None:
        """Reports the children that SCXML does not have there."""
        for child in element:
            name = tag(child)
            if name and name not in _INSIDE:
                self.reading.lose(where, f"<{name}> is not carried")

    # --- states --------------------

    def _region(self, parent: Element, key: str) -> RegionDoc:
        """The states in an element, as a region."""
        states = list(children(parent, *STATES))
        return RegionDoc(
            key=key,
            initial=self._initial(parent, key, states),
            states=tuple(self._state(one) for one in children(parent, *STATES, "history")),
        )

    def _initial(self, parent: Element, key: str, states: list[Element]) -> str | None:
        """The direct child to begin with; what lies deeper, or does more, goes beside."""
        if not states:
            return None
        where = self._where(parent)
        wanted = ids(parent.get("initial"))
        effects: tuple[Effect, ...] = ()
        for initial in children(parent, "initial"):
            for transition in children(initial, "transition"):
                wanted = ids(transition.get("target"))
                effects = self.blocks.block(transition, where)
        if not wanted:
            return self.names.given[self.ids[states[0]]]
        targets = self._resolve(wanted, where)
        first = self.elements[wanted[0]]
        while self.parents.get(first) is not parent:
            if first not in self.parents:
                raise InterchangeError(f"the initial '{wanted[0]}' of {where} is not inside it")
            first = self.parents[first]
        direct = self.names.given[self.ids[first]]
        if effects or targets != (direct,):
            self.initials[key] = Initial(targets, effects)
            what = f"it begins at {', '.join(wanted)}; in the document at {self.ids[first]}"
            self.reading.lose(where, what, "beside")
        return direct

    def _state(self, element: Element) -> StateDoc:
        name = self.ids[element]
        key, where = self.names.given[name], self._where(element)
        if tag(element) == "history":
            return self._history(element, key, self.parents[element])
        self._loose(element, where)
        label = name[:200] if name != key else None
        entry = (*self.later.get(name, ()), *self._handlers(element, "onentry"))
        leave = self._handlers(element, "onexit")
        if tag(element) == "final":
            self._done(element, key)
            return StateDoc(key=key, label=label, kind="final", entry=entry, exit=leave)
        return StateDoc(
            key=key,
            label=label,
            entry=entry,
            exit=leave,
            transitions=self._transitions(element, key),
            regions=self._regions(element, name),
        )

    def _regions(self, element: Element, name: str) -> tuple[RegionDoc, ...]:
        inside = list(children(element, *STATES))
        if not inside:
            for history in children(element, "history"):
                raise InterchangeError(f"{self._where(history)} stands in a state without states")
            return ()
        if tag(element) == "state":
            key = self.region_names.fresh(name)
            self.silent.add(key)
            return (self._region(element, key),)
        histories = list(children(element, "history"))
        if len(histories) * len(inside) > MOST_MEMORIES:
            raise InterchangeError(f"{self._where(element)} has too many histories")
        for history in histories:
            what = "the history of a <parallel> is one history for each of its regions"
            self.reading.lose(self._where(history), what, "beside")
        return tuple(self._frame(child, place) for place, child in enumerate(inside))

    def _frame(self, child: Element, place: int) -> RegionDoc:
        """One child of a `<parallel>` as a region, or the region around it."""
        name = self.ids[child]
        if name in self.merged:
            return self._as_region(child, name, self.merged[name])
        key = self.region_names.fresh(f"{self.ids[child]}_region")
        self.frames.add(key)
        self.silent.add(key)
        state = self._state(child)
        moves: tuple[TransitionDoc, ...] = ()
        if state.regions:
            what = "it stays a state: its region in the document is no element of SCXML"
            self.reading.lose(self._where(child), what, "beside")
        else:
            moves = tuple(map(_external, state.transitions))
            state = replace(state, transitions=())
        return RegionDoc(
            key=key,
            initial=self.names.given[name],
            states=(*self._memories(child, place), state),
            transitions=moves,
        )

    def _as_region(self, element: Element, name: str, key: str) -> RegionDoc:
        self._loose(element, self._where(element))
        return replace(
            self._region(element, key),
            label=name[:200] if name != key else None,
            entry=self._handlers(element, "onentry"),
            exit=self._handlers(element, "onexit"),
            transitions=tuple(map(_external, self._transitions(element, key))),
        )

    def _memories(self, child: Element, place: int) -> tuple[StateDoc, ...]:
        made = []
        for history in self.histories.get(self.parents[child], ()):
            key = self._memory_keys(history)[place]
            made.append(self._history(history, key, child, first=place == 0))
        return tuple(made)

    def _memory_keys(self, history: Element) -> list[str]:
        name = self.ids[history]
        if name not in self.memories:
            inside = children(self.parents[history], *STATES)
            self.memories[name] = [self.names.fresh(f"{name}_{self.ids[one]}") for one in inside]
        return self.memories[name]

    def _history(
        self, element: Element, key: str, within: Element, *, first: bool = True
    ) -> StateDoc:
        """A history state. `within` is what its default lies in: its parent, or, under a
        `<parallel>`, the one child that it remembers.
        """
        where = self._where(element)
        split = within is not self.parents[element]
        transition = next(children(element, "transition"), None)
        wanted = ids(transition.get("target") if transition is not None else None)
        inside = [name for name in wanted if not split or self._holds(within, name)]
        targets = self._resolve(inside, where)
        if not targets:
            if not split:
                raise InterchangeError(f"{where} has no default transition")
            targets = (self.names.given[self.ids[within]],)
        effects: tuple[Effect, ...] = ()
        if transition is not None and first:
            effects = self.blocks.block(transition, where)
        default = TransitionDoc(
            on=AlwaysTrigger(), target=targets[0], effects=effects, key=self._several(targets, key)
        )
        return StateDoc(
            key=key,
            kind="history",
            history="deep" if element.get("type") == "deep" else "shallow",
            transitions=(default,),
        )

    def _holds(self, around: Element, name: str) -> bool:
        one: Element | None = self.elements.get(name)
        while one is not None and one is not around:
            one = self.parents.get(one)
        return one is around

    def _handlers(self, element: Element, name: str) -> tuple[Effect, ...]:
        where = f"{self._where(element)}, {name}"
        blocks = [self.blocks.block(one, where) for one in children(element, name)]
        blocks = [block for block in blocks if block]
        if len(blocks) < 2:
            return blocks[0] if blocks else ()
        self.reading.lose(where, "several handlers, each a block of its own", "beside")
        hooks: list[Effect] = []
        for block in blocks:
            key = f"block_{len(self.reading.blocks) + 1}"
            self.reading.blocks[key] = block
            hooks.append(HookEffect(key))
        return tuple(hooks)

    def _done(self, element: Element, key: str) -> None:
        for data in children(element, "donedata"):
            where = f"{self._where(element)}, donedata"
            given = self.blocks.given(data, where)
            if given:
                self.done_data[key] = parameters(given)
                self.reading.lose(where, "the data of done.state", "beside")

    # --- transitions --------------------

    def _transitions(self, element: Element, key: str) -> tuple[TransitionDoc, ...]:
        made = []
        for place, transition in enumerate(children(element, "transition")):
            where = f"{self._where(element)}, transition {place + 1}"
            targets = self._resolve(ids(transition.get("target")), where)
            made.append(
                TransitionDoc(
                    on=self._trigger(transition),
                    key=self._several(targets, f"{key}_{place + 1}"),
                    guard=self.reading.guard(transition.get("cond"), where),
                    effects=self.blocks.block(transition, where),
                    target=targets[0] if targets else None,
                    internal=transition.get("type") == "internal",
                )
            )
        return tuple(made)

    def _several(self, targets: tuple[str, ...], name: str) -> str | None:
        """The key of a transition with several targets, which go beside; else None."""
        if len(targets) < 2:
            return None
        key = self.transition_names.fresh(f"{name}_several")
        self.targets[key] = targets
        self.reading.lose(f"transition '{key}'", "all targets but the first", "beside")
        return key

    def _resolve(self, wanted: list[str], where: str) -> tuple[str, ...]:
        """The keys of states; the history of a `<parallel>` stands for several."""
        found: list[str] = []
        for name in wanted:
            element = self.elements.get(name)
            if element is None:
                raise InterchangeError(f"{where}: there is no state '{name}'")
            if name in self.merged:  # entered by default, as all regions around it then are
                name = self.ids[self.parents[element]]
                element = self.elements[name]
            split = tag(element) == "history" and tag(self.parents[element]) == "parallel"
            found += self._memory_keys(element) if split else [self.names.given[name]]
        return tuple(dict.fromkeys(found))

    def _trigger(self, transition: Element) -> Trigger:
        wanted = ids(transition.get("event"))
        if not wanted:
            return AlwaysTrigger()
        source = self.ids.get(self.parents[transition])
        if wanted == [f"done.state.{source}"] and source not in self.merged:
            return DoneTrigger()
        found: list[str] = []
        for name in wanted:
            found += self._descriptors(name)
        return EventTrigger(tuple(dict.fromkeys(found)) if len(found) > 1 else found[0])

    def _descriptors(self, name: str) -> list[str]:
        """An event descriptor (SCXML 3.12.1) as ours, which match whole names or `.*`."""
        base = name.removesuffix(".*").rstrip(".")
        if base in ("*", ""):
            return ["*"]
        if base.startswith("done.state."):
            state = base.removeprefix("done.state.")
            if state in self.merged:
                return [f"done.region.{self.merged[state]}"]
            base = f"done.state.{self.names.given.get(state, state)}"
        made = [f"{self.reading.event(base)}.*"]
        return [*made, *_ERRORS] if base == "error.execution" else made

    def _where(self, element: Element) -> str:
        name = self.ids.get(element)
        return f"<{tag(element)}> '{name}'" if name else f"<{tag(element)}>"


def _external(transition: TransitionDoc) -> TransitionDoc:
    """A transition of a region is internal unless it says otherwise, in SCXML the other way."""
    leaves = transition.target is not None and not transition.internal
    return replace(transition, internal=False, external=leaves)


def _asked_for(root: Element) -> set[str]:
    """The ids that stand in quotes (`In('x')`), or among several targets."""
    found: set[str] = set()
    for element in root.iter():
        for name, value in element.attrib.items():
            if name in ("target", "initial"):
                wanted = ids(value)
                found.update(wanted if len(wanted) > 1 else ())
            else:
                found.update(text for pair in _QUOTED.findall(value) for text in pair)
    return found


def _asks_for_types(root: Element) -> bool:
    return any("_event.type" in v for element in root.iter() for v in element.attrib.values())
