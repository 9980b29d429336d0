"""`judge MACHINE`: every declared pair lands, every other pair is refused."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import Any

from interpreter import DocumentError, Machine, compile_agent, library
from interpreter.cli.command import GOOD, PROBLEMS, Answer, Command, UnusableError
from interpreter.cli.reading import as_chart, compile_chart, read_json
from interpreter.library import course


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "machine",
        metavar="MACHINE",
        help="machine or agent document, a table ([[state, event, target], ...]), - for stdin, "
        f"or the name of a chart that ships ({', '.join(library.names())})",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def _machine(name: str) -> Machine:
    if name in library.names():
        return compile_agent(library.load(name)["document"])
    value = read_json(name)
    if isinstance(value, list):
        return _table(name, value)
    return compile_chart(name, as_chart(name, value))


def _table(name: str, rows: list[Any]) -> Machine:
    table: dict[tuple[str, str], str] = {}
    for row in rows:
        if (
            not isinstance(row, list)
            or len(row) != 3
            or any(type(part) is not str for part in row)
        ):
            raise UnusableError(f"{name}: a table holds rows [state, event, target]")
        if (row[0], row[1]) in table:
            raise UnusableError(f"{name}: the pair ({row[0]}, {row[1]}) stands twice")
        table[row[0], row[1]] = row[2]
    if not table:
        raise UnusableError(f"{name}: the table has no rows")
    try:
        return Machine.from_table(table, initial=rows[0][0])
    except DocumentError as error:
        raise UnusableError(f"{name}: {error}") from None


def _run(options: argparse.Namespace) -> Answer:
    judgement = course.judge(_machine(options.machine))
    status = GOOD if judgement.passed else PROBLEMS
    if options.json:
        return status, [json.dumps(judgement.to_json(), indent=2)]
    return status, _told(options.machine, judgement)


def _told(name: str, judgement: course.Judgement) -> Iterator[str]:
    for scenario in judgement.scenarios:
        yield f"passed   {scenario}"
    for state, event in judgement.missing:
        yield f"not run  {event} in {state}"
    if judgement.message:
        yield f"failed   {judgement.message}"
    yield f"{name}: {judgement.coverage}"


COMMAND = Command(
    "judge", "try every declared move of a machine, and every undeclared one", _configure, _run
)
