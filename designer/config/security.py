"""Cookies, headers and the content security policy."""

from typing import Any

from csp.constants import NONE, SELF

POLICY: dict[str, Any] = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        # Mantine puts its colour scheme into a style element.
        "style-src": [SELF, "'unsafe-inline'"],
        "img-src": [SELF, "data:", "blob:"],
        "font-src": [SELF],
        "connect-src": [SELF, "ws:", "wss:"],
        "worker-src": [SELF, "blob:"],
        "manifest-src": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "object-src": [NONE],
    }
}


def cookies_and_headers(*, https: bool, trust_proxy: bool) -> dict[str, Any]:
    """Django's security settings; the `__Host-` cookie and HSTS come with TLS."""
    settings: dict[str, Any] = {
        "SESSION_COOKIE_HTTPONLY": True,
        "SESSION_COOKIE_SAMESITE": "Lax",
        "SESSION_COOKIE_SECURE": https,
        "SESSION_COOKIE_NAME": "__Host-callchart" if https else "callchart",
        "SESSION_COOKIE_AGE": 60 * 60 * 24 * 14,
        "CSRF_COOKIE_SECURE": https,
        "CSRF_COOKIE_SAMESITE": "Lax",
        "SECURE_CONTENT_TYPE_NOSNIFF": True,
        "SECURE_REFERRER_POLICY": "same-origin",
        "SECURE_CROSS_ORIGIN_OPENER_POLICY": "same-origin",
        "X_FRAME_OPTIONS": "DENY",
    }
    if https:
        settings |= {
            "SECURE_HSTS_SECONDS": 60 * 60 * 24 * 365,
            "SECURE_HSTS_INCLUDE_SUBDOMAINS": True,
            "SECURE_HSTS_PRELOAD": True,
            "SECURE_SSL_REDIRECT": True,
            "SECURE_REDIRECT_EXEMPT": [r"^healthz$"],
        }
    if trust_proxy:
        settings["SECURE_PROXY_SSL_HEADER"] = ("HTTP_X_FORWARDED_PROTO", "https")
    return settings
