"""Which door answers which path."""

from allauth.account import views as account
from django.urls import URLPattern, URLResolver, include, path

from designer.api.service import HealthView

urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", HealthView.as_view(), name="healthz"),
    path("v1/", include("designer.api.urls")),
    path("accounts/login/", account.login, name="account_login"),
    path("accounts/logout/", account.logout, name="account_logout"),
    path("", include("designer.pages.urls")),
]
handler400 = "designer.pages.views.bad_request"
handler403 = "designer.pages.views.forbidden"
handler404 = "designer.pages.views.not_found"
handler500 = "designer.pages.views.server_error"
