"""The course checker: what it lets pass, and the one sentence that it says of each mistake."""

import copy
import json
import subprocess
import sys
from pathlib import Path

import pytest

from interpreter import Machine, compile_agent, compile_machine, dry_run, library
from interpreter.library.course import (
    EVENTS,
    MAX_VISITS,
    STATES,
    TABLE,
    course_machine,
    event_of,
    judge,
    step_of,
    storm_machine,
)
from tests.interpreter.charts import chart, on, region, state

ROOT = Path(__file__).parents[2]
SCENARIOS = (
    "answer path",
    "out-of-scope path",
    "empty-retrieval path",
    "terminal",
    "undeclared edges",
    "same run twice",
    "declared edges",
)


def good(here, event, table=TABLE):
    name = event["name"]
    target = table.get((here["state"], name))
    if target is None:
        told = f"'{name}' is not a declared event in state '{here['state']}'"
        return {**here, "rejected": told}
    return {"state": target, "visited": [*here["visited"], target], "rejected": None}


def but(change):
    """The good function, whose answers go through `change(before, event, after)`."""
    return lambda here, event: change(here, event["name"], good(here, event))


def document(*more):
    doc = copy.deepcopy(library.load("course_answers")["document"])
    for source, event, target in more:
        states = doc["machine"]["regions"][0]["states"]
        place = next(one for one in states if one["key"] == source)
        kept = [t for t in place.get("transitions", []) if t["on"] != {"event": event}]
        place["transitions"] = [*kept, {"on": {"event": event}, "target": target}]
    return compile_agent(doc)


@pytest.mark.row("F256")
@pytest.mark.parametrize(
    "subject",
    [course_machine(), good, Machine.from_table(dict(TABLE), initial="planning"), TABLE],
    ids=["preset", "function", "machine", "table"],
)
def test_a_right_machine_passes_and_the_message_is_empty(subject):
    judgement = judge(subject)
    assert judgement.passed
    assert judgement.message == ""


@pytest.mark.row("F257")
def test_the_six_scenarios_come_in_order():
    assert judge(course_machine()).scenarios == SCENARIOS


FAULTS = {
    "answer path": but(
        lambda h, e, a: {**a, "visited": [a["state"]]} if a["state"] == "answering" else a
    ),
    "out-of-scope path": but(lambda h, e, a: {**a, "state": "done"} if e == "out_of_scope" else a),
    "empty-retrieval path": but(
        lambda h, e, a: {**a, "state": "answering"} if e == "no_hits" and not a["rejected"] else a
    ),
    "terminal": but(lambda h, e, a: {**a, "state": "planning"} if h["state"] == "done" else a),
    "undeclared edges": but(
        lambda h, e, a: (
            {**a, "rejected": "no"} if h["state"] == "planning" and a["rejected"] else a
        )
    ),
}


@pytest.mark.row("F257")
@pytest.mark.parametrize("name", FAULTS)
def test_the_first_failure_is_one_sentence_with_the_scenario_and_a_hint(name):
    judgement = judge(FAULTS[name])
    assert not judgement.passed
    assert judgement.message.startswith(f"{name}: ")
    assert judgement.message.count(";") == 1
    assert judgement.message.endswith(".")
    assert "\n" not in judgement.message
    assert judgement.scenarios == SCENARIOS[: SCENARIOS.index(name)]


@pytest.mark.row("F257")
def test_of_two_failures_the_first_is_told():
    both = but(lambda h, e, a: {**a, "state": "done"} if e in ("out_of_scope", "no_hits") else a)
    assert judge(both).message.startswith("out-of-scope path: ")


@pytest.mark.row("F258")
def test_a_refusal_that_passes_through_answering_fails():
    machine = document(("planning", "out_of_scope", "answering"))
    message = judge(machine).message
    assert message.startswith("out-of-scope path: 'out_of_scope' visits 'answering'")
    machine = document(("retrieving", "no_hits", "answering"))
    assert judge(machine).message.startswith("empty-retrieval path: 'no_hits' visits 'answering'")


@pytest.mark.row("F259")
@pytest.mark.parametrize("source", ["planning", "retrieving"])
def test_a_refusal_that_does_not_end_refusing_done_fails(source):
    event = "out_of_scope" if source == "planning" else "no_hits"
    message = judge(document((source, event, "done"))).message
    assert "not ['refusing', 'done']" in message
    assert judge(good).passed
    end = good(good(_start(), {"name": "out_of_scope"}), {"name": "refused"})
    assert end["visited"][-2:] == ["refusing", "done"]


