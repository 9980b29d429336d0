"""Guards compared as logic: the same question in other words is no change."""

from __future__ import annotations

import pytest

from interpreter import compile_machine, same_guard

MACHINE = compile_machine(
    {
        "format": "callchart.machine/1",
        "regions": [
            {
                "key": "main",
                "role": "speaker",
                "initial": "a",
                "states": [{"key": "a"}, {"key": "b", "kind": "final"}],
            }
        ],
    },
    slots=[
        {"key": "vip", "type": "boolean"},
        {"key": "paid", "type": "boolean"},
        {"key": "whole", "type": "integer"},
        {"key": "amount", "type": "number"},
        {"key": "other", "type": "number"},
        {"key": "tier", "type": "enum", "choices": ["gold", "tin"]},
        {"key": "name", "type": "string"},
    ],
)

SAME = [
    ("slots.vip", "slots.vip == true"),
    ("slots.vip && slots.paid", "slots.paid && slots.vip"),
    ("!(slots.vip && slots.paid)", "!slots.vip || !slots.paid"),
    ("!!slots.vip", "slots.vip"),
    ("slots.whole >= 5", "slots.whole > 4"),
    ("slots.amount > 5", "5 < slots.amount"),
    ("slots.amount > 5 && slots.amount > 7", "slots.amount > 7"),
    ("slots.name == 'Ann' || slots.name == 'Bo'", "slots.name in ['Bo', 'Ann']"),
    ("active('a') && slots.vip", "slots.vip && active('a')"),
    ("slots.vip || slots.vip == false || slots.vip == null", "true"),
    ("slots.amount + 1 > 2", "2 < slots.amount + 1"),  # by its spelling
    ("slots.vip", "slots.vip != false"),  # null is neither
    (None, "true"),
    (None, None),
]
OTHER = [
    ("slots.amount >= 5", "slots.amount > 4"),
    ("slots.amount > 5", "slots.amount >= 5.5"),
    ("slots.vip", "slots.paid"),
    ("slots.vip || !slots.vip", "true"),  # null
    ("slots.name == 'Ann'", "slots.name == 'ann'"),
    ("slots.tier == 'gold'", "true"),
    ("slots.vip", None),
    ("event.data.x == 1", "event.data.x == '1'"),
    ("slots.amount + 1 > 2", "slots.amount > 1"),  # the same, but not decided: said to be other
    ("slots.gone", "slots.vip"),
    ("slots.vip &&", "slots.vip"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_question_in_other_words_is_the_same(one: str | None, other: str | None) -> None:
    assert same_guard(MACHINE, one, other)
    assert same_guard(MACHINE, other, one)


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_what_some_value_tells_apart_is_another(one: str | None, other: str | None) -> None:
    assert not same_guard(MACHINE, one, other)
    assert not same_guard(MACHINE, other, one)


def test_the_constants_of_both_are_tried_together() -> None:
    # Neither guard alone has a reason to try a number between 5 and 5.5.
    assert not same_guard(MACHINE, "slots.amount > 5", "slots.amount > 5.5")
    assert same_guard(MACHINE, "slots.amount > 5 || slots.amount > 5.5", "slots.amount > 5")
