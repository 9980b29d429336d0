"""The routes of `/v1/`."""

from django.http import HttpRequest, JsonResponse
from django.urls import re_path
from django.views.decorators.csrf import csrf_exempt

from designer.api import agents, calls, comments, jobs, people, scenarios, service, versions
from designer.core.answers import plain
from designer.core.errors import Refusal


@csrf_exempt
def nothing(request: HttpRequest, rest: str) -> JsonResponse:
    """404 for a path that is not in the API."""
    del request
    return plain(Refusal("not_found", f"There is no /v1/{rest[:200]}.", status=404))


urlpatterns = [
    *service.urlpatterns,
    *people.urlpatterns,
    *agents.urlpatterns,
    *versions.urlpatterns,
    *comments.urlpatterns,
    *calls.urlpatterns,
    *jobs.urlpatterns,
    *scenarios.urlpatterns,
    re_path(r"^(?P<rest>.*)\Z", nothing, name="nothing"),
]
