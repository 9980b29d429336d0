"""How sign-in behaves: no sign-up, and `next` stays on this host."""

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme


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
