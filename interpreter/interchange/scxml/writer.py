"""A chart written as SCXML 1.0: for other engines as far as SCXML goes, for us whole.

A state with one plain region is a `<state>`, with more (or with a region that does something of
its own) a `<parallel>` of regions. What SCXML has no place for stands in attributes of our
namespace (`cc:more`), which `read_scxml` takes back exactly. Each such thing is a line in the
report: another reader will not see it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from interpreter.document import (
    AfterTrigger,
    AgentDoc,
    DoneTrigger,
    Effect,
    EventTrigger,
    MachineDoc,
    ProposeTrigger,
    RaiseEffect,
    RegionDoc,
    SetEffect,
    SlotDoc,
    StateDoc,
    TransitionDoc,
    dump_document,
)
from interpreter.interchange.scxml.lines import Lines, packed
from interpreter.interchange.scxml.report import Loss
from interpreter.interchange.scxml.say import UnsayableError, say_guard, say_value, variable
from interpreter.interchange.scxml.tree import NAMESPACE, OURS

MACHINE = "machine"
_WIDE = ("*", "done.*", "done.region.*")
_ERRORS = ("error.guard", "error.effect")


@dataclass(slots=True)
class Written:
    """A text, and what readers other than ours will not find in it."""

    text: str
    losses: tuple[Loss, ...] = ()


@dataclass(slots=True)
class _Ids:
    """The ids of states and of the regions that have an element."""

    states: dict[str, str] = field(default_factory=dict)
    regions: dict[str, str] = field(default_factory=dict)


def write_scxml(agent: AgentDoc) -> Written:
    """SCXML for an agent document; one without a machine is an empty `<scxml>`."""
    return _Writer(agent).write()


def is_flat(region: RegionDoc) -> bool:
    """Whether a lone region needs no element of its own."""
    return not (region.transitions or region.entry or region.exit)


class _Writer:
    def __init__(self, agent: AgentDoc) -> None:
        self.agent = agent
        self.machine = agent.machine or MachineDoc()
        self.lines = Lines()
        self.losses: list[Loss] = []
        self.ids = _ids_of(self.machine)
        self.catches = False
        self.unheard: list[str] = []

    def lose(self, where: str, what: str) -> None:
        """Adds a line to the report."""
        self.losses.append(Loss(where, f"{what}; only our reader sees it", "note"))

    def write(self) -> Written:
        more = dump_document(self.agent)
        more.pop("machine", None)
        more.pop("slots", None)
        if self.machine.limits is not None:
            more["limits"] = dump_document(self.machine.limits)
            self.lose("<scxml>", "the limits")
        flat = len(self.machine.regions) == 1 and is_flat(self.machine.regions[0])
        regions = self.machine.regions
        initial = self._initial(regions[0]) if flat else MACHINE if regions else None
        self.lines.open(
            "scxml",
            xmlns=NAMESPACE,
            xmlns_cc=OURS,
            version="1.0",
            datamodel="ecmascript",
            name=self.agent.name or None,
            initial=initial,
            cc_region=packed(self._region_more(regions[0])) if flat else None,
            cc_more=packed(more),
        )
        self._data(self.agent.slots)
        self._regions(regions, MACHINE, flat=flat)
        self.lines.close()
        if self.catches and self.unheard:
            what = f"done.region of {', '.join(self.unheard)}, which a wider name here matches"
            self.lose("<scxml>", what)
        return Written(self.lines.text, tuple(dict.fromkeys(self.losses)))

    def _data(self, slots: tuple[SlotDoc, ...]) -> None:
        if slots:
            self.lines.open("datamodel")
            for slot in slots:
                expression = None if slot.default is None else _literal(slot.default)
                self.lines.empty(
                    "data",
                    id=variable(slot.key),
                    expr=expression,
                    cc_more=packed(dump_document(slot)),
                )
            self.lines.close()

    # --- regions and states --------------------

    def _regions(self, regions: tuple[RegionDoc, ...], around: str, *, flat: bool) -> None:
        if flat:
            if any(state.kind == "final" for state in regions[0].states):
                self.unheard.append(regions[0].key)
            self._states(regions[0])
            return
        if around == MACHINE and regions:
            self.lose("<scxml>", "that the speaker's final state ends the Call")
            self.lines.open("parallel", id=MACHINE)
        for region in regions:
            name = self.ids.regions[region.key]
            self.lines.open(
                "state",
                id=name,
                initial=self._initial(region),
                cc_region=packed(self._region_more(region)),
            )
            self._handlers(region, name)
            self._transitions(region.transitions, name, of_region=True)
            self._states(region)
            self.lines.close()
        if around == MACHINE and regions:
            self.lines.close()

    def _initial(self, region: RegionDoc) -> str | None:
        return self.ids.states.get(region.initial or "")

    def _region_more(self, region: RegionDoc) -> dict[str, Any]:
        more = dump_document(region)
        for name in ("states", "transitions"):
            more.pop(name, None)
        if region.initial in self.ids.states:
            more.pop("initial")
        return more

    def _states(self, region: RegionDoc) -> None:
        for state in region.states:
            self._state(state)

    def _state(self, state: StateDoc) -> None:
        name = self.ids.states[state.key]
        flat = len(state.regions) == 1 and is_flat(state.regions[0])
        tag = {"final": "final", "history": "history"}.get(state.kind, "state")
        if state.regions and not flat:
            tag = "parallel"
        self.lines.open(
            tag,
            id=name,
            type=(state.history or "shallow") if tag == "history" else None,
            initial=self._initial(state.regions[0]) if flat else None,
            cc_region=packed(self._region_more(state.regions[0])) if flat else None,
            cc_more=packed(_state_more(state)),
        )
        for what in ("prompt", "instructions", "tools", "ask", "agent", "keywords", "max_visits"):
            if getattr(state, what):
                self.lose(f"state '{state.key}'", what)
        self._handlers(state, name)
        self._transitions(state.transitions, name, of_history=tag == "history")
        self._internal(state, flat=flat)
        self._regions(state.regions, name, flat=flat)
        self.lines.close()

    def _handlers(self, owner: StateDoc | RegionDoc, name: str) -> None:
        timers = [
            (place, transition.on.milliseconds)
            for place, transition in enumerate(owner.transitions)
            if isinstance(transition.on, AfterTrigger)
        ]
        if owner.entry:
            self._block("onentry", owner.entry, name)
        if owner.exit:
            self._block("onexit", owner.exit, name)
        if timers:
            self.lines.open("onentry")
            for place, delay in timers:
                event = _timer(name, place)
                self.lines.empty("send", id=event, event=event, delay=f"{delay}ms")
            self.lines.close()
            self.lines.open("onexit")
            for place, _ in timers:
                self.lines.empty("cancel", sendid=_timer(name, place))
            self.lines.close()

    # --- transitions --------------------

    def _transitions(
        self,
        transitions: tuple[TransitionDoc, ...],
        name: str,
        *,
        of_region: bool = False,
        of_history: bool = False,
    ) -> None:
        for place, one in enumerate(transitions):
            where = f"'{name}', transition {place + 1}"
            more = dump_document(one)
            if one.target in self.ids.states:
                more.pop("target")
            internal = one.internal or (of_region and not one.external)
            attributes = {
                "event": None if of_history else self._event(one, name, place, where),
                "cond": self._guard(one.guard, where),
                "target": self.ids.states.get(one.target or ""),
                "type": "internal" if internal and one.target else None,
                "cc_more": packed(more),
            }
            for what in ("min_confidence", "max_takes"):
                if getattr(one, what) is not None:
                    self.lose(where, what)
            self.lines.open("transition", **attributes)
            self._effects(one.effects, where)
            self.lines.close()

    def _internal(self, state: StateDoc, *, flat: bool) -> None:
        """Where an internal transition of a compound state is not quite that of SCXML."""
        if len(state.regions) == 1 and any(t.internal and t.target for t in state.transitions):
            where = f"state '{state.key}'"
            if not flat:
                self.lose(where, "that its internal transitions do not leave it")
            elif any(inner.kind == "history" for inner in state.regions[0].states):
                self.lose(where, "that its histories remember at an internal transition")

    def _guard(self, guard: str | None, where: str) -> str | None:
        if guard is None:
            return None
        try:
            return say_guard(guard, self.ids.states)
        except UnsayableError as error:
            self.lose(where, f"its guard ({error}), which is false for others")
            return "false"

    def _event(self, one: TransitionDoc, name: str, place: int, where: str) -> str | None:
        on = one.on
        if isinstance(on, EventTrigger):
            return " ".join(dict.fromkeys(self._descriptor(event, where) for event in on.events))
        if isinstance(on, ProposeTrigger):
            self.lose(where, "that a model proposes it; for others it is an event")
            return f"propose.{one.target or one.key or name}"
        if isinstance(on, AfterTrigger):
            return _timer(name, place)
        return f"done.state.{name}" if isinstance(on, DoneTrigger) else None

    def _descriptor(self, event: str, where: str) -> str:
        self.catches = self.catches or event in _WIDE
        if event == "*":
            return "*"
        if event in _ERRORS:
            return "error.execution"
        if not event.endswith(".*"):
            self.lose(where, f"that '{event}' does not match '{event}.x', as it does in SCXML")
        name = event.removesuffix(".*")
        region = name.removeprefix("done.region.")
        if region == name:
            return name
        if region not in self.ids.regions:
            self.lose(where, f"the event '{name}': the region has no element")
        return f"done.state.{self.ids.regions.get(region, region)}"

    # --- effects --------------------

    def _block(self, tag: str, effects: tuple[Effect, ...], name: str) -> None:
        self.lines.open(tag)
        self._effects(effects, f"'{name}', {tag}")
        self.lines.close()

    def _effects(self, effects: tuple[Effect, ...], where: str) -> None:
        for effect in effects:
            try:
                written = self._effect(effect)
            except UnsayableError as error:
                self.lose(where, f"a {effect.kind} ({error})")
                continue
            if not written:
                self.lose(where, f"a {effect.kind}")

    def _effect(self, effect: Effect) -> bool:
        """Writes what SCXML has for an effect; False when it has nothing."""
        if isinstance(effect, SetEffect):
            value = say_value(effect.value, self.ids.states)
            self.lines.empty("assign", location=variable(effect.set), expr=value)
        elif effect.kind == "clear":
            self.lines.empty(
                "assign", location=variable(getattr(effect, "clear", "")), expr="null"
            )
        elif isinstance(effect, RaiseEffect) and effect.data:
            said = {k: say_value(v, self.ids.states) for k, v in effect.data.items()}
            self.lines.open("send", event=effect.raises, target="#_internal")
            for key, value in said.items():
                self.lines.empty("param", name=key, expr=value)
            self.lines.close()
        elif isinstance(effect, RaiseEffect):
            self.lines.empty("raise", event=effect.raises)
        else:
            return False
        return True


def _timer(name: str, place: int) -> str:
    return f"after.{name}.{place + 1}"


def _literal(value: Any) -> str:
    return (packed({"v": value}) or "")[5:-1]


def _state_more(state: StateDoc) -> dict[str, Any]:
    more = dump_document(state)
    for name in ("key", "regions", "transitions"):
        more.pop(name, None)
    if state.kind in ("final", "history"):
        more.pop("kind", None)
    return more


def _ids_of(machine: MachineDoc) -> _Ids:
    ids = _Ids()
    regions = list(_walk(machine.regions))
    for region in regions:
        for state in region.states:
            ids.states[state.key] = f"{MACHINE}_" if state.key == MACHINE else state.key
    for region in regions:
        taken = region.key in ids.states or region.key == MACHINE
        ids.regions[region.key] = f"{region.key}.region" if taken else region.key
    return ids


def _walk(regions: tuple[RegionDoc, ...]) -> Iterator[RegionDoc]:
    for region in regions:
        yield region
        for state in region.states:
            yield from _walk(state.regions)
