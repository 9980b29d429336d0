"""The page's shell, and error pages."""

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from designer.core.answers import plain
from designer.core.errors import Refusal


@require_safe
@never_cache
@login_required
@ensure_csrf_cookie
def shell(request: HttpRequest, rest: str = "") -> HttpResponse:
    """The one page; its router reads the path.

    503 with what to do when the bundle is not built.
    """
    del rest
    if not settings.DJANGO_VITE["default"]["manifest_path"].is_file():
        return render(request, "pages/no_bundle.html", status=503)
    return render(request, "pages/shell.html")


@require_safe
def icon(request: HttpRequest) -> HttpResponse:
    """Where browsers look for the icon of pages that name none (the API's page, documents)."""
    del request
    return redirect(static("pages/icon.svg"))


def _of_api(request: HttpRequest) -> bool:
    return request.path.startswith("/v1/") or request.path == "/healthz"


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """400."""
    del exception
    if _of_api(request):
        return plain(Refusal("request.malformed", "The request is malformed.", status=400))
    return render(request, "400.html", status=400)


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """403."""
    del exception
    if _of_api(request):
        return plain(Refusal("forbidden", "That is not allowed.", status=403))
    return render(request, "403.html", status=403)


def csrf_failed(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403 for a form without its token."""
    del reason
    return forbidden(request)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """404."""
    del exception
    if _of_api(request):
        return plain(Refusal("not_found", "There is nothing here.", status=404))
    return render(request, "404.html", status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    """500, without a word about the inside."""
    if _of_api(request):
        return plain(
            Refusal(
                "internal",
                "The server met a fault; it stands in its log. Nothing more is known here.",
                status=500,
            )
        )
    return render(request, "500.html", status=500)
