"""An embedded server as people run it: one command, SQLite, a worker child; two workspaces."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.support.processes import Client, Processes, environment, manage


@dataclass
class Served:
    """A running server, what was seeded, and clients of two workspaces."""

    processes: Processes
    process: Any
    env: dict[str, str]
    data: Path
    log: Path
    port: int
    north: dict[str, Any]
    south: dict[str, Any]

    @property
    def client(self) -> Client:
        return Client(self.port, self.north["token"])

    @property
    def stranger(self) -> Client:
        return Client(self.port, self.south["token"])

    def start_call(self) -> str:
        return str(self.client.post("/v1/calls", {"agent": self.north["agent"]})["id"])


def serve(data: Path, *arguments: str, **more: str) -> Served:
    """Seed a database and serve it."""
    env = environment(data, **more)
    manage(env, "manage.py", "migrate", "-v0")
    north, south = json.loads(manage(env, "-m", "tests.support.seed", "north", "south"))
    processes = Processes()
    log = data / "server.log"
    process, port = processes.serve(env, log, *arguments)
    return Served(processes, process, env, data, log, port, north, south)


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    server = serve(tmp_path_factory.mktemp("embedded"))
    yield server
    server.processes.stop()
    assert "Traceback" not in server.log.read_text()
