"""Every operation: do, undo, redo; what is refused changes nothing."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from designer.agents.documents import build, load
from designer.agents.draft import Draft
from designer.agents.operations import OPERATIONS, apply_batch
from designer.core.errors import Refusal
from tests.designer.agents.test_documents import agents, empty, ids


def chart() -> Draft:
    document = {
        "format": "callchart.agent/1",
        "key": "a",
        "name": "A",
        "instructions": "Ask {{ slots.order }}.",
        "prompts": [{"key": "greet", "text": "Order {{ slots.order + 1 }}"}],
        "outcomes": [{"key": "fine", "label": "Order {{ slots.order }}"}, {"key": "other"}],
        "slots": [{"key": "order", "type": "integer"}, {"key": "name", "type": "string"}],
        "machine": {
            "format": "callchart.machine/1",
            "limits": {"turns": 9, "target": "bye"},
            "regions": [
                {
                    "key": "talk",
                    "role": "speaker",
                    "initial": "hello",
                    "transitions": [{"on": {"event": "done.region.inner"}, "target": "bye"}],
                    "states": [
                        {
                            "key": "hello",
                            "transitions": [
                                {
                                    "on": {"event": "go"},
                                    "guard": "slots.order > 1 && visits.work < 3",
                                    "target": "work",
                                },
                                {"on": {"event": "end"}, "target": "bye"},
                            ],
                        },
                        {
                            "key": "work",
                            "entry": [{"set": "order", "value": "slots.order + 1"}],
                            "regions": [
                                {
                                    "key": "inner",
                                    "initial": "step",
                                    "states": [
                                        {
                                            "key": "step",
                                            "transitions": [
                                                {
                                                    "on": {"always": True},
                                                    "guard": "active('work')",
                                                    "target": "step2",
                                                }
                                            ],
                                        },
                                        {"key": "step2", "kind": "final"},
                                    ],
                                }
                            ],
                            "transitions": [{"on": {"done": True}, "target": "bye"}],
                        },
                        {"key": "bye", "kind": "final"},
                    ],
                },
                {"key": "watch", "role": "observer", "initial": "on", "states": [{"key": "on"}]},
            ],
        },
    }
    layout = {
        "states": {"hello": {"x": 1, "y": 2, "w": 3, "h": 4}, "step": dict.fromkeys("xywh", 5)}
    }
    return load(document, previous=empty(), new_id=ids(), layout=layout)


def id_of(draft: Draft, kind: str, key: str) -> str:
    return next(id for id, row in draft.rows[kind].items() if row["key"] == key)


def fresh(number: int) -> str:
    return f"11111111-0000-7000-8000-{number:012d}"


CASES: dict[str, Any] = {
    "region.add": lambda d: {
        "id": fresh(1),
        "parent": id_of(d, "state", "hello"),
        "fields": {"key": "sub"},
    },
    "state.add": lambda d: {
        "id": fresh(2),
        "region": id_of(d, "region", "talk"),
        "index": 1,
        "fields": {"key": "mid"},
    },
    "transition.add": lambda d: {
        "id": fresh(3),
        "source": id_of(d, "state", "hello"),
        "index": 0,
        "fields": {"on": {"event": "x"}, "target": id_of(d, "state", "bye")},
    },
    "slot.add": lambda d: {"id": fresh(4), "index": 0, "fields": {"key": "extra", "type": "date"}},
    "region.update": lambda d: {
        "id": id_of(d, "region", "inner"),
        "fields": {"key": "innermost", "label": "In"},
    },
    "state.update": lambda d: {"id": id_of(d, "state", "work"), "fields": {"key": "labour"}},
    "transition.update": lambda d: {
        "id": d.children("transition", id_of(d, "state", "hello"))[0],
        "fields": {"guard": None, "key": "go"},
    },
    "slot.update": lambda d: {"id": id_of(d, "slot", "order"), "fields": {"key": "order_id"}},
    "region.move": lambda d: {
        "id": id_of(d, "region", "watch"),
        "parent": id_of(d, "state", "bye"),
        "index": 0,
    },
    "state.move": lambda d: {
        "id": id_of(d, "state", "hello"),
        "region": id_of(d, "region", "inner"),
        "index": 1,
    },
    "transition.move": lambda d: {
        "id": d.children("transition", id_of(d, "state", "hello"))[0],
        "source": id_of(d, "state", "work"),
        "index": 1,
    },
    "slot.move": lambda d: {"id": id_of(d, "slot", "order"), "index": 1},
    "region.remove": lambda d: {"id": id_of(d, "region", "talk")},
    "state.remove": lambda d: {"id": id_of(d, "state", "work")},
    "transition.remove": lambda d: {"id": d.children("transition", id_of(d, "state", "hello"))[0]},
    "slot.remove": lambda d: {"id": id_of(d, "slot", "order")},
    "limits.update": lambda d: {"fields": {"turns": None, "target": id_of(d, "state", "hello")}},
    "settings.update": lambda d: {
        "fields": {"name": "B", "tools": [{"key": "t", "description": ""}]}
    },
    "entry.add": lambda d: {"list": "tools", "index": 0, "fields": {"key": "look"}},
    "entry.update": lambda d: {"list": "prompts", "key": "greet", "fields": {"key": "welcome"}},
    "entry.move": lambda d: {"list": "outcomes", "key": "fine", "index": 1},
    "entry.remove": lambda d: {"list": "outcomes", "key": "fine"},
    "layout.set": lambda d: {
        "id": id_of(d, "state", "hello"),
        "fields": {"x": 9, "y": 9, "w": 9, "h": 9},
    },
}


def settled(draft: Draft) -> Any:
    """The rows, out of reach of what is applied later."""
    return copy.deepcopy(draft.to_json())


def test_every_operation_has_a_case() -> None:
    assert set(CASES) == set(OPERATIONS)


@pytest.mark.parametrize("name", sorted(CASES))
def test_an_operation_is_undone_and_done_again(name: str) -> None:
    draft = chart()
    before = settled(draft)
    applied = apply_batch(draft, [{"op": name, **CASES[name](draft)}])
    after = settled(draft)
    assert after != before
    undone = apply_batch(draft, applied.inverse)
    assert settled(draft) == before
    apply_batch(draft, undone.inverse)
    assert settled(draft) == after


@pytest.mark.parametrize("name", sorted(CASES))
def test_what_was_applied_can_be_applied_elsewhere(name: str) -> None:
    here, there = chart(), chart()
    applied = apply_batch(here, [{"op": name, **CASES[name](here)}])
    apply_batch(there, applied.operations)
    assert settled(there) == settled(here)


def test_a_removed_state_takes_what_pointed_at_it() -> None:
    draft = chart()
    apply_batch(draft, [{"op": "state.remove", "id": id_of(draft, "state", "bye")}])
    assert draft.limits["target"] is None
    assert all(row["target"] in draft.rows["state"] for row in draft.rows["transition"].values())
    assert not any(row["on"] == {"event": "end"} for row in draft.rows["transition"].values())


def test_renaming_a_slot_rewrites_guards_effects_and_prompts() -> None:
    draft = chart()
    apply_batch(draft, [{"op": "slot.update", **CASES["slot.update"](draft)}])
    document = build(draft).document
    hello, work = document["machine"]["regions"][0]["states"][:2]
    assert hello["transitions"][0]["guard"] == "slots.order_id > 1 && visits.work < 3"
    assert work["entry"] == [{"set": "order_id", "value": "slots.order_id + 1"}]
    assert document["prompts"][0]["text"] == "Order {{ slots.order_id + 1 }}"
    assert document["instructions"] == "Ask {{ slots.order_id }}."


def test_renaming_a_state_rewrites_visits_and_active() -> None:
    draft = chart()
    apply_batch(draft, [{"op": "state.update", **CASES["state.update"](draft)}])
    hello, labour = build(draft).document["machine"]["regions"][0]["states"][:2]
    assert hello["transitions"][0]["guard"] == "slots.order > 1 && visits.labour < 3"
    assert hello["transitions"][0]["target"] == "labour"
    assert labour["regions"][0]["states"][0]["transitions"][0]["guard"] == "active('labour')"


def test_renaming_a_region_rewrites_its_done_event() -> None:
    draft = chart()
    apply_batch(draft, [{"op": "region.update", **CASES["region.update"](draft)}])
    talk = build(draft).document["machine"]["regions"][0]
    assert talk["transitions"][0]["on"] == {"event": "done.region.innermost"}


@pytest.mark.parametrize(
    ("operation", "code"),
    [
        ({"op": "state.update", "id": fresh(9), "fields": {}}, "operation.gone"),
        ({"op": "state.remove", "id": "nonsense"}, "operation.invalid"),
        ({"op": "state.paint", "id": fresh(9)}, "operation.invalid"),
        ({"op": "slot.add", "id": fresh(9), "fields": {"key": "Order"}}, "operation.invalid"),
        ({"op": "slot.add", "id": fresh(9), "fields": {"key": "order"}}, "operation.invalid"),
        (
            {"op": "slot.add", "id": fresh(9), "fields": {"key": "x", "colour": 1}},
            "operation.invalid",
        ),
        (
            {"op": "slot.add", "id": fresh(9), "index": 9, "fields": {"key": "x"}},
            "operation.invalid",
        ),
        (
            {"op": "slot.add", "id": fresh(9), "fields": {"key": "x"}, "sneaky": 1},
            "operation.invalid",
        ),
        ({"op": "limits.update", "fields": {"target": fresh(9)}}, "operation.gone"),
        ({"op": "layout.set", "id": fresh(9), "fields": None}, "operation.gone"),
    ],
)
def test_it_refuses_an_operation_that_does_not_fit(operation: Any, code: str) -> None:
    with pytest.raises(Refusal) as refused:
        apply_batch(chart(), [operation])
    assert refused.value.code == code
    assert refused.value.errors


def test_a_state_can_not_be_moved_into_itself() -> None:
    draft = chart()
    move = {
        "op": "state.move",
        "id": id_of(draft, "state", "work"),
        "region": id_of(draft, "region", "inner"),
        "index": 0,
    }
    with pytest.raises(Refusal, match="into itself"):
        apply_batch(draft, [move])


def test_a_33rd_slot_is_refused() -> None:
    draft = chart()
    batch = [
        {"op": "slot.add", "id": fresh(100 + n), "fields": {"key": f"s{n}"}} for n in range(31)
    ]
    with pytest.raises(Refusal, match="33 slots"):
        apply_batch(draft, batch)


def random_operation(draft: Draft, rng: random.Random, number: int) -> dict[str, Any]:
    """Some operation that may well fit."""
    kind = rng.choice(["region", "state", "transition", "slot"])
    verb = rng.choice(["add", "update", "move", "remove"])
    here = list(draft.rows[kind])
    states, regions = list(draft.rows["state"]), list(draft.rows["region"])
    parent: dict[str, Any] = {
        "region": {"parent": rng.choice([None, *states])},
        "state": {"region": rng.choice(regions or [fresh(0)])},
        "transition": {"source": rng.choice([*states, *regions] or [fresh(0)])},
        "slot": {},
    }[kind]
    if verb == "add":
        fields = {"transition": {"on": {"event": "e"}, "target": rng.choice([None, *states])}}
        named = fields.get(kind, {"key": f"n{number}"})
        return {"op": f"{kind}.add", "id": fresh(number), "fields": named, **parent}
    id = rng.choice(here or [fresh(0)])
    if verb == "update":
        fields = {"transition": {"target": rng.choice([None, *states]), "guard": "slots.s0 > 2"}}
        return {
            "op": f"{kind}.update",
            "id": id,
            "fields": fields.get(kind, {"key": f"m{number}"}),
        }
    if verb == "move":
        return {"op": f"{kind}.move", "id": id, "index": 0, **parent}
    return {"op": f"{kind}.remove", "id": id}


@given(agents(), st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_any_run_of_operations_is_undone_step_by_step(document: Any, seed: int) -> None:
    rng = random.Random(seed)
    draft = load(document, previous=empty(), new_id=ids())
    history = []
    for number in range(1, 12):
        working = draft.copy()
        try:
            applied = apply_batch(working, [random_operation(working, rng, number)])
        except Refusal:
            continue
        history.append((settled(draft), applied.inverse))
        draft = working
    for before, inverse in reversed(history):
        apply_batch(draft, inverse)
        assert settled(draft) == before
