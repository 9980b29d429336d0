"""What a chart read from another notation holds beyond a machine document.

The document language has one target a transition, blocks without branches and typed slots. W3C
SCXML has more. A reader of SCXML gives the document and, beside it, a Widening: the compiler takes
both, so that one engine runs both. No document, draft or Version ever carries one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from interpreter.document.types import Effect, SlotDoc

Branch = tuple[str | None, tuple[Effect, ...]]


@dataclass(frozen=True, slots=True)
class Initial:
    """Where a region begins: states at any depth, and the effects on the way (SCXML 3.6)."""

    targets: tuple[str, ...]
    effects: tuple[Effect, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Widening:
    """All of it, by the keys of the document.

    `targets`: all targets of a transition that has several (SCXML 3.5). `initials`: regions that
    begin elsewhere than at one of their own states. `frames`: regions that only frame the one
    state in them, a child of a `<parallel>`: they are no domain of a transition, and are done when
    their state is. `silent`: regions that are no element of SCXML, frames among them: they raise
    no `done.region` and are left with their state alone. `branches`: the `<if>` that stands where
    a hook of this name does; a guard of None is `<else>`. `blocks`: the handlers of one state
    where SCXML has several, each under the name of a hook: an error ends its own block alone
    (SCXML 3.8). `done_data`: expressions for the data of `done.state` by the key of the final
    state (SCXML 5.7). `microsteps` and `records` are the budget of one macrostep.
    """

    targets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    initials: Mapping[str, Initial] = field(default_factory=dict)
    frames: frozenset[str] = frozenset()
    silent: frozenset[str] = frozenset()
    branches: Mapping[str, tuple[Branch, ...]] = field(default_factory=dict)
    blocks: Mapping[str, tuple[Effect, ...]] = field(default_factory=dict)
    done_data: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    microsteps: int = 100
    records: int = 256


NOT_WIDENED = Widening()
_LOOSE = "any"


def loose_slot(key: str, default: Any = None) -> SlotDoc:
    """A slot without a type, which holds any JSON value; no document can declare one."""
    return SlotDoc(key=key, type=cast("Any", _LOOSE), default=default)


def is_loose(slot: SlotDoc) -> bool:
    """Whether a slot was made by `loose_slot`."""
    return str(slot.type) == _LOOSE
