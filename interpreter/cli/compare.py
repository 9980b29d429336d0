"""`compare A B`: what changed between two charts, and scripts that tell them apart."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import Any

from interpreter import Change, Comparison, compare_agents, compare_behaviour, dump_document
from interpreter.cli.command import GOOD, PROBLEMS, Answer, Command
from interpreter.cli.reading import agent_of, compile_chart, is_agent, is_workflow, read_chart


def _configure(parser: argparse.ArgumentParser) -> None:
    for name in ("a", "b"):
        parser.add_argument(name, metavar=name.upper(), help="machine or agent document")
    parser.add_argument("--json", action="store_true", help="print JSON")


def _run(options: argparse.Namespace) -> Answer:
    charts = [read_chart(options.a), read_chart(options.b)]
    first, second = (
        compile_chart(name, chart)
        for name, chart in zip((options.a, options.b), charts, strict=True)
    )
    changes = compare_agents(*map(_agent, charts))
    comparison = compare_behaviour(first, second)
    status = PROBLEMS if comparison.differences else GOOD
    if options.json:
        told = {"changes": [change.to_json() for change in changes], **comparison.to_json()}
        return status, [json.dumps(told, indent=2)]
    return status, _told(changes, comparison)


def _agent(chart: dict[str, Any]) -> dict[str, Any]:
    if is_workflow(chart):
        return dump_document(agent_of(chart))
    if is_agent(chart):
        return chart
    return {"format": "callchart.agent/1", "key": "machine", "machine": chart}


def _told(changes: tuple[Change, ...], comparison: Comparison) -> Iterator[str]:
    for change in changes:
        within = f" in {change.within}" if change.within else ""
        named = change.key or change.label or (f"to {change.target}" if change.target else "")
        fields = ", ".join(change.fields)
        yield " ".join(f"{change.change} {change.kind} {named}{within} {fields}".split())
    for one in comparison.differences:
        yield f"differ in {', '.join(one.about)} after {json.dumps(list(one.script))}"
        yield f"    A {json.dumps(dict(one.first))}"
        yield f"    B {json.dumps(dict(one.second))}"
    ended = "" if comparison.complete else "; the budget ended the search"
    count = len(comparison.differences)
    yield f"{len(changes)} changes, {count} scripts with another outcome{ended}"


COMMAND = Command("compare", "find scripts that tell two charts apart", _configure, _run)
