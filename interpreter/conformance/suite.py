"""One case of a suite, and what became of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from interpreter.conformance.host import Host
from interpreter.errors import DocumentError
from interpreter.interchange import Imported, InterchangeError, read_scxml

Status = Literal["pass", "fail", "not applicable"]
ENDS = ("pass", "final")
LEGACY = "legacySemantics"


@dataclass(frozen=True, slots=True)
class Case:
    """A chart and what it has to do.

    `script` is that of SCION: `{"initialConfiguration": [...], "events": [{"event": {"name"},
    "after"?, "nextConfiguration": [...]}]}`; without one the chart has to end in the state
    `pass` (or `final`, when it has no `pass`). A note that names the `legacySemantics` of the
    script says that its first expectations contradict appendix D. `tier` is 1 to 4,
    `copy` says that the same test stands elsewhere too.
    """

    name: str
    tier: int
    source: bytes
    script: Mapping[str, Any] | None = None
    note: str = ""
    copy: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a case; the reason is empty for a pass."""

    case: Case
    status: Status
    reason: str = ""


def judge(case: Case) -> Verdict:
    """Runs one case. Never raises for what stands in it."""
    try:
        imported = read_scxml(case.source)
    except InterchangeError as error:
        return _missed(case, f"it cannot be read: {error}")
    lost = [loss for loss in imported.losses if loss.carried == "no"]
    if lost:
        return Verdict(case, "not applicable", f"{lost[0].where}: {lost[0].what}")
    try:
        host = Host(imported, eager=case.script is None)
    except DocumentError as error:
        return _missed(case, f"it does not compile: {error.problems[0].message}")
    reason = _ended(host, imported) if case.script is None else _played(host, case)
    return _missed(case, reason) if reason else Verdict(case, "pass")


def _missed(case: Case, reason: str) -> Verdict:
    """A miss; one outside the tiers that an engine of ours has to reach is no failure."""
    return Verdict(case, "fail" if case.tier < 4 else "not applicable", reason)


def _ended(host: Host, imported: Imported) -> str:
    host.rest()
    wanted = next((name for name in ENDS if name in imported.states), ENDS[0])
    return "" if host.leaves == [wanted] else f"it rests in {', '.join(host.leaves)}"


def _played(host: Host, case: Case) -> str:
    script = case.script or {}
    if LEGACY in case.note:
        script = script.get(LEGACY, script)
    if not script["events"]:
        host.rest()
    wrong = _differs(host, script["initialConfiguration"], "at the start")
    for place, line in enumerate(script["events"], 1):
        if wrong:
            return wrong
        if line.get("after"):
            host.advance(int(line["after"]))
        event = line["event"]
        host.send(event["name"], _data(event.get("data")))
        wrong = _differs(host, line["nextConfiguration"], f"after event {place} ({event['name']})")
    return wrong


def _data(value: Any) -> dict[str, Any]:
    if value is None:
        return {}
    return value if isinstance(value, dict) else {"_content": value}


def _differs(host: Host, wanted: list[str], when: str) -> str:
    if wanted == ["pass"] and "pass" not in host.imported.states:
        wanted = ["final"]
    if host.leaves == sorted(wanted):
        return ""
    return f"{when} it is in {', '.join(host.leaves)} and not in {', '.join(sorted(wanted))}"
