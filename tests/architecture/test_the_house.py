"""The house holds: complete layers, nothing forbidden, a compose file that runs what tests run."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
PYTHON = [
    path
    for room in ("interpreter", "designer")
    for path in (ROOT / room).rglob("*.py")
    if "migrations" not in path.parts
]


def test_the_import_contracts_hold() -> None:
    tool = Path(sys.executable).with_name("lint-imports")
    run = subprocess.run(
        [tool, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout


def test_timers_are_rows_and_never_celery_etas() -> None:
    late = re.compile(r"\b(eta|countdown)\s*=")
    tasks = [p for p in PYTHON if "tasks" in p.parts or p.name == "queue.py"]
    assert [p for p in tasks if late.search(p.read_text())] == []


def test_nothing_a_user_wrote_is_ever_run_as_python() -> None:
    """Three files turn text into code; what they write comes from a checked tree alone."""
    call = re.compile(r"(?<![\w.])(eval|exec)\(")
    users = {str(path.relative_to(ROOT)) for path in PYTHON if call.search(path.read_text())}
    assert users == {
        "interpreter/expressions/expression.py",
        "interpreter/stepping/fast.py",
        "interpreter/stepping/stories.py",
    }


@pytest.fixture(scope="module")
def compose() -> dict:
    return yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]


def test_every_service_has_a_health_check(compose: dict) -> None:
    assert {name for name, it in compose.items() if "healthcheck" not in it} == {"migrate"}


def test_the_compose_file_starts_web_and_worker_as_the_scaled_tests_do(compose: dict) -> None:
    """tests/scaled/conftest.py takes these commands from the file itself; ports apart."""
    fixture = (ROOT / "tests" / "scaled" / "conftest.py").read_text()
    assert 'compose_command("worker")' in fixture
    assert 'compose_command("migrate")' in fixture
    assert "processes.web(" in fixture
    assert compose["worker"]["command"] == ["python", "manage.py", "work"]


def test_the_image_starts_the_same_web_command(compose: dict) -> None:
    last = (ROOT / "Dockerfile").read_text().strip().splitlines()[-1]
    assert last == "CMD " + str(compose["web"]["command"]).replace("'", '"')


def test_no_lock_file_names_a_registry() -> None:
    for name in ("requirements/run.lock", "requirements/dev.lock", "frontend/package-lock.json"):
        text = (ROOT / name).read_text()
        assert not re.search(r"(index-url|\"resolved\": \"http)", text), name
