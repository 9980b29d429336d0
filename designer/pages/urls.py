"""The paths of the page: all of them are the shell."""

from django.urls import path, re_path

from designer.pages.joining import join
from designer.pages.views import icon, shell

urlpatterns = [
    path("favicon.ico", icon, name="icon"),
    path("", shell, name="home"),
    path("join/<str:raw>", join, name="join"),
    re_path(r"^(?P<rest>(?:agents|calls|live|reviews|settings)(?:/.*)?)\Z", shell, name="shell"),
]
