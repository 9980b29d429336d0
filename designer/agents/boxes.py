"""Boxes: where something stands on the canvas, in CSS pixels."""

import math
from typing import Any

FARTHEST = 1_000_000


def fault_of_box(value: Any) -> tuple[str, str] | None:
    """What is wrong with a box: (the part of it, a sentence), or None."""
    if not isinstance(value, dict) or set(value) != {"x", "y", "w", "h"}:
        return "", "x, y, w and h are expected."
    for name, part in value.items():
        good = isinstance(part, int | float) and not isinstance(part, bool)
        if not good or not math.isfinite(part) or abs(part) > FARTHEST:
            return f"/{name}", "A number within a million is expected."
    return None
