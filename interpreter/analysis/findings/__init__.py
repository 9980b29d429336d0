"""The kinds of findings, one a file, in the order in which they are told."""

from . import (
    cycles,
    dead_ends,
    endless,
    guards,
    limits,
    overlap,
    resets,
    shadowed,
    unreachable,
    unset,
)

KINDS = (
    unreachable.find,
    dead_ends.find,
    endless.find,
    cycles.find,
    guards.find,
    shadowed.find,
    overlap.find,
    unset.find,
    resets.find,
    limits.find,
)

__all__ = ["KINDS"]
