"""Patterns that designers write for slots, matched by RE2: linear in the text, no backtracking.

Python's own `re` runs `(a+)+$` on 27 characters for seconds (reliability.md R-43).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Protocol

import re2


class Pattern(Protocol):
    """A compiled pattern."""

    def fullmatch(self, text: str) -> object | None:
        """Something when the whole of `text` fits, else None."""


_OPTIONS = re2.Options()
_OPTIONS.max_mem = 1 << 20  # bytes: what a counted repetition may blow up to
_OPTIONS.log_errors = False


@lru_cache(maxsize=512)
def compiled_pattern(pattern: str) -> Pattern | None:
    """The pattern ready to match, or None when RE2 does not take it (`pattern_fault` says why)."""
    try:
        ready: Pattern = re2.compile(pattern, _OPTIONS)
    except re2.error:
        return None
    return ready


def pattern_fault(pattern: str) -> str | None:
    """Why `pattern` is none (a look-behind, a back reference, an open bracket), or None."""
    try:
        re2.compile(pattern, _OPTIONS)
    except re2.error as error:
        said = error.args[0] if error.args else "it does not parse"
        return said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
    return None
