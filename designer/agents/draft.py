"""A draft in memory: the rows in the shape the page reads, and who comes before whom."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from designer.agents.fields import KINDS, LIMITS, PARENT

Row = dict[str, Any]
Box = dict[str, float]


@dataclass
class Draft:
    """The working copy that operations change.

    Values inside rows are replaced, never changed in place.
    """

    id: str
    key: str
    settings: dict[str, Any]
    limits: dict[str, Any] = field(default_factory=lambda: dict.fromkeys(LIMITS))
    rows: dict[str, dict[str, Row]] = field(default_factory=lambda: {kind: {} for kind in KINDS})
    order: dict[tuple[str, str | None], list[str]] = field(default_factory=dict)
    layout: dict[str, Box] = field(default_factory=dict)

    def copy(self) -> "Draft":
        """A copy whose rows and lists can be changed without touching this one."""
        return Draft(
            self.id,
            self.key,
            dict(self.settings),
            dict(self.limits),
            {
                kind: {id: dict(row) for id, row in rows.items()}
                for kind, rows in self.rows.items()
            },
            {parent: list(ids) for parent, ids in self.order.items()},
            dict(self.layout),
        )

    def kind_of(self, id: str) -> str | None:
        """Which kind of row has this id, or None."""
        return next((kind for kind in KINDS if id in self.rows[kind]), None)

    def parent_of(self, kind: str, id: str) -> str | None:
        """The id of the row's parent; None at the top and for slots."""
        name = PARENT[kind]
        return None if name is None else self.rows[kind][id][name]

    def children(self, kind: str, parent: str | None) -> list[str]:
        """The ids of the rows of `kind` in `parent`, in document order."""
        return self.order.get((kind, parent), [])

    def place(self, kind: str, id: str) -> int:
        """Where a row stands among its siblings, from 0."""
        return self.children(kind, self.parent_of(kind, id)).index(id)

    def insert(self, kind: str, row: Row, index: int | None) -> None:
        """Puts a row among its siblings; last when `index` is None."""
        self.rows[kind][row["id"]] = row
        name = PARENT[kind]
        siblings = self.order.setdefault((kind, row[name] if name else None), [])
        siblings.insert(len(siblings) if index is None else index, row["id"])

    def take(self, kind: str, id: str) -> Row:
        """Takes a row out, with its layout; what is inside it is the caller's care."""
        self.children(kind, self.parent_of(kind, id)).remove(id)
        self.layout.pop(id, None)
        return self.rows[kind].pop(id)

    def walk(self, region: str) -> Iterator[tuple[str, str]]:
        """A region and all in it as (kind, id), parents first, transitions after the rows they
        leave.
        """
        yield "region", region
        for transition in self.children("transition", region):
            yield "transition", transition
        for state in self.children("state", region):
            yield from self.walk_state(state)

    def walk_state(self, state: str) -> Iterator[tuple[str, str]]:
        """A state and all in it, as `walk`."""
        yield "state", state
        for transition in self.children("transition", state):
            yield "transition", transition
        for region in self.children("region", state):
            yield from self.walk(region)

    def everything(self) -> Iterator[tuple[str, str]]:
        """Every row in document order; slots last."""
        for region in self.children("region", None):
            yield from self.walk(region)
        for slot in self.children("slot", None):
            yield "slot", slot

    def depth_of(self, kind: str, id: str | None) -> int:
        """How many states are around a row; its own state not counted."""
        depth = 0
        while id is not None:
            if kind == "region":
                kind, id = "state", self.rows["region"][id]["parent"]
                depth += id is not None
            else:
                kind, id = "region", self.rows["state"][id]["region"]
        return depth

    def to_json(self) -> dict[str, Any]:
        """The rows as the page reads them (contracts.md section 5), in document order."""
        listed: dict[str, list[Row]] = {kind: [] for kind in KINDS}
        for kind, id in self.everything():
            listed[kind].append(self.rows[kind][id])
        settings = {name: value for name, value in self.settings.items() if name != "name"}
        return {
            "agent": {"id": self.id, "key": self.key, "name": self.settings["name"]},
            "settings": settings,
            "limits": self.limits,
            "regions": listed["region"],
            "states": listed["state"],
            "transitions": listed["transition"],
            "slots": listed["slot"],
            "layout": self.layout,
        }
