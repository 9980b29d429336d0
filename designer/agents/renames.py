"""What an edit renamed, and what stands beside the draft and follows: comments, scenarios."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import F

from designer.agents.comment_models import Comment
from designer.agents.draft import Draft
from designer.agents.fields import KINDS
from designer.agents.models import Agent
from designer.agents.scenario_models import Scenario
from designer.agents.scripts import renamed_script

Renames = dict[str, dict[str, str]]
"""For each kind of thing, what was called so and is called so now."""

LISTED = {"prompts": "prompt", "squad": "squad", "outcomes": "outcome"}
"""Settings that are lists of things with keys; a thing is known by its place in the list."""


def renames_between(before: Draft, after: Draft) -> Renames:
    """What the rows and the listed settings of a draft were called and are called now."""
    found: Renames = {}
    for kind in KINDS:
        rows = after.rows[kind]
        found[kind] = {
            row["key"]: rows[id]["key"]
            for id, row in before.rows[kind].items()
            if row["key"] and id in rows and rows[id]["key"] not in (row["key"], None)
        }
    for name, kind in LISTED.items():
        old = [entry["key"] for entry in before.settings.get(name) or ()]
        new = [entry["key"] for entry in after.settings.get(name) or ()]
        found[kind] = _by_place(old, new)
    found["event"] = _verdicts(before.settings, after.settings)
    return {kind: names for kind, names in found.items() if names}


def _verdicts(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, str]:
    """The events of verdicts (`decision.<question>.<answer>`) that are called something else."""
    old, new = (
        {
            question["key"]: [answer["key"] for answer in question["answers"]]
            for entry in settings.get("question_sets") or ()
            for question in entry["questions"]
        }
        for settings in (before, after)
    )
    renamed = _by_place(list(old), list(new))
    found: dict[str, str] = {}
    for question, answers in old.items():
        now = renamed.get(question, question)
        called = _by_place(answers, new.get(now, []))
        for answer in (*answers, "unsure", "failed"):
            was = f"decision.{question}.{answer}"
            is_now = f"decision.{now}.{called.get(answer, answer)}"
            if was != is_now:
                found[was] = is_now
    return found


def _by_place(old: list[str], new: list[str]) -> dict[str, str]:
    """A key that is gone and one that is new in its place are one thing with another name."""
    if len(old) != len(new):
        return {}
    pairs = zip(old, new, strict=True)
    return {was: now for was, now in pairs if was not in new and now not in old}


def follow(row: Agent, before: Draft, after: Draft) -> None:
    """Rewrites what stands beside the draft and names what was renamed.

    In the caller's transaction; no query when nothing was.
    """
    found = renames_between(before, after)
    if not found:
        return
    for was, now in found.get("prompt", {}).items():
        Comment.objects.filter(agent=row, kind="prompt", row=was).update(row=now, key=now)
    if set(found) - {"prompt", "region"}:
        _follow_in_scenarios(row, found, after)


def _follow_in_scenarios(row: Agent, found: Renames, after: Draft) -> None:
    names = kept_names(found, after)
    for scenario in Scenario.objects.filter(agent=row):
        slots, lines = renamed_script(scenario.slots, scenario.lines, names)
        if (slots, lines) != (scenario.slots, scenario.lines):
            Scenario.objects.filter(id=scenario.id).update(
                slots=slots, lines=lines, revision=F("revision") + 1
            )


def kept_names(found: Mapping[str, Mapping[str, str]], draft: Draft) -> dict[str, Any]:
    """The renames with `move`: what a proposal names, a state or a transition by its key.

    A name that something in the draft still answers to stays.
    """
    taken = {row["key"] for kind in ("state", "transition") for row in draft.rows[kind].values()}
    moves = {**found.get("state", {}), **found.get("transition", {})}
    moves = {was: now for was, now in moves.items() if was not in taken or was in moves.values()}
    return {**found, "move": moves}
