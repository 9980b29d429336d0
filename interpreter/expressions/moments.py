"""Dates, times and durations, which travel as ISO 8601 strings, as values that can be ordered."""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, time
from decimal import Decimal

TEMPORAL = frozenset({"date", "time", "datetime", "duration"})
_SHORT = re.compile(r"([0-9]+(?:\.[0-9]+)?)(ms|s|m|h|d)")
_ISO = re.compile(
    r"P(?:(?P<w>[0-9]+)W)?(?:(?P<d>[0-9]+)D)?"
    r"(?:T(?:(?P<h>[0-9]+)H)?(?:(?P<m>[0-9]+)M)?(?:(?P<s>[0-9]+(?:\.[0-9]+)?)S)?)?"
)
_SECONDS: dict[str, int | Decimal] = {
    "w": 604_800,
    "d": 86_400,
    "h": 3_600,
    "m": 60,
    "s": 1,
    "ms": Decimal("0.001"),
}


def duration_seconds(text: str) -> Decimal:
    """Seconds in ``20s``, ``5m`` or ``PT20S``. Raises ValueError."""
    if len(text) > 64:
        raise ValueError("too long for a duration")
    if short := _SHORT.fullmatch(text):
        return Decimal(short[1]) * _SECONDS[short[2]]
    iso = _ISO.fullmatch(text)
    parts = {unit: part for unit, part in iso.groupdict().items() if part} if iso else {}
    if not parts or text.endswith("T"):
        raise ValueError(f"{text!r} is not a duration")
    return sum((Decimal(part) * _SECONDS[unit] for unit, part in parts.items()), Decimal(0))


def _datetime(text: str) -> datetime:
    value = datetime.fromisoformat(text)
    return value if value.tzinfo else value.replace(tzinfo=UTC)


_READ: dict[str, Callable[[str], date | time | datetime | Decimal]] = {
    "date": date.fromisoformat,
    "time": lambda text: time.fromisoformat(text).replace(tzinfo=None),
    "datetime": _datetime,
    "duration": duration_seconds,
}


def ordered(kind: str, text: object) -> date | time | datetime | Decimal:
    """The value of ``text`` as ``kind`` (one of TEMPORAL). Raises ValueError when it is none."""
    if not isinstance(text, str):
        raise ValueError(f"{text!r} is not a {kind}")  # noqa: TRY004 - as every other bad text
    return _READ[kind](text)
