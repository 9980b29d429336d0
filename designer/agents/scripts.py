"""The names in a script (contracts.md section 2): slots, states, transitions, squad, outcomes,
verdicts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Names = Mapping[str, Mapping[str, str]]


def renamed_script(
    slots: dict[str, Any], lines: list[Any], names: Names
) -> tuple[dict[str, Any], list[Any]]:
    """The start slots and lines with things called as `names` says: by kind (`slot`, `state`,
    `squad`, `outcome`, `event`, and `move` for what a proposal names) from old to new.
    """
    return _keys(slots, names.get("slot", {})), [_line(line, names) for line in lines]


def _keys(value: Any, names: Mapping[str, str]) -> Any:
    if not isinstance(value, dict):
        return value
    return {names.get(name, name): inner for name, inner in value.items()}


def _one(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, list):
        return [_one(inner, names) for inner in value]
    return names.get(value, value) if isinstance(value, str) else value


def _slot(value: Any, names: Names) -> Any:
    if not isinstance(value, dict) or "slot" not in value:
        return value
    return value | {"slot": _one(value["slot"], names.get("slot", {}))}


def _line(line: Any, names: Names) -> Any:
    if not isinstance(line, dict):
        return line
    out = dict(line)
    if "event" in out:
        out["event"] = _one(out["event"], names.get("event", {}))
    if "set" in out:
        out["set"] = _slot(out["set"], names)
    if isinstance(out.get("propose"), dict):
        out["propose"] = _proposal(out["propose"], names)
    if isinstance(out.get("expect"), dict):
        out["expect"] = _expectation(out["expect"], names)
    return out


def _proposal(proposal: dict[str, Any], names: Names) -> dict[str, Any]:
    out = dict(proposal)
    for name, kind in (("transition", "move"), ("handoff", "squad")):
        if name in out:
            out[name] = _one(out[name], names.get(kind, {}))
    if "set_slot" in out:
        out["set_slot"] = _slot(out["set_slot"], names)
    return out


def _expectation(expected: dict[str, Any], names: Names) -> dict[str, Any]:
    out = dict(expected)
    if "active" in out:
        out["active"] = _one(out["active"], names.get("state", {}))
    if "slots" in out:
        out["slots"] = _keys(out["slots"], names.get("slot", {}))
    if "ended" in out:
        out["ended"] = _one(out["ended"], names.get("outcome", {}))
    return out
