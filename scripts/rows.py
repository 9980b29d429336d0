"""Print build/rows.json as a table: row, state, tests. Titles come from ../shared if there."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def titles() -> dict[str, str]:
    shared = Path(os.environ.get("CALLCHART_SHARED", ROOT.parent / "shared"))
    page = shared / "design" / "source-systems.md"
    if not page.exists():
        return {}
    lines = page.read_text(encoding="utf-8").splitlines()
    found = (re.match(r"\| (F\d{3}) \| [^|]* \| ([^|]*) \|", line) for line in lines)
    seeds = (re.match(r"\| (R3-\d\d) \| ([^|]*) \|", line) for line in lines)
    return {m[1]: m[2].strip() for m in (*found, *seeds) if m}


def main() -> int:
    path = ROOT / "build" / "rows.json"
    if not path.exists():
        print("no build/rows.json: run `make rows`", file=sys.stderr)
        return 2
    book, names = json.loads(path.read_text()), titles()
    for row, entry in book.items():
        tests = entry["tests"]
        first = tests[0].split("::", 1)[-1] + (f" (+{len(tests) - 1})" if len(tests) > 1 else "")
        print(f"{row:6} {entry['state']:4} {names.get(row, '')[:58]:58} {first}")
    failed = [row for row, entry in book.items() if entry["state"] != "pass"]
    features = sum(row.startswith("F") for row in book)
    counts = f"{len(book)} rows have a test ({features} of 343 features), {len(failed)} fail"
    print(f"\n{counts}", *failed)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
