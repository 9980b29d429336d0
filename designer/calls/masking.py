"""What people and logs may not read: the values of sensitive slots.

Stored true (replay needs them), masked wherever a Call event or a slot leaves by a door. A value
is hidden where it stands by the name of its slot, where an expression over the slot made it (an
argument of a tool, the data of a hook or an event), and wherever free text or data repeats it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

MASK = "•••"
FREE = frozenset(
    {
        *("text", "message", "detail", "error", "reason", "expression"),
        *("arguments", "args", "data", "value", "from", "to", "reads", "proposal", "result"),
    }
)
"""Under these names stands what people, models and expressions made; the rest is the chart's."""
_RAISED = "event.data."


@dataclass(frozen=True)
class Veil:
    """What is to be hidden: slots, what is made of them (`tool/card_number`), known values."""

    slots: frozenset[str] = frozenset()
    made: frozenset[str] = frozenset()
    values: frozenset[Any] = frozenset()

    def with_values(self, values: Iterable[Any]) -> Veil:
        """Give the veil with more values that are known to be a sensitive slot's."""
        more = self.values.union(_scalars(list(values)))
        return self if more == self.values else replace(self, values=more)

    @cached_property
    def spelled(self) -> re.Pattern[str] | None:
        """The values' spellings as whole words, the longest first."""
        texts = {str(value) for value in self.values if str(value).strip()}
        if not texts:
            return None
        words = "|".join(re.escape(text) for text in sorted(texts, key=len, reverse=True))
        return re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)

    def repeats(self, value: Any) -> bool:
        """Whether a number is one of the values."""
        return not isinstance(value, bool) and value in self.values


def _scalars(value: Any) -> Iterator[Any]:
    if isinstance(value, list):
        for inner in value:
            yield from _scalars(inner)
    elif isinstance(value, str | int | float) and not isinstance(value, bool) and value != "":
        yield value


def veil_of_document(document: Mapping[str, Any]) -> Veil:
    """Give what an agent document says is to be hidden, values apart (but for defaults)."""
    secret = [slot for slot in document.get("slots", ()) if slot.get("sensitive")]
    if not secret:
        return Veil()
    keys = "|".join(re.escape(slot["key"]) for slot in secret)
    reads = re.compile(rf"\bslots\s*(?:\.\s*(?:{keys})\b|\[\s*['\"](?:{keys})['\"]\s*\])")
    made: set[str] = set()
    for effect in _effects(document.get("machine", {})):
        for verb, holder in (("call", "args"), ("hook", "data"), ("raise", "data")):
            for name, source in (effect.get(holder) or {}).items() if verb in effect else ():
                if isinstance(source, str) and reads.search(source):
                    made.add(f"{effect[verb]}/{name}")
                    if verb == "raise":
                        made.add(f"{_RAISED}{name}")
    veil = Veil(frozenset(slot["key"] for slot in secret), frozenset(made))
    return veil.with_values(slot.get("default") for slot in secret)


def _effects(value: Any) -> Iterator[Mapping[str, Any]]:
    """Walk a machine for effects: objects with a verb that carries expressions."""
    if isinstance(value, Mapping):
        if not value.keys().isdisjoint(("call", "hook", "raise")):
            yield value
        for inner in value.values():
            yield from _effects(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _effects(inner)


def named_values(value: Any, slots: frozenset[str]) -> Iterator[Any]:
    """Walk an event's data for values that stand beside the name of a sensitive slot."""
    if isinstance(value, Mapping):
        if value.get("slot") in slots:
            yield from (value[name] for name in ("from", "to", "value") if name in value)
        for name, inner in value.items():
            if name.removeprefix("slots.") in slots:
                yield inner
            else:
                yield from named_values(inner, slots)
    elif isinstance(value, list):
        for inner in value:
            yield from named_values(inner, slots)


class _Masker:
    """Masks one event's data."""

    def __init__(self, data: Mapping[str, Any], veil: Veil) -> None:
        self._veil = veil.with_values(named_values(data, veil.slots))
        self._maker = str(data.get("tool") or data.get("hook") or "")

    def value(self, value: Any, *, free: bool = False) -> Any:
        """Give a masked copy; `free`: it stands under one of the names in FREE."""
        if isinstance(value, Mapping):
            return self._mapping(value, free=free)
        if isinstance(value, list):
            return [self.value(inner, free=free) for inner in value]
        if not free:
            return value
        if isinstance(value, str):
            spelled = self._veil.spelled
            return spelled.sub(MASK, value) if spelled else value
        return MASK if self._veil.repeats(value) else value

    def _mapping(self, value: Mapping[str, Any], *, free: bool) -> dict[str, Any]:
        veil = self._veil
        hidden = {"from", "to", "value"} if value.get("slot") in veil.slots else set()
        # What was refused is called as its sender calls it; elsewhere the chart names events.
        open_names = FREE | {"event"} if "reason" in value else FREE
        masked = {}
        for name, inner in value.items():
            hide = (
                name in hidden
                or name.removeprefix("slots.") in veil.slots
                or (free and (f"{self._maker}/{name}" in veil.made or name in veil.made))
            )
            if hide and inner is not None:
                masked[name] = MASK
            else:
                masked[name] = self.value(inner, free=free or name in open_names)
        return masked


def mask(data: dict[str, Any], veil: Veil) -> dict[str, Any]:
    """Give a copy of an event's data with the values of sensitive slots hidden."""
    if not veil.slots:
        return data
    masked: dict[str, Any] = _Masker(data, veil).value(data)
    return masked
