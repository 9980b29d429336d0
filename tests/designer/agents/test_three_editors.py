"""Three people at one draft over bad lines: all end with the same, and it leads back."""

from __future__ import annotations

import random
from typing import Any
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from designer.agents import operations as ops
from designer.agents.draft import Draft
from designer.agents.history import history_of
from designer.agents.models import Agent
from designer.agents.selectors import edits_after
from designer.agents.services import apply_operations, create_agent
from designer.agents.storage import read
from designer.core.clock import now
from designer.core.errors import Refusal
from designer.core.ids import new_id
from tests.designer.agents.test_operations import random_operation
from tests.designer.conftest import Person, person
from tests.support.charts import desk

LISTS = ("prompts", "tools", "outcomes", "squad")


def some_operation(draft: Draft, rng: random.Random, number: int) -> dict[str, Any]:
    """An operation that may well fit: on rows, on entries, on settings or limits."""
    if rng.random() < 0.6:
        operation = random_operation(draft, rng, number)
        if operation["op"].endswith(".add"):
            operation["id"] = str(new_id())
        return operation
    name = rng.choice(LISTS)
    keys = [entry["key"] for entry in draft.settings[name]] or ["nobody"]
    return rng.choice(
        [
            {"op": "entry.add", "list": name, "fields": {"key": f"e{number}"}},
            {
                "op": "entry.update",
                "list": name,
                "key": rng.choice(keys),
                "fields": {"key": f"r{number}"},
            },
            {"op": "entry.move", "list": name, "key": rng.choice(keys), "index": 0},
            {"op": "entry.remove", "list": name, "key": rng.choice(keys)},
            {
                "op": "settings.update",
                "fields": {"instructions": f"{{{{ slots.name }}}} {number}"},
            },
            {"op": "limits.update", "fields": {"turns": number}},
        ]
    )


class Editor:
    """One person's page: what the server has confirmed to it, and the batches that still wait."""

    def __init__(self, who: Person, agent: UUID) -> None:
        self.who, self.agent = who, agent
        row = Agent.objects.get(id=agent)
        self.draft, self.revision = read(row), row.revision
        self.waiting: list[tuple[UUID, list[dict[str, Any]]]] = []

    def edit(self, rng: random.Random, number: int) -> None:
        """Writes something on what is on the screen; it goes into the queue."""
        screen = self.draft.copy()
        for _, batch in self.waiting:
            for operation in batch:
                try_out(screen, operation)
        self.waiting.append((new_id(), [some_operation(screen, rng, number)]))

    def send(self, line: str) -> None:
        """Sends the first that waits; `lost`: it never arrives, `deaf`: its answer does not."""
        if not self.waiting or line == "lost":
            return
        batch, operations = self.waiting[0]
        try:
            apply_operations(
                self.who.actor,
                now(),
                agent=self.agent,
                batch=batch,
                base=self.revision,
                operations=operations,
            )
        except Refusal:
            self.waiting.pop(0)  # told to the person, off the screen
            return
        if line != "deaf":
            self.waiting.pop(0)

    def hear(self, line: str) -> None:
        """Reads on in the log of edits: from where it stands, so what was lost comes again."""
        if line == "lost":
            return
        for item in edits_after(self.agent, self.revision, 2 if line == "deaf" else 500):
            assert item["seq"] == self.revision + 1
            for operation in item["data"]["operations"]:
                ops.apply_one(self.draft, operation)
            self.revision = item["seq"]
            mine = UUID(item["data"]["id"])
            self.waiting = [one for one in self.waiting if one[0] != mine]

    def take(self, side: str) -> None:
        """Undoes or redoes the newest of one's own, by the log alone."""
        newest = history_of(self.who.actor, self.agent)[side][0]
        apply_operations(
            self.who.actor,
            now(),
            agent=self.agent,
            batch=new_id(),
            base=None,
            operations=newest["inverse"],
            **{"undoes" if side == "undo" else "redoes": UUID(newest["id"])},
        )


def try_out(draft: Draft, operation: dict[str, Any]) -> None:
    try:
        ops.apply_one(draft, operation)
    except Refusal:
        return


def newest(editors: list[Editor], side: str) -> Editor | None:
    """Whose edit is the newest of all that can be undone (or of the undos: redone)."""
    found = []
    for place, editor in enumerate(editors):
        entries = history_of(editor.who.actor, editor.agent)[side]
        if entries:
            found.append((entries[0]["revision"], place))
    return editors[max(found)[1]] if found else None


@pytest.fixture
def three(db: None) -> list[Person]:
    return [person("north", name, "designer") for name in ("Dana", "Finn", "Mo")]


STEP = st.tuples(
    st.integers(0, 2),
    st.sampled_from(["edit", "edit", "send", "hear"]),
    st.sampled_from(["good", "good", "lost", "deaf"]),
)


@given(st.lists(STEP, min_size=5, max_size=30), st.integers(0, 2**32))
@settings(
    max_examples=15,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_all_end_with_the_same_draft_and_undoing_everything_gives_the_start(
    three: list[Person], steps: list[tuple[int, str, str]], seed: int
) -> None:
    rng = random.Random(seed)
    agent = create_agent(
        three[0].actor, now(), key=f"a{new_id().hex}", name="A", document=desk("desk")
    )
    start = server(agent)
    editors = [Editor(who, agent) for who in three]
    for number, (who, act, line) in enumerate(steps):
        if act == "edit":
            editors[who].edit(rng, number)
        elif act == "send":
            editors[who].send(line)
        else:
            editors[who].hear(line)
    while any(editor.waiting for editor in editors):
        for editor in editors:
            editor.send("good")
    for editor in editors:
        editor.hear("good")
    end = server(agent)
    assert [editor.draft.to_json() for editor in editors] == [end] * 3

    undone = 0
    while (editor := newest(editors, "undo")) is not None:
        editor.take("undo")
        undone += 1
    assert server(agent) == start
    while (editor := newest(editors, "redo")) is not None:
        editor.take("redo")
        undone -= 1
    assert (server(agent), undone) == (end, 0)


def server(agent: UUID) -> dict[str, Any]:
    return read(Agent.objects.get(id=agent)).to_json()
