"""A real server (embedded form, demo loaded) and a real Chromium for the journeys."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def chromium() -> str | None:
    named = os.environ.get("CALLCHART_CHROMIUM")
    return named or next((path for name in NAMES if (path := shutil.which(name))), None)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.e2e)
            item.add_marker(pytest.mark.xdist_group("browser"))
            if chromium() is None:
                item.add_marker(pytest.mark.skip(reason="no Chromium (see make doctor)"))


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    quiet = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"]
    quiet += ["--disable-component-update", "--no-first-run", "--disable-quic"]
    return {**browser_type_launch_args, "executable_path": chromium(), "args": quiet}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    return {**browser_context_args, "viewport": {"width": 1440, "height": 900}}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of `manage.py serve` on a new data folder with the demo."""
    folder = tmp_path_factory.mktemp("served")
    env = {k: v for k, v in os.environ.items() if k not in ("DATABASE_URL", "REDIS_URL")}
    env |= {"CALLCHART_DATA": str(folder)}
    manage = [sys.executable, "manage.py"]
    for step in ("migrate", "load_demo"):
        subprocess.run([*manage, step], cwd=ROOT, env=env, check=True, stdout=subprocess.DEVNULL)
    port = free_port()
    log = (folder / "serve.log").open("wb")
    server = subprocess.Popen(
        [*manage, "serve", "--port", str(port)], cwd=ROOT, env=env, stdout=log, stderr=log
    )
    address = f"http://127.0.0.1:{port}"
    try:
        wait_until_healthy(address, server, folder / "serve.log")
        yield address
    finally:
        server.terminate()
        try:
            server.wait(15)
        except subprocess.TimeoutExpired:
            server.kill()


def wait_until_healthy(address: str, server: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(300):
        assert server.poll() is None, log.read_text()
        try:
            with urllib.request.urlopen(f"{address}/healthz", timeout=2) as answer:
                if answer.status == 200:
                    return
        except OSError:
            time.sleep(0.2)
    raise AssertionError(f"{address} never answered: {log.read_text()}")
