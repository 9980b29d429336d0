"""`analyse FILE`: what can be said of a chart, each with a script that shows it."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator

from interpreter import AnalysisReport, Finding, analyse, pointer
from interpreter.cli.command import GOOD, PROBLEMS, Answer, Command, add_chart
from interpreter.cli.reading import compile_chart, read_chart


def _configure(parser: argparse.ArgumentParser) -> None:
    add_chart(parser)
    parser.add_argument(
        "--budget",
        type=int,
        metavar="N",
        help="how many standings to run from at most (default: 3000)",
    )


def _run(options: argparse.Namespace) -> Answer:
    machine = compile_chart(options.file, read_chart(options.file))
    more = {} if options.budget is None else {"budget": max(1, options.budget)}
    report = analyse(machine, **more)
    found = any(finding.severity == "warning" for finding in report.findings)
    status = PROBLEMS if found else GOOD
    if options.json:
        return status, [json.dumps(report.to_json(), indent=2)]
    return status, _told(options.file, report)


def _told(name: str, report: AnalysisReport) -> Iterator[str]:
    for finding in report.findings:
        yield from _lines(finding)
    warnings = sum(finding.severity == "warning" for finding in report.findings)
    notes = len(report.findings) - warnings
    ended = "" if report.complete else "; the budget ended the search: more may be there"
    yield f"{name}: {warnings} warnings, {notes} notes; {report.explored} standings{ended}"


def _lines(finding: Finding) -> Iterator[str]:
    where = pointer(finding.path)
    yield f"{finding.severity} {finding.code} ({finding.certainty}) at {where}: {finding.message}"
    for clause in finding.blocked:
        yield f"    because {clause}"
    if finding.witness is not None:
        yield f"    witness {json.dumps([dict(line) for line in finding.witness])}"
    if finding.hint:
        yield f"    {finding.hint}"


COMMAND = Command(
    "analyse",
    "find what cannot happen or never ends, with a script that shows it",
    _configure,
    _run,
)
