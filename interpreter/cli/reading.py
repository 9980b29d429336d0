"""How commands read their files, and how they say what is wrong with one."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from interpreter import (
    AgentDoc,
    DocumentError,
    Machine,
    Problem,
    check_workflow,
    compile_agent,
    compile_machine,
    compile_workflow,
    pointer,
)
from interpreter.cli.command import UnusableError

MAX_FILE = 5_000_000
WORKFLOW_FORMAT = "callchart.workflow/1"


def read_json(name: str) -> Any:
    """The JSON value in a file (`-`: standard input). Raises UnusableError with a sentence."""
    try:
        return json.loads(read_text(name), object_pairs_hook=_object, parse_constant=_no_constant)
    except OSError as error:
        raise UnusableError(f"{name}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UnusableError(f"{name}: this is no UTF-8 text") from None
    except json.JSONDecodeError as error:
        raise UnusableError(
            f"{name}:{error.lineno}:{error.colno}: this is no JSON ({error.msg})"
        ) from None
    except RecursionError:
        raise UnusableError(f"{name}: nested too deep") from None
    except ValueError as error:
        raise UnusableError(f"{name}: this is no JSON ({error})") from None


def read_text(name: str) -> str:
    """The UTF-8 text of a file (`-`: standard input). Raises OSError, UnusableError."""
    return _bytes(name).decode("utf-8-sig")


def read_bytes(name: str) -> bytes:
    """The bytes of a file (`-`: standard input). Raises UnusableError with a sentence."""
    try:
        return _bytes(name)
    except OSError as error:
        raise UnusableError(f"{name}: {error.strerror}") from None


def _bytes(name: str) -> bytes:
    if name == "-":
        data = sys.stdin.buffer.read(MAX_FILE + 1)
    else:
        with Path(name).open("rb") as file:
            data = file.read(MAX_FILE + 1)
    if len(data) > MAX_FILE:
        raise UnusableError(f"{name}: longer than {MAX_FILE:,} bytes")
    return data


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {twice[:60]!r} stands twice in one object")
    return made


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number")


def read_chart(name: str) -> dict[str, Any]:
    """A machine, agent or workflow document from a file, unchecked. Raises UnusableError."""
    return as_chart(name, read_json(name))


def as_chart(name: str, chart: Any) -> dict[str, Any]:
    """A JSON value read from the file `name` as a document, unchecked. Raises UnusableError."""
    if not isinstance(chart, dict):
        raise UnusableError(f"{name}: a chart is a JSON object")
    if not ({"regions", "format", "machine", "key"} & set(chart)):
        raise UnusableError(f"{name}: this is neither a machine document nor an agent document")
    return chart


def is_workflow(chart: dict[str, Any]) -> bool:
    """Whether this is a workflow document."""
    return chart.get("format") == WORKFLOW_FORMAT


def is_agent(chart: dict[str, Any]) -> bool:
    """Whether this is an agent document (else a machine document)."""
    return "regions" not in chart and chart.get("format") != "callchart.machine/1"


def compile_chart(name: str, chart: dict[str, Any]) -> Machine:
    """The compiled machine of a document read from the file `name`.

    Writes the problems to standard error and raises UnusableError when it does not compile.
    """
    try:
        if is_workflow(chart):
            return compile_agent(agent_of(chart))
        return compile_agent(chart) if is_agent(chart) else compile_machine(chart)
    except DocumentError as error:
        for problem in error.problems:
            print(problem_line(name, problem), file=sys.stderr)
        raise UnusableError(f"{name}: the chart does not compile") from None


def agent_of(workflow: dict[str, Any]) -> AgentDoc:
    """The chart that a workflow document becomes, as an agent document. Raises DocumentError."""
    problems = [one for one in check_workflow(workflow) if one.severity == "error"]
    if problems:
        raise DocumentError(problems)
    return compile_workflow(workflow).agent


def problem_line(name: str, problem: Problem) -> str:
    """A problem of the file `name` as one line, with its hint below."""
    where = pointer(problem.path)
    if problem.span:
        where += f" [{problem.span[0]}:{problem.span[1]}]"
    text = f"{name}: {problem.severity} {problem.code} at {where}: {problem.message}"
    return f"{text}\n    {problem.hint}" if problem.hint else text
