"""The command line: `python -m interpreter check FILE` and `run FILE --events SCRIPT`.

Exit status: 0 good; 1 problems, or an expectation of the script not met; 2 unusable input.
FILE is a machine document, or an agent document.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from interpreter import (
    DocumentError,
    Machine,
    Problem,
    Report,
    StepReport,
    check,
    check_agent,
    compile_agent,
    compile_machine,
    dry_run,
    pointer,
)

GOOD, PROBLEMS, UNUSABLE = 0, 1, 2
MAX_FILE = 5_000_000
Answer = tuple[int, Iterable[str]]


class UnusableError(Exception):
    """Input that cannot be worked with at all."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and gives the exit status."""
    options = _parser().parse_args(arguments)
    try:
        status, lines = options.run(options)
        _print(lines)
    except UnusableError as error:
        print(f"error: {error}", file=sys.stderr)
        return UNUSABLE
    return int(status)


def _print(lines: Iterable[str]) -> None:
    """Writes as far as somebody reads: `run ... | head` is no fault."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        for line in lines:
            print(line)
        sys.stdout.flush()
    except BrokenPipeError:
        _drop_output()
    except OSError as error:
        _drop_output()
        raise UnusableError(f"cannot write: {error.strerror}") from None


def _drop_output() -> None:
    """What is still buffered goes nowhere, so that leaving Python does not try it again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m interpreter", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    checking = commands.add_parser("check", help="list the problems of a chart")
    checking.set_defaults(run=_check)
    running = commands.add_parser("run", help="play a script over a chart")
    running.add_argument("--events", required=True, metavar="SCRIPT", help="JSON list of lines")
    running.set_defaults(run=_run)
    for command in (checking, running):
        command.add_argument("file", metavar="FILE", help="machine or agent document, - for stdin")
        command.add_argument("--json", action="store_true", help="print JSON")
    return parser


def _read(name: str) -> Any:
    try:
        return json.loads(_text(name), object_pairs_hook=_object, parse_constant=_no_constant)
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


def _text(name: str) -> str:
    if name == "-":
        data = sys.stdin.buffer.read(MAX_FILE + 1)
    else:
        with Path(name).open("rb") as file:
            data = file.read(MAX_FILE + 1)
    if len(data) > MAX_FILE:
        raise UnusableError(f"{name}: longer than {MAX_FILE:,} bytes")
    return data.decode("utf-8-sig")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {twice[:60]!r} stands twice in one object")
    return made


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number")


def _read_chart(name: str) -> dict[str, Any]:
    chart = _read(name)
    if not isinstance(chart, dict):
        raise UnusableError(f"{name}: a chart is a JSON object")
    if not ({"regions", "format", "machine", "key"} & set(chart)):
        raise UnusableError(f"{name}: this is neither a machine document nor an agent document")
    return chart


def _is_agent(chart: dict[str, Any]) -> bool:
    return "regions" not in chart and chart.get("format") != "callchart.machine/1"


def _problems(chart: dict[str, Any]) -> list[Problem]:
    return check_agent(chart) if _is_agent(chart) else check(chart)


def _compile(name: str, chart: dict[str, Any]) -> Machine:
    try:
        return compile_agent(chart) if _is_agent(chart) else compile_machine(chart)
    except DocumentError as error:
        for problem in error.problems:
            print(_line(name, problem), file=sys.stderr)
        raise UnusableError(f"{name}: the chart does not compile") from None


def _line(name: str, problem: Problem) -> str:
    where = pointer(problem.path)
    if problem.span:
        where += f" [{problem.span[0]}:{problem.span[1]}]"
    text = f"{name}: {problem.severity} {problem.code} at {where}: {problem.message}"
    return f"{text}\n    {problem.hint}" if problem.hint else text


def _check(options: argparse.Namespace) -> Answer:
    problems = _problems(_read_chart(options.file))
    errors = sum(problem.severity == "error" for problem in problems)
    status = PROBLEMS if errors else GOOD
    if options.json:
        return status, [json.dumps([problem.to_json() for problem in problems], indent=2)]
    lines = [_line(options.file, problem) for problem in problems]
    count = f"{errors} errors, {len(problems) - errors} warnings and notes"
    return status, [*lines, f"{options.file}: {count}"]


def _run(options: argparse.Namespace) -> Answer:
    machine = _compile(options.file, _read_chart(options.file))
    script = _read(options.events)
    try:
        report = dry_run(machine, script)
    except ValueError as error:
        raise UnusableError(f"{options.events}: {error}") from None
    status = GOOD if report.ok else PROBLEMS
    if options.json:
        plain = (sys.stdout.encoding or "").lower() != "utf-8"
        return status, [json.dumps(report.to_json(), indent=2, ensure_ascii=plain)]
    return status, _story(report)


def _story(report: Report) -> Iterator[str]:
    for step in (report.start, *report.steps):
        yield from _block(step)
    yield "ok" if report.ok else "an expectation was not met"


def _block(report: StepReport) -> list[str]:
    """One step as people read it."""
    if report.expectation is not None:
        met = "met" if report.expectation.met else "NOT MET"
        return [
            f"{report.index + 1:>3}  {_short(report.input)}: {met}: {report.expectation.message}"
        ]
    head = "start" if report.index < 0 else _short(report.input)
    lines = [f"{report.index + 1:>3}  {head}"]
    if report.refusal is not None:
        lines.append(f"     refused ({report.refusal.reason}): {report.refusal.message}")
    for guard in report.guards:
        shown = guard.to_json()
        lines.append(
            f"     guard   {shown['guard']} is {shown['outcome']} {_short(shown['reads'])}"
        )
    for record in report.records:
        if record.type not in ("transition.refused", "call.started"):
            lines.append(f"     {record.type:<22} {_short(record.data)}")
    for effect in report.effects:
        inside = {key: value for key, value in effect.items() if key not in ("kind", "from")}
        lines.append(f"     effect  {effect['kind']} {_short(inside)}")
    lines.append(f"     =>      {_short(report.value)}")
    return lines


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 160 else text[:157] + "..."


if __name__ == "__main__":
    sys.exit(main())
