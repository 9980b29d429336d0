"""What runs all the time beside a server or a worker: timers, the sweeper, the purge."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from datetime import datetime

from django.conf import settings
from django.db import Error as DatabaseError
from django.db import connections
from kombu.exceptions import OperationalError as BrokerError

from designer.calls.timers import fire_due
from designer.core.clock import now
from designer.jobs.services import purge, sweep

log = logging.getLogger(__name__)
PURGE_SECONDS = 600.0


class Loops:
    """Threads that each do one thing every few seconds; a fault waits for the next round."""

    def __init__(self) -> None:
        self._stop = threading.Event()
        self._threads: list[threading.Thread] = []

    def start(self, *, fresh: bool) -> None:
        """Start all. `fresh`: no worker of an earlier process can be alive."""
        if fresh:
            sweep(now=now(), fresh=True)
        self._every(settings.TIMER_SECONDS, fire_due, "timers")
        self._every(settings.SWEEP_SECONDS, lambda moment: sweep(now=moment), "sweeper")
        self._every(PURGE_SECONDS, lambda moment: purge(now=moment), "purge")

    def stop(self) -> None:
        """Stop, and wait for the round in progress."""
        self._stop.set()
        for thread in self._threads:
            thread.join(5)

    def wait(self) -> None:
        """Block until stopped."""
        self._stop.wait()

    def _every(self, seconds: float, work: Callable[[datetime], int], name: str) -> None:
        def run() -> None:
            while not self._stop.wait(seconds):
                try:
                    work(now())
                except (DatabaseError, BrokerError, OSError) as fault:
                    log.warning("%s: %s; trying again", name, fault.__class__.__name__)
                    connections.close_all()
            connections.close_all()

        thread = threading.Thread(target=run, name=name, daemon=True)
        thread.start()
        self._threads.append(thread)
