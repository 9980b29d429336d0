"""`manage.py work`: a worker of the scaled form, with timers and sweeper beside it."""

from __future__ import annotations

import signal
from typing import Any

from django.core.management import BaseCommand, CommandParser

from designer.tasks.child import QUEUES, CeleryChild
from designer.tasks.loops import Loops


class Command(BaseCommand):
    """Do jobs, fire timers, sweep. Any number of these may run, on any machine."""

    help = "Run a worker: jobs, timers, sweeper."

    def add_arguments(self, parser: CommandParser) -> None:
        """How many jobs at once, and which."""
        parser.add_argument("--concurrency", type=int, default=2)
        parser.add_argument("--queues", default=QUEUES)

    def handle(self, *args: Any, **options: Any) -> None:
        """Run until a signal says stop; jobs in progress are finished first."""
        child = CeleryChild(options["concurrency"], options["queues"])
        loops = Loops()

        def stop(*_: object) -> None:
            child.stop()
            loops.stop()

        signal.signal(signal.SIGTERM, stop)
        signal.signal(signal.SIGINT, stop)
        loops.start(fresh=False)
        child.start()
        loops.wait()
