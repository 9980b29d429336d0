"""`coverage FILE SCRIPT...`: what scripts run over, and what they leave out."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator

from interpreter import Coverage, coverage
from interpreter.cli.command import GOOD, PROBLEMS, Answer, Command, UnusableError, add_chart
from interpreter.cli.reading import compile_chart, read_chart, read_json

_SAID = {
    "states": "never entered",
    "transitions": "never taken",
    "guards_true": "guard never true",
    "guards_false": "guard never false",
}


def _configure(parser: argparse.ArgumentParser) -> None:
    add_chart(parser)
    parser.add_argument("scripts", nargs="+", metavar="SCRIPT", help="JSON list of lines")


def _run(options: argparse.Namespace) -> Answer:
    machine = compile_chart(options.file, read_chart(options.file))
    scripts = [read_json(name) for name in options.scripts]
    try:
        found = coverage(machine, scripts)
    except ValueError as error:
        raise UnusableError(f"{', '.join(options.scripts)}: {error}") from None
    status = GOOD if found.whole else PROBLEMS
    if options.json:
        return status, [json.dumps(found.to_json(), indent=2)]
    return status, _told(options.file, found)


def _told(name: str, found: Coverage) -> Iterator[str]:
    for kind, keys in found.missing.items():
        yield from (f"{_SAID[kind]:<18} {key}" for key in keys)
    counts = [
        f"{sum(map(bool, counted.values()))} of {len(counted)} {kind}"
        for kind, counted in (("states", found.states), ("transitions", found.transitions))
    ]
    both = sum(bool(said["true"] and said["false"]) for said in found.guards.values())
    yield f"{name}: {', '.join(counts)}, {both} of {len(found.guards)} guards both ways"


COMMAND = Command(
    "coverage", "say which states, transitions and guards scripts reach", _configure, _run
)
