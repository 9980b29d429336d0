"""The scaled form: PostgreSQL and Redis of the tests' own, two web processes, one worker."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.support.processes import (
    Backends,
    Client,
    Processes,
    compose_command,
    environment,
    manage,
    start_backends,
    why_no_backends,
)


@dataclass
class Scaled:
    """What runs, and clients of either web process."""

    backends: Backends
    processes: Processes
    env: dict[str, str]
    ports: tuple[int, int]
    webs: list[Any]
    worker: Any
    logs: list[Path]
    north: dict[str, Any]

    def client(self, place: int = 0) -> Client:
        return Client(self.ports[place], self.north["token"])


@pytest.fixture(scope="session")
def backends(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Backends]:
    reason = why_no_backends()
    if reason:
        pytest.skip(f"the scaled form needs PostgreSQL and Redis: {reason}")
    started = start_backends(tmp_path_factory.mktemp("backends"))
    yield started
    started.processes.stop()


@pytest.fixture(scope="session")
def scaled(backends: Backends, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scaled]:
    data = tmp_path_factory.mktemp("scaled")
    env = environment(
        data,
        DATABASE_URL=backends.database("scaled"),
        REDIS_URL=backends.redis_url,
        TEST_HEAL="1.0",
        CALLCHART_HTTPS="0",
    )
    (north,) = json.loads(manage(env, "-m", "tests.support.seed", "north"))
    processes = Processes()
    logs = [data / "worker.log", data / "web0.log", data / "web1.log"]
    migrate, work = compose_command("migrate"), compose_command("worker")
    manage(env, *migrate[1:])
    worker = processes.start([sys.executable, *work[1:]], env, logs[0])
    webs, ports = [], []
    for log in logs[1:]:
        web, port = processes.web(env, log)
        webs.append(web)
        ports.append(port)
    yield Scaled(backends, processes, env, (ports[0], ports[1]), webs, worker, logs, north)
    processes.stop()
    for log in logs:
        assert "Traceback" not in log.read_text(), log.read_text()[-4000:]
