"""What may come into a machine (docs/contracts.md section 2), read from JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

import msgspec

from interpreter.budget import MAX_NAME, MAX_TEXT, why_no_json
from interpreter.errors import InputError
from interpreter.records import parse_moment, rfc3339, to_milliseconds


class Input(msgspec.Struct, frozen=True):
    """One input. `kind` is event, transition, set_slot, handoff, caller, agent, set, timer or end.

    `name` is the event, target, slot, squad key, text, timer key or reason; `value` a slot's value
    or an outcome, `data` an event's data. `confidence` is None when the outside party gave none
    (it counts as 1).
    """

    kind: str
    name: str
    data: dict[str, Any] = {}
    value: Any = None
    confidence: float | None = None
    at_ms: int | None = None

    def to_json(self) -> dict[str, Any]:
        """The line that `parse_input` reads."""
        line = _WRITE[self.kind](self)
        if self.at_ms is not None:
            line["at"] = rfc3339(self.at_ms)
        return line


def parse_input(line: object) -> Input:
    """An Input from one line of a script. Raises InputError with a sentence."""
    if isinstance(line, Input):
        return line
    if not isinstance(line, Mapping):
        raise InputError("an input is a JSON object")
    for kind, read in _READ.items():
        if kind in line:
            _only(line, kind, _BESIDE.get(kind, ()))
            return read(line)
    named = ", ".join(_READ)
    raise InputError(f"an input holds one of: {named}")


def _only(line: Mapping[str, Any], kind: str, more: tuple[str, ...]) -> None:
    for key in line:
        if key not in (kind, "at", *more):
            raise InputError(f"{_short(key)} is not a field beside '{kind}'")


def _short(key: object) -> str:
    return repr(key[:60]) if isinstance(key, str) else "a key that is no text"


_BESIDE = {"event": ("data", "confidence")}


def _name(value: object, what: str) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > MAX_NAME:
        raise InputError(f"{what} is a name of 1 to {MAX_NAME} characters")
    if not value.isprintable():
        raise InputError(f"{what} holds a character that cannot be printed")
    return value


def _json(value: Any) -> Any:
    fault = why_no_json(value)
    if fault is not None:
        raise InputError(fault)
    return value


def _confidence(value: object) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1:
        raise InputError("a confidence is a number from 0 to 1")
    return float(value)


def _at(line: Mapping[str, Any]) -> int | None:
    value = line.get("at")
    if value is None:
        return None
    if isinstance(value, datetime):
        return to_milliseconds(value)
    if isinstance(value, str):
        try:
            return to_milliseconds(parse_moment(value))
        except (ValueError, OverflowError):
            pass
    raise InputError("'at' is a time as RFC 3339 writes it")


def _event(line: Mapping[str, Any]) -> Input:
    data = line.get("data")
    if data is None:
        data = {}
    elif not isinstance(data, dict):
        raise InputError("the data of an event is a JSON object")
    elif data:
        _json(data)
    return Input(
        "event",
        _name(line["event"], "the event"),
        data,
        None,
        _confidence(line.get("confidence")),
        _at(line),
    )


def _propose(line: Mapping[str, Any]) -> Input:
    proposal = line["propose"]
    if not isinstance(proposal, Mapping):
        raise InputError("a proposal is a JSON object")
    confidence = _confidence(proposal.get("confidence"))
    kinds = [kind for kind in ("transition", "set_slot", "handoff") if kind in proposal]
    if len(kinds) != 1:
        raise InputError("a proposal holds one of: transition, set_slot, handoff")
    kind = kinds[0]
    _only(proposal, kind, ("confidence", "based_on_seq"))
    if kind == "set_slot":
        name, value = _slot(proposal["set_slot"])
        return Input("set_slot", name, {}, value, confidence, _at(line))
    name = _name(proposal[kind], f"the {kind}")
    return Input(kind, name, {}, None, confidence, _at(line))


def _slot(body: object) -> tuple[str, Any]:
    if not isinstance(body, Mapping) or set(body) != {"slot", "value"}:
        raise InputError("setting a slot needs 'slot' and 'value'")
    return _name(body["slot"], "the slot"), _json(body["value"])


def _set(line: Mapping[str, Any]) -> Input:
    name, value = _slot(line["set"])
    return Input("set", name, {}, value, None, _at(line))


def _turn(kind: str) -> Callable[[Mapping[str, Any]], Input]:
    def read(line: Mapping[str, Any]) -> Input:
        text = line[kind]
        if not isinstance(text, str) or len(text) > MAX_TEXT:
            raise InputError(f"a turn is a text of at most {MAX_TEXT} characters")
        return Input(kind, _json(text), {}, None, None, _at(line))

    return read


def _timer(line: Mapping[str, Any]) -> Input:
    return Input("timer", _name(line["timer"], "the timer"), {}, None, None, _at(line))


def _end(line: Mapping[str, Any]) -> Input:
    body = line["end"]
    if not isinstance(body, Mapping) or not set(body) <= {"outcome", "reason"}:
        raise InputError("ending a Call takes 'outcome' and 'reason'")
    reason = body.get("reason", "host")
    outcome = body.get("outcome")
    if not isinstance(reason, str) or not (outcome is None or isinstance(outcome, str)):
        raise InputError("'outcome' and 'reason' are texts")
    _json((outcome, reason))
    return Input("end", reason[:MAX_NAME], {}, outcome, None, _at(line))


_READ: dict[str, Callable[[Mapping[str, Any]], Input]] = {
    "event": _event,
    "propose": _propose,
    "caller": _turn("caller"),
    "agent": _turn("agent"),
    "set": _set,
    "timer": _timer,
    "end": _end,
}


def _write_event(one: Input) -> dict[str, Any]:
    line: dict[str, Any] = {"event": one.name}
    if one.data:
        line["data"] = one.data
    if one.confidence is not None:
        line["confidence"] = one.confidence
    return line


def _write_proposal(one: Input) -> dict[str, Any]:
    body: Any = {"slot": one.name, "value": one.value} if one.kind == "set_slot" else one.name
    proposal = {one.kind: body}
    if one.confidence is not None:
        proposal["confidence"] = one.confidence
    return {"propose": proposal}


_WRITE: dict[str, Callable[[Input], dict[str, Any]]] = {
    "event": _write_event,
    "transition": _write_proposal,
    "set_slot": _write_proposal,
    "handoff": _write_proposal,
    "caller": lambda one: {"caller": one.name},
    "agent": lambda one: {"agent": one.name},
    "set": lambda one: {"set": {"slot": one.name, "value": one.value}},
    "timer": lambda one: {"timer": one.name},
    "end": lambda one: {"end": {"outcome": one.value, "reason": one.name}},
}
