"""Whether a set of state keys is a configuration: each active region has exactly one state."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from interpreter.compiling.nodes import Node
from interpreter.errors import SnapshotError


def stand(root: Node, states: Mapping[str, Node], active: tuple[str, ...]) -> None:
    """Raises SnapshotError unless these states are a configuration, in document order."""
    for key in active:
        if key not in states:
            raise SnapshotError(f"the machine has no state '{key}'")
    found = inside(root.children, [states[key] for key in active])
    extra = sorted(set(active) - found)
    if extra:
        raise SnapshotError(f"state '{extra[0]}' cannot be active while its parent is not")
    if active != tuple(sorted(found, key=lambda key: states[key].index)):
        raise SnapshotError("the active states are not in document order")


def inside(regions: Iterable[Node], active: Iterable[Node]) -> set[str]:
    """The active states under these regions; SnapshotError when one has not exactly one."""
    by_region: dict[int, list[Node]] = {}
    for node in {node.index: node for node in active if node.is_state}.values():
        by_region.setdefault(node.parent.index if node.parent else -1, []).append(node)
    wanted = list(regions)
    found = set()
    while wanted:
        region = wanted.pop()
        there = by_region.get(region.index, [])
        if len(there) != 1:
            raise SnapshotError(
                f"region '{region.key}' has {len(there)} active states and needs exactly one"
            )
        found.add(there[0].key)
        wanted += there[0].children
    return found
