"""The charts that ship: the machines of the source systems, and a demo of our own.

Each is a folder: ``agent.json`` (an agent document), ``layout.json`` (boxes by key of a state or
region, relative to the box around them), ``about.json`` and ``scripts/*.json`` (dry-run scripts).
"""

import json
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

_FIRST = ("northwind_support", "billing_specialist")


def names() -> tuple[str, ...]:
    """Keys of all charts, our own first, then alphabetical."""
    folders = {entry.name for entry in _root().iterdir() if (entry / "agent.json").is_file()}
    return (*_FIRST, *sorted(folders - set(_FIRST)))


def load(name: str) -> dict[str, Any]:
    """``{"document", "layout", "scripts".

    {name: [lines]}, "description"}``. Raises KeyError for an unknown name.
    """
    if name not in names():
        raise KeyError(name)
    folder = _root() / name
    scripts = sorted((folder / "scripts").iterdir(), key=lambda entry: entry.name)
    return {
        "document": _read(folder / "agent.json"),
        "layout": _read(folder / "layout.json"),
        "scripts": {entry.name.removesuffix(".json"): _read(entry) for entry in scripts},
        "description": _read(folder / "about.json")["description"],
    }


def _root() -> Traversable:
    return resources.files(__package__)


def _read(file: Traversable) -> Any:
    return json.loads(file.read_text(encoding="utf-8"))
