"""Calling what a host registered: whatever such a callable does, the run stays whole."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

Context = Mapping[str, Any]
Guard = Callable[[Context], bool]
Action = Callable[[Context], None]
Validator = Callable[[str, str, Context], tuple[bool, str | None]]
Detector = Callable[[Context], tuple[str | None, float] | None]
Observer = Callable[[str, str, Context], None]

Fault = tuple[str, str]
"""The reason of a refusal and the end of its sentence."""


def listed(validators: Mapping[str, Validator] | Iterable[Validator]) -> list[Validator]:
    """Validators in order; one that stands under a name and says no says its name."""
    if isinstance(validators, Mapping):
        return [_named(name, validator) for name, validator in validators.items()]
    return list(validators)


def _named(name: str, validator: Validator) -> Validator:
    def asked(current: str, target: str, context: Context) -> tuple[bool, str | None]:
        ok, message = validator(current, target, context)
        return ok, message or f"validator '{name}' said no"

    return asked


def guard_fault(guards: Mapping[str, Guard], keys: Sequence[str], context: Context) -> str | None:
    """Why the guards of these transitions do not all pass; one that fails counts as false."""
    for key in keys:
        guard = guards.get(key)
        if guard is None:
            continue
        try:
            if guard(context) is not True:
                return f"guard of '{key}' is false"
        except Exception as error:  # noqa: BLE001 - a host's callable: it must not move the run
            return f"guard of '{key}' failed: {error}"
    return None


def validator_fault(
    validators: Sequence[Validator], current: str, target: str, context: Context
) -> Fault | None:
    """The first validator that says no or fails; those behind it are not asked."""
    for validator in list(validators):
        try:
            ok, message = validator(current, target, context)
        except Exception as error:  # noqa: BLE001 - a host's callable: it must not move the run
            return "validator", f"a validator failed: {error}"
        if not ok:
            return "validator", message or "a validator said no"
    return None


def action_fault(
    actions: Mapping[str, Action], keys: Sequence[str], context: Context
) -> Fault | None:
    """Runs the actions of these transitions in order, up to the first that fails."""
    for key in keys:
        action = actions.get(key)
        if action is None:
            continue
        try:
            action(context)
        except Exception as error:  # noqa: BLE001 - a host's callable: it must not move the run
            return "action", f"its action failed: {error}"
    return None


def surest(
    detectors: Sequence[Detector], context: Context, declared: Sequence[str]
) -> tuple[tuple[str, float] | None, list[Exception]]:
    """The declared state that the detectors are surest of, ties to the first; what they raised.

    One that raises counts as one that says nothing.
    """
    best: tuple[str, float] | None = None
    failures: list[Exception] = []
    for detector in list(detectors):
        try:
            found = detector(context)
        except Exception as error:  # noqa: BLE001 - a host's callable: it stops no other
            failures.append(error)
            continue
        if found is None or found[0] is None or found[0] not in declared:
            continue
        if best is None or found[1] > best[1]:
            best = (found[0], found[1])
    return best, failures


def observed(
    observers: Sequence[Observer], old: str, new: str, context: Context
) -> list[Exception]:
    """Tells every observer; gives what they raised."""
    failures: list[Exception] = []
    for observer in list(observers):
        try:
            observer(old, new, context)
        except Exception as error:  # noqa: BLE001 - a host's callable undoes no move
            failures.append(error)
    return failures
