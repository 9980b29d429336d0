"""JSON out: what is absent or a default is left out, so that equal charts have equal digests."""

from __future__ import annotations

import hashlib
from dataclasses import MISSING, Field, fields, is_dataclass
from typing import Any

import rfc8785

from interpreter.document.types import AgentDoc, MachineDoc

_ALWAYS_WRITTEN = frozenset({("MachineDoc", "regions"), ("RegionDoc", "states")})
_NAMES = {"raises": "raise"}


def dump_document(document: Any) -> dict[str, Any]:
    """The JSON value of any document type; `parse_document(dump_document(x)) == x`."""
    out: dict[str, Any] = {}
    for field in fields(document):
        value = getattr(document, field.name)
        always = field.name == "format" or (type(document).__name__, field.name) in _ALWAYS_WRITTEN
        if not always and _is_default(field, value):
            continue
        out[_NAMES.get(field.name, field.name)] = _plain(value)
    return out


def digest_of(document: MachineDoc | AgentDoc | dict[str, Any]) -> str:
    """SHA-256 (hex) over the RFC 8785 canonical JSON of a document."""
    value = document if isinstance(document, dict) else dump_document(document)
    return hashlib.sha256(rfc8785.dumps(value)).hexdigest()


def _is_default(field: Field[Any], value: Any) -> bool:
    if field.default is MISSING:
        return False
    if field.name in ("always", "done") or isinstance(value, bool) != isinstance(
        field.default, bool
    ):
        return False
    return bool(value == field.default)


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        return dump_document(value)
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value
