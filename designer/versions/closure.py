"""What an approval holds for: the version, the squad it is pinned to, and, where the workspace
asks for them, its scenarios. When any of it changes, the approval is void.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from designer.accounts.selectors import ApprovalRules, approval_rules
from designer.agents.scenarios import newest_results, scenarios_digest
from designer.core.canonical import digest
from designer.core.clock import rfc3339
from designer.versions.models import APPROVED, RETIRED, Version

Closure = dict[str, Any]
_WHY = {
    "version": "The version's document is no longer what was approved.",
    "squad": "The squad is no longer what was approved: {names}.",
    "scenarios": "The scenarios were changed, or are asked for only now.",
}


@dataclass(frozen=True)
class Surroundings:
    """What the closures of some versions of one Agent are made of, read at once."""

    rules: ApprovalRules
    pinned: Mapping[tuple[str, int], str]
    scenarios: str
    results: Mapping[int, dict[str, Any]]

    def closure(self, row: Version) -> Closure:
        """`{version, squad: {key: digest or None}, scenarios}` as things stand."""
        squad = {
            member["key"]: self.pinned.get((member["agent"], member["version"]))
            for member in row.squad
        }
        scenarios = self.scenarios if self.rules.scenarios else None
        return {"version": row.digest, "squad": squad, "scenarios": scenarios}

    def void(self, row: Version) -> dict[str, str] | None:
        """Why the approval of a version that could be activated does not hold, or None."""
        if row.status not in (APPROVED, RETIRED):
            return None
        return difference(row.closure, self.closure(row))

    def evidence(self, row: Version) -> dict[str, Any]:
        """What the suite found on the version, and whether the workspace asks for it."""
        found = self.results.get(row.number)
        if found is not None:
            stale = found["scenarios_digest"] != self.scenarios
            found = {name: found[name] for name in ("total", "passed", "failed", "at", "job")}
            found["stale"] = stale
        return {"scenarios": found, "required": self.rules.scenarios}

    def missing_evidence(self, row: Version) -> str | None:
        """Why the version can not be approved yet, or None."""
        if not self.rules.scenarios:
            return None
        found = self.evidence(row)["scenarios"]
        if found is None:
            return "This workspace asks for green scenarios, and none were run on this version."
        if found["stale"]:
            return "The scenarios were changed since they were run on this version."
        if not found["total"]:
            return "This workspace asks for green scenarios, and this agent has none."
        if found["failed"]:
            return f"{found['failed']} of {found['total']} scenarios fail on this version."
        return None


def difference(approved: Closure, now: Closure) -> dict[str, str] | None:
    """Why the approval is void: `{code, detail}`, or None when nothing has changed."""
    if not approved or digest(approved) == digest(now):
        return None
    part = next(name for name in _WHY if approved.get(name) != now[name])
    changed = [
        key
        for key in sorted({*approved.get("squad", {}), *now["squad"]})
        if approved.get("squad", {}).get(key) != now["squad"].get(key)
    ]
    return {"code": f"{part}.changed", "detail": _WHY[part].format(names=", ".join(changed))}


def surroundings(workspace: UUID, agent: UUID, rows: Sequence[Version]) -> Surroundings:
    """What the closures of these versions of an Agent need; a fixed number of queries."""
    rules = approval_rules(workspace)
    return Surroundings(
        rules,
        _pinned(workspace, [member for row in rows for member in row.squad]),
        scenarios_digest(agent),
        newest_results(agent, [row.number for row in rows]),
    )


def _pinned(workspace: UUID, members: Iterable[Mapping[str, Any]]) -> dict[tuple[str, int], str]:
    wanted = {(member["agent"], member["version"]) for member in members}
    if not wanted:
        return {}
    rows = Version.objects.filter(
        agent__workspace_id=workspace,
        agent__archived_at__isnull=True,
        agent__key__in={key for key, _ in wanted},
        number__in={number for _, number in wanted},
    ).values_list("agent__key", "number", "digest")
    return {(key, number): found for key, number, found in rows}


def review_json(row: Version, around: Surroundings) -> dict[str, Any]:
    """The review of a version as contracts.md section 6 says."""
    review = decision = None
    if row.requested_at is not None:
        review = {
            "requested_by": _person(row.requested_by),
            "requested_at": rfc3339(row.requested_at),
            "note": row.request_note or None,
        }
    if row.decided_at is not None:
        decision = {
            "what": row.decision,
            "by": _person(row.decided_by),
            "at": rfc3339(row.decided_at),
            "note": row.decision_note or None,
        }
    return {
        "review": review,
        "decision": decision,
        "void": around.void(row),
        "base": row.base,
        "evidence": around.evidence(row),
    }


def _person(user: Any) -> dict[str, str] | None:
    return {"id": str(user.pk), "name": user.display_name()} if user else None
