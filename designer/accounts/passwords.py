"""Passwords people really use, with digits and words put at their ends."""

import re
from functools import lru_cache
from typing import Any

from django.contrib.auth.password_validation import CommonPasswordValidator as Django
from django.core.exceptions import ValidationError


@lru_cache(maxsize=1)
def _common() -> frozenset[str]:
    return frozenset(Django().passwords)


class CommonPasswordValidator:
    """Refuses a common password, also with digits or signs around it (`password1234`)."""

    def validate(self, password: str, user: Any = None) -> None:
        """Raises `ValidationError` when `password` is common."""
        plain = password.lower().strip()
        core = re.sub(r"^[\W\d_]+|[\W\d_]+$", "", plain)
        if plain in _common() or core in _common() or len(set(plain)) < 4:
            raise ValidationError("This password is too common.", code="password_too_common")

    def get_help_text(self) -> str:
        """What the sign-up form says."""
        return "Your password can not be a commonly used password."