def _start():
    return {"state": "planning", "visited": ["planning"], "rejected": None}


@pytest.mark.row("F260")
@pytest.mark.parametrize("error", [ValueError("no such row"), KeyError("hits"), SystemExit(3)])
def test_a_machine_that_raises_fails_and_the_checker_survives(error):
    def raising(here, event):
        if (here["state"], event["name"]) not in TABLE:
            raise error
        return good(here, event)

    message = judge(raising).message
    assert message.startswith("terminal: ")
    assert f"raised {type(error).__name__}: {error}" in message


@pytest.mark.row("F261")
def test_four_wrong_shapes_give_four_texts():
    shapes = [
        lambda h, e, a: [a],
        lambda h, e, a: {"state": a["state"]},
        lambda h, e, a: {**a, "state": "elsewhere"},
        lambda h, e, a: {**a, "visited": ["planning", "elsewhere"]},
    ]
    texts = [judge(but(shape)).message for shape in shapes]
    assert len(set(texts)) == 4
    for text, said in zip(
        texts,
        [
            "returned list, not a dict",
            "without 'visited'",
            "unknown state 'elsewhere'",
            "no list of states",
        ],
        strict=True,
    ):
        assert said in text


@pytest.mark.row("F262")
@pytest.mark.parametrize("result", [good(_start(), {"name": "plan_ready"}), None, 3, "done"])
def test_a_result_in_the_place_of_the_function_is_named(result):
    assert "pass the step function itself, not its result" in judge(result).message


@pytest.mark.row("F263")
def test_a_hidden_counter_fails_the_same_run_twice():
    calls = []

    def counting(here, event):
        after = good(here, event)
        if event["name"] == "answered" and not after["rejected"]:
            calls.append(1)
            after["count"] = len(calls)
        return after

    message = judge(counting).message
    assert message.startswith("same run twice: plan_ready, hits, answered gives ")
    assert "no counter" in message


@pytest.mark.row("F264")
def test_every_edge_and_every_refusal_is_exercised():
    judgement = judge(course_machine())
    assert judgement.coverage == "6 of 6 edges and 29 of 29 refusals exercised"
    assert set(judgement.taken) == set(TABLE)
    assert set(judgement.refused) == {(s, e) for s in STATES for e in EVENTS} - set(TABLE)
    assert judgement.missing == ()


@pytest.mark.row("F264")
def test_the_sequences_reach_the_function_that_is_judged():
    asked = set()

    def watched(here, event):
        asked.add((here["state"], event["name"]))
        return good(here, event)

    assert judge(watched).passed
    assert asked == {(s, e) for s in STATES for e in EVENTS}


@pytest.mark.row("F264")
def test_what_was_not_run_is_missing_from_the_report():
    judgement = judge(FAULTS["terminal"])
    assert ("answering", "answered") in judgement.taken
    assert judgement.refused == ()
    assert "0 of 29 refusals" in judgement.coverage


DOOR = chart(
    region(
        "door",
        state("shut", on("open", "ajar"), on("lock", "locked")),
        state("ajar", on("close", "shut")),
        state("locked", on("unlock", "shut", guard="slots.key == 'brass'")),
    )
)
KEY = {"key": "key", "type": "string"}


@pytest.mark.row("F265")
def test_a_machine_of_three_states_is_judged_by_its_own_pairs():
    judgement = judge(compile_machine(DOOR, slots=[KEY]))
    assert judgement.passed
    assert judgement.edges == (
        ("shut", "open"),
        ("shut", "lock"),
        ("ajar", "close"),
        ("locked", "unlock"),
    )
    assert judgement.taken == judgement.edges
    assert set(judgement.refused) == {
        (s, e)
        for s in ("shut", "ajar", "locked")
        for e in ("open", "lock", "close", "unlock", "skip_ahead")
    } - set(judgement.edges)


@pytest.mark.row("F265")
def test_a_pair_that_no_run_takes_is_named():
    document = copy.deepcopy(DOOR)
    locked = document["regions"][0]["states"][2]
    locked["transitions"][0]["guard"] = "slots.key == 'brass' && slots.key == 'iron'"
    judgement = judge(compile_machine(document, slots=[KEY]))
    assert not judgement.passed
    assert "no run was found in which 'unlock' in 'locked' is taken" in judgement.message
    assert judgement.missing == (("locked", "unlock"),)


