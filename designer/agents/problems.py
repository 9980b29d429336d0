"""What `check` says of a draft, each problem with the row it is about."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any
from uuid import UUID

from designer.agents.documents import Built
from designer.agents.fixes import fix_of
from interpreter import check_agent

ORDER = {"error": 0, "warning": 1, "info": 2}


def problems_of(built: Built) -> list[dict[str, Any]]:
    """The problems in the shape of contracts.md section 5:
    with `subject`, `field` and `fix`; errors first.
    """
    found = []
    for problem in check_agent(built.document):
        subject, field = built.subject(tuple(problem.path))
        fix = fix_of(built, problem.fix)
        found.append(problem.to_json() | {"subject": subject, "field": field, "fix": fix})
    return sorted(found, key=lambda problem: ORDER.get(problem["severity"], 3))


@lru_cache(maxsize=64)
def _kept(agent: UUID, revision: int, digest: str) -> list[list[dict[str, Any]]]:
    """A place for the problems of one revision of a draft; empty at first."""
    del agent, revision, digest
    return []


def problems_at(
    agent: UUID, revision: int, digest: str, make: Callable[[], list[dict[str, Any]]]
) -> list[dict[str, Any]]:
    """The problems of a draft at a revision; made once a process, since a revision stays as it is.

    `digest` is the document's: it tells apart what a restored backup would number alike.
    """
    place = _kept(agent, revision, digest)
    if not place:
        place.append(make())
    return place[0]


def counted(problems: list[dict[str, Any]]) -> dict[str, int]:
    """How many of each severity."""
    counts = dict.fromkeys(ORDER, 0)
    for problem in problems:
        counts[problem["severity"]] = counts.get(problem["severity"], 0) + 1
    return counts
