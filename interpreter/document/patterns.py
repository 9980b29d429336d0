"""Patterns that designers write for slots, matched by RE2: linear in the text, no backtracking.

Python's own `re` runs `(a+)+$` on 27 characters for seconds (reliability.md R-43).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Protocol

import re2


class Pattern(Protocol):
    """A compiled pattern."""

    def fullmatch(self, text: str) -> object | None:
        """Something when the whole of `text` fits, else None."""


_compile: Callable[[str, object], Pattern] = re2.compile  # google-re2 has no types
_OPTIONS = re2.Options()
_OPTIONS.max_mem = 1 << 20  # bytes: what a counted repetition may blow up to
_OPTIONS.log_errors = False


@lru_cache(maxsize=512)
def compiled_pattern(pattern: str) -> Pattern | None:
    """The pattern ready to match, or None when RE2 does not take it (`pattern_fault` says why)."""
    try:
        return _compile(pattern, _OPTIONS)
    except re2.error:
        return None


def pattern_fault(pattern: str) -> str | None:
    """Why `pattern` is none (a look-behind, a back reference, an open bracket), or None."""
    try:
        _compile(pattern, _OPTIONS)
    except re2.error as error:
        said = error.args[0] if error.args else "it does not parse"
        return said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
    return None
