"""Scenarios of an Agent: reads and what renaming does to them; their verbs stand beside."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from designer.agents.scenario_models import Scenario, SuiteResult
from designer.core.canonical import digest
from designer.core.clock import rfc3339


def scenarios_digest(agent: UUID) -> str:
    """The digest of what the Agent's scenarios do; names and descriptions are not in it."""
    rows = Scenario.objects.filter(agent_id=agent).order_by("id")
    return digest(
        [
            {"id": str(id), "slots": slots, "lines": lines}
            for id, slots, lines in rows.values_list("id", "slots", "lines")
        ]
    )


def result_json(row: SuiteResult) -> dict[str, Any]:
    """`{total, passed, failed, coverage, job, at}`."""
    return {
        "total": row.total,
        "passed": row.passed,
        "failed": row.failed,
        "coverage": row.coverage,
        "job": str(row.job),
        "at": rfc3339(row.at),
    }


def newest_results(agent: UUID, versions: Iterable[int]) -> dict[int, dict[str, Any]]:
    """What the newest run of the whole suite found on each of these versions, without its
    coverage; one query.
    """
    names = ("total", "passed", "failed", "job", "at", "scenarios_digest")
    rows = SuiteResult.objects.filter(agent_id=agent, version__in=list(versions)).order_by("at")
    return {
        row["version"]: {name: row[name] for name in names}
        | {"job": str(row["job"]), "at": rfc3339(row["at"])}
        for row in rows.values("version", *names)
    }
