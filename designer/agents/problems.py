"""What `check` says of a draft, each problem with the row it is about."""

from typing import Any

from designer.agents.documents import Built
from interpreter import check_agent

ORDER = {"error": 0, "warning": 1, "info": 2}


def problems_of(built: Built) -> list[dict[str, Any]]:
    """The problems in the shape of contracts.md section 5:
    with `subject` and `field`; errors first.
    """
    found = []
    for problem in check_agent(built.document):
        subject, field = built.subject(tuple(problem.path))
        found.append(problem.to_json() | {"subject": subject, "field": field})
    return sorted(found, key=lambda problem: ORDER.get(problem["severity"], 3))


def counted(problems: list[dict[str, Any]]) -> dict[str, int]:
    """How many of each severity."""
    counts = dict.fromkeys(ORDER, 0)
    for problem in problems:
        counts[problem["severity"]] = counts.get(problem["severity"], 0) + 1
    return counts
