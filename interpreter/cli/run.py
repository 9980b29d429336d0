"""`run FILE --events SCRIPT`: a chart, step by step."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from typing import Any

from interpreter import Report, StepReport, dry_run
from interpreter.cli.command import (
    GOOD,
    PROBLEMS,
    Answer,
    Command,
    UnusableError,
    add_chart,
)
from interpreter.cli.reading import compile_chart, read_chart, read_json


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--events", required=True, metavar="SCRIPT", help="the script, a JSON list of lines"
    )
    add_chart(parser)


def _run(options: argparse.Namespace) -> Answer:
    machine = compile_chart(options.file, read_chart(options.file))
    script = read_json(options.events)
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


COMMAND = Command("run", "play a script over a chart", _configure, _run)
