"""`manage.py serve`: everything in one command, with nothing else installed."""

from __future__ import annotations

import sys
from typing import Any

import uvicorn
from django.conf import settings
from django.core.management import BaseCommand, CommandParser, call_command

from designer.tasks.child import CeleryChild, CeleryThread
from designer.tasks.loops import Loops

LARGEST_SOCKET_MESSAGE = 1 << 20  # the sockets themselves refuse more than 64 KiB, with 4413


class Command(BaseCommand):
    """Migrate, then serve pages, API and sockets, with a worker and the loops beside."""

    help = "Serve Callchart: migrate, web server, worker, timers."

    def add_arguments(self, parser: CommandParser) -> None:
        """Where to listen, and where jobs are done."""
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument(
            "--worker",
            choices=["child", "thread", "none"],
            default="none"
            if settings.REDIS_URL
            else ("thread" if sys.platform == "win32" else "child"),
            help="child: one process (usual when embedded); none: `manage.py work` does it",
        )
        parser.add_argument("--concurrency", type=int, default=2)
        parser.add_argument("--no-migrate", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run until interrupted."""
        if not options["no_migrate"]:
            call_command("migrate", verbosity=0)
        worker = _worker(options["worker"], options["concurrency"])
        loops = Loops()
        if worker is not None:
            loops.start(fresh=not settings.REDIS_URL)
            worker.start()
        self.stdout.write(f"Callchart is at http://{options['host']}:{options['port']}/")
        self.stdout.flush()
        try:
            uvicorn.run(
                "designer.config.asgi:application",
                host=options["host"],
                port=options["port"],
                lifespan="off",
                log_level="warning",
                ws="websockets-sansio",
                ws_max_size=LARGEST_SOCKET_MESSAGE,
                ws_per_message_deflate=False,
                timeout_graceful_shutdown=5,
                server_header=False,
                # Whom to believe is uvicorn's own FORWARDED_ALLOW_IPS.
                proxy_headers=settings.TRUST_PROXY,
            )
        finally:
            if worker is not None:
                worker.stop()
                loops.stop()


def _worker(shape: str, concurrency: int) -> CeleryChild | CeleryThread | None:
    if shape == "none":
        return None
    if shape == "thread":
        return CeleryThread(concurrency)
    return CeleryChild(concurrency)
