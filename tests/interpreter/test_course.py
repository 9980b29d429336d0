"""The course machine (source-systems.md section 3): six transitions, 29 refusals."""

from __future__ import annotations

import copy
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

import pytest

from interpreter import library
from interpreter.stepping import Machine, Snapshot, compile_agent, start, step

AT = datetime(2026, 1, 1, tzinfo=UTC)
STATES = ("planning", "retrieving", "answering", "refusing", "done")
TABLE = {
    ("planning", "plan_ready"): "retrieving",
    ("planning", "out_of_scope"): "refusing",
    ("retrieving", "hits"): "answering",
    ("retrieving", "no_hits"): "refusing",
    ("answering", "answered"): "done",
    ("refusing", "refused"): "done",
}
EVENTS = (*(event for _, event in TABLE), "skip_ahead")
WAYS = {
    "planning": (),
    "retrieving": ("plan_ready",),
    "answering": ("plan_ready", "hits"),
    "refusing": ("out_of_scope",),
    "done": ("plan_ready", "hits", "answered"),
}
UNDECLARED = [(s, e) for s in STATES for e in EVENTS if (s, e) not in TABLE]


def document() -> dict[str, Any]:
    return copy.deepcopy(library.load("course_answers")["document"])


@pytest.fixture(scope="module")
def machine() -> Machine:
    return compile_agent(document())


def run(machine: Machine, events: tuple[str, ...]) -> Snapshot:
    snapshot, _ = start(machine, AT)
    for event in events:
        snapshot, _ = step(machine, snapshot, {"event": event}, AT)
    return snapshot


def seen(machine: Machine, events: tuple[str, ...]) -> list[str]:
    """The states entered, in order, as the records tell them."""
    snapshot, records = start(machine, AT)
    found = [r.data["state"] for r in records if r.type == "state.entered"]
    for event in events:
        snapshot, records = step(machine, snapshot, {"event": event}, AT)
        found += [r.data["state"] for r in records if r.type == "state.entered"]
    return found


@pytest.mark.row("F014")
@pytest.mark.parametrize(("source", "event"), TABLE)
def test_a_declared_pair_leads_where_the_table_says(
    machine: Machine, source: str, event: str
) -> None:
    before = run(machine, WAYS[source])
    after = step(machine, before, {"event": event}, AT)
    assert after.moved
    assert after.refusal is None
    assert after.snapshot.active == (TABLE[source, event],)


def test_there_are_29_undeclared_pairs() -> None:
    assert len(UNDECLARED) == 29


@pytest.mark.row("F015", "F050", "F051", "F052", "F053", "F054", "F058")
@pytest.mark.parametrize(("state", "event"), UNDECLARED)
def test_an_undeclared_pair_is_refused_and_nothing_moves(
    machine: Machine, state: str, event: str
) -> None:
    before = run(machine, WAYS[state])
    kept = before.to_json()
    after = step(machine, before, {"event": event}, AT)
    assert not after.moved
    assert before.to_json() == kept
    assert after.snapshot.active == (state,)
    assert dict(after.snapshot.visits) == dict(before.visits)
    assert after.refusal is not None
    assert after.refusal.reason == "undeclared"
    assert event in after.refusal.message
    assert state in after.refusal.message


@pytest.mark.row("F055")
def test_the_refusal_reads_as_in_the_lesson(machine: Machine) -> None:
    refusal = step(machine, run(machine, ()), {"event": "hits"}, AT).refusal
    assert refusal is not None
    assert "'hits' is not a declared event in state 'planning'" in refusal.message


@pytest.mark.row("F056")
def test_a_legal_move_has_no_refusal(machine: Machine) -> None:
    assert step(machine, run(machine, ()), {"event": "plan_ready"}, AT).refusal is None


