"""Keys and durations: the two small spellings of a chart (machine.md sections 2 and 4)."""

from __future__ import annotations

import re

KEY_PATTERN = r"^[a-z][a-z0-9_]{0,63}$"
EVENT_PATTERN = r"^(\*|[A-Za-z_][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)*(\.\*)?)$"
MAX_DURATION_MS = 366 * 86_400_000

_UNITS = {"ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}
_SHORT = re.compile(r"^([0-9]{1,12})(?:\.([0-9]{1,3}))?(ms|s|m|h|d)$", re.ASCII)
_ISO = re.compile(
    r"^P(?=.)(?:([0-9]{1,6})D)?"
    r"(?:T(?=.)(?:([0-9]{1,9})H)?(?:([0-9]{1,9})M)?(?:([0-9]{1,12})(?:\.([0-9]{1,3}))?S)?)?$",
    re.ASCII,
)


def parse_duration(text: str) -> int:
    """Milliseconds of `250ms`, `20s`, `5m`, `2h`, `1d` or ISO 8601 (`PT20S`, `P1DT2H`).

    Raises ValueError for anything else, and for more than 366 days.
    """
    short = _SHORT.match(text)
    if short:
        whole, fraction, unit = short.groups()
        total = _thousandths(whole, fraction) * _UNITS[unit] // 1_000
    else:
        iso = _ISO.match(text)
        if iso is None:
            raise ValueError(f"{text!r} is no duration; write 250ms, 20s, 5m, 2h, 1d or PT20S")
        days, hours, minutes, seconds, fraction = iso.groups()
        total = (
            int(days or 0) * 86_400_000
            + int(hours or 0) * 3_600_000
            + int(minutes or 0) * 60_000
            + _thousandths(seconds or "0", fraction)
        )
    if total > MAX_DURATION_MS:
        raise ValueError(f"{text!r} is longer than 366 days")
    return total


def _thousandths(whole: str, fraction: str | None) -> int:
    return int(whole) * 1_000 + int((fraction or "").ljust(3, "0"))


def matches(descriptor: str, event: str) -> bool:
    """Whether an event trigger matches an event's name (machine.md section 4).

    `payment` matches itself only, `payment.*` also everything below it, `*` everything.
    """
    if descriptor == event or descriptor == "*":
        return True
    if descriptor.endswith(".*"):
        prefix = descriptor[:-2]
        return event == prefix or event.startswith(prefix + ".")
    return False
