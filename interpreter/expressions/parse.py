"""Tokens to a tree: precedence climbing over the CEL operators, with hard bounds on size and
depth.
"""

from functools import lru_cache

from .problems import ExpressionSyntaxError
from .tokens import Token, fail, tokenize
from .tree import MAX_DEPTH, MAX_NODES, Constant, Name, Node

_LEVEL = {"||": 1, "&&": 2, "+": 4, "-": 4, "*": 5} | dict.fromkeys(
    ("==", "!=", "<", "<=", ">", ">=", "in"), 3
)
_KIND = {
    "||": "or",
    "&&": "and",
    "+": "arithmetic",
    "-": "arithmetic",
    "*": "arithmetic",
    "in": "in",
}
_CONSTANTS: dict[str, Constant] = {"true": True, "false": False, "null": None}
_INSTEAD = {"and": "&&", "or": "||", "not": "!", "True": "true", "False": "false", "None": "null"}


@lru_cache(maxsize=4096)
def parse(source: str) -> Node:
    """The tree of ``source``. Raises ExpressionSyntaxError with one problem."""
    return _Parser(source).whole()


class _Parser:
    def __init__(self, source: str) -> None:
        self.tokens = tokenize(source)
        self.at = 0
        self.peek = self.tokens[0]
        self.nodes = 0

    def whole(self) -> Node:
        if self.peek.kind == "end":
            raise fail("syntax", "the expression is empty", 0, 0)
        node = self.expression(0, 1)
        if self.peek.kind != "end":
            raise self.unexpected("an operator")
        return node

    def take(self) -> Token:
        token = self.peek
        if token.kind != "end":
            self.at += 1
            self.peek = self.tokens[self.at]
        return token

    def sees(self, text: str) -> bool:
        return self.peek.text == text and self.peek.kind == "operator"

    def expect(self, text: str) -> Token:
        if not self.sees(text):
            raise self.unexpected(f"'{text}'")
        return self.take()

    def unexpected(self, wanted: str) -> ExpressionSyntaxError:
        token = self.peek
        found = f"'{token.text}'" if token.text else "the end"
        hint = f"write '{_INSTEAD[token.text]}'" if token.text in _INSTEAD else ""
        return fail(
            "syntax",
            f"expected {wanted}, found {found}",
            token.start,
            max(token.end, token.start),
            hint,
        )

    def node(
        self,
        kind: str,
        start: int,
        end: int,
        value: Constant = None,
        children: tuple[Node, ...] = (),
        names: tuple[Name, ...] = (),
    ) -> Node:
        self.nodes += 1
        if self.nodes > MAX_NODES:
            raise fail(
                "size",
                f"the expression has more than {MAX_NODES} parts",
                start,
                end,
                "use fewer parts",
            )
        depth = 1 + max((child.depth for child in children), default=0)
        self.bound(depth, start, end)
        return Node(self.nodes, kind, start, end, value, children, names, depth)

    def bound(self, depth: int, start: int, end: int) -> None:
        if depth > MAX_DEPTH:
            raise fail(
                "depth", f"nested deeper than {MAX_DEPTH}", start, end, "use fewer brackets"
            )

    def expression(self, level: int, depth: int) -> Node:
        self.bound(depth, self.peek.start, self.peek.end)
        left = self.unary(depth)
        while (binding := self.level()) > level:
            left = self.binary(left, binding, depth)
        if level == 0 and self.sees("?"):
            return self.choose(left, depth)
        return left

    def level(self) -> int:
        return _LEVEL.get(self.peek.text, 0) if self.peek.kind in ("operator", "name") else 0

    def binary(self, left: Node, binding: int, depth: int) -> Node:
        operator = self.take().text
        kind = _KIND.get(operator, "compare")
        parts = [left, self.expression(binding, depth + 1)]
        while kind in ("and", "or") and self.sees(operator):
            self.take()
            parts.append(self.expression(binding, depth + 1))
        return self.node(kind, left.start, parts[-1].end, operator, tuple(parts))

    def choose(self, test: Node, depth: int) -> Node:
        self.take()
        yes = self.expression(0, depth + 1)
        self.expect(":")
        no = self.expression(0, depth + 1)
        return self.node("choose", test.start, no.end, None, (test, yes, no))

    def unary(self, depth: int) -> Node:
        signs: list[Token] = []
        while self.sees("!") or self.sees("-"):
            signs.append(self.take())
            self.bound(depth + len(signs), signs[0].start, signs[-1].end)
        node = self.postfix(depth + len(signs))
        for sign in reversed(signs):
            node = self.node(
                "not" if sign.text == "!" else "minus", sign.start, node.end, sign.text, (node,)
            )
        return node

    def postfix(self, depth: int) -> Node:
        node = self.primary(depth)
        while self.sees("."):
            self.take()
            name = self.name("a function name")
            if not self.sees("("):
                raise fail("syntax", f"'.{name.text}' cannot follow this", name.start, name.end)
            arguments, end = self.arguments(")", depth)
            node = self.node(
                "call",
                node.start,
                end,
                name.text,
                (node, *arguments),
                (Name(name.text, name.start, name.end),),
            )
        return node

    def name(self, wanted: str) -> Token:
        if self.peek.kind != "name":
            raise self.unexpected(wanted)
        return self.take()

    def primary(self, depth: int) -> Node:
        token = self.peek
        if token.kind in ("number", "string"):
            self.take()
            return self.node("literal", token.start, token.end, token.value)
        if token.kind == "name" and token.text not in ("and", "or", "not", "in"):
            return self.named(depth)
        if self.sees("("):
            self.take()
            inner = self.expression(0, depth + 1)
            self.expect(")")
            return inner
        if self.sees("["):
            items, end = self.arguments("]", depth)
            return self.node("list", token.start, end, None, items)
        raise self.unexpected("a value")

    def arguments(self, closing: str, depth: int) -> tuple[tuple[Node, ...], int]:
        self.take()
        items: list[Node] = []
        while not self.sees(closing):
            items.append(self.expression(0, depth + 1))
            if not self.sees(","):
                break
            self.take()
        return tuple(items), self.expect(closing).end

    def named(self, depth: int) -> Node:
        token = self.take()
        if token.text in _CONSTANTS:
            return self.node("literal", token.start, token.end, _CONSTANTS[token.text])
        first = Name(token.text, token.start, token.end)
        if self.sees("("):
            arguments, end = self.arguments(")", depth)
            return self.node("call", token.start, end, token.text, arguments)
        names = [first]
        while self.sees("."):
            self.take()
            part = self.name("a name after '.'")
            if self.sees("("):
                path = self.node("path", token.start, names[-1].end, None, (), tuple(names))
                arguments, end = self.arguments(")", depth)
                method = Name(part.text, part.start, part.end)
                return self.node(
                    "call", token.start, end, part.text, (path, *arguments), (method,)
                )
            names.append(Name(part.text, part.start, part.end))
        return self.node("path", token.start, names[-1].end, None, (), tuple(names))
