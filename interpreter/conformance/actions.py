"""`<send>`, `<cancel>` and `<log>` (SCXML 6.2, 6.3, 4.7) as a host's actions inside a step.

They run in the step because the standard has them answer there: an event for `#_internal` goes
into the internal queue, and a `<send>` that cannot be carried out ends its block.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from interpreter.stepping.effects import EffectError
from interpreter.stepping.work import Work

SESSION = "session_1"
PROCESSOR = "http://www.w3.org/TR/scxml/#SCXMLEventProcessor"
_TYPES = (None, "", "scxml", PROCESSOR)
_ITSELF = (None, "", f"#_scxml_{SESSION}", PROCESSOR)
_DELAY = re.compile(r"^(\d+(?:\.\d+)?|\.\d+)(ms|s|m|h|d)?\Z")
_UNITS = {"ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000, None: 1}
Action = Callable[[Work, dict[str, Any], dict[str, Any]], None]


def milliseconds(delay: object) -> int:
    """The delay of a CSS 2 time (`1.5s`, `10ms`). Raises ValueError."""
    match = _DELAY.match(str(delay))
    if match is None:
        raise ValueError(f"{delay!r} is no delay")
    return int(float(match.group(1)) * _UNITS[match.group(2)])


def _send(run: Work, data: dict[str, Any], origin: dict[str, Any]) -> None:
    run.tool_calls += 1
    sendid = data.get("id")
    if "idlocation" in data:
        sendid = f"send_{run.tool_calls}"
        run.put_slot(str(data["idlocation"]), sendid, "effect")
    target, event = data.get("target"), data.get("event")
    failed = {"_type": "platform", "_sendid": sendid}
    if data.get("type") not in _TYPES:
        raise EffectError(f"there is no event processor '{data.get('type')}'", None, failed)
    try:
        delay = milliseconds(data.get("delay") or "0ms")
    except ValueError as error:
        raise EffectError(str(error), None, failed) from None
    if not isinstance(event, str) or not event:
        raise EffectError("a <send> needs the name of an event", None, failed)
    given = {k.removeprefix("param."): v for k, v in data.items() if k.startswith("param.")}
    if "content" in data:
        given["_content"] = data["content"]
    if target == "#_internal":
        run.raise_event(event, {**given, "_type": "internal", "_sendid": sendid})
    elif target in _ITSELF:
        sent = {"event": event, "delay_ms": delay, "id": sendid, "data": given}
        run.effects.append({"kind": "hook", "hook": "send", "data": sent, "from": origin})
    elif str(target).startswith("#_"):
        run.raise_event("error.communication", failed)
    else:
        raise EffectError(f"'{target}' is no target", None, failed)


def _cancel(run: Work, data: dict[str, Any], origin: dict[str, Any]) -> None:
    run.effects.append({"kind": "hook", "hook": "cancel", "data": data, "from": origin})


def _log(run: Work, data: dict[str, Any], origin: dict[str, Any]) -> None:
    """What is logged is nobody's business here."""


ACTIONS: Mapping[str, Action] = {"send": _send, "cancel": _cancel, "log": _log}
