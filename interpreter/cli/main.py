"""The command line: `python -m interpreter COMMAND ...`.

Exit status: 0 good; 1 problems, or an expectation not met; 2 unusable input.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Iterable, Sequence

from interpreter.cli import analyse, check, compare, conformance, convert, coverage, judge, run
from interpreter.cli.command import UNUSABLE, Command, UnusableError

PROGRAM = "python -m interpreter"
ABOUT = """\
Checks charts, plays scripts over them, and says what they can do.
FILE is a machine, agent or workflow document (JSON); - reads it from stdin.
"""
MORE = """
exit status:
  0  good
  1  problems were found, or an expectation of a script was not met
  2  the input cannot be used; the reason is on stderr

examples:
  python -m interpreter check chart.json
  python -m interpreter run chart.json --events script.json
  python -m interpreter COMMAND --help

The guide is docs/guide.md; the codes of problems are in docs/problems.md.
"""

COMMANDS: tuple[Command, ...] = (
    analyse.COMMAND,
    check.COMMAND,
    run.COMMAND,
    compare.COMMAND,
    coverage.COMMAND,
    judge.COMMAND,
    convert.COMMAND,
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
    listed = [f"  {command.name:<13}{command.help}" for command in COMMANDS]
    parser = argparse.ArgumentParser(
        prog=PROGRAM,
        usage=f"{PROGRAM} COMMAND ...",
        description=ABOUT,
        epilog="\n".join(["commands:", *listed, MORE]),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parsers = parser.add_subparsers(
        prog=PROGRAM, required=True, metavar="COMMAND", help=argparse.SUPPRESS
    )
    for command in COMMANDS:
        said = f"{command.help[:1].upper()}{command.help[1:]}."
        one = parsers.add_parser(command.name, description=said)
        command.configure(one)
        one.set_defaults(run=command.run)
    return parser
