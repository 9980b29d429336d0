"""What a command of the command line is."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from dataclasses import dataclass

GOOD, PROBLEMS, UNUSABLE = 0, 1, 2

Answer = tuple[int, Iterable[str]]


class UnusableError(Exception):
    """Input that cannot be worked with at all."""


@dataclass(frozen=True, slots=True)
class Command:
    """One word of the command line, and what it does.

    `configure` adds its arguments; `run` takes the parsed ones and gives the exit status and the
    lines to print. It raises UnusableError (exit status 2).
    """

    name: str
    help: str
    configure: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], Answer]


def add_chart(parser: argparse.ArgumentParser) -> None:
    """The arguments FILE (a machine, agent or workflow document) and `--json`."""
    parser.add_argument(
        "file", metavar="FILE", help="machine, agent or workflow document, - for stdin"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
