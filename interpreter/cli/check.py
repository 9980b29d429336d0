"""`check FILE`: the problems of a chart or of a Workflow."""

from __future__ import annotations

import argparse
import json
from typing import Any

from interpreter import Problem, check, check_agent, check_workflow
from interpreter.cli.command import GOOD, PROBLEMS, Answer, Command, add_chart
from interpreter.cli.reading import is_agent, is_workflow, problem_line, read_chart


def _problems(chart: dict[str, Any]) -> list[Problem]:
    if is_workflow(chart):
        return check_workflow(chart)
    return check_agent(chart) if is_agent(chart) else check(chart)


def _run(options: argparse.Namespace) -> Answer:
    problems = _problems(read_chart(options.file))
    errors = sum(problem.severity == "error" for problem in problems)
    status = PROBLEMS if errors else GOOD
    if options.json:
        return status, [json.dumps([problem.to_json() for problem in problems], indent=2)]
    lines = [problem_line(options.file, problem) for problem in problems]
    count = f"{errors} errors, {len(problems) - errors} warnings and notes"
    return status, [*lines, f"{options.file}: {count}"]


COMMAND = Command("check", "list the problems of a chart", add_chart, _run)
