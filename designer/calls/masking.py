"""What people and logs may not read: the values of sensitive slots.

Stored true (replay needs them), masked wherever a Call event or a slot leaves by a door. Besides
the places that hold a slot's value by name, the prose of the same event (refusals quote what
guards read) is masked where it spells the value.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

MASK = "•••"
PROSE = frozenset({"message", "detail", "error", "reason"})


def sensitive_slots(document: Mapping[str, Any]) -> frozenset[str]:
    """Give the keys of the slots that an agent document declares sensitive."""
    return frozenset(slot["key"] for slot in document.get("slots", ()) if slot.get("sensitive"))


def _named(value: Any, sensitive: frozenset[str]) -> Iterator[Any]:
    """Walk an event's data for values that stand beside the name of a sensitive slot."""
    if isinstance(value, Mapping):
        if value.get("slot") in sensitive:
            yield from (value[name] for name in ("from", "to", "value") if name in value)
        for name, inner in value.items():
            if name.removeprefix("slots.") in sensitive:
                yield inner
            else:
                yield from _named(inner, sensitive)
    elif isinstance(value, list):
        for inner in value:
            yield from _named(inner, sensitive)


def _spelled(values: Iterable[Any]) -> re.Pattern[str] | None:
    """Give a pattern for the values' spellings as whole words, the longest first."""
    texts = {str(value) for value in values if value not in (None, "", True, False)}
    if not texts:
        return None
    words = "|".join(re.escape(text) for text in sorted(texts, key=len, reverse=True))
    return re.compile(rf"(?<!\w)(?:{words})(?!\w)")


class _Masker:
    """Masks one event's data."""

    def __init__(self, data: Any, sensitive: frozenset[str], values: Iterable[Any]) -> None:
        self._sensitive = sensitive
        self._spelled = _spelled([*_named(data, sensitive), *values])

    def value(self, value: Any, name: str = "") -> Any:
        """Give a masked copy of what stands under `name`."""
        if isinstance(value, Mapping):
            return self._mapping(value)
        if isinstance(value, list):
            return [self.value(inner, name) for inner in value]
        if isinstance(value, str) and self._spelled and name in PROSE:
            return self._spelled.sub(MASK, value)
        return value

    def _mapping(self, value: Mapping[str, Any]) -> dict[str, Any]:
        hidden = {"from", "to", "value"} if value.get("slot") in self._sensitive else set()
        return {
            name: MASK
            if inner is not None
            and (name in hidden or name.removeprefix("slots.") in self._sensitive)
            else self.value(inner, name)
            for name, inner in value.items()
        }


def mask(
    data: dict[str, Any], sensitive: frozenset[str], values: Iterable[Any] = ()
) -> dict[str, Any]:
    """Give a copy of an event's data with the values of sensitive slots hidden.

    `values` are such values known from elsewhere, which its prose may quote.
    """
    if not sensitive:
        return data
    masked: dict[str, Any] = _Masker(data, sensitive, values).value(data)
    return masked
