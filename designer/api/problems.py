"""One handler turns every no into RFC 9457 problem details."""

import logging
import math
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import InterfaceError, OperationalError
from django.http import Http404
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import set_rollback

from designer.core.answers import MEDIA_TYPE
from designer.core.errors import Fault, Refusal

log = logging.getLogger(__name__)
CODES: dict[type[Exception], str] = {
    exceptions.NotAuthenticated: "auth.required",
    exceptions.AuthenticationFailed: "auth.failed",
    exceptions.MethodNotAllowed: "method.not_allowed",
    exceptions.UnsupportedMediaType: "body.not_json",
    exceptions.NotFound: "not_found",
    exceptions.PermissionDenied: "forbidden",
}


def refusal_of(error: Exception) -> Refusal | None:
    """The Refusal that `error` means, or None when it is a bug."""
    if isinstance(error, Refusal):
        return error
    if isinstance(error, Http404):
        return Refusal("not_found", "There is nothing here.", status=404)
    if isinstance(error, PermissionDenied):
        return Refusal("forbidden", "That is not allowed.", status=403)
    if isinstance(error, exceptions.ValidationError):
        return Refusal(
            "body.invalid",
            "Some fields do not fit.",
            status=422,
            errors=list(_faults(error.detail, "")),
        )
    if isinstance(error, exceptions.Throttled):
        wait = max(1, math.ceil(getattr(error, "wait", None) or 1))
        return Refusal(
            "rate.limited",
            f"Too many requests. Try again in {wait} s.",
            status=429,
            headers={"Retry-After": str(wait)},
        )
    if isinstance(error, exceptions.APIException):
        code = next(
            (name for kind, name in CODES.items() if isinstance(error, kind)), "request.refused"
        )
        return Refusal(code, str(error.detail), status=error.status_code)
    if isinstance(error, OperationalError | InterfaceError):
        return _of_database(error)
    return None


def _of_database(error: Exception) -> Refusal:
    """503: nothing was stored, and the same may be sent again."""
    if "lock" in str(error).lower():
        return Refusal(
            "busy",
            "Someone else is writing here; try again.",
            status=503,
            headers={"Retry-After": "1"},
        )
    log.error("the database refused: %s", error)
    return Refusal(
        "store.unavailable",
        "The database is away or full; nothing was stored. Try again.",
        status=503,
        headers={"Retry-After": "2"},
    )


def _faults(detail: Any, path: str) -> list[Fault]:
    if isinstance(detail, dict):
        return [
            fault for key, value in detail.items() for fault in _faults(value, f"{path}/{key}")
        ]
    if isinstance(detail, list):
        found: list[Fault] = []
        for index, value in enumerate(detail):
            nested = isinstance(value, dict | list)
            found += _faults(value, f"{path}/{index}" if nested else path)
        return found
    return [Fault(path, str(detail), str(getattr(detail, "code", "invalid")))]


def response_of(refusal: Refusal) -> Response:
    """The problem, as an answer of DRF."""
    headers = dict(refusal.headers)
    if refusal.status == 401:
        headers.setdefault("WWW-Authenticate", 'Bearer realm="callchart"')
    return Response(
        refusal.to_json(), status=refusal.status, headers=headers, content_type=MEDIA_TYPE
    )


def handle(error: Exception, context: dict[str, Any]) -> Response | None:
    """DRF's exception handler. None lets a bug be a 500."""
    refusal = refusal_of(error)
    if refusal is None:
        return None
    set_rollback()
    return response_of(refusal)
