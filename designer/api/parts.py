"""What the routes share:

ETags, cursors, and answers that are given once for an `Idempotency-Key`.
"""

import base64
import binascii
import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.http import Http404
from rest_framework.request import Request
from rest_framework.response import Response

from designer.accounts.idempotency import once
from designer.api.permissions import actor_of
from designer.core import clock
from designer.core.errors import Fault, Refusal
from designer.core.ids import parse_id

LIMIT, MOST = 50, 200
_ETAG = re.compile(r'\s*(?:W/)?"([0-9]{1,9})"\s*\Z')


def etag(revision: int) -> dict[str, str]:
    """The header of a draft at `revision`."""
    return {"ETag": f'"{revision}"'}


def if_match(request: Request, *, required: bool) -> int | None:
    """The revision in `If-Match`; None for none or `*`. Raises 428, 400 `header.invalid`."""
    text = request.headers.get("If-Match")
    if text is None:
        if required:
            raise Refusal(
                "precondition.required",
                "Say which revision this replaces: If-Match with the draft's ETag.",
                status=428,
                errors=[Fault("If-Match", "This header is needed.", "precondition.required")],
            )
        return None
    if text.strip() == "*" and not required:
        return None
    match = _ETAG.match(text)
    if match is None:
        message = 'If-Match is a revision in quotes, such as "12".'
        raise Refusal("header.invalid", message, status=400, errors=[Fault("If-Match", message)])
    return int(match.group(1))


def limit_of(request: Request) -> int:
    """`?limit=`, from 1 to 200. Raises 400 `query.invalid`."""
    return whole(request, "limit", LIMIT, 1, MOST)


def whole_schema(low: int, high: int) -> dict[str, Any]:
    """How OpenAPI says what `whole` takes."""
    return {"type": "integer", "minimum": low, "maximum": high}


def whole(request: Request, name: str, default: int, low: int, high: int) -> int:
    """A whole number of the query. Raises 400 `query.invalid`."""
    text = request.query_params.get(name, str(default))
    if not (text.isascii() and text.isdigit() and len(text) < 17 and low <= int(text) <= high):
        message = f"{name} must be a whole number from {low} to {high}."
        raise Refusal("query.invalid", message, status=400, errors=[Fault(f"?{name}", message)])
    return int(text)


def flag(request: Request, name: str) -> bool | None:
    """`true` or `false` of the query, or None. Raises 400 `query.invalid`."""
    text = request.query_params.get(name)
    if text not in (None, "true", "false"):
        message = f"{name} must be true or false."
        raise Refusal("query.invalid", message, status=400, errors=[Fault(f"?{name}", message)])
    return None if text is None else text == "true"


def known_query(request: Request, *names: str) -> None:
    """Refuses query parameters that the route does not have (400 `query.invalid`)."""
    for name in request.query_params:
        if name not in names:
            message = f"{name[:80]} is no parameter of this route."
            raise Refusal("query.invalid", message, status=400, errors=[Fault("?", message)])


def make_cursor(*parts: str) -> str:
    """An opaque cursor."""
    return base64.urlsafe_b64encode("|".join(parts).encode()).decode().rstrip("=")


def read_cursor(request: Request, count: int) -> list[str] | None:
    """The parts of `?cursor=`, or None. Raises 400 `query.invalid`."""
    text = request.query_params.get("cursor")
    if text is None:
        return None
    bad = Refusal(
        "query.invalid",
        "The cursor is not one of ours.",
        status=400,
        errors=[Fault("?cursor", "The cursor is not one of ours.")],
    )
    try:
        parts = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode("ascii").split("|")
    except (binascii.Error, UnicodeError, ValueError) as error:
        raise bad from error
    if len(parts) != count:
        raise bad
    return parts


def moment_cursor(request: Request) -> tuple[datetime, UUID] | None:
    """A cursor made of a moment and an id."""
    parts = read_cursor(request, 2)
    if parts is None:
        return None
    id = parse_id(parts[1])
    try:
        moment = datetime.fromisoformat(parts[0])
        utc = moment.astimezone(UTC) if moment.tzinfo else None
    except (ValueError, OverflowError):
        utc = None
    if id is None or utc is None:
        raise Refusal("query.invalid", "The cursor is not one of ours.", status=400)
    return utc, id


def path_id(text: str) -> UUID:
    """The id in the path. Raises 404 for what is no id."""
    found = parse_id(text)
    if found is None:
        raise Http404
    return found


def answered_once(request: Request, act: Callable[[], tuple[int, dict[str, Any]]]) -> Response:
    """Does `act`; with an `Idempotency-Key`, the first answer is kept in the same transaction
    and given again.
    """
    match = request.resolver_match
    status, body, replayed = once(
        actor_of(request),
        clock.now(),
        route=f"{request.method} {request.path}"[:200] if match else "",
        key=request.headers.get("Idempotency-Key"),
        body=request.data,
        act=act,
    )
    headers = {"Idempotency-Replayed": "true"} if replayed else {}
    return Response(body, status=status, headers=headers)
