"""Parsers: strict JSON of at most 64 KiB, or 2 MiB where a chart is sent."""

from collections.abc import Mapping
from typing import IO, Any

from rest_framework.parsers import BaseParser

from designer.api import strict_json
from designer.core.errors import Refusal


def too_large(limit: int) -> Refusal:
    """413."""
    return Refusal(
        "body.too_large",
        f"The body may have at most {limit} bytes.",
        status=413,
        extra={"limit": limit},
    )


class StrictJSONParser(BaseParser):
    """`application/json`, strictly."""

    media_type = "application/json"
    limit = 64 * 1024

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """The JSON value of the body.

        Raises 413 before reading more than the limit, 400 for bad JSON.
        """
        meta = parser_context["request"].META if parser_context else {}
        if meta.get("HTTP_CONTENT_ENCODING", "identity").lower() not in {"", "identity"}:
            raise Refusal("body.encoded", "The body must not be compressed.", status=415)
        declared = str(meta.get("CONTENT_LENGTH") or "")
        if declared.isdigit() and int(declared) > self.limit:
            raise too_large(self.limit)
        data = stream.read(self.limit + 1)
        if len(data) > self.limit:
            raise too_large(self.limit)
        return strict_json.parse(data) if data.strip() else {}


class ChartJSONParser(StrictJSONParser):
    """Where a whole chart is sent."""

    limit = 2 * 1024 * 1024
