"""Database reads for open streams: on a few threads of their own, each keeping one connection.

An open stream holds no connection (R-18), sockets do not queue on one thread, and a watcher's read
never waits behind a request. stack.md trap 7.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

from django.db import Error, connections

P = ParamSpec("P")
T = TypeVar("T")
THREADS = 4
_executor = ThreadPoolExecutor(THREADS, thread_name_prefix="stream-read")


def _call(work: Callable[[], T]) -> T:
    try:
        return work()
    except Error:
        connections.close_all()  # the next read on this thread opens a fresh one
        raise


async def read_in_thread(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run a synchronous read; what it raises is raised here."""
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_executor, _call, partial(function, *args, **kwargs))
