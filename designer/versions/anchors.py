"""Which draft row each thing of a version was: comments hang on the rows, and rows keep their ids
when they are renamed.
"""

from __future__ import annotations

from designer.agents.draft import Draft
from designer.agents.fields import KINDS

Anchors = dict[str, dict[str, str]]
Names = dict[str, dict[str, str]]


def name_of(draft: Draft, kind: str, id: str) -> str:
    """What a row is called: its key; a transition without one as it is compiled (`source_2`)."""
    row = draft.rows[kind][id]
    if row["key"] or kind != "transition":
        return str(row["key"])
    source = draft.rows["state"].get(row["source"]) or draft.rows["region"][row["source"]]
    return f"{source['key']}_{draft.place(kind, id) + 1}"


def anchors_of(draft: Draft) -> Anchors:
    """For each kind of row, the ids by what the rows are called."""
    found: Anchors = {kind: {} for kind in KINDS}
    for kind, id in draft.everything():
        found[kind].setdefault(name_of(draft, kind, id), id)
    return found


def names_then(draft: Draft, anchors: Anchors) -> Names:
    """What the draft's rows were called when a version was made of them: from now to then, by
    kind; `move` is what a proposal names.
    """
    found: Names = {}
    for kind in KINDS:
        then = {id: name for name, id in anchors.get(kind, {}).items()}
        found[kind] = {
            name_of(draft, kind, id): then[id]
            for id in draft.rows[kind]
            if id in then and name_of(draft, kind, id) != then[id]
        }
    return found | {"move": found["state"] | found["transition"]}


def names_since(draft: Draft, anchors: Anchors) -> Names:
    """The other way round: from what a version calls things to what the draft calls them."""
    return {
        kind: {then: now for now, then in names.items()}
        for kind, names in names_then(draft, anchors).items()
    }
