"""Slots are declared so that they can hold something, are written by whom may, and are read."""

from collections.abc import Iterator

from interpreter.document import ClearEffect, SetEffect, SlotDoc, pattern_fault, why_not

from .chart import Chart
from .rule import Code, Found, Rule


def find(chart: Chart) -> Iterator[Found]:
    """Slots that cannot work, or that nobody needs."""
    for number, slot in enumerate(chart.slots):
        yield from _declared(slot, number)
    yield from _forbidden(chart)
    if chart.has_machine:
        yield from _used(chart)


def _declared(slot: SlotDoc, number: int) -> Iterator[Found]:
    path = ("slots", number)
    if slot.type == "enum" and not slot.choices:
        message = f"the enum slot '{slot.key}' has no choices"
        yield Found("slot.choices", (*path, "choices"), message, "Add at least one choice.")
        return
    if slot.type != "enum" and slot.choices:
        message = f"the slot '{slot.key}' is {slot.type} and has choices"
        yield Found(
            "slot.choices", (*path, "choices"), message, "Make it an enum, or remove them."
        )
    if slot.minimum is not None and slot.maximum is not None and slot.minimum > slot.maximum:
        message = f"the slot '{slot.key}' goes from {slot.minimum} to {slot.maximum}"
        yield Found("slot.range", (*path, "minimum"), message, "Make the minimum the smaller one.")
    if slot.pattern is not None and (fault := pattern_fault(slot.pattern)) is not None:
        message = f"the pattern of '{slot.key}' is none: {fault}"
        hint = "Use RE2's syntax: no look-around and no back references."
        yield Found("slot.pattern", (*path, "pattern"), message, hint)
        return
    fault = why_not(slot, slot.default)
    if fault is not None:
        message = f"the default of '{slot.key}' does not fit: {fault}"
        yield Found("slot.default", (*path, "default"), message, "Change the default or the type.")


def _forbidden(chart: Chart) -> Iterator[Found]:
    for place in chart.index.effects:
        if not isinstance(place.doc, SetEffect | ClearEffect):
            continue
        key = place.doc.set if isinstance(place.doc, SetEffect) else place.doc.clear
        slot = chart.slots_by_key.get(key)
        if slot is not None and slot.writers is not None and "effect" not in slot.writers:
            message = f"'{place.owner.key}' writes '{key}', which effects may not write"
            hint = "Add 'effect' to the writers of the slot."
            yield Found("slot.read_only", (*place.path, place.doc.kind), message, hint)


def _used(chart: Chart) -> Iterator[Found]:
    read = {ref for written in chart.written for ref in written.analysis.refs}
    changed = {place.doc.set for place in chart.index.effects if isinstance(place.doc, SetEffect)}
    for number, slot in enumerate(chart.slots):
        is_read = f"slots.{slot.key}" in read
        only_effects = slot.writers is not None and set(slot.writers) <= {"effect"}
        if not is_read:
            how = "is written but never read" if slot.key in changed else "is never read"
            message = f"the slot '{slot.key}' {how}"
            yield Found(
                "slot.unread", ("slots", number), message, "Read it somewhere, or remove it."
            )
        elif only_effects and slot.key not in changed and slot.default is None:
            message = f"the slot '{slot.key}' is read but never written"
            hint = "Set it in an effect, or let the model or the host write it."
            yield Found("slot.unwritten", ("slots", number), message, hint)


RULE = Rule(
    (
        Code("slot.choices", "error", "An enum has no choices, or another type has some."),
        Code("slot.range", "error", "The minimum is above the maximum."),
        Code("slot.pattern", "error", "The pattern is no RE2 expression."),
        Code("slot.default", "error", "The default does not fit the slot."),
        Code("slot.read_only", "error", "An effect writes a slot that effects may not write."),
        Code("slot.unread", "warning", "No guard, effect or prompt reads the slot."),
        Code("slot.unwritten", "warning", "The slot is read, but nothing can write it."),
    ),
    find,
)
