"""Which draft row each thing of a version was: comments hang on the rows, and rows keep their ids
when they are renamed.
"""

from __future__ import annotations

from designer.agents.draft import Draft
from designer.agents.fields import KINDS

Anchors = dict[str, dict[str, str]]


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
