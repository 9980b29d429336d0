"""Patterns of slots come from people: they match in linear time or not at all."""

from __future__ import annotations

import pytest

from interpreter import SlotSpec, why_not
from interpreter.document import pattern_fault


def slot(pattern: str, kind: str = "string") -> SlotSpec:
    return SlotSpec(key="code", type=kind, pattern=pattern)  # type: ignore[arg-type]


@pytest.mark.row("R-43")
@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|aa)+$", "(.*a){20}", "([a-z]+)*!"])
def test_a_pattern_that_backtracks_elsewhere_answers_at_once(pattern: str) -> None:
    """With Python's own engine the first would run past the suite's time-out."""
    assert why_not(slot(pattern), "a" * 5_000 + "?") is not None


def test_the_whole_text_must_fit() -> None:
    assert why_not(slot("NW-[0-9]{6}"), "NW-000123") is None
    assert why_not(slot("NW-[0-9]{6}"), "NW-000123 ") is not None


@pytest.mark.parametrize("kind", ["email", "phone", "date", "time"])
def test_a_line_break_at_the_end_is_no_part_of_a_value(kind: str) -> None:
    good = {"email": "a@b.de", "phone": "+49 30 123456", "date": "2026-11-30", "time": "10:30"}
    plain = SlotSpec(key="code", type=kind)  # type: ignore[arg-type]
    assert why_not(plain, good[kind]) is None
    assert why_not(plain, good[kind] + "\n") is not None


@pytest.mark.parametrize("pattern", [r"(a)\1", "(?=a)b", "(a", "x{1000}{1000}", "[z-a]"])
def test_what_needs_backtracking_is_named_when_the_chart_is_checked(pattern: str) -> None:
    assert pattern_fault(pattern)


@pytest.mark.parametrize(
    ("kind", "value"), [("phone", "hello-4711"), ("integer", "4711"), ("integer", 4711)]
)
def test_the_reason_never_quotes_the_value_of_a_sensitive_slot(kind: str, value: object) -> None:
    secret = SlotSpec(key="code", type=kind, sensitive=True, maximum=10)  # type: ignore[arg-type]
    said = why_not(secret, value)
    assert said is not None
    assert said.startswith("the value is ")
    assert "4711" not in said
