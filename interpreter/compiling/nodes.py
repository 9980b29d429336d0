"""The compiled tree of a chart: numbered in document order, with descendants as masks.

The machine is the root above the top regions. A region is an OR node: one child is active. A state
with regions, and the root, are AND nodes: all children are active.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from interpreter.document import RegionDoc, SlotDoc, StateDoc, TransitionDoc
from interpreter.errors import Path
from interpreter.expressions import Expression

NodeKind = Literal["root", "region", "state", "final", "history", "choice"]


@dataclass(slots=True, eq=False, repr=False)
class CompiledEffect:
    """An effect with its expressions compiled; what its fields mean depends on `kind`.

    `key` is the slot, event, prompt, tool, Agent, hook or outcome; `values` the expressions by
    name (`""` for the value of a `set`); `slot` the slot that a `set` or `clear` writes;
    `branches` the guarded blocks of a `choose`, of which the first whose guard holds is run.
    """

    kind: str
    key: str
    values: tuple[tuple[str, Expression], ...] = ()
    slot: SlotDoc | None = None
    muted: bool = False
    branches: tuple[tuple[Expression | None, tuple[CompiledEffect, ...]], ...] = ()


@dataclass(slots=True, eq=False, repr=False)
class Node:
    """A state, a region, or the root. `index` is its place in document order.

    `is_state` says whether it counts as a state of the configuration, `region` where it is;
    `place` is its number among these states, -1 for what is none; `speech` is its prompt, said
    when it is entered.
    `initials`, `initial_effects`, `frame`, `silent` and `done_data` come from a Widening alone.
    """

    index: int
    kind: NodeKind
    key: str
    path: Path
    parent: Node | None
    depth: int
    doc: StateDoc | RegionDoc | None = None
    is_state: bool = False
    place: int = -1
    region: str = ""
    children: list[Node] = field(default_factory=list)
    bit: int = 0
    descendants: int = 0
    ancestors: tuple[Node, ...] = ()
    initial: Node | None = None
    initials: tuple[Node, ...] = ()
    initial_effects: tuple[CompiledEffect, ...] = ()
    entry: tuple[CompiledEffect, ...] = ()
    exit: tuple[CompiledEffect, ...] = ()
    transitions: list[CompiledTransition] = field(default_factory=list)
    histories: list[Node] = field(default_factory=list)
    afters: list[CompiledTransition] = field(default_factory=list)
    deep: bool = False
    frame: bool = False
    silent: bool = False
    done_data: tuple[tuple[str, Expression], ...] = ()
    speaker: bool = False
    speech: tuple[CompiledEffect, ...] = ()
    agent: str | None = None
    max_visits: int | None = None
    cooldown_ms: int = 0
    backward_confidence: float = 0.0

    @property
    def is_and(self) -> bool:
        """Whether all its children are active together."""
        return self.kind != "region"

    def is_within(self, other: Node) -> bool:
        """Whether it is a proper descendant of `other`."""
        return bool(other.descendants & self.bit)

    def walk(self) -> Iterator[Node]:
        """Itself and everything inside, in document order."""
        yield self
        for child in self.children:
            yield from child.walk()


@dataclass(slots=True, eq=False, repr=False)
class CompiledTransition:
    """A transition with what selection and the microstep need.

    `targets` are all targets, the first of them `target`. `domain` is W3C's transition domain,
    `leaves` the mask of what it can exit; `home` the innermost region that holds both source and
    target: the one that moves.
    """

    index: int
    key: str
    source: Node
    doc: TransitionDoc
    path: Path
    trigger: str
    target: Node | None = None
    targets: tuple[Node, ...] = ()
    guard: Expression | None = None
    effects: tuple[CompiledEffect, ...] = ()
    domain: Node | None = None
    leaves: int = 0
    home: Node | None = None
    after_ms: int = 0
    min_confidence: float | None = None
    max_takes: int | None = None
