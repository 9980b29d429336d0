"""The data model (SCXML 5): variables as slots, with the type that their values have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from interpreter.document import Effect, SetEffect, SlotDoc, loose_slot
from interpreter.interchange.scxml.blocks import Reading, content_text, literal
from interpreter.interchange.scxml.ecma import UNSET, Known, Made, UnsupportedError, translate
from interpreter.interchange.scxml.names import Names
from interpreter.interchange.scxml.tree import STATES, children, tag

_TYPES = {"number": "number", "string": "string", "boolean": "boolean"}
_SYSTEM = {"_sessionid": "session_1", "_name": ""}
_ROUNDS = 4


@dataclass(frozen=True, slots=True)
class Variable:
    """A `<data>`, or a system variable: its slot's key, its element, the state it stands in."""

    name: str
    key: str
    element: Element | None
    state: str | None


@dataclass(slots=True)
class Data:
    """All variables of a document and the types found for them."""

    variables: list[Variable] = field(default_factory=list)
    types: dict[str, str] = field(default_factory=dict)

    def known(self, states: Mapping[str, str]) -> Known:
        """What expressions may name."""
        return Known({v.name: (v.key, self.types.get(v.name, "any")) for v in self.variables},
                     states)  # fmt: skip


def gather(root: Element, states: Mapping[str, str], names: Names) -> Data:
    """The variables of a document; each type follows from the values that it is given."""
    data = Data([Variable(n, names.key(n), None, None) for n in _SYSTEM if _mentions(root, n)])
    seen = set(_SYSTEM)
    for state, element in _declared(root):
        name = element.get("id") or ""
        if name and name not in seen:
            seen.add(name)
            data.variables.append(Variable(name, names.key(name), element, state))
    given: dict[str, list[str]] = {v.name: [] for v in data.variables}
    for element in root.iter():
        if tag(element) == "assign":
            location = (element.get("location") or "").strip()
            given.setdefault(location, []).append(_source(element))
        elif tag(element) == "send" and element.get("idlocation"):
            given.setdefault(element.get("idlocation") or "", []).append("''")
    for variable in data.variables:
        if variable.element is not None and _source(variable.element):
            given[variable.name].append(_source(variable.element))
    _settle(data, given, states)
    return data


def _settle(data: Data, given: dict[str, list[str]], states: Mapping[str, str]) -> None:
    data.types = {v.name: "string" if v.name in _SYSTEM else UNSET for v in data.variables}
    for _ in range(_ROUNDS):
        known = data.known(states)
        for variable in data.variables:
            if variable.name not in _SYSTEM:
                found = {_type_of(source, known) for source in given[variable.name]}
                found -= {"null", UNSET}
                if found:
                    data.types[variable.name] = found.pop() if len(found) == 1 else "any"


def _type_of(source: str, known: Known) -> str:
    try:
        return translate(source, known).type
    except UnsupportedError:
        return "any"


def _source(element: Element) -> str:
    """The expression of a `<data>` or `<assign>`; what stands inside it counts as one."""
    source = element.get("expr")
    if source is not None:
        return source
    text = content_text(element)
    return literal(text) if text else ""


def _mentions(root: Element, name: str) -> bool:
    return any(name in value for element in root.iter() for value in element.attrib.values())


def _declared(root: Element) -> Iterator[tuple[str | None, Element]]:
    """Each `<data>` with the id of the state it stands in, in document order."""
    waiting: list[Element] = [root]
    while waiting:
        element = waiting.pop()
        state = None if tag(element) == "scxml" else element.get("id")
        for model in children(element, "datamodel"):
            for one in children(model, "data"):
                yield state, one
        waiting += reversed(list(children(element, *STATES)))


def slots_of(data: Data, reading: Reading, title: str, *, late: bool) -> tuple[SlotDoc, ...]:
    """The slots, with the defaults that are literals."""
    made = []
    for variable in data.variables:
        kind = _TYPES.get(data.types[variable.name])  # what was never given a value has none
        default = _default(variable, reading, late=late)
        if variable.name in _SYSTEM:
            default = title if variable.name == "_name" else _SYSTEM[variable.name]
        if kind is None:
            if variable.element is not None:
                reading.lose(f"data '{variable.name}'", "it has no one type", "beside")
            made.append(loose_slot(variable.key, default))
        else:
            label = None if variable.name == variable.key else variable.name[:200]
            made.append(SlotDoc(key=variable.key, type=kind, label=label, default=default))  # type: ignore[arg-type]
    return tuple(made)


def _default(variable: Variable, reading: Reading, *, late: bool) -> object:
    """The value of a variable that begins with a literal."""
    if variable.element is None or (late and variable.state):
        return None
    try:
        made = translate(_source(variable.element), reading.known)
    except UnsupportedError:
        return None
    return made.value if made.literal else None


def initial_effects(
    data: Data, reading: Reading, *, late: bool
) -> tuple[tuple[Effect, ...], dict[str, tuple[Effect, ...]]]:
    """What gives variables their first values: on entry of the machine, and, with late binding,
    on the first entry of the state they stand in (SCXML 5.3).
    """
    first: list[Effect] = []
    later: dict[str, tuple[Effect, ...]] = {}
    for variable in data.variables:
        element = variable.element
        if element is None:
            continue
        where = f"data '{variable.name}'"
        if element.get("src"):
            reading.lose(where, "its value is in another file")
            continue
        source = _source(element)
        if not source:
            continue
        made = reading.expression(source, where)
        if made is None or _default(variable, reading, late=late) is not None:
            continue
        if late and variable.state:
            effect = _once(variable, made, reading)
            later[variable.state] = (*later.get(variable.state, ()), effect)
        else:
            first.append(SetEffect(variable.key, made.text))
    return tuple(first), later


def _once(variable: Variable, made: Made, reading: Reading) -> Effect:
    key = reading.known.states[variable.state or ""]
    return SetEffect(variable.key, f"(visits.{key} == 1 ? {made.text} : slots.{variable.key})")
