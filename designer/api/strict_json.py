"""Strict JSON: judged before it is parsed, and refused with a pointer to the place.

Refused: more bytes than allowed, nesting deeper than 32, keys given twice, NaN and infinities,
numbers of 2^53 and more (RFC 8785 can not hold the integers, and PostgreSQL gives such floats back
as integers), NUL and lone surrogates in strings: whatever one database or language would take and
another not.
"""

import json
import re
from collections.abc import Callable
from typing import Any

from designer.core.errors import Fault, Refusal

DEPTH = 32
INTEGER = 2**53 - 1
STRING = 262_144
# Possessive, and an open string runs to the end: each byte is looked at once, whatever comes.
_TOKENS = re.compile(rb'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)|[\[\]{}]', re.DOTALL)
_SURROGATE = re.compile("[\ud800-\udfff]")


class _TwiceError(ValueError):
    """A key given twice."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


def malformed(path: str, message: str, code: str = "json.malformed") -> Refusal:
    """400 with one fault."""
    return Refusal(code, message, status=400, errors=[Fault(path, message, code)])


def depth_of(data: bytes) -> int:
    """How deep the brackets outside strings nest, without recursion."""
    depth = deepest = 0
    for token in _TOKENS.finditer(data):
        first = token.group()[0]
        if first in b"[{":
            depth += 1
            deepest = max(deepest, depth)
            if deepest > DEPTH:
                break
        elif first in b"]}":
            depth -= 1
    return deepest


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _TwiceError(key)
            seen.add(key)
    return made


def _integer(text: str) -> Any:
    if len(text) > 17:
        return _TooBig(text)
    value = int(text)
    return value if -INTEGER <= value <= INTEGER else _TooBig(text)


class _TooBig:
    """A number that is not to be kept; named by its place later."""

    def __init__(self, text: str) -> None:
        self.text = text[:24]


def _number(text: str) -> Any:
    value = float(text)
    return value if abs(value) <= INTEGER else _TooBig(text)


def _pointer(parts: tuple[str | int, ...]) -> str:
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in parts)


def _bad_text(text: str) -> str | None:
    if "\x00" in text:
        return "A NUL character is not allowed."
    if not text.isascii() and _SURROGATE.search(text):
        return "Half of a surrogate pair is no character."
    if len(text) > STRING:
        return f"More than {STRING} characters."
    return None


def _judge(value: Any, path: tuple[str | int, ...]) -> None:
    """Walks what was parsed (at most 32 deep) and raises for the first thing that can not be
    kept.
    """
    if isinstance(value, str):
        message = _bad_text(value)
        if message:
            raise malformed(_pointer(path), message, "json.text")
    elif isinstance(value, _TooBig):
        raise malformed(
            _pointer(path), f"{value.text} is not a finite number below 2^53.", "json.number"
        )
    elif isinstance(value, list):
        for index, item in enumerate(value):
            _judge(item, (*path, index))
    elif isinstance(value, dict):
        for key, item in value.items():
            message = _bad_text(key)
            if message:
                raise malformed(_pointer(path), message, "json.text")
            _judge(item, (*path, key))


def _constant(text: str) -> Any:
    return _TooBig(text)


def parse(data: bytes) -> Any:
    """The JSON value in `data`. Raises a Refusal (400) that names the place."""
    if depth_of(data) > DEPTH:
        raise malformed("", f"Nested deeper than {DEPTH} levels.", "json.depth")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise malformed("", f"Byte {error.start} is not UTF-8.") from error
    hooks: dict[str, Callable[[str], Any]] = {
        "parse_int": _integer,
        "parse_float": _number,
        "parse_constant": _constant,
    }
    try:
        value = json.loads(text, object_pairs_hook=_object, **hooks)  # type: ignore[arg-type]
    except _TwiceError as error:
        key = error.key[:80].encode("utf-8", "replace").decode()
        raise malformed(f"/{key}", f"The key {key!r} is given twice.", "json.duplicate") from error
    except json.JSONDecodeError as error:
        raise malformed(
            "", f"{error.msg} at line {error.lineno}, column {error.colno}."
        ) from error
    _judge(value, ())
    return value
