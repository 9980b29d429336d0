"""What the expressions of a chart ask of each name: the constants it is held against, and where
the question is too rich to be decided by trying values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from interpreter.compiling import CompiledEffect, CompiledTransition, Node, Tables
from interpreter.document import EventTrigger
from interpreter.expressions import Expression
from interpreter.expressions.parse import parse
from interpreter.expressions.tree import Node as Part
from interpreter.expressions.tree import walk

Constant = str | int | float | bool | None
ABSENT = object()


@dataclass(slots=True)
class Asked:
    """What is asked of one name.

    `constants` are the values it is compared with; `rich` says that it also stands where trying
    values decides nothing (arithmetic, another name, a function); `carried` says the same of
    effects; `links` are names whose values it can hold.
    """

    constants: set[Constant] = field(default_factory=set)
    rich: bool = False
    carried: bool = False
    links: set[str] = field(default_factory=set)


class Atoms:
    """The questions of all guards and effects of a machine, by dotted name."""

    def __init__(self, machine: Tables) -> None:
        self.by_name: dict[str, Asked] = {}
        for transition in machine.transitions:
            if transition.guard is not None:
                self.read(transition.guard)
        for effect in effects_of(machine):
            self._effect(effect)
        self._join()

    def of(self, name: str) -> Asked:
        """What is asked of a name; nothing, where no expression reads it."""
        return self.by_name.setdefault(name, Asked())

    @classmethod
    def among(cls, expressions: Iterable[Expression]) -> Atoms:
        """The questions of these expressions alone."""
        atoms = cls.__new__(cls)
        atoms.by_name = {}
        for expression in expressions:
            atoms.read(expression)
        atoms._join()
        return atoms

    def read(self, expression: Expression) -> None:
        """Adds the questions of one expression."""
        self.visit(parsed(expression.source))

    def _effect(self, effect: CompiledEffect) -> None:
        for _, expression in effect.values if effect.kind in ("set", "raise") else ():
            tree = parsed(expression.source)
            name = named(tree)
            if name is not None and effect.kind == "set":
                self.of(name).links.add(f"slots.{effect.key}")
                self.of(f"slots.{effect.key}").links.add(name)
            else:
                paths = (part.dotted for part in walk(tree) if part.kind == "path")
                for path in paths:
                    self.of(path).carried = True

    def _join(self) -> None:
        """Names that hold each other's values are held against each other's constants."""
        for name in list(self.by_name):
            around, waiting = {name}, [name]
            while waiting:
                for other in self.of(waiting.pop()).links - around:
                    around.add(other)
                    waiting.append(other)
            constants = set().union(*(self.of(one).constants for one in around))
            rich = any(self.of(one).rich for one in around)
            carried = any(self.of(one).carried for one in around)
            for one in around:
                asked = self.of(one)
                asked.constants, asked.rich, asked.carried = set(constants), rich, carried

    def visit(self, part: Part) -> None:
        """Adds the questions of a tree whose whole is true or false."""
        name = named(part)
        if name is not None:
            self.of(name).constants |= {True, False}
        elif part.kind == "compare":
            self._compare(*part.children)
        elif part.kind == "in":
            self._among(*part.children)
        elif part.kind in ("not", "and", "or", "choose"):
            for child in part.children:
                self.visit(child)
        elif part.kind == "call" and part.value == "has":
            self.of(part.children[0].dotted).constants.add(None)
        elif not (part.kind == "call" and part.value == "active"):
            self._rich((part,))

    def _compare(self, left: Part, right: Part) -> None:
        for one, other in ((left, right), (right, left)):
            name, value = named(one), constant(other)
            if name is not None and value is not ABSENT:
                self.of(name).constants.add(value)
                return
        first, second = named(left), named(right)
        if first is not None and second is not None:
            self.of(first).links.add(second)
            self.of(second).links.add(first)
        self._rich((left, right))

    def _among(self, left: Part, right: Part) -> None:
        name = named(left)
        values = [constant(child) for child in right.children]
        if name is not None and right.kind == "list" and ABSENT not in values:
            self.of(name).constants |= set(values)
        else:
            self._rich((left, right))

    def _rich(self, parts: Iterable[Part]) -> None:
        for part in parts:
            name = named(part)
            if name is not None:
                self.of(name).rich = True
            self._rich(part.children)


def asked_in(source: str, name: str) -> Asked:
    """What one expression asks of a name."""
    atoms = Atoms.__new__(Atoms)
    atoms.by_name = {}
    atoms.visit(parsed(source))
    return atoms.of(name)


@lru_cache(maxsize=8192)
def parsed(source: str) -> Part:
    """The tree of an expression that was checked before."""
    return parse(source)


def named(part: Part) -> str | None:
    """The dotted name, where the part is nothing but one."""
    return part.dotted if part.kind == "path" else None


def constant(part: Part) -> Any:
    """The value of a part that is a literal, or the mark for none."""
    if part.kind == "literal":
        return part.value
    if part.kind == "minus" and part.children[0].kind == "literal":
        value = part.children[0].value
        if isinstance(value, int | float) and not isinstance(value, bool):
            return -value
    return ABSENT


def is_constant(expression: Expression) -> bool:
    """Whether the whole expression is one literal."""
    return constant(parsed(expression.source)) is not ABSENT


def grows_only(expression: Expression, name: str) -> bool:
    """Whether it is `name + c` with a positive number c."""
    tree = parsed(expression.source)
    if tree.kind != "arithmetic" or tree.value != "+":
        return False
    values = [constant(child) for child in tree.children if named(child) != name]
    return len(values) == 1 and isinstance(values[0], int | float) and values[0] > 0


def effects_of(machine: Tables) -> Iterator[CompiledEffect]:
    """Every effect of a machine, in document order of its places."""
    for _, effect in placed_effects(machine):
        yield effect


def placed_effects(machine: Tables) -> Iterator[tuple[Node | CompiledTransition, CompiledEffect]]:
    """Every effect with its place: a node (entry or exit) or a transition."""
    for node in machine.nodes:
        for effect in (*node.entry, *node.exit):
            yield node, effect
    for transition in machine.transitions:
        for effect in transition.effects:
            yield transition, effect


def descriptors(transition: CompiledTransition) -> tuple[str, ...]:
    """The event descriptors of a transition; none for another trigger."""
    on = transition.doc.on
    return on.events if isinstance(on, EventTrigger) else ()
