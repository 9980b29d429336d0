"""Canonical JSON (RFC 8785) and its digest: two spellings of one document have one digest."""

import hashlib
import json
from typing import Any

import rfc8785

_LARGEST = 2**53 - 1
_encode = json.JSONEncoder(
    ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
).encode


class _UnusualError(Exception):
    """Python's own encoder would not write this as RFC 8785 wants it."""


def _plain(value: Any) -> Any:
    """`value` so that Python's own encoder, which is much the faster, writes it canonically.

    Whole floats become integers. Raises `_UnusualError` for other numbers that the two write
    differently, for keys beyond ASCII (sorted by UTF-16 there), and for what is not JSON.
    """
    kind = type(value)
    if kind is str or kind is bool or value is None:
        return value
    if kind is dict:
        if not all(type(key) is str and key.isascii() for key in value):
            raise _UnusualError
        return {key: _plain(inner) for key, inner in value.items()}
    if kind is list or kind is tuple:
        return [_plain(inner) for inner in value]
    if kind is int and -_LARGEST <= value <= _LARGEST:
        return value
    if kind is float and value.is_integer() and abs(value) <= _LARGEST:
        return int(value)
    if kind is float and 1e-4 <= abs(value) < 1e16:
        return value
    raise _UnusualError


def canonical(value: Any) -> bytes:
    """The canonical bytes of JSON `value`.

    Raises `rfc8785.CanonicalizationError` for what is not JSON.
    """
    try:
        return _encode(_plain(value)).encode()
    except (_UnusualError, UnicodeEncodeError):
        return rfc8785.dumps(value)


def digest(value: Any) -> str:
    """The SHA-256 of the canonical bytes, in hex."""
    return hashlib.sha256(canonical(value)).hexdigest()
