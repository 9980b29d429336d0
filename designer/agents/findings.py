"""What running a draft shows of its problems: scripts that a person can play."""

from functools import lru_cache
from typing import Any
from uuid import UUID

from designer.accounts.actors import Actor
from designer.agents.selectors import draft_of
from interpreter import DocumentError, analyse, compile_agent

BUDGET = 2_000


def witnesses_of(actor: Actor, agent: UUID) -> dict[str, Any]:
    """`{revision, findings: [{code, path, script}]}`: of each finding that has a script which
    shows it; none while the draft has errors. Raises 404, 503 `busy`.
    """
    row, _, built = draft_of(actor, agent)
    kept = _kept(row.id, row.revision, row.draft_digest)
    if not kept:
        kept.append(_found(built.document))
    return {"revision": row.revision, "findings": kept[0]}


@lru_cache(maxsize=64)
def _kept(agent: UUID, revision: int, digest: str) -> list[list[dict[str, Any]]]:
    """A place for the findings of one revision of a draft; empty at first."""
    del agent, revision, digest
    return []


def _found(document: dict[str, Any]) -> list[dict[str, Any]]:
    try:
        machine = compile_agent(document)
    except DocumentError:
        return []
    return [
        {
            "code": finding.code,
            "path": ["machine", *finding.path],
            "script": [dict(line) for line in finding.witness],
        }
        for finding in analyse(machine, budget=BUDGET).findings
        if finding.witness
    ]
