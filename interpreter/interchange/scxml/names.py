"""From the ids of SCXML (any NCName) to keys (machine.md section 2), each once."""

from __future__ import annotations

import re

_NO_KEY = re.compile(r"[^a-z0-9_]+")
_EVENT = re.compile(r"^[A-Za-z_][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)*$")
_NO_EVENT = re.compile(r"[^A-Za-z0-9_.-]+")
_LONGEST = 60


class Names:
    """Keys of one kind. `key(id)` gives the same key for the same id."""

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        self.given: dict[str, str] = {}
        self._taken: dict[str, int] = {}

    def key(self, name: str) -> str:
        """The key of an id; made on first sight."""
        found = self.given.get(name)
        if found is None:
            found = self.given[name] = self.fresh(name)
        return found

    def fresh(self, name: str) -> str:
        """A key that nobody has, near to `name`."""
        base = _NO_KEY.sub("_", name.lower()).strip("_")[:_LONGEST]
        if not base or not base[0].isalpha():
            base = f"{self.prefix}_{base}".rstrip("_")[:_LONGEST]
        made, number = base, self._taken.get(base, 0)
        while made in self._taken:
            number += 1
            made = f"{base[: _LONGEST - 6]}_{number + 1}"
        self._taken[base] = number
        self._taken.setdefault(made, 0)
        return made


def event_name(name: str) -> str:
    """An event's name as a document may spell it."""
    if _EVENT.match(name) and len(name) <= 200:
        return name
    parts = [part for part in _NO_EVENT.sub("_", name)[:190].split(".") if part]
    made = ".".join(parts) or "event"
    return made if _EVENT.match(made) else f"e_{made}"
