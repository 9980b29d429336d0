"""What a rule is: the codes it may report, and a function that finds them."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal

from interpreter.errors import Path, Severity

from .chart import Chart


@dataclass(frozen=True, slots=True)
class Code:
    """A stable code with its severity; ``when`` is the sentence of docs/problems.md."""

    code: str
    severity: Severity
    when: str


@dataclass(frozen=True, slots=True)
class Found:
    """One thing that a rule found; its severity is that of its code."""

    code: str
    path: Path
    message: str
    hint: str = ""
    span: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Edit:
    """One change of the document: ``set`` what is at ``path`` (None: take it away), ``add`` an
    item to the list at ``path``, ``remove`` the item at ``path``, or ``move`` it to the place
    ``value`` among its siblings.
    """

    do: Literal["set", "add", "remove", "move"]
    path: Path
    value: Any = None


@dataclass(frozen=True, slots=True)
class Fix:
    """What a caller may offer: its name on a button, and the edits it stands for."""

    label: str
    edits: tuple[Edit, ...]

    def to_json(self) -> dict[str, Any]:
        """``{label, edits: [{do, path, value}]}``."""
        edits = [{"do": e.do, "path": list(e.path), "value": e.value} for e in self.edits]
        return {"label": self.label, "edits": edits}


@dataclass(frozen=True, slots=True)
class Rule:
    """Takes a Chart, gives what it finds in document order; never raises."""

    codes: tuple[Code, ...]
    find: Callable[[Chart], Iterable[Found]]
