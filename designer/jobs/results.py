"""What the newest run of the whole suite found."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from designer.accounts.actors import Actor
from designer.agents.scenarios import newest_result, result_json, scenarios_digest
from designer.core.canonical import digest
from designer.versions.selectors import document_to_run


def suite_result(actor: Actor, agent: UUID, version: int | None) -> dict[str, Any] | None:
    """`{total, passed, failed, coverage, job, at, stale}` of the newest run on a version, or on
    the draft for None; None when there was none. Raises 404.
    """
    document = document_to_run(actor, agent, version)[0]
    found = newest_result(agent, version)
    if found is None:
        return None
    stale = (found.document_digest, found.scenarios_digest) != (
        digest(document),
        scenarios_digest(agent),
    )
    return result_json(found) | {"stale": stale}
