"""The type checker: every name resolves, both sides of every operator fit, the whole has the
wanted type.

Types are ``boolean integer number string date time datetime duration list null any``; ``any`` is
what event data and verdicts are, and is settled at run time. ``email``, ``phone`` and ``enum``
slots are strings here; an enum remembers its choices.
"""

from collections.abc import Callable, Iterable
from typing import ClassVar

from .functions import FUNCTIONS, Function
from .infos import (
    ANY,
    BOOLEAN,
    EVENT,
    MACHINE,
    NUMBERS,
    ROOTS,
    SLOT_TYPES,
    STRING,
    Info,
    Typed,
    many,
    near,
    said,
)
from .moments import TEMPORAL, ordered
from .problems import ExpressionProblem
from .scope import Scope, SlotLike
from .tree import Node


def check_types(tree: Node, scope: Scope, want: "str | SlotLike | None") -> Typed:
    """Types of all nodes of ``tree``; ``want`` is the type of the whole, or the slot it is set
    into.
    """
    checker = _Checker(scope)
    info = checker.check(tree)
    if want is not None and not checker.typed.problems:
        checker.result(tree, info, want)
    return checker.typed


class _Checker:
    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.typed = Typed()

    def say(self, node: Node, code: str, message: str, hint: str = "") -> Info:
        self.typed.problems.append(ExpressionProblem(code, message, node.start, node.end, hint))
        return ANY

    def check(self, node: Node) -> Info:
        info = self._KINDS[node.kind](self, node)
        self.typed.infos[node.id] = info
        return info

    # values

    def _literal(self, node: Node) -> Info:
        if node.value is None:
            return Info("null")
        if isinstance(node.value, bool):
            return BOOLEAN
        if isinstance(node.value, str):
            return STRING
        return Info("integer" if isinstance(node.value, int) else "number")

    def _list(self, node: Node) -> Info:
        types = {self.check(child).type for child in node.children}
        if "null" in types:
            self.say(node, "type", "a list cannot hold null")
        if types <= NUMBERS and types:
            return Info("list", (), "number")
        if len(types - {"any"}) > 1:
            self.say(node, "type", "a list must hold values of one type")
        return Info("list", (), next(iter(types)) if len(types) == 1 else "any")

    def _path(self, node: Node) -> Info:
        root = node.names[0].text
        if root not in ROOTS:
            return self._unknown_root(node, root)
        if len(node.names) < 2:
            return self.say(node, "name", f"'{root}' needs a field, as in {root}.{_example(root)}")
        info: Info = getattr(self, f"_{root}")(node)
        return info

    def _unknown_root(self, node: Node, root: str) -> Info:
        if root in self.scope.slots:
            return self.say(node, "name", f"'{root}' is not a name", f"write slots.{root}")
        if root in FUNCTIONS:
            return self.say(
                node, "name", f"'{root}' is a function", f"as in {FUNCTIONS[root].example}"
            )
        return self.say(node, "name", f"nothing is named '{root}'", near(root, ROOTS))

    def _one_field(self, node: Node) -> str | None:
        if len(node.names) == 2:
            return node.names[1].text
        self.say(node, "name", f"'{node.names[0].text}.{node.names[1].text}' has no fields")
        return None

    def _slots(self, node: Node) -> Info:
        key = self._one_field(node)
        if key is None:
            return ANY
        slot = self.scope.slots.get(key)
        if slot is None:
            return self.say(node, "slot", f"no slot is named '{key}'", near(key, self.scope.slots))
        self.typed.refs.add(node.dotted)
        return Info(
            SLOT_TYPES.get(slot.type, slot.type),
            tuple(slot.choices or ()) if slot.type == "enum" else (),
        )

    def _event(self, node: Node) -> Info:
        key = node.names[1].text
        if key == "data":
            if len(node.names) == 2:
                return self.say(
                    node, "name", "'event.data' needs a field, as in event.data.amount"
                )
            self.typed.refs.add(node.dotted)
            return ANY
        return self._fixed(node, EVENT, "event has name, data and confidence")

    def _machine(self, node: Node) -> Info:
        return self._fixed(node, MACHINE, "machine has turns, transitions, refusals and elapsed")

    def _fixed(self, node: Node, fields: dict[str, str], hint: str) -> Info:
        key = self._one_field(node)
        if key is None:
            return ANY
        if key not in fields:
            return self.say(
                node,
                "name",
                f"{node.names[0].text} has no field '{key}'",
                near(key, fields) or hint,
            )
        self.typed.refs.add(node.dotted)
        return Info(fields[key])

    def _visits(self, node: Node) -> Info:
        key = self._one_field(node)
        if key is not None and self.state(node, key):
            self.typed.refs.add(node.dotted)
        return Info("integer")

    def _decision(self, node: Node) -> Info:
        key = self._one_field(node)
        if key is not None and key not in self.scope.decisions:
            self.say(
                node, "decision", f"no question is named '{key}'", near(key, self.scope.decisions)
            )
        self.typed.refs.add(node.dotted)
        return ANY

    def state(self, node: Node, key: str) -> bool:
        if key in self.scope.states:
            return True
        self.say(node, "state", f"no state is named '{key}'", near(key, self.scope.states))
        return False

    # operators

    def need(
        self, node: Node, info: Info, kinds: Iterable[str], message: str, hint: str = ""
    ) -> None:
        if info.type != "any" and info.type not in kinds:
            self.say(node, "type", f"{message}, this is {said(info.type)}", hint)

    def _not(self, node: Node) -> Info:
        self.need(
            node.children[0], self.check(node.children[0]), {"boolean"}, "'!' needs true/false"
        )
        return BOOLEAN

    def _minus(self, node: Node) -> Info:
        info = self.check(node.children[0])
        self.need(node.children[0], info, NUMBERS, "'-' needs a number")
        return Info(info.type) if info.type in NUMBERS else ANY

    def _logic(self, node: Node) -> Info:
        for child in node.children:
            hint = "compare it, as in slots.name != null" if child.kind == "path" else ""
            self.need(
                child, self.check(child), {"boolean"}, f"'{node.value}' needs true/false", hint
            )
        return BOOLEAN

    def _compare(self, node: Node) -> Info:
        left, right = node.children
        first, second = self.check(left), self.check(right)
        operator = str(node.value)
        if not self._comparable(left, first, right, second):
            hint = "write a < b && b < c" if left.kind == "compare" else ""
            self.say(
                node, "type", f"cannot compare {said(first.type)} with {said(second.type)}", hint
            )
        elif operator not in ("==", "!="):
            self._orderable(node, operator, first, second)
        self._choices(left, first, (right,))
        self._choices(right, second, (left,))
        return BOOLEAN

    def _comparable(self, left: Node, first: Info, right: Node, second: Info) -> bool:
        types = {first.type, second.type}
        if types & {"null", "any"} or types <= NUMBERS:
            return True
        for moment, other in ((first.type, right), (second.type, left)):
            if moment in TEMPORAL and other.kind == "literal" and isinstance(other.value, str):
                self.moment(other, moment)
                return True
        return len(types) == 1

    def moment(self, node: Node, kind: str) -> None:
        try:
            ordered(kind, node.value)
        except (ValueError, ArithmeticError):
            self.say(node, "type", f"'{node.value}' is not a {kind}", "write it as in ISO 8601")

    def _orderable(self, node: Node, operator: str, first: Info, second: Info) -> None:
        for child, info in zip(node.children, (first, second), strict=True):
            if info.choices or info.type in ("boolean", "list", "null"):
                what = "an enum" if info.choices else said(info.type)
                hint = "write a < b && b < c" if child.kind == "compare" else "use == or !="
                self.say(child, "type", f"'{operator}' does not order {what}", hint)

    def _choices(self, path: Node, info: Info, values: tuple[Node, ...]) -> None:
        for value in values if info.choices else ():
            self.choice(value, info.choices, f"is not a choice of {path.dotted or 'this'}")

    def choice(self, node: Node, choices: tuple[str, ...], message: str) -> None:
        literal = node.kind == "literal" and isinstance(node.value, str)
        if literal and choices and node.value not in choices:
            hint = near(str(node.value), choices) or "it has " + ", ".join(choices)
            self.say(node, "enum", f"'{node.value}' {message}", hint)

    def _in(self, node: Node) -> Info:
        left, right = node.children
        first, second = self.check(left), self.check(right)
        self.need(right, second, {"list"}, "'in' needs a list")
        items = second.items
        if second.type == "list" and "any" not in (first.type, items):
            ok = {first.type, items} <= NUMBERS or first.type == items
            ok = ok or (first.type in TEMPORAL and items == "string")
            if not ok and not (right.kind == "list" and not right.children):
                message = f"{said(first.type)} cannot be in a list of {many(items)}"
                self.say(node, "type", message)
        if right.kind == "list":
            self._choices(left, first, right.children)
        return BOOLEAN

    def _arithmetic(self, node: Node) -> Info:
        first, second = (self.check(child) for child in node.children)
        types = {first.type, second.type}
        if node.value == "+" and types <= {"string", "any"}:
            return STRING if types == {"string"} else ANY
        if types <= NUMBERS | {"any"}:
            return ANY if "any" in types else Info("integer" if types == {"integer"} else "number")
        return self.say(
            node,
            "type",
            f"'{node.value}' does not take {said(first.type)} and {said(second.type)}",
        )

    def _choose(self, node: Node) -> Info:
        test, yes, no = node.children
        self.need(test, self.check(test), {"boolean"}, "the test before '?' must be true/false")
        first, second = self.check(yes), self.check(no)
        if first.type == second.type:
            return Info(first.type, (), first.items if first.items == second.items else "any")
        if "null" in (first.type, second.type):
            return second if first.type == "null" else first
        types = {first.type, second.type}
        if types <= NUMBERS:
            return Info("number")
        if "any" not in types:
            self.say(
                node, "type", f"the branches differ: {said(first.type)} and {said(second.type)}"
            )
        return ANY

    # calls

    def _call(self, node: Node) -> Info:
        row = FUNCTIONS.get(str(node.value))
        for child in node.children:
            self.check(child)
        if row is None:
            return self.say(
                node,
                "function",
                f"no function is named '{node.value}'",
                near(str(node.value), FUNCTIONS),
            )
        gives = Info(row.gives)
        if row.style == ("function" if node.names else "method"):
            self.say(node, "function", f"'{row.name}' is written {row.example}")
        elif len(node.children) != len(row.takes):
            self.say(
                node,
                "arity",
                f"'{row.name}' takes {len(row.takes)} value(s), not {len(node.children)}",
            )
        else:
            self._arguments(node, row)
        return gives

    def _arguments(self, node: Node, row: Function) -> None:
        for child, kind in zip(node.children, row.takes, strict=True):
            info = self.typed.infos[child.id]
            if kind == "name":
                if child.kind != "path":
                    self.say(
                        child,
                        "type",
                        f"'{row.name}' needs a slot or an event field",
                        f"as in {row.example}",
                    )
            elif kind == "state":
                self._state_argument(child)
            else:
                allowed = {"string", "list"} if kind == "text or list" else {"string"}
                hint = (
                    "write 'a' in slots.list"
                    if info.type == "list" and row.name == "contains"
                    else ""
                )
                self.need(child, info, allowed, f"'{row.name}' needs {kind}", hint)

    def _state_argument(self, node: Node) -> None:
        if node.kind != "literal" or not isinstance(node.value, str):
            self.say(
                node, "type", "'active' needs a state's key in quotes", "as in active('greeting')"
            )
        elif self.state(node, node.value):
            self.typed.refs.add(f"active('{node.value}')")

    # the whole

    def result(self, node: Node, info: Info, want: "str | SlotLike") -> None:
        kind = want if isinstance(want, str) else want.type
        wanted = SLOT_TYPES.get(kind, kind)
        literal = node.kind == "literal" and isinstance(node.value, str)
        if wanted in TEMPORAL and literal:
            self.moment(node, wanted)
        elif info.type not in (wanted, "any", "null") and not (
            wanted == "number" and info.type == "integer"
        ):
            hint = "write it as a comparison" if wanted == "boolean" else ""
            self.say(node, "result", f"this must be {said(wanted)}, it is {said(info.type)}", hint)
        elif wanted == "list" and info.items not in ("string", "any") and node.children:
            self.say(node, "result", "a list slot holds text")
        if not isinstance(want, str) and want.type == "enum":
            self.choice(node, tuple(want.choices or ()), "is not one of the choices")

    _KINDS: ClassVar[dict[str, Callable[["_Checker", Node], Info]]] = {
        "literal": _literal,
        "list": _list,
        "path": _path,
        "not": _not,
        "minus": _minus,
        "and": _logic,
        "or": _logic,
        "compare": _compare,
        "in": _in,
        "arithmetic": _arithmetic,
        "choose": _choose,
        "call": _call,
    }


def _example(root: str) -> str:
    return {
        "slots": "name",
        "event": "name",
        "machine": "turns",
        "visits": "greeting",
        "decision": "intent",
    }[root]
