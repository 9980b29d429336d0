"""What a rule is: the codes it may report, and a function that finds them."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

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
class Rule:
    """Takes a Chart, gives what it finds in document order; never raises."""

    codes: tuple[Code, ...]
    find: Callable[[Chart], Iterable[Found]]
