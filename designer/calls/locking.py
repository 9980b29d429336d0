"""One input at a time per Call: a transaction that holds the Call's row.

PostgreSQL: `FOR NO KEY UPDATE` with a 2 s lock timeout. SQLite: the transaction is IMMEDIATE, so
it holds the database from its first statement. A lock that does not come is 503 `call.busy`;
nothing is stored.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from django.db import OperationalError, connection, transaction

from designer.calls.models import Call
from designer.core.errors import Refusal

LOCK_MILLISECONDS = 2_000


def _busy() -> Refusal:
    return Refusal(
        "call.busy",
        "The Call is busy with another input. Send the same again in a second.",
        status=503,
        headers={"Retry-After": "1"},
    )


def _is_lock_timeout(fault: OperationalError) -> bool:
    code = getattr(fault.__cause__, "sqlstate", None)
    return code == "55P03" or "database is locked" in str(fault)


@contextmanager
def _short_wait() -> Iterator[None]:
    """On SQLite the wait is for BEGIN itself, so it is set before and put back after."""
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        yield
        return
    usual = round(connection.settings_dict["OPTIONS"].get("timeout", 5) * 1000)
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA busy_timeout = {LOCK_MILLISECONDS}")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA busy_timeout = {usual}")


@contextmanager
def locked_call(call_id: UUID, *, skip_locked: bool = False) -> Iterator[Call | None]:
    """Hold a Call's row for one transaction; gives None when it is absent (or skipped as held).

    Raises Refusal `call.busy` (503) when the lock does not come in 2 s.
    """
    try:
        with _short_wait(), transaction.atomic():
            rows = Call.objects.filter(id=call_id)
            if connection.vendor == "postgresql":
                with connection.cursor() as cursor:
                    cursor.execute(f"SET LOCAL lock_timeout = '{LOCK_MILLISECONDS}ms'")
                rows = rows.select_for_update(no_key=True, skip_locked=skip_locked)
            yield next(iter(rows), None)
    except OperationalError as fault:
        if _is_lock_timeout(fault):
            raise _busy() from fault
        raise
