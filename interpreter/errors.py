"""What can be wrong with a chart or a Snapshot, as values.

A `Problem` is something the author can fix; all of them come at once, each with the
path of its culprit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

Severity = Literal["error", "warning", "info"]
Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault of a document.

    `path` leads from the top of the document to the culprit, `span` is a character range in the
    expression that stands there, `fix` is what a caller may offer:
    `{label, edits: [{do: set|add|remove|move, path, value}]}` on the document.
    """

    code: str
    severity: Severity
    path: Path
    message: str
    hint: str = ""
    span: tuple[int, int] | None = None
    fix: Mapping[str, Any] | None = None

    def to_json(self) -> dict[str, Any]:
        """The shape of docs/contracts.md section 3."""
        out: dict[str, Any] = {
            "code": self.code,
            "severity": self.severity,
            "path": list(self.path),
            "message": self.message,
            "hint": self.hint,
            "span": list(self.span) if self.span else None,
        }
        if self.fix is not None:
            out["fix"] = dict(self.fix)
        return out


class InterpreterError(Exception):
    """The root of everything that this package raises on purpose."""


class DocumentError(InterpreterError, ValueError):
    """A document that cannot be read or compiled; `problems` lists every reason."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        lines = [f"{pointer(p.path)}: {p.message}" for p in self.problems]
        super().__init__("; ".join(lines) or "the document cannot be read")


class SnapshotError(InterpreterError):
    """A Snapshot that does not fit its machine; the message names what does not."""


class InputError(InterpreterError):
    """An input whose shape is none of docs/contracts.md section 2."""


def pointer(path: Path) -> str:
    """`("regions", 0, "initial")` as `/regions/0/initial` (RFC 6901)."""
    return "".join("/" + str(p).replace("~", "~0").replace("/", "~1") for p in path) or "/"
