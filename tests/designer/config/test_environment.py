"""What the environment must say, and what happens when it does not."""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]
SCALED = {
    "REDIS_URL": "redis://127.0.0.1:1/0",
    "CALLCHART_SECRET_KEY": "k" * 25 + "0123456789abcdefghijklmnopqrstuvwxyz",
    "CALLCHART_HOSTS": "calls.example.org",
    "DATABASE_URL": "postgres://u:p@127.0.0.1:1/x",
}


def manage(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    clean = {
        k: v for k, v in os.environ.items() if not k.startswith("CALLCHART") and k not in SCALED
    }
    env = clean | {"CALLCHART_DATA": str(folder)} | environment
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)


@pytest.mark.row("R-64")
def test_scaled_mode_starts_with_a_key_and_hosts_only(tmp_path: Path) -> None:
    whole = manage(tmp_path, "check", "--deploy", "--fail-level", "ERROR", **SCALED)
    assert whole.returncode == 0, whole.stderr
    said = re.findall(r"^\?: \((\S+)\)", whole.stderr, re.MULTILINE)
    assert set(said) <= {"django_vite.W001"}, whole.stderr  # the page is not built yet
    for name in ("CALLCHART_SECRET_KEY", "CALLCHART_HOSTS"):
        without = {key: value for key, value in SCALED.items() if key != name}
        refused = manage(tmp_path, "check", **without)
        assert refused.returncode != 0
        assert name in refused.stderr


def test_embedded_mode_makes_its_own_key_once(tmp_path: Path) -> None:
    show = ("shell", "-c", "from django.conf import settings; print(settings.SECRET_KEY)")
    first, second = (manage(tmp_path, *show).stdout.split()[-1] for _ in range(2))
    assert first == second
    assert len(first) > 50
    assert stat.S_IMODE((tmp_path / "secret").stat().st_mode) == 0o600


def test_migrations_are_complete(db: Any, capsys: Any) -> None:
    from django.core.management import call_command

    call_command("makemigrations", "--check", "--dry-run")
