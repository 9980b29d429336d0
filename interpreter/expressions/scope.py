"""What an expression may name (Scope, when it is checked) and what it reads (Environment, when it
runs).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import msgspec


class SlotLike(Protocol):
    """As much of a slot as the type checker needs: its type, and the choices of an enum."""

    @property
    def type(self) -> str: ...  # noqa: D102

    @property
    def choices(self) -> tuple[str, ...]: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class Scope:
    """The names in reach.

    Declared slots by key, keys of all states, keys of the questions asked.
    """

    slots: Mapping[str, SlotLike]
    states: frozenset[str]
    decisions: frozenset[str] = frozenset()


class EventView(msgspec.Struct, frozen=True, gc=False):
    """The event being handled; an expression outside one sees ``None`` and no data."""

    name: str | None = None
    data: Mapping[str, Any] = {}
    confidence: float | None = None


class CountersView(msgspec.Struct, frozen=True, gc=False):
    """``machine.*``: what the limits count; ``elapsed`` is in seconds."""

    turns: int = 0
    transitions: int = 0
    refusals: int = 0
    elapsed: float = 0.0


def _never(_state: str) -> bool:
    return False


class Environment(msgspec.Struct, frozen=True, gc=False):
    """The values behind the names of a Scope. Unset slots may be absent or ``None``."""

    slots: Mapping[str, Any] = {}
    event: EventView = EventView()
    machine: CountersView = CountersView()
    visits: Mapping[str, int] = {}
    active: Callable[[str], bool] = _never
    decision: Mapping[str, Any] = {}
