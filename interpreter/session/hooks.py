"""Callbacks of a Session: hooks around a move, and subscriptions to topics. A failing one is
collected and never stops the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from interpreter.document import matches
from interpreter.records import Record

Remove = Callable[[], bool]
KINDS = ("exit", "transition", "history", "enter")


@dataclass(slots=True, eq=False)
class _Hook:
    kind: str
    states: frozenset[str]
    priority: int
    call: Callable[..., None]


class Hooks:
    """A set of hooks. A higher priority goes first, else the earlier registered.

    A Session has one from the start; `session.hooks = other` puts another in its place.
    """

    def __init__(self) -> None:
        self._hooks: list[_Hook] = []
        self.enabled = True

    def __len__(self) -> int:
        return len(self._hooks)

    def on_enter(self, *states: str, priority: int = 0) -> Callable[[Any], Any]:
        """Registers a hook `(state, context)`; without names, or with `*`, for every state."""
        return self.on("enter", states, priority)

    def on_exit(self, *states: str, priority: int = 0) -> Callable[[Any], Any]:
        """Registers a hook `(state, context)`; without names, or with `*`, for every state."""
        return self.on("exit", states, priority)

    def on_transition(self, hook: Any = None, *, priority: int = 0) -> Any:
        """Registers a hook `(old, new, context)`, called between exit and enter."""
        register = self.on("transition", (), priority)
        return register(hook) if hook is not None else register

    def on_transition_with_history(self, hook: Any = None, *, priority: int = 0) -> Any:
        """Registers a hook `(old, new, context, history)`; the history holds the move itself."""
        register = self.on("history", (), priority)
        return register(hook) if hook is not None else register

    def on(self, kind: str, states: Iterable[str], priority: int) -> Callable[[Any], Any]:
        """A decorator that registers a hook of a kind: enter, exit, transition or history."""

        def register(call: Callable[..., None]) -> Callable[..., None]:
            self.add(kind, states, priority, call)
            return call

        return register

    def add(
        self, kind: str, states: Iterable[str], priority: int, call: Callable[..., None]
    ) -> Remove:
        """Registers a hook; the answer removes it. Raises ValueError for an unknown kind."""
        if kind not in KINDS:
            raise ValueError(f"there is no kind of hook '{kind}'; there are {', '.join(KINDS)}")
        named = frozenset(states)
        hook = _Hook(kind, frozenset() if "*" in named else named, priority, call)
        self._hooks.append(hook)
        self._hooks.sort(key=lambda one: -one.priority)

        def remove() -> bool:
            if hook in self._hooks:
                self._hooks.remove(hook)
                return True
            return False

        return remove

    def has(self, kind: str) -> bool:
        """Whether a hook of this kind would be called now."""
        return self.enabled and any(hook.kind == kind for hook in self._hooks)

    def clear(self) -> None:
        """Removes every hook."""
        self._hooks.clear()

    def fire(self, kind: str, state: str | None, arguments: tuple[Any, ...]) -> list[Exception]:
        """Calls the hooks of a kind; gives what they raised."""
        failures: list[Exception] = []
        if not self.enabled:
            return failures
        for hook in list(self._hooks):
            if hook.kind != kind or (hook.states and state not in hook.states):
                continue
            try:
                hook.call(*arguments)
            except Exception as error:  # noqa: BLE001 - a host's callable undoes no move
                failures.append(error)
        return failures


class Topics:
    """Subscriptions to the types of Call events: exact, `state.*`, or `*`."""

    def __init__(self) -> None:
        self._callbacks: dict[int, tuple[str, Callable[[str, Mapping[str, Any]], None]]] = {}
        self._next = 0

    def subscribe(self, topic: str, callback: Callable[[str, Mapping[str, Any]], None]) -> Remove:
        """Registers; the answer removes, and says whether there was anything to do."""
        handle = self._next
        self._next += 1
        self._callbacks[handle] = (topic, callback)
        return lambda: self._callbacks.pop(handle, None) is not None

    def publish_records(self, records: Iterable[Record]) -> list[Exception]:
        """Hands each record to those who asked for its type; gives what they raised."""
        failures: list[Exception] = []
        for record in records:
            for topic, callback in list(self._callbacks.values()):
                if not matches(topic, record.type):
                    continue
                try:
                    callback(record.type, record.data)
                except Exception as error:  # noqa: BLE001 - a subscriber stops nobody
                    failures.append(error)
        return failures
