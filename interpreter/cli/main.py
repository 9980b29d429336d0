"""The command line: `python -m interpreter COMMAND ...`.

Exit status: 0 good; 1 problems, or an expectation not met; 2 unusable input.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Iterable, Sequence

from interpreter.cli import analyse, check, conformance, run
from interpreter.cli.command import UNUSABLE, Command, UnusableError

COMMANDS: tuple[Command, ...] = (
    analyse.COMMAND,
    check.COMMAND,
    run.COMMAND,
    conformance.COMMAND,
)


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
    parsers = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in COMMANDS:
        one = parsers.add_parser(command.name, help=command.help)
        command.configure(one)
        one.set_defaults(run=command.run)
    return parser
