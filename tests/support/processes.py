"""Real processes for tests: servers of Callchart, a Redis and a PostgreSQL of their own."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from websockets.sync.client import ClientConnection, connect

ROOT = Path(__file__).resolve().parents[2]
POSTGRES = Path("/usr/lib/postgresql/15/bin")
SECRET = "a test's own secret key, which is longer than thirty-two"


def free_port() -> int:
    """Give a port that nobody listens on."""
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def eventually(check: Callable[[], Any], seconds: float = 20, every: float = 0.05) -> Any:
    """Wait until a check gives something true, and give that; fails after `seconds`."""
    end = time.monotonic() + seconds
    while True:
        found = check()
        if found:
            return found
        if time.monotonic() > end:
            raise AssertionError(f"not within {seconds} s: {check}")
        time.sleep(every)


def listening(port: int) -> bool:
    """Whether someone listens there."""
    with closing(socket.socket()) as probe:
        probe.settimeout(0.5)
        return probe.connect_ex(("127.0.0.1", port)) == 0


@dataclass
class Answer:
    """An HTTP answer."""

    status: int
    headers: dict[str, str]
    body: Any


@dataclass
class Client:
    """Speaks to one web process, as the holder of a token."""

    port: int
    token: str = ""

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        """One request; JSON in and out."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={
                "Content-Type": "application/json",
                **({"Authorization": f"Bearer {self.token}"} if self.token else {}),
                **{name.replace("_", "-"): value for name, value in headers.items()},
            },
        )
        try:
            with urllib.request.urlopen(request, timeout=40) as answer:
                return Answer(answer.status, dict(answer.headers), _json(answer.read()))
        except urllib.error.HTTPError as answer:
            return Answer(answer.code, dict(answer.headers), _json(answer.read()))

    def get(self, path: str) -> Any:
        """GET that must succeed."""
        answer = self.ask("GET", path)
        assert answer.status == 200, answer
        return answer.body

    def post(self, path: str, body: Any = None, **headers: str) -> Any:
        """POST that must succeed."""
        answer = self.ask("POST", path, {} if body is None else body, **headers)
        assert answer.status in (200, 201), answer
        return answer.body

    def post_patiently(self, path: str, body: Any, key: str) -> Any:
        """POST that is sent again, with its key, while the Call is busy: what 503 asks for."""
        for _ in range(30):
            answer = self.ask("POST", path, body, Idempotency_Key=key)
            if answer.status != 503:
                break
            time.sleep(float(answer.headers["Retry-After"]) / 4)
        assert answer.status in (200, 201), answer
        return answer.body

    def publish(self, document: dict[str, Any]) -> str:
        """Make an Agent of a document, publish, approve and activate it; give its id."""
        agent = str(self.post("/v1/agents", {"document": document})["id"])
        version = self.post(f"/v1/agents/{agent}/versions", {})
        for verb in ("approve", "activate"):
            self.post(f"/v1/agents/{agent}/versions/{version['number']}/{verb}", {})
        return agent

    def socket(self, path: str, **options: Any) -> ClientConnection:
        """Open a WebSocket with the token."""
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        options.setdefault("additional_headers", headers)
        return connect(
            f"ws://127.0.0.1:{self.port}{path}",
            subprotocols=["calls.v1"],  # type: ignore[list-item]
            open_timeout=10,
            legacy=True,
            **options,
        )


def _json(raw: bytes) -> Any:
    try:
        return json.loads(raw)
    except ValueError:
        return raw.decode(errors="replace")


def say_watch(connection: ClientConnection, after: int | None, epoch: int | None = 1) -> None:
    """Send `watch`."""
    connection.send(json.dumps({"op": "watch", "epoch": epoch, "from": after}))


def read_items(
    connection: ClientConnection,
    until: Callable[[list[dict[str, Any]]], bool],
    seconds: float = 15,
) -> list[dict[str, Any]]:
    """Read `events` frames until a condition on all items holds."""
    items: list[dict[str, Any]] = []
    end = time.monotonic() + seconds
    while not until(items):
        frame = json.loads(connection.recv(timeout=max(0.01, end - time.monotonic())))
        if frame["op"] == "events":
            items += frame["events"]
    return items


def environment(data: Path, **more: str) -> dict[str, str]:
    """The environment of a Callchart process that keeps its data there."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("CALLCHART") and name not in ("DATABASE_URL", "REDIS_URL")
    }
    return kept | {
        "CALLCHART_DATA": str(data),
        "CALLCHART_SECRET_KEY": SECRET,
        "CALLCHART_HOSTS": "127.0.0.1,localhost",
        "CALLCHART_HTTPS": "0",
        "DJANGO_SETTINGS_MODULE": "tests.support.settings",
        "PYTHONPATH": str(ROOT),
        **more,
    }


def manage(env: dict[str, str], *arguments: str) -> str:
    """Run a module or command to its end and give what it printed."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=env,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def compose_command(service: str) -> list[str]:
    """The command of a service in docker-compose.yml."""
    services = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    return [str(word) for word in services[service]["command"]]


