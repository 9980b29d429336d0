"""Canonical JSON (RFC 8785) and its digest: two spellings of one document have one digest."""

import hashlib
from typing import Any

import rfc8785


def canonical(value: Any) -> bytes:
    """The canonical bytes of JSON `value`.

    Raises `rfc8785.CanonicalizationError` for what is not JSON.
    """
    return rfc8785.dumps(value)


def digest(value: Any) -> str:
    """The SHA-256 of the canonical bytes, in hex."""
    return hashlib.sha256(canonical(value)).hexdigest()
