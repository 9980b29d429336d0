"""A Refusal:
a no that the caller can act on. Doors turn it into a status; nothing else is caught wide.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong with what was sent; `path` is a JSON pointer or a header's name."""

    path: str
    message: str
    code: str = "invalid"

    def to_json(self) -> dict[str, str]:
        """The fault as a problem detail's `errors` shows it."""
        return {"path": self.path, "message": self.message, "code": self.code}


TITLES: dict[int, str] = {
    400: "The request is malformed",
    401: "Sign in first",
    403: "Not allowed",
    404: "Not found",
    405: "Method not allowed",
    406: "Not acceptable",
    409: "Conflict",
    412: "Stale",
    413: "Too large",
    415: "Not JSON",
    422: "The content does not fit",
    428: "A precondition is missing",
    429: "Too many requests",
    500: "Our fault",
    503: "Busy",
}


class Refusal(Exception):  # noqa: N818
    """The caller can fix it.

    `code` is stable (`draft.stale`), `detail` is a sentence, `errors` name places.
    """

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        status: int = 422,
        errors: Sequence[Fault] = (),
        extra: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail
        self.status = status
        self.errors = tuple(errors)
        self.extra = dict(extra or {})
        self.headers = dict(headers or {})

    @property
    def title(self) -> str:
        """The short title of the status."""
        return TITLES.get(self.status, "Refused")

    def to_json(self) -> dict[str, Any]:
        """RFC 9457 problem details."""
        return {
            "type": f"urn:callchart:{self.code}",
            "title": self.title,
            "status": self.status,
            "detail": self.detail,
            "code": self.code,
            "errors": [fault.to_json() for fault in self.errors],
            **self.extra,
        }


def not_found(kind: str, name: object) -> Refusal:
    """404 in one sentence; foreign and absent things look alike."""
    return Refusal(f"{kind}.not_found", f"There is no {kind} {name}.", status=404)
