"""Markers, rows, and the fixtures that every room's tests share."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

# The suite tries the same examples every time, so that a red run is a change's doing; the long
# run (`make slow`) looks for new ones.
settings.register_profile("steady", derandomize=True)
settings.register_profile("search", print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("CALLCHART_SHARED", ROOT.parent / "shared"))
ROWS_FILE = ROOT / "build" / "rows.json"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--rows", action="store_true", help="write build/rows.json from the row markers"
    )
    parser.addoption("--update-goldens", action="store_true", help="rewrite the golden files")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        rows = [str(row) for mark in item.iter_markers("row") for row in mark.args]
        if rows:
            item.user_properties.append(("rows", rows))
        if item.get_closest_marker("shared") and not SHARED.is_dir():
            item.add_marker(pytest.mark.skip(reason=f"no shared data at {SHARED}"))


class RowBook:
    """Gathers what each marked test said; one entry a row."""

    def __init__(self) -> None:
        self.outcomes: dict[str, dict[str, str]] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        rows: list[str] = next((v for k, v in report.user_properties if k == "rows"), [])
        for row in rows:
            tests = self.outcomes.setdefault(row, {})
            if report.failed:
                tests[report.nodeid] = "failed"
            elif report.when == "call" or report.skipped:
                tests.setdefault(report.nodeid, "skipped" if report.skipped else "passed")

    def pytest_sessionfinish(self) -> None:
        book = {}
        for row, tests in sorted(self.outcomes.items()):
            said = set(tests.values())
            state = "pass" if "passed" in said and "failed" not in said else "fail"
            book[row] = {"state": state, "tests": sorted(tests)}
        ROWS_FILE.parent.mkdir(exist_ok=True)
        ROWS_FILE.write_text(json.dumps(book, indent=1, ensure_ascii=False) + "\n")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--rows") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(RowBook(), "row-book")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of peers and data beside the project (CALLCHART_SHARED)."""
    return SHARED


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Any:
    """``golden(name, value)``: as in tests/golden/<name>.json, which --update-goldens rewrites."""

    def compare(name: str, value: Any) -> None:
        path = ROOT / "tests" / "golden" / f"{name}.json"
        text = json.dumps(value, indent=1, ensure_ascii=False) + "\n"
        if request.config.getoption("--update-goldens"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        assert path.exists(), f"no golden {path}; run pytest --update-goldens and read the diff"
        assert json.loads(path.read_text()) == json.loads(text)

    return compare
