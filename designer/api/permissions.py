"""The door asks the one policy table."""

from typing import Any

from rest_framework import exceptions, permissions
from rest_framework.request import Request

from designer.accounts import policy
from designer.accounts.actors import Actor
from designer.api.throttles import count_stranger


def actor_of(request: Request) -> Actor:
    """Who asks. Raises 401 for a stranger."""
    if not isinstance(request.auth, Actor):
        raise exceptions.NotAuthenticated("Sign in, or send a bearer token.")
    return request.auth


class PolicyPermission(permissions.BasePermission):
    """Route and method, looked up in `accounts.policy`; what is not in the table is refused."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """True, or raises 401, 403, or 429 for a stranger who asks too often."""
        match = request.resolver_match
        method = str(request.method)
        permission = policy.permission_of_route(str(match.url_name) if match else "", method)
        if permission == "anyone":
            return True
        if permission is None and not view.get_authenticators():
            raise exceptions.MethodNotAllowed(method)
        if not isinstance(request.auth, Actor):
            count_stranger(request)
        actor = actor_of(request)
        if permission is None:
            if getattr(view, method.lower(), None) is None:
                raise exceptions.MethodNotAllowed(method)
            raise exceptions.PermissionDenied("This route is in no policy.")
        policy.require(permission, actor)
        return True
