"""A machine as Mermaid text (``stateDiagram-v2``): for reading, not for reading back.

https://mermaid.js.org/syntax/stateDiagram.html. What Mermaid has no form for is left out: effects
of entries and exits, limits, and the memory of a history state.
"""

from collections.abc import Iterator

from interpreter.document import (
    AfterTrigger,
    AlwaysTrigger,
    EventTrigger,
    MachineDoc,
    ProposeTrigger,
    RegionDoc,
    StateDoc,
    TransitionDoc,
    parse_document,
)

_RESERVED = frozenset({"end", "state", "note", "direction", "class", "style", "click", "default"})
_ESCAPES = {":": "#58;", ";": "#59;", "#": "#35;", "<": "#lt;", ">": "#gt;", '"': "#quot;"}
_MOST = 60


def diagram_mermaid(machine: object) -> str:
    """The text of a diagram.

    ``machine`` is a machine document (JSON or parsed); raises DocumentError.
    """
    doc = parse_document(machine)
    lines = ["stateDiagram-v2"]
    alone = len(doc.regions) == 1 and not doc.regions[0].transitions
    for region in doc.regions:
        if alone:
            lines += _region(region, 1)
        else:
            lines += [f'  state "{_text(region.label or region.key)}" as {_id_of(region)} {{']
            lines += [*_region(region, 2), "  }"]
    lines += [f"  {line}" for line in _moves(doc)]
    return "\n".join(lines) + "\n"


def _region(region: RegionDoc, depth: int) -> Iterator[str]:
    pad = "  " * depth
    if region.initial:
        yield f"{pad}[*] --> {_id(region.initial)}"
    for state in region.states:
        yield from _state(state, depth)


def _state(state: StateDoc, depth: int) -> Iterator[str]:
    pad, name = "  " * depth, _id(state.key)
    if state.kind == "choice":
        yield f"{pad}state {name} <<choice>>"
        return
    label = _text(state.label or state.key)
    if state.kind == "history":
        label = f"H* {label}" if state.history == "deep" else f"H {label}"
    if not state.regions:
        yield f'{pad}state "{label}" as {name}'
    else:
        yield f'{pad}state "{label}" as {name} {{'
        for number, region in enumerate(state.regions):
            if number:
                yield f"{pad}  --"
            yield from _region(region, depth + 1)
        yield pad + "}"
    if state.kind == "final":
        yield f"{pad}{name} --> [*]"


def _moves(doc: MachineDoc) -> Iterator[str]:
    for region in doc.regions:
        yield from _of_region(region, _id_of(region))


def _of_region(region: RegionDoc, name: str) -> Iterator[str]:
    for transition in region.transitions:
        yield _move(name, transition)
    for state in region.states:
        for transition in state.transitions:
            yield _move(_id(state.key), transition)
        for inner in state.regions:
            yield from _of_region(inner, _id(state.key))


def _move(source: str, transition: TransitionDoc) -> str:
    target = _id(transition.target) if transition.target else source
    return f"{source} --> {target} : {_text(_label(transition))}"


def _label(transition: TransitionDoc) -> str:
    on = transition.on
    if isinstance(on, EventTrigger):
        trigger = ", ".join(on.events)
    elif isinstance(on, ProposeTrigger):
        trigger = transition.label or transition.key or on.propose
    elif isinstance(on, AfterTrigger):
        trigger = f"after {on.after}"
    else:
        trigger = "always" if isinstance(on, AlwaysTrigger) else "done"
    guard = f" [{_cut(transition.guard)}]" if transition.guard else ""
    effects = ", ".join(effect.kind for effect in transition.effects)
    return f"{trigger}{guard}" + (f" / {effects}" if effects else "")


def _cut(text: str) -> str:
    return text if len(text) <= _MOST else text[: _MOST - 1] + "…"


def _id(key: str) -> str:
    return f"{key}_" if key in _RESERVED else key


def _id_of(region: RegionDoc) -> str:
    return f"region_{region.key}"


def _text(text: str) -> str:
    return "".join(_ESCAPES.get(letter, letter) for letter in " ".join(text.split()))
