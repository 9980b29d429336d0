"""Whether a value fits a slot (machine.md section 3). Nothing is coerced."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from datetime import date, datetime, time
from typing import Any

from interpreter.budget import clean_text, why_no_json
from interpreter.document.keys import parse_duration
from interpreter.document.patterns import compiled_pattern
from interpreter.document.types import SlotDoc

MAX_STRING = 10_000
MAX_LIST = 1_000
MAX_INTEGER = 2**53

_EMAIL = re.compile(r"^[^@\s]{1,64}@[^@\s.]+(\.[^@\s.]+)+\Z")
_PHONE = re.compile(r"^\+?[0-9][0-9 ()./-]{2,30}\Z", re.ASCII)
_TIME = re.compile(r"^\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:\d{2})?\Z", re.ASCII)
_DATETIME = re.compile(r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}", re.ASCII)
_DATE = re.compile(r"^\d{4}-\d{2}-\d{2}\Z", re.ASCII)


def why_not(slot: SlotDoc, value: Any) -> str | None:
    """None when `value` may stand in `slot`, else the reason as the end of a sentence.

    None (unset) always fits. The reason quotes the value, but never that of a sensitive slot.
    """
    fault = None if value is None else _fault(slot, value)
    if fault is None or not slot.sensitive:
        return fault
    quoted = next((q for q in (_short(value), str(value)) if fault.startswith(q)), "")
    return f"the value{fault[len(quoted) :]}" if quoted else fault


def _fault(slot: SlotDoc, value: Any) -> str | None:
    fault = _CHECKS[slot.type](value)
    if fault is not None:
        return fault
    if slot.type == "enum":
        if value not in slot.choices:
            return f"{_short(value)} is not one of {', '.join(slot.choices)}"
        return None
    if slot.type in ("integer", "number"):
        return _range(slot, value)
    return _length(slot, value) or _pattern(slot, value)


def _range(slot: SlotDoc, value: float) -> str | None:
    if slot.minimum is not None and value < slot.minimum:
        return f"{value} is less than {slot.minimum}"
    if slot.maximum is not None and value > slot.maximum:
        return f"{value} is more than {slot.maximum}"
    return None


def _length(slot: SlotDoc, value: Any) -> str | None:
    if (
        slot.max_length is not None
        and not isinstance(value, bool)
        and len(value) > slot.max_length
    ):
        return f"it is longer than {slot.max_length}"
    return None


def _pattern(slot: SlotDoc, value: Any) -> str | None:
    if slot.pattern is None or not isinstance(value, str):
        return None
    compiled = compiled_pattern(slot.pattern)
    if compiled is None or compiled.fullmatch(value) is None:
        return f"{_short(value)} does not match {slot.pattern}"
    return None


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _string(value: Any) -> str | None:
    if not isinstance(value, str):
        return f"{_short(value)} is no text"
    if len(value) > MAX_STRING:
        return f"it is longer than {MAX_STRING}"
    return None if clean_text(value) else f"{_short(value)} is a text that no JSON can carry"


def _integer(value: Any) -> str | None:
    if isinstance(value, bool) or not isinstance(value, int):
        return f"{_short(value)} is no whole number"
    return None if abs(value) <= MAX_INTEGER else "it is beyond 2^53"


def _number(value: Any) -> str | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return f"{_short(value)} is no number"
    if isinstance(value, float) and not math.isfinite(value):
        return "it is not finite"
    return None if abs(value) <= MAX_INTEGER or isinstance(value, float) else "it is beyond 2^53"


def _boolean(value: Any) -> str | None:
    return None if isinstance(value, bool) else f"{_short(value)} is neither true nor false"


def _list(value: Any) -> str | None:
    if not isinstance(value, (list, tuple)) or not all(isinstance(item, str) for item in value):
        return f"{_short(value)} is no list of texts"
    if len(value) > MAX_LIST or sum(map(len, value)) > MAX_STRING:
        return "it is too long"
    if not all(map(clean_text, value)):
        return "it holds a text that no JSON can carry"
    return None


def _spelled(what: str, parse: Callable[[str], object]) -> Callable[[Any], str | None]:
    def check(value: Any) -> str | None:
        if not isinstance(value, str) or len(value) > MAX_STRING:
            return f"{_short(value)} is no {what}"
        try:
            good = parse(value)
        except ValueError:
            good = None
        return f"{_short(value)} is no {what}" if good is None else None

    return check


def _iso(pattern: re.Pattern[str], parse: Callable[[str], object]) -> Callable[[str], object]:
    return lambda text: parse(text) if pattern.match(text) else None


def _any(value: Any) -> str | None:
    """What a chart of another notation keeps without a type; no document can declare it."""
    return why_no_json(value)


_CHECKS: dict[str, Callable[[Any], str | None]] = {
    "string": _string,
    "integer": _integer,
    "number": _number,
    "boolean": _boolean,
    "enum": _string,
    "date": _spelled("date (2026-11-30)", _iso(_DATE, date.fromisoformat)),
    "time": _spelled("time (10:30)", _iso(_TIME, time.fromisoformat)),
    "datetime": _spelled("date and time (RFC 3339)", _iso(_DATETIME, datetime.fromisoformat)),
    "duration": _spelled("duration (20s, PT20S)", parse_duration),
    "email": _spelled("e-mail address", _EMAIL.match),
    "phone": _spelled("phone number", _PHONE.match),
    "list": _list,
    "any": _any,
}
