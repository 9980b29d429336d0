"""A text that fits a pattern, where the pattern is simple; the caller checks that it fits."""

from __future__ import annotations

import re

_CLASSES = {"d": "0", "w": "a", "s": " ", "D": "a", "W": "-", "S": "a"}
_COUNT = re.compile(r"\{(\d+)(,\d*)?\}")


def sample(pattern: str) -> str | None:
    """A text that probably matches a pattern of RE2; None where it is not simple."""
    try:
        text, rest = _branch(pattern, 0)
    except (IndexError, ValueError, RecursionError):
        return None
    return text if rest == len(pattern) and len(text) <= 10_000 else None


def _branch(pattern: str, at: int) -> tuple[str, int]:
    """The first alternative from `at` to the end of the group, and the place after it."""
    found, at = _row(pattern, at)
    while at < len(pattern) and pattern[at] == "|":
        _, at = _row(pattern, at + 1)
    return found, at


def _row(pattern: str, at: int) -> tuple[str, int]:
    found = ""
    while at < len(pattern) and pattern[at] not in "|)":
        if pattern[at] in "^$":
            at += 1
            continue
        piece, at = _piece(pattern, at)
        count, at = _times(pattern, at)
        found += piece * count
    return found, at


def _piece(pattern: str, at: int) -> tuple[str, int]:
    letter = pattern[at]
    if letter == "(":
        inner = re.compile(r"\((\?:|\?P?<\w+>)?").match(pattern, at)
        text, at = _branch(pattern, inner.end() if inner else at + 1)
        if pattern[at] != ")":
            raise ValueError(pattern)
        return text, at + 1
    if letter == "[":
        return _class(pattern, at + 1)
    if letter == "\\":
        return _escaped(pattern[at + 1]), at + 2
    return ("a" if letter == "." else letter), at + 1


def _escaped(letter: str) -> str:
    if letter in _CLASSES:
        return _CLASSES[letter]
    if letter.isalnum():
        raise ValueError(letter)
    return letter


def _class(pattern: str, at: int) -> tuple[str, int]:
    end = pattern.index("]", at + 1)
    body = pattern[at:end]
    if body.startswith("^"):
        known = re.compile(f"[{body}]")
        return next(c for c in "a0-A z_.%" if known.match(c)), end + 1
    if body.startswith("["):
        raise ValueError(pattern)
    return (_escaped(body[1]) if body[0] == "\\" else body[0]), end + 1


def _times(pattern: str, at: int) -> tuple[int, int]:
    if at >= len(pattern):
        return 1, at
    count = _COUNT.match(pattern, at)
    if count is not None:
        least, at = int(count[1]), count.end()
    elif pattern[at] in "*+?":
        least, at = (1 if pattern[at] == "+" else 0), at + 1
    else:
        return 1, at
    if at < len(pattern) and pattern[at] == "?":
        at += 1
    return min(least, 1_000), at
