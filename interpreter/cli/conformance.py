"""`conformance DIR`: the public SCXML suites on our engine."""

from __future__ import annotations

import argparse
import csv
import json
from pathlib import Path

from interpreter.cli.command import GOOD, PROBLEMS, Answer, Command, UnusableError
from interpreter.conformance import Case, judge, table_of

_COPIES = "scion/w3c-ecma/"


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "directory", metavar="DIR", help="holds tiers.tsv and the charts that it names"
    )


def _run(options: argparse.Namespace) -> Answer:
    root = Path(options.directory)
    verdicts = [judge(case) for case in _cases(root)]
    failed = any(verdict.status == "fail" for verdict in verdicts)
    return (PROBLEMS if failed else GOOD), table_of(verdicts)


def _cases(root: Path) -> list[Case]:
    try:
        with (root / "tiers.tsv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file, delimiter="\t"))
        return [_case(root, row) for row in rows]
    except OSError as error:
        raise UnusableError(f"{error.filename}: {error.strerror}") from None
    except (KeyError, ValueError, IndexError) as error:
        raise UnusableError(f"{root}: this is no suite ({error})") from None


def _case(root: Path, row: dict[str, str]) -> Case:
    path = root / row["path"]
    script = path.with_suffix(".json")
    return Case(
        name=row["path"],
        tier=int(row["tier"][1]),
        source=path.read_bytes(),
        script=json.loads(script.read_bytes()) if script.is_file() else None,
        note=row["note"] or "",
        copy=row["path"].startswith(_COPIES),
    )


COMMAND = Command("conformance", "run the public SCXML suites", _configure, _run)