@dataclass
class Processes:
    """Started processes, each the head of its own group; all are ended at the end."""

    started: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def start(self, arguments: list[str], env: dict[str, str], log: Path, **more: Any) -> Any:
        """Start a process whose output goes to a file."""
        with log.open("ab") as out:
            process = subprocess.Popen(
                arguments,
                cwd=ROOT,
                env=env,
                stdout=out,
                stderr=out,
                start_new_session=True,
                **more,
            )
        self.started.append(process)
        return process

    def serve(
        self, env: dict[str, str], log: Path, *arguments: str, port: int = 0
    ) -> tuple[Any, int]:
        """Start `manage.py serve`; gives the process and its port once it answers."""
        port = port or free_port()
        command = [sys.executable, "manage.py", "serve", "--port", str(port), *arguments]
        process = self.start(command, env, log)

        def answers() -> bool:
            assert process.poll() is None, log.read_text()
            return listening(port)

        eventually(answers, 30)
        return process, port

    def web(self, env: dict[str, str], log: Path) -> tuple[Any, int]:
        """Start a web process as docker-compose.yml does, but on a free port of this machine."""
        port = free_port()
        command = compose_command("web")
        command[command.index("--host") + 1] = "127.0.0.1"
        command[command.index("--port") + 1] = str(port)
        process = self.start([sys.executable, "-m", *command], env, log)

        def answers() -> bool:
            assert process.poll() is None, log.read_text()
            return listening(port)

        eventually(answers, 30)
        return process, port

    def stop(self) -> None:
        """End everything, the newest first."""
        for process in reversed(self.started):
            if process.poll() is None:
                process.terminate()
                try:
                    process.wait(15)
                except subprocess.TimeoutExpired:
                    kill_group(process.pid)
                    process.wait(5)


def kill_group(pid: int) -> None:
    """SIGKILL for a process and its children."""
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def children_of(pid: int) -> list[int]:
    """The direct children of a process, whichever of its threads started them."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        with suppress(OSError):  # the thread has just ended
            found += [int(child) for child in (task / "children").read_text().split()]
    return found


@dataclass
class Backends:
    """A Redis and a PostgreSQL of the tests' own."""

    redis_port: int
    redis_command: list[str]
    redis_log: Path
    postgres_port: int
    processes: Processes

    @property
    def redis_url(self) -> str:
        return f"redis://127.0.0.1:{self.redis_port}/0"

    def database(self, name: str) -> str:
        """Make an empty database and give its address."""
        subprocess.run(
            [POSTGRES / "createdb", "-h", "127.0.0.1", "-p", str(self.postgres_port),
             "-U", "postgres", name],
            check=True, capture_output=True,
        )  # fmt: skip
        return f"postgres://postgres@127.0.0.1:{self.postgres_port}/{name}"


def why_no_backends() -> str | None:
    """Say why PostgreSQL and Redis cannot be started here, or None."""
    if not (POSTGRES / "initdb").exists():
        return f"no PostgreSQL binaries in {POSTGRES}"
    if shutil.which("redis-server") is None:
        return "no redis-server on the path"
    return None


def start_backends(folder: Path) -> Backends:
    """Start both on free ports, with data that is thrown away."""
    processes = Processes()
    redis_port, postgres_port = free_port(), free_port()
    redis = [
        "redis-server", "--port", str(redis_port), "--bind", "127.0.0.1", "--save", "",
        "--appendonly", "no", "--dir", str(folder),
    ]  # fmt: skip
    processes.start(redis, dict(os.environ), folder / "redis.log")
    home = Path(tempfile.mkdtemp(prefix="callchart-pg-", dir="/tmp"))
    user: dict[str, Any] = {}
    if os.geteuid() == 0:
        shutil.chown(home, "postgres", "postgres")
        user = {"user": "postgres", "group": "postgres", "extra_groups": []}
    env = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}
    subprocess.run(
        [POSTGRES / "initdb", "-D", home / "data", "-A", "trust", "-U", "postgres", "-E", "UTF8"],
        check=True, capture_output=True, cwd="/tmp", env=env, **user,
    )  # fmt: skip
    processes.start(
        [str(POSTGRES / "postgres"), "-D", str(home / "data"), "-p", str(postgres_port),
         "-k", str(home), "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off",
         "-c", "max_connections=80"],
        env, folder / "postgres.log", **user,
    )  # fmt: skip
    eventually(lambda: listening(redis_port) and _accepts(postgres_port), 30)
    return Backends(redis_port, redis, folder / "redis.log", postgres_port, processes)


def _accepts(port: int) -> bool:
    ready = subprocess.run(
        [POSTGRES / "pg_isready", "-h", "127.0.0.1", "-p", str(port)], capture_output=True
    )
    return ready.returncode == 0
