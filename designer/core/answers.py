"""Problem details where no framework is at work."""

from django.http import JsonResponse

from designer.core.errors import Refusal

MEDIA_TYPE = "application/problem+json"


def plain(refusal: Refusal) -> JsonResponse:
    """The problem, as Django's own answer."""
    return JsonResponse(
        refusal.to_json(), status=refusal.status, content_type=MEDIA_TYPE, headers=refusal.headers
    )
