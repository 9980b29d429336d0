"""Fires delayed transitions from the table: once each, in due order, after every restart.

Any number of processes may do this side by side: a Call's row is locked first, and one that is
held by another process is skipped until the next round. reliability.md 3.8.
"""

from __future__ import annotations

import logging
from datetime import datetime
from uuid import UUID

from designer.calls.locking import locked_call
from designer.calls.models import ENDED, CallTimer
from designer.calls.writing import Writer, open_call
from designer.core.errors import Refusal

log = logging.getLogger(__name__)
CALLS_A_ROUND = 50


def fire_due(now: datetime) -> int:
    """Fire every timer that is due, of at most 50 Calls; gives how many fired."""
    rows = CallTimer.objects.filter(due_at__lte=now).order_by("due_at")
    ids = dict.fromkeys(rows.values_list("call_id", flat=True)[: CALLS_A_ROUND * 4])
    return sum(_fire_of(call_id, now) for call_id in list(ids)[:CALLS_A_ROUND])


def _fire_of(call_id: UUID, now: datetime) -> int:
    try:
        with locked_call(call_id, skip_locked=True) as call:
            if call is None or call.status == ENDED:
                return 0
            writer = Writer(call, open_call(call))
            fired = writer.fire_due(now, wall=now)
            if fired:
                writer.save(now)
            return fired
    except Refusal as busy:
        log.info("timers of call %s wait: %s", call_id, busy.code)
        return 0
