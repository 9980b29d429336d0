"""JSON out, and nothing else."""

from collections.abc import Iterable
from typing import Any

from rest_framework import renderers
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request


class JSONRenderer(renderers.JSONRenderer):
    """UTF-8 JSON; problem details carry their own media type."""

    def get_default_renderer(self, view: Any) -> BaseRenderer:
        """Itself."""
        return self


class OnlyJSON(BaseContentNegotiation):
    """The API speaks JSON whatever `Accept` says; the parser is chosen by content type."""

    def select_parser(self, request: Request, parsers: Iterable[BaseParser]) -> BaseParser | None:
        """The parser of the body's content type, or None (415)."""
        content_type = (request.content_type or "").partition(";")[0].strip().lower()
        for parser in parsers:
            if parser.media_type == content_type:
                return parser
        return None

    def select_renderer(
        self,
        request: Request,
        renderers: Iterable[BaseRenderer],
        format_suffix: str | None = None,
    ) -> tuple[BaseRenderer, str]:
        """The first renderer."""
        first = next(iter(renderers))
        return first, str(first.media_type)
