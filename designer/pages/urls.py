"""The paths of the page: all of them are the shell."""

from django.urls import path, re_path

from designer.pages.views import shell

urlpatterns = [
    path("", shell, name="home"),
    re_path(r"^(?P<rest>(?:agents|calls|live|reviews|settings)(?:/.*)?)\Z", shell, name="shell"),
]
