"""The database, from its address."""

from typing import Any

import environ

SQLITE_OPTIONS: dict[str, Any] = {
    # Django's own defaults lose read-then-write transactions to "database is locked".
    "timeout": 20,
    "transaction_mode": "IMMEDIATE",
    "init_command": ("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;"),
}
POSTGRES_OPTIONS: dict[str, Any] = {
    "options": "-c lock_timeout=5000 -c idle_in_transaction_session_timeout=30000",
}


def database(url: str) -> dict[str, Any]:
    """Django's settings for the database at `url` (`sqlite:///file` or `postgres://...`)."""
    settings: dict[str, Any] = environ.Env.db_url_config(url)  # type: ignore[no-untyped-call]
    if settings["ENGINE"].endswith("sqlite3"):
        settings["OPTIONS"] = {**SQLITE_OPTIONS, **settings.get("OPTIONS", {})}
    elif settings["ENGINE"].endswith("postgresql"):
        settings["OPTIONS"] = {**POSTGRES_OPTIONS, **settings.get("OPTIONS", {})}
        settings["CONN_HEALTH_CHECKS"] = True
    settings["ATOMIC_REQUESTS"] = False
    return settings
