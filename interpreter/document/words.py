"""The small words of a document: keys, texts, durations and numbers, each with its bounds."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, ConfigDict, Field, StringConstraints

from interpreter.budget import clean_text
from interpreter.document.keys import EVENT_PATTERN, KEY_PATTERN, parse_duration

CONFIG = ConfigDict(extra="forbid", allow_inf_nan=False)


def _duration(text: str) -> str:
    parse_duration(text)
    return text


def clean(text: str) -> str:
    """The text; raises ValueError for a NUL or a lone surrogate."""
    if not clean_text(text):
        raise ValueError("a NUL character has no place in a text")
    return text


Key = Annotated[str, StringConstraints(pattern=KEY_PATTERN)]
EventName = Annotated[str, StringConstraints(pattern=EVENT_PATTERN, max_length=200)]
Duration = Annotated[str, AfterValidator(_duration)]
Source = Annotated[str, StringConstraints(min_length=1, max_length=2_000), AfterValidator(clean)]
Text = Annotated[str, StringConstraints(max_length=20_000), AfterValidator(clean)]
Label = Annotated[str, StringConstraints(max_length=200), AfterValidator(clean)]
Count = Annotated[int, Field(strict=True, ge=0, le=2**53)]
Confidence = Annotated[float, Field(strict=True, ge=0.0, le=1.0)]
Number = Annotated[int, Field(strict=True)] | Annotated[float, Field(strict=True)]
