"""The OpenAPI document: every operation also says its problems."""

from typing import Any

from django.conf import settings
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema


class CallchartSchema(AutoSchema):
    """Names operations by route (`agents_create`), and adds the problem answer to each."""

    def get_tags(self) -> list[str]:
        """The first word of the path after `/v1/`."""
        parts = self.path.strip("/").split("/")
        return [parts[1] if len(parts) > 1 else "service"]

    def get_serializer_name(self, serializer: Any, direction: Any) -> str:
        """`AgentSchema` is called `Agent`."""
        name: str = super().get_serializer_name(serializer, direction)
        return name.removesuffix("Schema")

    def _get_response_bodies(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        bodies: dict[str, Any] = super()._get_response_bodies(*args, **kwargs)
        bodies.setdefault(
            "default",
            {
                "description": "A problem (RFC 9457).",
                "content": {
                    "application/problem+json": {
                        "schema": {"$ref": "#/components/schemas/Problem"}
                    }
                },
            },
        )
        return bodies


def add_problem(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Post-processing: the schema of a problem."""
    fault = {
        "type": "object",
        "properties": {name: {"type": "string"} for name in ("path", "message", "code")},
        "required": ["path", "message", "code"],
    }
    result.setdefault("components", {}).setdefault("schemas", {})["Problem"] = {
        "type": "object",
        "properties": {
            "type": {"type": "string"},
            "title": {"type": "string"},
            "status": {"type": "integer"},
            "detail": {"type": "string"},
            "code": {"type": "string"},
            "errors": {"type": "array", "items": fault},
        },
        "required": ["type", "title", "status", "detail", "code", "errors"],
    }
    return result


class BearerScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """`Authorization: Bearer <token>`."""

    target_class = "designer.api.authentication.BearerAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        """As OpenAPI says it."""
        del auto_schema
        return {"type": "http", "scheme": "bearer"}


class SessionScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """The page's session cookie."""

    target_class = "designer.api.authentication.SessionAuthentication"
    name = "session"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        """As OpenAPI says it."""
        del auto_schema
        return {"type": "apiKey", "in": "cookie", "name": settings.SESSION_COOKIE_NAME}
