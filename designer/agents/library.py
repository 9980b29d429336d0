"""The charts that ship, as templates for new Agents."""

from functools import cache
from typing import Any

from designer.core.errors import Fault, Refusal
from interpreter import library


def _states(regions: list[dict[str, Any]]) -> int:
    return sum(
        1 + _states(state.get("regions", [])) for region in regions for state in region["states"]
    )


@cache
def templates() -> list[dict[str, Any]]:
    """What there is: `{key, name, description, states, slots, scripts}`."""
    found = []
    for key in library.names():
        chart = library.load(key)
        document = chart["document"]
        found.append(
            {
                "key": key,
                "name": document.get("name", key),
                "description": chart["description"],
                "states": _states(document.get("machine", {}).get("regions", [])),
                "slots": len(document.get("slots", [])),
                "scripts": [
                    {"name": name, "lines": lines} for name, lines in chart["scripts"].items()
                ],
            }
        )
    return found


def template(key: str) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """The agent document and layout of a template. Raises 422 `template.unknown`."""
    if key not in library.names():
        raise Refusal(
            "template.unknown",
            f"There is no template {key}.",
            errors=[Fault("/template", "There is no such template.", "template.unknown")],
        )
    chart = library.load(key)
    return chart["document"], chart.get("layout")


def scripts(key: str) -> dict[str, list[dict[str, Any]]]:
    """The dry-run scripts that ship with a chart, by name."""
    found: dict[str, list[dict[str, Any]]] = library.load(key)["scripts"]
    return found


def names() -> list[str]:
    """The keys of the charts that ship, in the order they are to be published (squad Agents
    first).
    """
    documents = {key: library.load(key)["document"] for key in library.names()}
    return sorted(documents, key=lambda key: (bool(documents[key].get("squad")), key))
