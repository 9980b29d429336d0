"""What must be the same on PostgreSQL: the sentences of SQLite, said again there."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FROZEN = "tests/designer/versions/test_versions.py::test_a_published_version_never_changes"
TEXT = (
    "tests/designer/api/test_parsing.py"
    "::test_nul_and_half_characters_are_refused_on_every_database"
)
AUDIT = "tests/designer/versions/test_versions.py::test_the_audit_says_who_did_what"
UNDO = (
    "tests/designer/agents/test_draft_api.py"
    "::test_an_edit_is_undone_by_its_inverse_through_the_api"
)


def say_again(database_url: str, folder: Path, *tests: str) -> None:
    env = dict(os.environ, DATABASE_URL=database_url, CALLCHART_DATA=str(folder))
    env = {name: value for name, value in env.items() if not name.startswith(("PYTEST", "REDIS"))}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", *tests]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/x.sqlite3"
    return request.getfixturevalue("backends").database("again")


@pytest.mark.scaled
@pytest.mark.row("R-11", "R-32")
def test_both_databases_say_the_same(database_url: str, tmp_path: Path) -> None:
    say_again(database_url, tmp_path, FROZEN, TEXT, AUDIT, UNDO)
