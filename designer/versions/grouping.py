"""How a reviewer reads changes: behaviour, words, tools, squad, cosmetic."""

from __future__ import annotations

from typing import Any

GROUPS = ("behaviour", "tools", "squad", "words", "cosmetic")
"""From what matters most; a change of several sorts is of the first that fits."""

_OF_KIND = {
    "prompt": "words",
    "tool": "tools",
    "policy": "tools",
    "squad": "squad",
}
_OF_FIELD = {
    **dict.fromkeys(("label", "name", "prompt", "instructions", "description"), "words"),
    "tools": "tools",
    "agent": "squad",
    "notes": "cosmetic",
}
_ORDER_MATTERS = frozenset({"transition", "region", "policy"})
"""Kinds whose order among siblings decides something."""


def group_of(change: dict[str, Any]) -> str:
    """The group of a change as JSON (contracts.md section 6), guards with `same_logic`."""
    kind, what = change["kind"], change["change"]
    if what == "moved":
        elsewhere = any(field["name"] == "within" for field in change["fields"])
        if not elsewhere and kind not in _ORDER_MATTERS:
            return "cosmetic"
        return _OF_KIND.get(kind, "behaviour")
    if kind in _OF_KIND:
        return _OF_KIND[kind]
    if what != "changed":
        return "behaviour"
    found = {_of_field(field) for field in change["fields"]}
    return next((group for group in GROUPS if group in found), "cosmetic")


def _of_field(field: dict[str, Any]) -> str:
    if field.get("same_logic"):
        return "cosmetic"
    return _OF_FIELD.get(field["name"], "behaviour")
