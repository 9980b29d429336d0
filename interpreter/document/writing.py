"""JSON out: what is absent or a default is left out, so that equal charts have equal digests."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Any

import rfc8785

from interpreter.document.types import AgentDoc, MachineDoc

_ALWAYS_WRITTEN = frozenset({("MachineDoc", "regions"), ("RegionDoc", "states")})
_NAMES = {"raises": "raise"}
_UNSURE = re.compile("[\ud800-\U0010ffff]")
_LARGEST = 2**53


def dump_document(document: Any) -> dict[str, Any]:
    """The JSON value of any document type; `parse_document(dump_document(x)) == x`."""
    out: dict[str, Any] = {}
    kind: Any = type(document)
    for attribute, name, default in _written(kind):
        value = getattr(document, attribute)
        if default is not MISSING and (value is default or _is_default(default, value)):
            continue
        out[name] = _plain(value)
    return out


@cache
def _written(kind: type) -> tuple[tuple[str, str, Any], ...]:
    """The fields of a document type: attribute, name, and the default that is left out."""
    return tuple(
        (
            field.name,
            _NAMES.get(field.name, field.name),
            _left_out(kind, field.name, field.default),
        )
        for field in fields(kind)
    )


def _left_out(kind: type, name: str, default: Any) -> Any:
    if name in ("format", "always", "done") or (kind.__name__, name) in _ALWAYS_WRITTEN:
        return MISSING
    return default


def _is_default(default: Any, value: Any) -> bool:
    if isinstance(value, bool) != isinstance(default, bool):
        return False
    return bool(value == default)


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return dump_document(value) if is_dataclass(value) else value


def digest_of(document: MachineDoc | AgentDoc | dict[str, Any]) -> str:
    """SHA-256 (hex) over the RFC 8785 canonical JSON of a document."""
    value = document if isinstance(document, dict) else dump_document(document)
    return hashlib.sha256(canonical(value)).hexdigest()


def canonical(value: Any) -> bytes:
    """The RFC 8785 canonical JSON of a value.

    Python's own writer gives the same text, in a tenth of the time, but for numbers that the two
    write differently and for names beyond U+D7FF, which they sort differently; such a value is
    left to the library. Raises what the library raises for what has no canonical form.
    """
    try:
        text = json.dumps(
            _as_written(value), ensure_ascii=False, sort_keys=True, separators=(",", ":")
        )
    except _UnsureError:
        return rfc8785.dumps(value)
    if not text.isascii() and _UNSURE.search(text):
        return rfc8785.dumps(value)
    return text.encode()


class _UnsureError(Exception):
    """A value that Python's writer may write in another way."""


def _as_written(value: Any) -> Any:
    """The value with whole numbers for floats without a fraction (RFC 8785 3.2.2.3)."""
    kind = type(value)
    if kind is str or kind is bool or value is None:
        return value
    if kind is dict:
        if not all(type(key) is str for key in value):
            raise _UnsureError
        return {key: _as_written(item) for key, item in value.items()}
    if kind is list or kind is tuple:
        return [_as_written(item) for item in value]
    if kind is int and -_LARGEST <= value <= _LARGEST:
        return value
    if kind is float and value.is_integer() and abs(value) <= _LARGEST:
        return int(value)
    if kind is float and 1e-4 <= abs(value) < _LARGEST:
        return value
    raise _UnsureError