@pytest.mark.row("F059")
@pytest.mark.parametrize("event", EVENTS)
def test_a_terminal_state_refuses_every_event_the_same_way(machine: Machine, event: str) -> None:
    refusal = step(machine, run(machine, WAYS["done"]), {"event": event}, AT).refusal
    assert refusal is not None
    assert refusal.reason == "undeclared"
    assert "done" in refusal.message


@pytest.mark.row("F016")
def test_one_more_row_is_all_it_takes_to_leave_done() -> None:
    doc = document()
    done = doc["machine"]["regions"][0]["states"][4]
    assert run(compile_agent(doc), (*WAYS["done"], "reopen")).active == ("done",)
    done["transitions"] = [{"on": {"event": "reopen"}, "target": "planning"}]
    assert run(compile_agent(doc), (*WAYS["done"], "reopen")).active == ("planning",)


@pytest.mark.parametrize(
    ("events", "path"),
    [
        (("plan_ready", "hits", "answered"), ["planning", "retrieving", "answering", "done"]),
        (("out_of_scope", "refused"), ["planning", "refusing", "done"]),
        (("plan_ready", "no_hits", "refused"), ["planning", "retrieving", "refusing", "done"]),
    ],
)
def test_the_three_paths(machine: Machine, events: tuple[str, ...], path: list[str]) -> None:
    assert seen(machine, events) == path


@pytest.mark.row("F143")
def test_the_history_starts_with_the_first_state(machine: Machine) -> None:
    assert seen(machine, ()) == ["planning"]
    assert dict(run(machine, ()).visits) == {"planning": 1}


@pytest.mark.row("F144", "F145")
def test_each_move_adds_exactly_the_state_entered(machine: Machine) -> None:
    events = WAYS["done"]
    histories = [seen(machine, events[:number]) for number in range(len(events) + 1)]
    assert histories[1] == ["planning", "retrieving"]
    for shorter, longer in pairwise(histories):
        assert longer[:-1] == shorter


@pytest.mark.row("F146")
def test_a_self_loop_counts_as_a_visit() -> None:
    doc = document()
    retrieving = doc["machine"]["regions"][0]["states"][1]
    retrieving["transitions"].append({"on": {"event": "retry"}, "target": "retrieving"})
    machine = compile_agent(doc)
    events = ("plan_ready", "retry", "retry")
    assert seen(machine, events).count("retrieving") == 3
    assert run(machine, events).visits["retrieving"] == 3


@pytest.mark.row("F045", "F046")
def test_the_same_run_twice_gives_the_same_and_leaves_its_input_alone(machine: Machine) -> None:
    first, second = run(machine, WAYS["done"]), run(machine, WAYS["done"])
    assert first.to_json() == second.to_json()
    before = run(machine, ())
    kept = before.to_json()
    step(machine, before, {"event": "plan_ready"}, AT)
    assert before.to_json() == kept


@pytest.mark.row("F063")
def test_a_late_event_is_ordinary(machine: Machine) -> None:
    assert run(machine, ("plan_ready", "plan_ready", "hits")).active == ("answering",)


@pytest.mark.row("F147", "F148", "F149")
@pytest.mark.parametrize("cap", [3, 5])
def test_a_retry_storm_is_capped_by_visits_that_happened(cap: int) -> None:
    doc = document()
    retrieving = doc["machine"]["regions"][0]["states"][1]
    retrieving["max_visits"] = cap
    retrieving["transitions"].append({"on": {"event": "retry"}, "target": "retrieving"})
    machine = compile_agent(doc)
    snapshot = run(machine, ("plan_ready", *(["nonsense", "retry"] * (cap - 1))))
    assert snapshot.visits["retrieving"] == cap
    after = step(machine, snapshot, {"event": "retry"}, AT)
    assert after.refusal is not None
    assert after.refusal.reason == "visits"
    assert "retrieving" in after.refusal.message
    assert str(cap) in after.refusal.message
    assert step(machine, after.snapshot, {"event": "hits"}, AT).moved
