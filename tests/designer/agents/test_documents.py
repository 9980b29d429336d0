"""Rows and document: the same thing, in both directions."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from designer.agents.documents import build, build_layout, canonical_document, load
from designer.agents.draft import Draft
from interpreter import dump_document, library, parse_agent

KEYS = [f"k{n}" for n in range(30)]
texts = st.text(
    st.characters(blacklist_categories=["Cs"], blacklist_characters="\x00"),
    min_size=1,
    max_size=12,
)


def ids() -> Any:
    numbers = itertools.count(1)
    return lambda kind, name: f"00000000-0000-7000-8000-{next(numbers):012d}"


def empty(key: str = "a") -> Draft:
    return Draft("00000000-0000-7000-8000-000000000000", key, {"name": ""})


@st.composite
def agents(draw: Any) -> dict[str, Any]:
    """Agent documents with nested regions, transitions of every trigger, effects and slots."""
    state_keys = iter(KEYS)
    used: list[str] = []
    region_keys = iter(f"r{n}" for n in range(30))
    effects = st.lists(
        st.sampled_from(
            [
                {"set": "s0", "value": "1 + 1"},
                {"clear": "s0"},
                {"raise": "x.y", "data": {"k": "slots.s0"}},
                {"say": "p0"},
                {"end": "done"},
            ]
        ),
        max_size=2,
    )
    triggers = st.sampled_from(
        [
            {"event": "go"},
            {"event": ["go", "stop.*"]},
            {"propose": "Please."},
            {"after": "20s"},
            {"always": True},
            {"done": True},
        ]
    )

    def transition() -> dict[str, Any]:
        out: dict[str, Any] = {"on": draw(triggers)}
        for name, values in [
            ("guard", st.sampled_from(["slots.s0 > 1", "true"])),
            ("label", texts),
            ("min_confidence", st.sampled_from([0.5, 1.0])),
            ("max_takes", st.integers(1, 9)),
            ("internal", st.just(True)),
            ("target", st.just("?")),
        ]:
            if draw(st.booleans()):
                out[name] = draw(values)
        made = draw(effects)
        return out | ({"effects": made} if made else {})

    def region(depth: int) -> dict[str, Any]:
        out: dict[str, Any] = {"key": next(region_keys), "states": []}
        for _ in range(draw(st.integers(0, 3))):
            key = next(state_keys, None)
            if key is None:
                break
            used.append(key)
            state: dict[str, Any] = {"key": key}
            if draw(st.booleans()):
                state |= {"label": draw(texts), "tools": ["t"], "max_visits": 3}
            moves = [transition() for _ in range(draw(st.integers(0, 2)))]
            state |= {"transitions": moves} if moves else {}
            if depth < 2 and draw(st.integers(0, 3)) == 0:
                state["regions"] = [region(depth + 1) for _ in range(draw(st.integers(1, 2)))]
            out["states"].append(state)
        if out["states"]:
            out["initial"] = out["states"][0]["key"]
        entry = draw(effects)
        return out | ({"entry": entry} if entry else {})

    machine: dict[str, Any] = {
        "format": "callchart.machine/1",
        "regions": [region(0) for _ in range(draw(st.integers(1, 2)))],
    }
    machine["regions"][0]["role"] = "speaker"

    def aim(regions: list[dict[str, Any]]) -> None:
        for item in regions:
            for state in item["states"]:
                for move in state.get("transitions", []):
                    if "target" in move:
                        move["target"] = draw(st.sampled_from(used))
                aim(state.get("regions", []))

    aim(machine["regions"])
    if used and draw(st.booleans()):
        machine["limits"] = {"turns": 4, "target": used[-1]}
    out = {"format": "callchart.agent/1", "key": "a", "name": draw(texts), "machine": machine}
    if draw(st.booleans()):
        out["slots"] = [
            {"key": "s0", "type": "integer", "default": 3, "sensitive": True},
            {"key": "s1", "type": "enum", "choices": ["a", "b"], "writers": ["host"]},
        ]
    if draw(st.booleans()):
        out["prompts"] = [{"key": "p0", "text": "Hello {{ slots.s0 }}"}]
    return dump_document(parse_agent(out))


@given(agents())
@settings(max_examples=60, deadline=None)
def test_rows_say_what_the_document_says(document: dict[str, Any]) -> None:
    draft = load(document, previous=empty(), new_id=ids())
    assert build(draft).document == document


@given(agents())
@settings(max_examples=40, deadline=None)
def test_rows_loaded_again_from_their_document_are_the_same_rows(document: dict[str, Any]) -> None:
    draft = load(document, previous=empty(), new_id=ids())
    again = load(build(draft).document, previous=draft, new_id=ids())
    assert again == draft


@given(agents())
@settings(max_examples=30, deadline=None)
def test_every_row_has_its_place_in_the_document(document: dict[str, Any]) -> None:
    draft = load(document, previous=empty(), new_id=ids())
    built = build(draft)
    named = {id for _, id in built.places.values()}
    assert named == {id for rows in draft.rows.values() for id in rows}
    for path, (kind, id) in built.places.items():
        value: Any = built.document
        for part in path:
            value = value[part]
        assert value.get("key") == draft.rows[kind][id]["key"]


@pytest.mark.parametrize("name", library.names())
def test_a_chart_that_ships_goes_through_rows_unharmed(name: str) -> None:
    chart = library.load(name)
    draft = load(
        chart["document"],
        previous=empty(chart["document"]["key"]),
        new_id=ids(),
        layout=chart["layout"],
    )
    assert build(draft).document == canonical_document(chart["document"])
    assert (
        load(build(draft).document, previous=draft, new_id=ids(), layout=build_layout(draft))
        == draft
    )
