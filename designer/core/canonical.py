"""Canonical JSON (RFC 8785) and its digest: two spellings of one document have one digest."""

import hashlib
import json
from typing import Any

import rfc8785

_LARGEST = 2**53 - 1
_encode = json.JSONEncoder(
    ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
).encode


def _as_python_writes(value: Any) -> bool:
    """Whether Python's own encoder writes `value` as RFC 8785 wants it.

    It differs in whole and very small or large floats, in keys beyond ASCII (sorted by UTF-16
    there), and in what must be refused.
    """
    kind = type(value)
    if kind is str:
        return True
    if kind is dict:
        return all(
            type(key) is str and key.isascii() and _as_python_writes(inner)
            for key, inner in value.items()
        )
    if kind is list or kind is tuple:
        return all(map(_as_python_writes, value))
    if kind is int:
        return bool(-_LARGEST <= value <= _LARGEST)
    if kind is float:
        return bool(1e-4 <= abs(value) < 1e16 and not value.is_integer())
    return value is None or kind is bool


def canonical(value: Any) -> bytes:
    """The canonical bytes of JSON `value`.

    Raises `rfc8785.CanonicalizationError` for what is not JSON.
    """
    if _as_python_writes(value):
        try:
            return _encode(value).encode()
        except UnicodeEncodeError as fault:
            raise rfc8785.CanonicalizationError("half of a surrogate pair") from fault
    return rfc8785.dumps(value)


def digest(value: Any) -> str:
    """The SHA-256 of the canonical bytes, in hex."""
    return hashlib.sha256(canonical(value)).hexdigest()
