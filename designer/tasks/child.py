"""One Celery worker: a supervised child process, or a thread for small machines."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from typing import Any

from celery import Celery, current_app
from celery.signals import worker_init

PARENT = "CALLCHART_PARENT_STDIN"
QUEUES = "dryrun,calls"
_RESTART_SECONDS = 1.0
_TERM_SECONDS = 10.0


@worker_init.connect
def watch_parent(**_: Any) -> None:
    """In the child: exit when the parent is gone, which closes our standard input."""
    if not os.environ.pop(PARENT, ""):
        return

    def watch() -> None:
        while os.read(0, 4096):
            pass
        os._exit(1)

    threading.Thread(target=watch, name="parent", daemon=True).start()


class CeleryChild:
    """Keeps one worker process alive until stopped; a dead one is started again."""

    def __init__(self, concurrency: int = 2, queues: str = QUEUES) -> None:
        self._command = [
            sys.executable, "-m", "celery", "--quiet", "-A", "designer.config.celery", "worker",
            "--pool", "prefork", "--concurrency", str(concurrency), "--queues", queues,
            "--without-gossip", "--without-mingle", "--without-heartbeat",
            "--loglevel", "WARNING",
        ]  # fmt: skip
        self._stop = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._keep, name="worker", daemon=True)

    def start(self) -> None:
        """Start the worker and watch over it."""
        self._thread.start()

    def _keep(self) -> None:
        while not self._stop.is_set():
            self._process = subprocess.Popen(  # noqa: S603
                self._command,
                stdin=subprocess.PIPE,
                env={**os.environ, PARENT: "1"},
                start_new_session=True,
            )
            self._process.wait()
            self._stop.wait(_RESTART_SECONDS)

    def stop(self) -> None:
        """Let the worker finish what it holds, then end it."""
        self._stop.set()
        process = self._process
        if process is not None and process.poll() is None:
            process.terminate()
            try:
                process.wait(_TERM_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
        self._thread.join(_TERM_SECONDS)


class CeleryThread:
    """The worker inside this process: little memory, but its work competes with requests."""

    def __init__(self, concurrency: int = 2) -> None:
        from celery.worker import WorkController

        # WorkController installs no signal handlers, unlike the command line's Worker.
        app: Celery = current_app._get_current_object()  # type: ignore[attr-defined]
        self._worker: Any = WorkController(
            app=app,
            pool_cls="threads",
            concurrency=concurrency,
            queues=QUEUES.split(","),
            loglevel="WARNING",
            without_heartbeat=True,
            without_mingle=True,
            without_gossip=True,
            quiet=True,
        )
        self._thread = threading.Thread(target=self._worker.start, name="worker", daemon=True)

    def start(self) -> None:
        """Start the worker's thread."""
        self._thread.start()

    def stop(self) -> None:
        """Stop it."""
        self._worker.stop()
        self._thread.join(_TERM_SECONDS)
