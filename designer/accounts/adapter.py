"""How sign-in behaves: no sign-up, and `next` stays on this host."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme

from designer.accounts.services import audit_sign_in
from designer.core import clock


def _address(request: HttpRequest) -> str:
    return str(request.META.get("REMOTE_ADDR") or "unknown")[:64]


class ClosedAdapter(DefaultAccountAdapter):
    """Accounts are made by an admin; nobody signs up."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Never."""
        return False

    def is_safe_url(self, url: str | None) -> bool:
        """Only paths of this host."""
        if not url or not url.startswith("/") or url.startswith(("//", "/\\")):
            return False
        return bool(url_has_allowed_host_and_scheme(url, allowed_hosts=None))

    def get_client_ip(self, request: HttpRequest) -> str:
        """The peer's address; what a client writes into `X-Forwarded-For` is nothing to us."""
        return _address(request)

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """Failures count for an account at an address: nobody locks the owner out (R-02)."""
        key: str = super()._get_login_attempts_cache_key(request, **credentials)
        return f"{key}:{_address(request)}"

    def login(self, request: HttpRequest, user: Any) -> None:
        """Signs in, and says so in the audit."""
        super().login(request, user)
        self._audit(request, str(user.pk), user.email, "sign_in")

    def logout(self, request: HttpRequest) -> None:
        """Signs out, and says so in the audit."""
        user = request.user
        super().logout(request)
        if user.is_authenticated:
            self._audit(request, str(user.pk), user.email, "sign_out")

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        """A wrong password is in the audit, without the password."""
        email = str(credentials.get("email") or "")[:254]
        self._audit(request, "", email, "sign_in.failed")

    def _audit(self, request: HttpRequest, user: str, email: str, verb: str) -> None:
        audit_sign_in(
            user=user,
            email=email,
            address=_address(request),
            now=clock.now(),
            verb=verb,
        )
