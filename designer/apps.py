"""The Django app."""

from django.apps import AppConfig


class DesignerConfig(AppConfig):
    """Everything Callchart keeps lives in this one app; `models.py` is the index."""

    name = "designer"
    label = "designer"
    verbose_name = "Callchart"
    default_auto_field = "django.db.models.BigAutoField"
