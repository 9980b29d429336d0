"""Enqueue a task by name, after the commit.

Rows are the truth: a lost wake-up is re-sent by a sweeper.
"""

import logging
from collections.abc import Callable, Sequence

from django.conf import settings
from django.db import transaction
from django.utils.module_loading import import_string

log = logging.getLogger(__name__)
Sender = Callable[[str, Sequence[str], str | None], None]


def enqueue(name: str, *arguments: str, queue: str | None = None) -> None:
    """Sends task `name` with ids as `arguments` when the transaction of the moment has
    committed.
    """
    transaction.on_commit(lambda: send(name, arguments, queue), robust=True)


def send(name: str, arguments: Sequence[str], queue: str | None = None) -> None:
    """Sends at once, by the sender that settings name."""
    sender: Sender = import_string(settings.CALLCHART_QUEUE_SENDER)
    sender(name, arguments, queue)
