"""XML as text, line by line."""

from __future__ import annotations

import json
import re
from typing import Any
from xml.sax.saxutils import quoteattr

_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff]")


class Lines:
    """Elements in the order of writing; `open` and `close` nest."""

    def __init__(self) -> None:
        self.lines = ['<?xml version="1.0" encoding="UTF-8"?>']
        self._open: list[str] = []

    def open(self, name: str, /, **attributes: Any) -> None:
        """Begins an element; attributes of None are left out, `cc_x` is written `cc:x`."""
        self._add(f"<{name}{_attributes(attributes)}>")
        self._open.append(name)

    def close(self) -> None:
        """Ends the element begun last."""
        name = self._open.pop()
        self._add(f"</{name}>")

    def empty(self, name: str, /, **attributes: Any) -> None:
        """An element with nothing inside."""
        self._add(f"<{name}{_attributes(attributes)}/>")

    def _add(self, line: str) -> None:
        self.lines.append("  " * len(self._open) + line)

    @property
    def text(self) -> str:
        """All of it."""
        return "\n".join(self.lines) + "\n"


def _attributes(attributes: dict[str, Any]) -> str:
    made = []
    for name, value in attributes.items():
        if value is not None:
            safe = _NO_XML.sub("\ufffd", str(value))
            if name.startswith(("cc_", "xmlns_")):
                name = name.replace("_", ":", 1)
            made.append(f" {name}={quoteattr(safe)}")
    return "".join(made)


def packed(value: dict[str, Any]) -> str | None:
    """A JSON object as an attribute's text; None when it is empty."""
    if not value:
        return None
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return _NO_XML.sub(lambda match: f"\\u{ord(match.group()):04x}", text)
