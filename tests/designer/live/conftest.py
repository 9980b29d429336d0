"""An embedded server as people run it: one command, SQLite, a worker child; two workspaces."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
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

    def sql(self, statement: str, *values: Any) -> list[Any]:
        """Run SQL on the server's database, as another process would."""
        with closing(sqlite3.connect(self.data / "callchart.sqlite3", timeout=20)) as database:
            rows = database.execute(statement, values).fetchall()
            database.commit()
            return rows

    def start_call(self) -> str:
        return str(self.client.post("/v1/calls", {"agent": self.north["agent"]})["id"])


def serve(data: Path, *arguments: str, **more: str) -> Served:
    """Seed a database and serve it."""
    env = environment(data, **more)
    north, south = json.loads(manage(env, "-m", "tests.support.seed", "north", "south"))
    processes = Processes()
    log = data / "server.log"
    process, port = processes.serve(env, log, "--no-migrate", *arguments)
    return Served(processes, process, env, data, log, port, north, south)


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    server = serve(tmp_path_factory.mktemp("embedded"))
    yield server
    server.processes.stop()
    assert "Traceback" not in server.log.read_text()
