"""Source text to tokens. Every refusal carries the range of the offending characters."""

import re
from typing import NamedTuple

from .problems import ExpressionProblem, ExpressionSyntaxError
from .tree import MAX_LENGTH, MAX_NUMBER

_TOKEN = re.compile(
    r"[ \t\r\n]*(?:"
    r"(?P<number>[0-9]+(?:\.[0-9]+)?)"
    r"|(?P<string>\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*')"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<operator>&&|\|\||==|!=|<=|>=|[-<>!()\[\],.+*?:])"
    r")"
)
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", "'": "'", '"': '"'}
_INSTEAD = {
    "/": ("division is not part of the language", "multiply, or compute the value outside"),
    "%": ("'%' is not part of the language", "compute the remainder outside"),
    "=": ("'=' alone does not compare", "write '=='"),
    "&": ("'&' alone is not an operator", "write '&&'"),
    "|": ("'|' alone is not an operator", "write '||'"),
    "{": ("braces do not belong in an expression", "only prompts use {{ }}"),
    "}": ("braces do not belong in an expression", "only prompts use {{ }}"),
}


class Token(NamedTuple):
    """``kind`` is number, string, name, operator or end; ``value`` is decoded for numbers and
    strings.
    """

    kind: str
    text: str
    start: int
    end: int
    value: str | int | float | None = None


def fail(code: str, message: str, start: int, end: int, hint: str = "") -> ExpressionSyntaxError:
    """The error to raise for one problem."""
    return ExpressionSyntaxError((ExpressionProblem(code, message, start, end, hint),))


def tokenize(source: str) -> list[Token]:
    """All tokens, the last of kind ``end``. Raises ExpressionSyntaxError at the first bad
    character.
    """
    if len(source) > MAX_LENGTH:
        message = f"the expression has {len(source)} characters; {MAX_LENGTH} are allowed"
        raise fail("length", message, 0, len(source))
    tokens: list[Token] = []
    position, stop = 0, len(source.rstrip(" \t\r\n"))
    while position < stop:
        match = _TOKEN.match(source, position)
        if match is None or match.lastgroup is None:
            raise _bad_character(source, position)
        kind = match.lastgroup
        tokens.append(_token(kind, match[kind], match.start(kind), match.end(kind)))
        position = match.end()
    tokens.append(Token("end", "", stop, stop))
    return tokens


def _token(kind: str, text: str, start: int, end: int) -> Token:
    if kind == "number":
        return Token(kind, text, start, end, _number(text, start, end))
    if kind == "string":
        return Token(kind, text, start, end, _string(text, start))
    return Token(kind, text, start, end)


def _number(text: str, start: int, end: int) -> int | float:
    value = float(text) if "." in text else int(text)
    if value > MAX_NUMBER:
        raise fail("number", "numbers go up to 1000000000000000", start, end)
    return value


def _string(text: str, start: int) -> str:
    def decode(match: re.Match[str]) -> str:
        escape = match[1]
        if escape in _ESCAPES:
            return _ESCAPES[escape]
        if len(escape) == 5 and not 0xD800 <= int(escape[1:], 16) <= 0xDFFF:
            return chr(int(escape[1:], 16))
        begin = start + 1 + match.start()
        raise fail("syntax", f"'{match[0]}' is not an escape", begin, begin + len(match[0]))

    return _ESCAPE.sub(decode, text[1:-1])


def _bad_character(source: str, position: int) -> ExpressionSyntaxError:
    while source[position] in " \t\r\n":
        position += 1
    character = source[position]
    if character in "\"'":
        return fail("syntax", "this text has no closing quote", position, len(source))
    if character in _INSTEAD:
        message, hint = _INSTEAD[character]
        code = "unsupported" if character in "/%" else "syntax"
        return fail(code, message, position, position + 1, hint)
    return fail("syntax", f"'{character}' does not belong here", position, position + 1)
