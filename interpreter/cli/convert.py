"""`convert FILE --to FORMAT`: a chart in another notation, with a report of what that loses."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable

from interpreter import (
    FORMATS,
    AgentDoc,
    DocumentError,
    InterchangeError,
    Loss,
    dump_document,
    parse_agent,
    parse_document,
)
from interpreter.cli.command import GOOD, Answer, Command, UnusableError
from interpreter.cli.reading import (
    agent_of,
    is_agent,
    is_workflow,
    problem_line,
    read_bytes,
    read_chart,
)

JSON = "json"
_XML = (b"<", b"\xef\xbb\xbf<", b"\xfe\xff", b"\xff\xfe")


def _configure(parser: argparse.ArgumentParser) -> None:
    targets = [JSON, *(name for name, row in FORMATS.items() if row.write is not None)]
    parser.add_argument("file", metavar="FILE", help="chart (JSON) or SCXML document, - for stdin")
    sources = [JSON, *(name for name, row in FORMATS.items() if row.read is not None)]
    text = "what FILE is (seen from its first letter; JSON on stdin)"
    parser.add_argument("--from", dest="source", choices=sources, help=text)
    parser.add_argument("--to", required=True, choices=targets, help="what to write")


def _run(options: argparse.Namespace) -> Answer:
    agent, losses = _read(options.file, options.source or _seen(options.file))
    lines: list[str] = []
    if options.to == JSON:
        lines = [json.dumps(dump_document(agent), indent=2, ensure_ascii=False)]
    else:
        write = FORMATS[options.to].write
        written = write(agent) if write is not None else None
        if written is not None:
            lines = written.text.splitlines()
            losses = [*losses, *written.losses]
    for loss in losses:
        print(f"{options.file}: {loss}", file=sys.stderr)
    return GOOD, lines


def _seen(name: str) -> str:
    """The notation of a file: XML is SCXML, everything else JSON."""
    if name == "-":
        return JSON
    return "scxml" if read_bytes(name)[:8].lstrip().startswith(_XML) else JSON


def _read(name: str, source: str) -> tuple[AgentDoc, list[Loss]]:
    """The agent document of a file in any notation that is read, and what that lost."""
    if source != JSON:
        return _imported(name, source)
    chart = read_chart(name)
    if is_workflow(chart):
        return _parsed(name, lambda: agent_of(chart)), []
    if is_agent(chart):
        return _parsed(name, lambda: parse_agent(chart)), []
    machine = _parsed(name, lambda: AgentDoc(key="machine", machine=parse_document(chart)))
    return machine, []


def _imported(name: str, source: str) -> tuple[AgentDoc, list[Loss]]:
    read = FORMATS[source].read
    if read is None:
        raise UnusableError(f"{name}: this notation is not read")
    try:
        imported = read(read_bytes(name))
    except InterchangeError as error:
        raise UnusableError(f"{name}: {error}") from None
    return _parsed(name, lambda: parse_agent(imported.agent())), list(imported.losses)


def _parsed(name: str, parse: Callable[[], AgentDoc]) -> AgentDoc:
    try:
        return parse()
    except DocumentError as error:
        _say(problem_line(name, problem) for problem in error.problems)
        raise UnusableError(f"{name}: this is no chart that can be written") from None


def _say(lines: Iterable[str]) -> None:
    for line in lines:
        print(line, file=sys.stderr)


COMMAND = Command("convert", "write a chart in another notation", _configure, _run)