@pytest.mark.row("F265")
def test_a_function_is_held_against_its_own_table():
    table = {("a", "x"): "b", ("b", "y"): "c", ("b", "z"): "a"}
    assert judge(lambda h, e: good(h, e, table), table=table).coverage == (
        "3 of 3 edges and 9 of 9 refusals exercised"
    )
    lost = {**table, ("b", "y"): "a"}
    message = judge(lambda h, e: good(h, e, lost), table=table).message
    assert message.startswith("declared edges: 'y' in 'b' leads to 'a', not to 'c'")


@pytest.mark.parametrize("name", library.names())
def test_the_charts_that_ship_take_and_refuse_what_they_draw(name):
    assert judge(compile_agent(library.load(name)["document"])).passed


def answered(event):
    run = [{"event": "plan_ready"}, event, {"event": "answered"}]
    return dry_run(course_machine(), run).steps[-1]


@pytest.mark.row("F266")
def test_the_partial_flag_travels_with_the_event_to_the_end():
    last = answered({"event": "hits", "data": {"partial": True, "failed_source": "wiki"}})
    assert last.active == ("done",)
    assert last.slots["partial"] is True
    assert last.slots["needs_human_review"] is True
    whole = answered({"event": "hits"}).slots
    assert (whole["partial"], whole["needs_human_review"]) == (False, False)


@pytest.mark.row("F266")
def test_the_step_function_of_a_machine_carries_the_flag_too():
    move, here = step_of(course_machine()), _start()
    here = move(here, {"name": "plan_ready"})
    here = move(here, {"name": "hits", "data": {"partial": True, "failed_source": "wiki"}})
    here = move(here, {"name": "answered"})
    assert here["state"] == "done"
    assert here["slots"]["needs_human_review"] is True


@pytest.mark.row("F267")
def test_the_failed_source_is_named():
    last = answered({"event": "hits", "data": {"partial": True, "failed_source": "wiki"}})
    assert last.slots["failed_source"] == "wiki"


@pytest.mark.row("F268")
def test_half_of_the_results_is_a_partial_hit_and_none_is_no_hit():
    half = event_of({"docs": ["a page"], "wiki": None})
    assert half == {"name": "hits", "data": {"partial": True, "failed_source": "wiki"}}
    assert event_of({"docs": [], "wiki": None}) == {"name": "no_hits"}
    assert event_of({"docs": None, "wiki": None}) == {"name": "no_hits"}
    assert event_of({"docs": ["a page"], "wiki": []}) == {"name": "hits"}
    last = answered({"event": half["name"], "data": half["data"]})
    assert (last.slots["partial"], last.slots["failed_source"]) == (True, "wiki")
    refused = dry_run(
        course_machine(), [{"event": "plan_ready"}, {"event": event_of({"docs": None})["name"]}]
    )
    assert refused.steps[-1].active == ("refusing",)


@pytest.mark.row("F269")
def test_a_retry_storm_is_capped_and_the_run_can_still_take_hits():
    move = step_of(storm_machine())
    here = move(_start(), {"name": "plan_ready"})
    for _ in range(50):
        here = move(here, {"name": "retry"})
    assert here["visited"].count("retrieving") == MAX_VISITS == 3
    assert here["state"] == "retrieving"
    assert "'retrieving' entered 3 times; retries spent" in here["rejected"]
    here = move(here, {"name": "hits"})
    assert here["state"] == "answering"


# --- the command --------------------


def command(*arguments, stdin=None):
    return subprocess.run(
        [sys.executable, "-m", "interpreter", "judge", *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
        input=stdin,
        check=False,
    )


@pytest.mark.row("F256")
def test_the_command_judges_the_preset():
    ran = command("course_answers")
    assert ran.returncode == 0
    assert ran.stdout.splitlines() == [
        *(f"passed   {name}" for name in SCENARIOS),
        "course_answers: 6 of 6 edges and 29 of 29 refusals exercised",
    ]


def test_the_command_judges_a_file_and_a_table():
    ran = command("-", "--json", stdin=json.dumps([["a", "x", "b"], ["b", "y", "a"]]))
    assert ran.returncode == 0
    assert json.loads(ran.stdout)["coverage"] == "2 of 2 edges and 4 of 4 refusals exercised"
    ran = command("-", stdin=json.dumps(DOOR))
    assert ran.returncode == 2  # the slot is not declared
    ran = command("-", stdin=json.dumps([["a", "x", "b"], ["a", "x", "c"]]))
    assert (ran.returncode, ran.stderr) == (2, "error: -: the pair (a, x) stands twice\n")
