"""Who I am, whether the service lives, and what the API is."""

from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpResponse
from django.urls import path
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.renderers import TemplateHTMLRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from designer.accounts.selectors import workspaces_of
from designer.api.permissions import actor_of
from designer.api.problems import refusal_of
from designer.api.renderers import JSONRenderer
from designer.api.shapes import HealthSchema, MeSchema
from designer.core.answers import plain


class MeView(APIView):
    """`/v1/me`."""

    @extend_schema(operation_id="me_read", responses=MeSchema)
    def get(self, request: Request) -> Response:
        """The person, their workspace of the moment and their roles there."""
        actor = actor_of(request)
        workspaces = workspaces_of(actor.user)
        current = next(row for row in workspaces if row["slug"] == actor.slug)
        return Response(
            {
                "user": actor.by | {"email": actor.email},
                "workspace": current | {"roles": sorted(actor.roles)},
                "workspaces": workspaces,
                "mode": settings.MODE,
            }
        )


class HealthView(APIView):
    """`/healthz`."""

    authentication_classes = ()
    throttle_classes = ()

    @extend_schema(operation_id="health_read", responses={200: HealthSchema, 503: HealthSchema})
    def get(self, request: Request) -> Response:
        """200 when the database answers, else 503."""
        try:
            with connection.cursor() as cursor:
                cursor.execute("SELECT 1")
            alive = True
        except DatabaseError:
            alive = False
        body = {"ok": alive, "database": alive, "mode": settings.MODE}
        return Response(body, status=200 if alive else 503)


class OpenAPIView(SpectacularAPIView):
    """`/v1/openapi.json`."""

    renderer_classes = [JSONRenderer]
    authentication_classes = ()


class DocsView(SpectacularSwaggerSplitView):
    """`/v1/docs`:
    the browsable page; its script is a second answer, so the policy needs no inline script.
    """

    renderer_classes = [TemplateHTMLRenderer]
    authentication_classes = ()
    http_method_names = ["get", "head"]

    def handle_exception(self, exc: Exception) -> HttpResponse:  # type: ignore[override]
        """Problems are JSON here too."""
        refusal = refusal_of(exc)
        if refusal is None:
            raise exc
        return plain(refusal)


urlpatterns = [
    path("me", MeView.as_view(), name="me"),
    path("openapi.json", OpenAPIView.as_view(), name="openapi"),
    path("docs", DocsView.as_view(url_name="openapi"), name="docs"),
]
