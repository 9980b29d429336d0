"""The Celery app and the one function that sends a wake-up."""

import os
from collections.abc import Sequence

from celery import Celery

import designer.config.file_broker  # noqa: F401 - registers files://

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "designer.config.settings")

app = Celery("callchart")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["designer"])


def send(name: str, arguments: Sequence[str], queue: str | None = None) -> None:
    """Puts task `name` on the broker. Raises kombu's `OperationalError` when it is away."""
    app.send_task(name, args=list(arguments), queue=queue, ignore_result=True)
