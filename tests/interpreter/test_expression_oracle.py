"""CEL as Google runs it agrees with us on generated expressions with every slot set."""

from __future__ import annotations

import random
from typing import Any

import pytest

from interpreter.expressions import EvaluationError, compile_expression
from tests.interpreter.language_helpers import SCOPE, env

cel = pytest.importorskip("cel_expr_python.cel", reason="cel-expr-python has no wheel here")

INTS, TEXTS = ("age", "years"), ("name", "other")
WORDS = ["", "a", "An", "Anna", "gold", "it's", "ü", "😀 x"]


class Author:
    """Writes well-typed expressions that both dialects have."""

    def __init__(self, seed: int) -> None:
        self.pick = random.Random(seed)

    def boolean(self, depth: int) -> str:
        if depth <= 0:
            return self.pick.choice(["true", "false", "slots.ok", "slots.yes"])
        form = self.pick.randrange(9)
        deeper = depth - 1
        if form < 2:
            word = self.pick.choice(["&&", "||"])
            return f"({self.boolean(deeper)} {word} {self.boolean(deeper)})"
        if form == 2:
            return f"(!{self.boolean(deeper)})"
        if form == 3:
            return f"({self.boolean(deeper)} ? {self.boolean(deeper)} : {self.boolean(deeper)})"
        if form == 4:
            items = ", ".join(self.number(0) for _ in range(self.pick.randrange(1, 4)))
            return f"({self.number(deeper)} in [{items}])"
        if form == 5:
            method = self.pick.choice(["startsWith", "endsWith", "contains"])
            return f"{self.text(deeper)}.{method}({self.text(0)})"
        if form == 6:
            word = self.pick.choice(["==", "!=", "<", "<=", ">", ">="])
            return f"({self.text(deeper)} {word} {self.text(deeper)})"
        if form == 7:
            return f"({self.boolean(deeper)} == {self.boolean(deeper)})"
        word = self.pick.choice(["==", "!=", "<", "<=", ">", ">="])
        return f"({self.number(deeper)} {word} {self.number(deeper)})"

    def number(self, depth: int) -> str:
        if depth <= 0:
            return self.pick.choice([str(self.pick.randrange(100)), *(f"slots.{k}" for k in INTS)])
        deeper = depth - 1
        form = self.pick.randrange(4)
        if form == 0:
            return f"size({self.text(deeper)})"
        if form == 1:
            return f"(-{self.number(deeper)})"
        return f"({self.number(deeper)} {self.pick.choice('+-*')} {self.number(deeper)})"

    def text(self, depth: int) -> str:
        if depth <= 0 or self.pick.random() < 0.5:
            word = self.pick.choice(WORDS).replace("'", "\\'")
            return self.pick.choice([f"'{word}'", *(f"slots.{key}" for key in TEXTS)])
        if self.pick.random() < 0.3:
            return f"({self.boolean(depth - 1)} ? {self.text(depth - 1)} : {self.text(depth - 1)})"
        return f"({self.text(depth - 1)} + {self.text(depth - 1)})"

    def slots(self) -> dict[str, Any]:
        whole = {key: self.pick.randrange(-50, 100) for key in INTS}
        flags = {key: self.pick.random() < 0.5 for key in ("ok", "yes")}
        return whole | flags | {key: self.pick.choice(WORDS) for key in TEXTS}


@pytest.fixture(scope="module")
def oracle() -> Any:
    kinds = dict.fromkeys(INTS, cel.Type.INT) | dict.fromkeys(TEXTS, cel.Type.STRING)
    kinds |= dict.fromkeys(("ok", "yes"), cel.Type.BOOL)
    return cel.NewEnv(variables={f"slots.{key}": kind for key, kind in kinds.items()})


@pytest.mark.parametrize("seed", range(10))
def test_it_agrees_with_googles_cel(oracle: Any, seed: int) -> None:
    author = Author(seed)
    compared = 0
    for _ in range(300):
        source = author.boolean(4)
        slots = author.slots()
        try:
            ours = compile_expression(source, SCOPE, "boolean")(env(**slots))
        except EvaluationError as error:
            assert "beyond" in error.message  # noqa: PT017 - our bound, which CEL has not
            continue
        data = {f"slots.{key}": value for key, value in slots.items()}
        theirs = oracle.compile(source).eval(data=data).plain_value()
        assert ours is theirs, (source, slots)
        compared += 1
    assert compared > 250


@pytest.mark.parametrize("seed", range(5))
def test_truth_and_value_agree_when_slots_are_unset(seed: int) -> None:
    """A guard is true exactly when its value is true, and its negation when it is false."""
    author = Author(1_000 + seed)
    for _ in range(200):
        source = author.boolean(4)
        slots = {k: None if author.pick.random() < 0.4 else v for k, v in author.slots().items()}
        around = env(**slots)
        try:
            value = compile_expression(source, SCOPE)(around)
        except EvaluationError:
            continue
        assert compile_expression(source, SCOPE, "boolean")(around) is (value is True), source
        negated = compile_expression(f"!({source})", SCOPE, "boolean")(around)
        assert negated is (value is False), source
