"""``manage.py health``: can this process do its work? What a container's health check runs."""

import urllib.error
import urllib.request
from typing import Any

import redis
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError, connection


class Command(BaseCommand):
    """Exits 0 when the database (and Redis, scaled) answer, or when ``--url`` answers 200."""

    help = "Say whether the database and Redis answer, or, with --url, whether a web process does."

    def add_arguments(self, parser: CommandParser) -> None:
        """``--url`` asks a web process instead."""
        parser.add_argument("--url", help="for example http://127.0.0.1:8000/healthz")

    def handle(self, *args: Any, **options: Any) -> None:
        """Ask, and fail with a sentence."""
        if options["url"]:
            self._ask_web(options["url"])
        else:
            self._ask_stores()
        self.stdout.write("healthy")

    def _ask_web(self, url: str) -> None:
        if not url.startswith(("http://", "https://")):
            raise CommandError(f"{url} is not a web address")
        try:
            with urllib.request.urlopen(url, timeout=4):  # noqa: S310 (scheme checked above)
                return
        except (urllib.error.URLError, OSError) as error:
            raise CommandError(f"{url} does not answer: {error}") from error

    def _ask_stores(self) -> None:
        try:
            connection.ensure_connection()
            with connection.cursor() as cursor:
                cursor.execute("SELECT 1")
        except DatabaseError as error:
            raise CommandError(f"the database does not answer: {error}") from error
        if not settings.REDIS_URL:
            return
        try:
            redis.Redis.from_url(settings.REDIS_URL, socket_timeout=2).ping()
        except redis.RedisError as error:
            raise CommandError(f"Redis does not answer: {error}") from error
