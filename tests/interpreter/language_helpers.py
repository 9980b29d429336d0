"""Short hands for the tests of the language: slots, scopes, environments, machines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from interpreter.expressions import Environment, EventView, Scope, compile_expression


@dataclass(frozen=True)
class Slot:
    type: str
    choices: tuple[str, ...] = ()


SLOTS = {
    "age": Slot("integer"), "amount": Slot("number"), "name": Slot("string"),
    "other": Slot("string"),
    "plan": Slot("enum", ("gold", "silver")), "ok": Slot("boolean"), "yes": Slot("boolean"),
    "tags": Slot("list"), "day": Slot("date"), "at": Slot("time"), "when": Slot("datetime"),
    "wait": Slot("duration"), "mail": Slot("email"),
    "tel": Slot("phone"), "years": Slot("integer"),
}  # fmt: skip
SCOPE = Scope(SLOTS, frozenset({"greeting", "refund"}), frozenset({"intent"}))


def env(data: dict[str, Any] | None = None, **slots: Any) -> Environment:
    return Environment(
        slots=slots,
        event=EventView("order.paid", data or {}, 0.9),
        visits={"refund": 2},
        active=lambda state: state == "greeting",
        decision={"intent": "billing"},
    )


def guard(source: str, **slots: Any) -> bool:
    answer = compile_expression(source, SCOPE, "boolean")(env(**slots))
    assert isinstance(answer, bool)
    return answer


def value(source: str, data: dict[str, Any] | None = None, **slots: Any) -> Any:
    return compile_expression(source, SCOPE)(env(data, **slots))
