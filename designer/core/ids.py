"""Ids: UUID version 7 (RFC 9562), so that rows made later sort later."""

import secrets
import time
from uuid import UUID


def new_id() -> UUID:
    """A new id: 48 bits of milliseconds, then 74 random bits."""
    millis = time.time_ns() // 1_000_000
    value = (millis & 0xFFFFFFFFFFFF) << 80
    value |= 0x7 << 76
    value |= secrets.randbits(12) << 64
    value |= 0b10 << 62
    value |= secrets.randbits(62)
    return UUID(int=value)


def parse_id(text: object) -> UUID | None:
    """The UUID that `text` spells in its usual form, or None."""
    if isinstance(text, UUID):
        return text
    if not isinstance(text, str) or len(text) != 36:
        return None
    try:
        value = UUID(text)
    except ValueError:
        return None
    return value
