"""What became of an agent document: one change for each thing that was added, removed, moved or
changed.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from interpreter.document import dump_document, parse_agent
from interpreter.errors import DocumentError

Kind = Literal["added", "removed", "changed", "moved"]
Document = Mapping[str, Any]

_BESIDE = {
    "slots": "slot",
    "prompts": "prompt",
    "tools": "tool",
    "outcomes": "outcome",
    "squad": "squad",
    "policies": "policy",
    "question_sets": "question_set",
}
_INNER = frozenset({"states", "regions", "transitions"})
_KINDS = ("agent", "limits", "region", "state", "transition", *_BESIDE.values())


@dataclass(frozen=True, slots=True)
class Change:
    """One difference.

    `kind` is what it is about (agent, limits, region, state, transition, slot, prompt, tool,
    outcome, squad, policy, question_set), `key` its key or None (a transition may have none),
    `label` how people name it, `within` the key of the state or region it is in (a transition's
    source), `target` a transition's target. `fields` has, for each field that differs, what was
    there before and what is there after (None: nothing); a move says its `within` or `place`.
    `place` is where it stands among its siblings (before, for what was removed).
    """

    change: Kind
    kind: str
    key: str | None
    label: str | None = None
    within: str | None = None
    target: str | None = None
    fields: Mapping[str, tuple[Any, Any]] = field(default_factory=dict)
    place: int = 0

    def to_json(self) -> dict[str, Any]:
        """The change as JSON; `fields` as a list of `{name, before, after}`."""
        return {
            "change": self.change,
            "kind": self.kind,
            "key": self.key,
            "label": self.label,
            "within": self.within,
            "target": self.target,
            "fields": [
                {"name": name, "before": before, "after": after}
                for name, (before, after) in self.fields.items()
            ],
        }


def compare_agents(before: Document, after: Document) -> tuple[Change, ...]:
    """The changes from one agent document to another, by kind and then in document order.

    States, regions and the lists beside the machine are known by their keys; a transition by its
    key, else by its source and what is most alike in it. Unfinished documents are compared as they
    are; nothing is raised for them.
    """
    old, new = _items(_canonical(before)), _items(_canonical(after))
    return tuple(
        change
        for kind in _KINDS
        for change in _of_kind(
            [item for item in old if item.kind == kind],
            [item for item in new if item.kind == kind],
        )
    )


def _canonical(document: Document) -> Document:
    """Without defaults that were spelled out, where it can be read at all."""
    try:
        return dump_document(parse_agent(document))
    except DocumentError:
        return document


@dataclass(frozen=True, slots=True, eq=False)
class _Item:
    kind: str
    key: str | None
    within: str | None
    place: int
    said: Mapping[str, Any]

    def told(self, change: Kind, fields: Mapping[str, tuple[Any, Any]] | None = None) -> Change:
        return Change(
            change,
            self.kind,
            self.key,
            self.said.get("label"),
            self.within,
            self.said.get("target") if self.kind == "transition" else None,
            fields or {},
            self.place,
        )


# --- a document, flat --------------------


def _items(agent: Document) -> list[_Item]:
    machine = agent.get("machine") or {}
    beside = {"machine", "format", *_BESIDE}
    items = [
        _Item("agent", None, None, 0, {n: v for n, v in agent.items() if n not in beside}),
        _Item("limits", None, None, 0, machine.get("limits") or {}),
    ]
    items += _regions(machine, None)
    for name, kind in _BESIDE.items():
        for place, entry in enumerate(agent.get(name) or ()):
            items.append(_Item(kind, entry.get("key"), None, place, entry))
    return items


def _regions(holder: Document, within: str | None) -> Iterator[_Item]:
    for place, region in enumerate(holder.get("regions") or ()):
        yield _item("region", region, within, place)
        yield from _transitions(region)
        for number, state in enumerate(region.get("states") or ()):
            yield _item("state", state, region.get("key"), number)
            yield from _transitions(state)
            yield from _regions(state, state.get("key"))


def _transitions(source: Document) -> Iterator[_Item]:
    for place, transition in enumerate(source.get("transitions") or ()):
        yield _item("transition", transition, source.get("key"), place)


def _item(kind: str, said: Document, within: str | None, place: int) -> _Item:
    own = {name: value for name, value in said.items() if name not in _INNER}
    return _Item(kind, said.get("key"), within, place, own)


# --- who is who --------------------


def _of_kind(old: Sequence[_Item], new: Sequence[_Item]) -> Iterator[Change]:
    pairs = _paired(old, new)
    strayed = _strayed(pairs)
    gone = {id(item) for item in old} - {id(was) for was, _ in pairs}
    was_of = {id(item): was for was, item in pairs}
    for item in new:
        was = was_of.get(id(item))
        if was is None:
            yield item.told("added")
            continue
        if was.within != item.within:
            yield item.told("moved", {"within": (was.within, item.within)})
        elif id(item) in strayed:
            yield item.told("moved", {"place": (was.place, item.place)})
        fields = _differing(was.said, item.said)
        if fields:
            yield item.told("changed", fields)
    yield from (item.told("removed") for item in old if id(item) in gone)


def _differing(old: Document, new: Document) -> dict[str, tuple[Any, Any]]:
    names = dict.fromkeys((*old, *new))
    return {
        name: (old.get(name), new.get(name)) for name in names if old.get(name) != new.get(name)
    }


Pairs = list[tuple[_Item, _Item]]


def _paired(old: Sequence[_Item], new: Sequence[_Item]) -> Pairs:
    """The same thing before and after: by key; without one, by source and by likeness."""
    pairs: Pairs = []
    marks: list[Callable[[_Item], Any]] = [
        lambda item: ("key", item.key) if item.key is not None else None,
        lambda item: _unless_keyed(item, repr(item.said)),
        lambda item: _unless_keyed(item, (repr(item.said.get("on")), item.said.get("target"))),
        lambda item: _unless_keyed(item, ("target", item.said.get("target"))),
        lambda item: _unless_keyed(item, ("on", repr(item.said.get("on")))),
    ]
    for mark in marks:
        waiting: dict[Any, list[_Item]] = {}
        for item in old:
            waiting.setdefault(mark(item), []).append(item)
        waiting.pop(None, None)
        for item in new:
            like = waiting.get(mark(item))
            if like:
                pairs.append((like.pop(0), item))
        taken = {id(item) for pair in pairs for item in pair}
        old = [item for item in old if id(item) not in taken]
        new = [item for item in new if id(item) not in taken]
    return pairs


def _unless_keyed(item: _Item, mark: Any) -> Any:
    return None if item.key is not None else (item.within, mark)


def _strayed(pairs: Pairs) -> set[int]:
    """Those that no longer stand in the order they had among the siblings that stayed."""
    siblings: dict[str | None, Pairs] = {}
    for was, item in pairs:
        if was.within == item.within:
            siblings.setdefault(item.within, []).append((was, item))
    strayed: set[int] = set()
    for group in siblings.values():
        group.sort(key=lambda pair: pair[1].place)
        kept = _longest_rise([was.place for was, _ in group])
        strayed |= {id(item) for number, (_, item) in enumerate(group) if number not in kept}
    return strayed


def _longest_rise(places: Sequence[int]) -> set[int]:
    """The positions of a longest rising subsequence."""
    ends: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for number, place in enumerate(places):
        at = bisect_left(ends, place)
        before.append(last[at - 1] if at else -1)
        ends[at : at + 1] = [place]
        last[at : at + 1] = [number]
    kept: set[int] = set()
    number = last[-1] if last else -1
    while number >= 0:
        kept.add(number)
        number = before[number]
    return kept
