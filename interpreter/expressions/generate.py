"""A checked tree to the text of one Python expression over ``slots event machine visits active
decision``.

Each node is written once, as its value (``None`` = unknown) or, on the way to the answer of a
guard, as its truth or its falsehood, which need no third value. Nothing of the source gets into
the text but numbers and the ``repr`` of strings.
"""

from .infos import NUMBERS, Info
from .moments import TEMPORAL
from .tree import MAX_NUMBER, Node

PARAMETERS = "slots, event, machine, visits, active, decision"
_ARITHMETIC = {"+": "_add", "-": "_subtract", "*": "_multiply"}


def generate(tree: Node, infos: dict[int, Info], *, guard: bool) -> str:
    """Python for the value of ``tree``, or for ``is it true`` when it is a guard."""
    writer = _Writer(infos)
    return writer.truth(tree, side=True) if guard else writer.value(tree)


class _Writer:
    def __init__(self, infos: dict[int, Info]) -> None:
        self.infos = infos
        self.names = 0

    def kind(self, node: Node) -> str:
        return self.infos[node.id].type

    def fresh(self) -> str:
        self.names += 1
        return f"t{self.names}"

    # truth: code that is True exactly when the node is `side`

    def truth(self, node: Node, *, side: bool) -> str:
        if node.kind == "literal" and isinstance(node.value, bool):
            return str(node.value is side)
        if node.kind == "not":
            return self.truth(node.children[0], side=not side)
        if node.kind in ("and", "or"):
            word = " and " if (node.kind == "and") == side else " or "
            return "(" + word.join(self.truth(child, side=side) for child in node.children) + ")"
        if node.kind == "compare" and self.plain(node):
            return self.plain_compare(node, side=side)
        if node.kind == "in" and self.literal_list(node):
            return self.literal_in(node, side=side)
        return f"({self.boolean(node)} is {side})"

    def boolean(self, node: Node) -> str:
        value = self.value(node)
        return f"_truth({value}, {node.start}, {node.end})" if self.kind(node) == "any" else value

    def plain(self, node: Node) -> bool:
        """Both sides have one known type that Python compares as we do, or one is null."""
        kinds = {self.kind(child) for child in node.children}
        if "null" in kinds:
            return True
        return kinds <= NUMBERS or kinds in ({"string"}, {"boolean"})

    def null_test(self, node: Node) -> str | None:
        left, right = node.children
        if not (left.is_null or right.is_null) or node.value not in ("==", "!="):
            return None
        word = "is" if node.value == "==" else "is not"
        return f"({self.value(left if right.is_null else right)} {word} None)"

    def plain_compare(self, node: Node, *, side: bool) -> str:
        if test := self.null_test(node):
            return test if side else f"(not {test})"
        known, (left, right) = self.operands(node.children)
        test = f"{left} {node.value} {right}"
        return "(" + " and ".join([*known, test if side else f"not {test}"]) + ")"

    def operands(self, nodes: tuple[Node, ...]) -> tuple[list[str], list[str]]:
        known: list[str] = []
        names: list[str] = []
        for node in nodes:
            if node.kind == "literal" and node.value is not None:
                names.append(repr(node.value))
                continue
            name = self.fresh()
            known.append(f"({name} := {self.value(node)}) is not None")
            names.append(name)
        return known, names

    def literal_list(self, node: Node) -> bool:
        left, right = node.children
        literals = right.kind == "list" and all(item.kind == "literal" for item in right.children)
        return literals and self.kind(left) in NUMBERS | {"string"}

    def literal_in(self, node: Node, *, side: bool) -> str:
        left, right = node.children
        known, (name,) = self.operands((left,))
        items = "".join(f"{item.value!r}, " for item in right.children)
        return "(" + " and ".join([*known, f"{name} {'in' if side else 'not in'} ({items})"]) + ")"

    # value: code for the value, None when unknown

    def value(self, node: Node) -> str:
        written: str = getattr(self, f"_{node.kind}")(node)
        return written

    def _literal(self, node: Node) -> str:
        return repr(node.value)

    def _list(self, node: Node) -> str:
        return "[" + ", ".join(self.value(child) for child in node.children) + "]"

    def _path(self, node: Node) -> str:
        root, key = node.names[0].text, node.names[1].text
        if root == "slots" or root == "decision":
            return f"{root}.get({key!r})"
        if root == "visits":
            return f"visits.get({key!r}, 0)"
        if root == "event" and key == "data":
            return (
                "_dig(event.data, " + ", ".join(repr(name.text) for name in node.names[2:]) + ")"
            )
        return f"{root}.{key}"

    def _not(self, node: Node) -> str:
        return f"_negate({self.boolean(node.children[0])})"

    def _minus(self, node: Node) -> str:
        return f"_minus({self.value(node.children[0])}, {node.start}, {node.end})"

    def _and(self, node: Node) -> str:
        return self._settle(node, "False")

    def _or(self, node: Node) -> str:
        return self._settle(node, "True")

    def _settle(self, node: Node, settled: str) -> str:
        """Kleene's ``&&`` and ``||`` that stop at the first value that settles them."""
        names = [self.fresh() for _ in node.children]
        tests = [
            f"({name} := {self.boolean(child)}) is {settled}"
            for name, child in zip(names, node.children, strict=True)
        ]
        unknown = " or ".join(f"{name} is None" for name in names)
        other = "True" if settled == "False" else "False"
        return f"({settled} if {' or '.join(tests)} else None if {unknown} else {other})"

    def _compare(self, node: Node) -> str:
        left, right = node.children
        if test := self.null_test(node):
            return test
        moments = {self.kind(left), self.kind(right)} & TEMPORAL
        both = f"{self.value(left)}, {self.value(right)}, {node.start}, {node.end}"
        if moments:
            return f"_moments({moments.pop()!r}, {node.value!r}, {both})"
        return f"_compare({node.value!r}, {both})"

    def _in(self, node: Node) -> str:
        left, right = node.children
        return f"_in({self.value(left)}, {self.value(right)}, {node.start}, {node.end})"

    def _arithmetic(self, node: Node) -> str:
        """A sum of whole numbers is written out; what is not that goes to the runtime."""
        left, right = (self.value(child) for child in node.children)
        name, where = _ARITHMETIC[str(node.value)], f"{node.start}, {node.end}"
        if node.value == "*" or {self.kind(child) for child in node.children} != {"integer"}:
            return f"{name}({left}, {right}, {where})"
        tests = []
        names = []
        for child, code in zip(node.children, (left, right), strict=True):
            if child.kind == "literal":
                names.append(code)
                continue
            names.append(self.fresh())
            tests.append(f"(type({names[-1]} := {code}) is int)")
        both, found = f"{names[0]} {node.value} {names[1]}", self.fresh()
        bound = f"{-MAX_NUMBER} <= ({found} := {both}) <= {MAX_NUMBER}"
        test = " and ".join(filter(None, [" & ".join(tests), bound]))
        return f"({found} if {test} else {name}({names[0]}, {names[1]}, {where}))"

    def _choose(self, node: Node) -> str:
        test, yes, no = node.children
        name = self.fresh()
        return (
            f"({self.value(yes)} if ({name} := {self.boolean(test)}) is True"
            f" else {self.value(no)} if {name} is False else None)"
        )

    def _call(self, node: Node) -> str:
        where = f"{node.start}, {node.end}"
        values = [self.value(child) for child in node.children]
        if node.value == "has":
            return f"({values[0]} is not None)"
        if node.value == "active":
            return f"active({values[0]})"
        if node.value in ("size", "lower"):
            return f"_{node.value}({values[0]}, {where})"
        return f"_test({node.value!r}, {values[0]}, {values[1]}, {where})"
