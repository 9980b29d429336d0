"""How much one macrostep, and one input, may be (machine.md section 5)."""

from __future__ import annotations

import math
from typing import Any

MICROSTEPS = 100
RECORDS = 256
MAX_EFFECTS = 1_000
MAX_DEPTH = 32
MAX_KEYS = 2_000
MAX_TEXT = 65_536
MAX_INTEGER = 2**53
MAX_NAME = 200


def why_no_json(value: Any) -> str | None:
    """None when `value` is JSON of a bearable size, else the reason as a sentence."""
    room = MAX_KEYS
    text = MAX_TEXT
    todo: list[tuple[Any, int]] = [(value, 0)]
    while todo:
        item, depth = todo.pop()
        if depth > MAX_DEPTH:
            return f"the data is nested deeper than {MAX_DEPTH}"
        if isinstance(item, dict):
            if not all(isinstance(key, str) and clean_text(key) for key in item):
                return "the data has a key that no JSON can carry"
            room -= len(item)
            text -= sum(map(len, item))
            todo += [(inner, depth + 1) for inner in item.values()]
        elif isinstance(item, (list, tuple)):
            room -= len(item)
            todo += [(inner, depth + 1) for inner in item]
        elif isinstance(item, str):
            text -= len(item)
            if not clean_text(item):
                return "the data holds a text that no JSON can carry"
        else:
            fault = _why_no_scalar(item)
            if fault is not None:
                return fault
        if room < 0 or text < 0:
            return "the data is too big"
    return None


def clean_text(text: str) -> bool:
    """Whether JSON, and every database, can carry a text: no NUL, no lone surrogate."""
    if "\0" in text:
        return False
    return text.isascii() or not any("\ud800" <= char <= "\udfff" for char in text)


def _why_no_scalar(item: Any) -> str | None:
    if item is None or isinstance(item, bool):
        return None
    if isinstance(item, int):
        return None if abs(item) <= MAX_INTEGER else "the data holds a number beyond 2^53"
    if isinstance(item, float):
        return None if math.isfinite(item) else "the data holds a number that is not finite"
    return f"the data holds {type(item).__name__}, which is not JSON"
