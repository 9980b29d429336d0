"""A scenario from a Call: what came in, when, and where the Call stood after each input."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import transaction

from designer.accounts import policy
from designer.accounts.actors import Actor
from designer.agents.scenario_models import Scenario
from designer.agents.scenarios import LINES, add_scenario
from designer.agents.scripts import renamed_script
from designer.agents.selectors import draft_of
from designer.calls.event_store import veil_of
from designer.calls.masking import MASK, Veil, mask
from designer.calls.models import Call, CallInput
from designer.core.errors import Refusal, not_found
from designer.versions.anchors import names_since

TIMED = frozenset({"after", "cooldown", "seconds"})
"""Fields of a machine that make time matter."""
Line = dict[str, Any]


@transaction.atomic
def record_scenario(
    actor: Actor,
    now: datetime,
    *,
    agent: UUID,
    call: UUID,
    name: str,
    until: int | None = None,
) -> Scenario:
    """A scenario of what came in to a Call (up to Call event `until`), with where the Call stood
    after each input as expectations; things are called as the draft calls them now.

    Values of sensitive slots are left out. Raises 404 `agent.`, `call.not_found`, 422
    `scenario.invalid`, `scenario.too_long`.
    """
    policy.require("scenarios.record", actor)
    _, draft, _ = draft_of(actor, agent)
    row = (
        Call.objects.select_related("version")
        .filter(workspace_id=actor.workspace, agent_id=agent, id=call)
        .first()
    )
    if row is None:
        raise not_found("call", call)
    inputs = CallInput.objects.filter(call=row).order_by("in_seq")
    if until is not None:
        inputs = inputs.filter(first_seq__lte=until)
    taken = list(inputs[: LINES + 1])
    veil = veil_of(row.id, row.version_id, upto=row.head_seq)
    slots, lines = script_of(taken, row.version.document, veil)
    if len(lines) > LINES:
        raise Refusal(
            "scenario.too_long",
            f"The Call has more than {LINES:,} lines; record a part of it with until.",
        )
    names = names_since(draft, row.version.anchors)
    slots, lines = renamed_script(slots, lines, names)
    said = f"Recorded from a Call on version {row.version.number}."
    hidden = any(MASK in str(line) for line in lines)
    if hidden:
        said += " Values of sensitive slots were left out."
    fields = {"name": name, "description": said, "slots": slots, "lines": lines}
    return add_scenario(actor, now, agent=agent, fields=fields)


def script_of(
    inputs: list[CallInput], document: Mapping[str, Any], veil: Veil
) -> tuple[dict[str, Any], list[Line]]:
    """The start slots and the lines of what came in: `advance` where time matters, an
    expectation after each input; a proposal that was stale did nothing and is left out.
    """
    if not inputs:
        return {}, []
    first, *rest = inputs
    slots = {
        key: value
        for key, value in first.payload["start"]["slots"].items()
        if key not in veil.slots
    }
    timed = _says(document.get("machine", {}), TIMED)
    lines = list(_lines(first, rest, veil, timed=timed))
    return slots, lines


def _says(value: Any, names: frozenset[str]) -> bool:
    if isinstance(value, Mapping):
        return not names.isdisjoint(value) or any(_says(v, names) for v in value.values())
    return isinstance(value, list) and any(_says(inner, names) for inner in value)


def _lines(first: CallInput, rest: list[CallInput], veil: Veil, *, timed: bool) -> Iterator[Line]:
    yield _expectation(first.result)
    moment = first.at
    for place, one in enumerate(rest):
        refusal = one.result.get("refusal")
        if refusal and refusal["reason"] == "stale":
            continue
        if timed and one.at > moment:
            yield {"advance": f"{(one.at - moment) // timedelta(milliseconds=1)}ms"}
            moment = one.at
        if "timer" in one.payload:
            # Timers that were due at one moment all fire in one line.
            last = place + 1 == len(rest) or "timer" not in rest[place + 1].payload
            if last or rest[place + 1].at > one.at:
                yield _expectation(one.result)
            continue
        yield _hidden(one.payload, veil)
        yield _expectation(one.result)


def _hidden(payload: Mapping[str, Any], veil: Veil) -> Line:
    """What came in, without the values of sensitive slots; what was said is free text."""
    line = mask(dict(payload), veil)
    for name in ("caller", "agent"):
        if name in line:
            line[name] = mask({"text": line[name]}, veil)["text"]
    return line


def _expectation(result: Mapping[str, Any]) -> Line:
    expected: dict[str, Any] = {"active": list(result["active"])}
    if result.get("refusal"):
        expected["refused"] = result["refusal"]["reason"]
    if result["status"] == "ended":
        expected["ended"] = True
    return {"expect": expected}
