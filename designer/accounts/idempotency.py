"""One answer for one key:
the first answer to a POST is stored in the transaction of what it did.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction

from designer.accounts.actors import Actor
from designer.accounts.models import StoredAnswer
from designer.core.canonical import digest
from designer.core.errors import Fault, Refusal

Act = Callable[[], tuple[int, dict[str, Any]]]


def _refuse_key(message: str) -> Refusal:
    return Refusal(
        "idempotency.key_invalid",
        message,
        status=400,
        errors=[Fault("Idempotency-Key", message, "idempotency.key_invalid")],
    )


def once(
    actor: Actor, now: datetime, *, route: str, key: str | None, body: Any, act: Act
) -> tuple[int, dict[str, Any], bool]:
    """(status, body, whether it is the stored answer of before).

    Without a key, `act` is just done.

    Raises 409 `idempotency.key_reused` when the key came before with another body, 400 for a bad
    key. What `act` raises is not stored, so the request can be corrected and sent again.
    """
    if key is None:
        return (*act(), False)
    if not 1 <= len(key) <= 255 or not key.isprintable():
        raise _refuse_key("An Idempotency-Key has 1 to 255 printable characters.")
    mark = {
        "actor": f"{actor.workspace.hex}{actor.user.hex}",
        "route": route,
        "key": key,
    }
    sha256 = digest(body)
    stored = StoredAnswer.objects.filter(**mark).first()
    if stored is None:
        try:
            with transaction.atomic():
                # The row goes first: a second request with this key waits for the first to commit.
                row = StoredAnswer.objects.create(
                    **mark, body_sha256=sha256, status=0, body={}, created_at=now
                )
                row.status, row.body = act()
                row.save(update_fields=["status", "body"])
                return row.status, row.body, False
        except IntegrityError:
            stored = StoredAnswer.objects.filter(**mark).first()
            if stored is None:
                raise
    if stored.body_sha256 != sha256:
        raise Refusal(
            "idempotency.key_reused",
            "This Idempotency-Key was sent before with another body.",
            status=409,
            errors=[Fault("Idempotency-Key", "Used before.", "idempotency.key_reused")],
        )
    return stored.status, stored.body, True
