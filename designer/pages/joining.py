"""The page behind an invitation's link."""

from uuid import UUID

from django.contrib.auth import get_user_model, login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from designer.accounts import invitations
from designer.core import clock
from designer.core.errors import Refusal

BACKEND = "allauth.account.auth_backends.AuthenticationBackend"


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def join(request: HttpRequest, raw: str) -> HttpResponse:
    """Shows what is offered; a POST accepts it, and whoever made an account is signed in.

    404 for a link that is spent, withdrawn or too old; a refused form is shown again with why.
    """
    now = clock.now()
    try:
        offer = invitations.offer_of(raw[:200], now)
    except Refusal as refusal:
        return render(request, "pages/join_gone.html", {"why": refusal.detail}, status=404)
    signed_in = UUID(str(request.user.pk)) if request.user.is_authenticated else None
    name = request.POST.get("name", "")
    said: list[str] = []
    if request.method == "POST":
        try:
            user = invitations.accept(
                now,
                raw=raw,
                name=name,
                password=request.POST.get("password", ""),
                signed_in=signed_in,
                address=str(request.META.get("REMOTE_ADDR") or "")[:64],
            )
        except Refusal as refusal:
            said = [fault.message for fault in refusal.errors] or [refusal.detail]
        else:
            if signed_in is None:
                login(request, get_user_model().objects.get(pk=user), backend=BACKEND)
            return redirect("home")
    mine = offer.known and getattr(request.user, "email", "") == offer.email
    context = {"offer": offer, "said": said, "name": name, "mine": mine, "here": request.path}
    return render(request, "pages/join.html", context, status=422 if said else 200)
