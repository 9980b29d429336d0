"""The expressions of SCXML that have a meaning in our language: a subset of ECMAScript and Python.

Literals, variables, `In()`, `_event`, comparison, logic, `+ - *`, `?:`, `typeof x`,
`Math.pow(x, n)`. What else stands there raises UnsupportedError, what no ECMAScript could
evaluate becomes an expression that fails when it is evaluated, as SCXML 5.9 asks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar

UNSET = "unset"
MAX_LENGTH = 2_000
FAILS = "(1000000000000000 * 10)"
_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+(?:\.\d+)?|\.\d+)"
    r"|(?P<string>\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*')"
    r"|(?P<name>[A-Za-z_$][\w$]*)"
    r"|(?P<operator>===|!==|==|!=|<=|>=|&&|\|\||\+\+|--|[-+*/%<>!?:().,\[\]{}=&|^~]))"
)
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "0": ""}
_LEVELS = (("||", "or"), ("&&", "and"), ("==", "!=", "===", "!=="), ("<", "<=", ">", ">=", "in"),
           ("+", "-"), ("*",))  # fmt: skip
_CONSTANTS = {
    "true": ("true", "boolean"), "false": ("false", "boolean"), "null": ("null", "null"),
    "undefined": ("null", "null"), "True": ("true", "boolean"), "False": ("false", "boolean"),
    "None": ("null", "null"),
}  # fmt: skip
_RESERVED = frozenset({
    "return", "var", "if", "else", "for", "while", "do", "break", "continue", "function", "throw",
    "switch", "case", "try", "catch", "with", "delete",
})  # fmt: skip
_EVENT_FIELDS = ("name", "type", "sendid", "origin", "origintype", "invokeid", "data")
_META = {"type": "_type", "sendid": "_sendid", "origin": "_origin", "origintype": "_origintype",
         "invokeid": "_invokeid"}  # fmt: skip


class UnsupportedError(Exception):
    """An expression outside the subset; the message is the end of a sentence."""


@dataclass(frozen=True, slots=True)
class Made:
    """An expression of ours and its type: boolean, number, string, null or any.

    `opposite` is set for an equality: how its opposite is written; `value` for a literal.
    """

    text: str
    type: str
    literal: bool = False
    opposite: str = ""
    value: str | int | float | bool | None = None

    def __post_init__(self) -> None:
        if len(self.text) > MAX_LENGTH or len(self.opposite) > MAX_LENGTH:
            raise UnsupportedError(f"it is longer than {MAX_LENGTH} characters here")


def quoted(text: str) -> str:
    """A text as a literal of our language."""
    out = text.replace("\\", "\\\\").replace("'", "\\'")
    out = out.replace("\n", "\\n").replace("\t", "\\t").replace("\r", "\\r")
    return f"'{out}'"


@dataclass(frozen=True, slots=True)
class Known:
    """What names mean: slots by variable (key, type), keys by state id."""

    slots: Mapping[str, tuple[str, str]]
    states: Mapping[str, str]


def translate(source: str, known: Known) -> Made:
    """Our expression for one of SCXML. Raises UnsupportedError."""
    if len(source) > MAX_LENGTH:
        raise UnsupportedError(f"it is longer than {MAX_LENGTH} characters")
    try:
        tokens = _tokens(source)
    except _InvalidError:
        return Made(FAILS, "number")
    if any(kind == "name" and text in _RESERVED for kind, text in tokens):
        return Made(FAILS, "number")
    return _Translator(tokens, known).whole()


def guard(source: str, known: Known) -> str:
    """Our guard for a `cond`: true exactly when ECMAScript would take it for true."""
    return truthy(translate(source, known))


def truthy(made: Made) -> str:
    """The truth of a value, as ECMAScript 9.2 (ToBoolean) has it."""
    text = made.text
    if made.type == "boolean" or text == FAILS:
        return text if made.type == "boolean" else f"({text} > 0)"
    if made.type == "null":
        return "false"
    zero = {"number": "0", "string": "''"}.get(made.type)
    if made.literal and zero:
        return f"({text} != {zero})"
    if zero:
        return f"({text} != null && {text} != {zero})"
    return f"({text} != null && {text} != false && {text} != 0 && {text} != '')"


class _InvalidError(Exception):
    pass


def _tokens(source: str) -> list[tuple[str, str]]:
    found, at, stop = [], 0, len(source.rstrip())
    while at < stop:
        match = _TOKEN.match(source, at)
        if match is None or match.lastgroup is None:
            raise _InvalidError
        found.append((match.lastgroup, match.group(match.lastgroup)))
        at = match.end()
    if not found:
        raise _InvalidError
    return found


def _unescaped(text: str) -> str:
    def one(match: re.Match[str]) -> str:
        code = match.group(1)
        if code[0] in "ux" and len(code) > 1:
            return chr(int(code[1:], 16))
        return _ESCAPES.get(code, code)

    return _ESCAPE.sub(one, text[1:-1])


class _Translator:
    def __init__(self, tokens: list[tuple[str, str]], known: Known) -> None:
        self.tokens = tokens
        self.known = known
        self.at = 0
        self.depth = 0
        self.signs = 0

    # --- reading --------------------

    def whole(self) -> Made:
        made = self.choice()
        if self.at < len(self.tokens):
            raise UnsupportedError(f"{self.tokens[self.at][1]!r} is not of the subset")
        return made

    def peek(self) -> str:
        if self.at < len(self.tokens) and self.tokens[self.at][0] in ("operator", "name"):
            return self.tokens[self.at][1]
        return ""

    def take(self) -> tuple[str, str]:
        if self.at >= len(self.tokens):
            raise UnsupportedError("it ends in the middle")
        self.at += 1
        return self.tokens[self.at - 1]

    def expect(self, text: str) -> None:
        if self.peek() != text:
            raise UnsupportedError(f"{text!r} is missing")
        self.at += 1

    def choice(self) -> Made:
        self.depth += 1
        if self.depth > 20:
            raise UnsupportedError("it is nested too deep")
        test = self.binary(0)
        if self.peek() == "?":
            self.take()
            yes = self.choice()
            self.expect(":")
            no = self.choice()
            types = {yes.type, no.type} - {"null", "any", UNSET}
            if len(types) > 1:
                raise UnsupportedError("the branches of '?' are of two types")
            kind = yes.type if yes.type == no.type else "any"
            test = Made(f"({truthy(test)} ? {yes.text} : {no.text})", kind)
        self.depth -= 1
        return test

    def binary(self, level: int) -> Made:
        if level == len(_LEVELS):
            return self.unary()
        left = self.binary(level + 1)
        while self.peek() in _LEVELS[level]:
            operator = self.take()[1]
            if operator == "in":
                left = self._membership(left)
                continue
            left = self._COMBINE[operator](operator, left, self.binary(level + 1))
        return left

    def unary(self) -> Made:
        sign = self.peek()
        self.signs += bool(sign in ("!", "not", "-", "typeof"))
        if self.signs > 100:
            raise UnsupportedError("it has too many signs")
        if sign in ("!", "not"):
            self.take()
            inner = self.unary()
            if inner.opposite:
                return Made(inner.opposite, "boolean", opposite=inner.text)
            return Made(f"!{truthy(inner)}", "boolean")
        if sign == "-":
            self.take()
            inner = self.unary()
            return Made(f"(-{inner.text})", "number", inner.literal)
        if sign == "typeof":
            self.take()
            return self._typeof(self.unary())
        return self.primary()

    def primary(self) -> Made:
        kind, text = self.take()
        if kind == "number":
            number = f"0{text}" if text[0] == "." else text
            value = int(text) if text.isdigit() else float(text)
            return Made(number, "number", literal=True, value=value)
        if kind == "string":
            inside = _unescaped(text)
            return Made(quoted(inside), "string", literal=True, value=inside)
        if text == "(":
            inner = self.choice()
            self.expect(")")
            return inner
        if kind != "name":
            raise UnsupportedError(f"{text!r} is not of the subset")
        if text in _CONSTANTS:
            made = _CONSTANTS[text]
            truth = made[0] == "true" if made[1] == "boolean" else None
            return Made(made[0], made[1], literal=True, value=truth)
        return self.path(text)

    def path(self, first: str) -> Made:
        names = [first]
        while self.peek() == ".":
            self.take()
            kind, name = self.take()
            if kind != "name":
                raise UnsupportedError("a name is missing after '.'")
            names.append(name)
        if self.peek() == "(":
            return self._call(".".join(names))
        if self.peek() in ("[", "++", "--", "="):
            raise UnsupportedError(f"{self.peek()!r} is not of the subset")
        return self._event(names[1:]) if first == "_event" else self._variable(names)

    # --- writing --------------------

    def _variable(self, names: list[str]) -> Made:
        found = self.known.slots.get(names[0])
        if found is None:
            return Made(FAILS, "number")
        if len(names) > 1:
            raise UnsupportedError("a slot has no fields")
        return Made(f"slots.{found[0]}", found[1])

    @staticmethod
    def _event(names: list[str]) -> Made:
        if not names:
            raise UnsupportedError("the whole of _event is no value here")
        if names[0] == "name" and len(names) == 1:
            return Made("event.name", "string")
        if names[0] == "data":
            inside = names[1:] or ["_content"]
            return Made("event.data." + ".".join(inside), "any")
        if names[0] == "type":
            return Made("(has(event.data._type) ? event.data._type : 'platform')", "any")
        if names[0] in _META and len(names) == 1:
            return Made(f"event.data.{_META[names[0]]}", "any")
        raise UnsupportedError(f"_event has no '{names[0]}' here")

    def _call(self, name: str) -> Made:
        self.take()
        arguments: list[Made] = []
        while self.peek() != ")":
            arguments.append(self.choice())
            if self.peek() != ",":
                break
            self.take()
        self.expect(")")
        if name == "In" and len(arguments) == 1 and arguments[0].type == "string":
            return self._inside(arguments[0])
        if name == "Math.pow" and len(arguments) == 2 and arguments[1].text in "12345678":
            times = int(arguments[1].text)
            return Made("(" + " * ".join([arguments[0].text] * times) + ")", "number")
        raise UnsupportedError(f"there is no function '{name}'")

    def _inside(self, argument: Made) -> Made:
        if not argument.literal:
            raise UnsupportedError("In() needs the id of a state in quotes")
        key = self.known.states.get(argument.text[1:-1])
        return Made(f"active('{key}')" if key else "false", "boolean")

    def _typeof(self, made: Made) -> Made:
        operator = self.take()[1]
        word = self.take()[1][1:-1]
        if word != "undefined" or operator not in _EQUAL:
            raise UnsupportedError("of typeof, only 'undefined' is asked")
        same = operator in ("==", "===")
        missing = "true" if made.text == FAILS else f"({made.text} == null)"
        there = "false" if made.text == FAILS else f"({made.text} != null)"
        return Made(missing, "boolean", opposite=there) if same else Made(there, "boolean")

    def _membership(self, left: Made) -> Made:
        if self.take() != ("name", "_event") or left.text[1:-1] not in _EVENT_FIELDS:
            raise UnsupportedError("'in' asks only the fields of _event")
        return Made("true", "boolean")

    @staticmethod
    def _logic(operator: str, left: Made, right: Made) -> Made:
        sign = {"and": "&&", "or": "||"}.get(operator, operator)
        return Made(f"({truthy(left)} {sign} {truthy(right)})", "boolean")

    @staticmethod
    def _equal(operator: str, left: Made, right: Made) -> Made:
        one, two = left.text, right.text
        if FAILS in (one, two):
            return Made(f"({FAILS} > 0)", "boolean")
        types = {left.type, right.type}
        if "null" in types:
            known = two if left.type == "null" else one
            same, other = f"({known} == null)", f"({known} != null)"
        elif len(types) > 1 and not types & {"any", UNSET}:
            if operator in ("==", "!="):
                raise UnsupportedError("'==' between values of two types converts one of them")
            same, other = "false", "true"
        else:
            same = f"({one} == {two})"
            unset = [f"{m.text} == null" for m in (left, right) if not m.literal]
            other = "(" + " || ".join([*unset, f"{one} != {two}"]) + ")"
            if len(unset) == 2:
                other = f"(({unset[0]}) != ({unset[1]}) || {one} != {two})"
        if operator in ("==", "==="):
            return Made(same, "boolean", opposite=other)
        return Made(other, "boolean", opposite=same)

    @staticmethod
    def _order(operator: str, left: Made, right: Made) -> Made:
        types = {left.type, right.type} - {"any", UNSET}
        if len(types) > 1 or types & {"boolean", "null"}:
            raise UnsupportedError(f"'{operator}' between values of two types")
        return Made(f"({left.text} {operator} {right.text})", "boolean")

    @staticmethod
    def _add(operator: str, left: Made, right: Made) -> Made:
        types = {left.type, right.type} - {UNSET}
        if types <= {"number", "any"} or (operator == "+" and types <= {"string", "any"}):
            kind = "any" if "any" in types else next(iter(types), UNSET)
            return Made(f"({left.text} {operator} {right.text})", kind)
        raise UnsupportedError(f"'{operator}' between values of two types")

    _COMBINE: ClassVar[dict[str, Callable[[str, Made, Made], Made]]] = {
        **dict.fromkeys(("||", "&&", "or", "and"), _logic),
        **dict.fromkeys(("==", "!=", "===", "!=="), _equal),
        **dict.fromkeys(("<", "<=", ">", ">="), _order),
        **dict.fromkeys(("+", "-", "*"), _add),
    }


_EQUAL = ("==", "!=", "===", "!==")
