"""What became of an agent document."""

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter import compare_agents, library
from tests.interpreter.charts import chart, on, region, state
from tests.support.charts import desk

COURSE = library.load("course_answers")["document"]


def agent(*regions, **more):
    return {"format": "callchart.agent/1", "key": "a", "machine": chart(*regions), **more}


def told(before, after):
    return [(c.change, c.kind, c.key, dict(c.fields)) for c in compare_agents(before, after)]


def small(*transitions, last=()):
    return agent(region("r", state("a", *transitions), state("b", *last), state("c")))


def test_equal_documents_have_no_changes():
    assert told(desk(), desk()) == []


@pytest.mark.parametrize("name", library.names())
def test_all_of_a_chart_is_added_to_nothing(name):
    document = library.load(name)["document"]
    empty = {"format": "callchart.agent/1", "key": document["key"], "name": document["name"]}
    changes = compare_agents(empty, document)
    assert {change.change for change in changes if change.kind != "limits"} <= {
        "added",
        "changed",  # the instructions of the agent
    }
    assert [(c.kind, c.key) for c in compare_agents(document, empty)] == [
        (c.kind, c.key) for c in changes
    ]


@pytest.mark.row("F019")
def test_an_added_edge_is_one_added_row():
    after = copy.deepcopy(COURSE)
    first = after["machine"]["regions"][0]["states"][0]
    first["transitions"].append({"on": {"event": "give_up"}, "target": "done"})
    (change,) = compare_agents(COURSE, after)
    assert (change.change, change.kind) == ("added", "transition")
    assert (change.within, change.target) == ("planning", "done")


def test_an_edge_without_a_key_put_before_others_is_one_added_row():
    before = small(on("x", "b"), on("y", "c"))
    (change,) = compare_agents(before, small(on("new", "b"), on("x", "b"), on("y", "c")))
    assert (change.change, change.within, change.target) == ("added", "a", "b")
    (change,) = compare_agents(before, small(on("y", "c")))
    assert (change.change, change.within, change.target) == ("removed", "a", "b")


def test_an_edge_without_a_key_is_known_by_what_stays_of_it():
    before = small(on("x", "b"), on("y", "c"))
    after = small(on("x", "b", guard="1 > 0"), on("z", "c"))
    assert told(before, after) == [
        ("changed", "transition", None, {"guard": (None, "1 > 0")}),
        ("changed", "transition", None, {"on": ({"event": "y"}, {"event": "z"})}),
    ]


def test_states_and_what_is_in_them_are_added_and_removed():
    before = agent(region("r", state("a"), state("b")))
    after = agent(region("r", state("a", on("x", "n")), state("n", on("y", "a"))))
    assert [(c.change, c.kind, c.key or c.within) for c in compare_agents(before, after)] == [
        ("added", "state", "n"),
        ("removed", "state", "b"),
        ("added", "transition", "a"),
        ("added", "transition", "n"),
    ]


def test_a_changed_field_says_what_was_and_what_is():
    before = agent(region("r", state("a"), state("b")))
    after = agent(region("r", state("a", label="Ay", max_visits=2), state("b")))
    assert told(before, after) == [
        ("changed", "state", "a", {"label": (None, "Ay"), "max_visits": (None, 2)})
    ]


def test_a_state_in_another_place_has_moved_and_the_others_have_not():
    before = agent(region("r", *(state(key) for key in "abcd"), initial="a"))
    after = agent(region("r", *(state(key) for key in "dabc"), initial="a"))
    assert told(before, after) == [("moved", "state", "d", {"place": (3, 0)})]


def test_a_state_in_another_region_has_moved():
    before = agent(region("r", state("a"), state("b")), region("s", state("c")))
    after = agent(region("r", state("a")), region("s", state("c"), state("b")))
    assert told(before, after) == [("moved", "state", "b", {"within": ("r", "s")})]


def test_a_keyed_transition_from_another_state_has_moved():
    edge = on("x", "c", key="go")
    assert told(small(edge), small(last=[edge])) == [
        ("moved", "transition", "go", {"within": ("a", "b")})
    ]


def test_slots_prompts_and_the_rest_are_known_by_key():
    before, after = desk(), desk()
    after["slots"][0]["label"] = "Name"
    after["prompts"] = []
    after["tools"].append({"key": "more"})
    after["policies"] = [{"key": "p", "tool": "lookup", "effect": "deny"}]
    after["instructions"] = "Be kind."
    after["machine"]["limits"] = {"turns": 3}
    assert [(what, kind, key) for what, kind, key, _ in told(before, after)] == [
        ("changed", "agent", None),
        ("changed", "limits", None),
        ("changed", "slot", "name"),
        ("removed", "prompt", "greet"),
        ("added", "tool", "more"),
        ("added", "policy", "p"),
    ]


def test_a_default_that_is_spelled_out_is_no_change():
    before, after = small(on("x", "b")), small(on("x", "b", internal=False, effects=[]))
    assert told(before, after) == []


def test_unfinished_documents_are_compared_as_they_are():
    after = small({"on": {}, "target": "b"})
    assert [(what, kind) for what, kind, *_ in told(small(), after)] == [("added", "transition")]


@given(st.permutations("abcdef"), st.permutations("abcdef"))
def test_moving_what_is_told_gives_the_new_order(old, new):
    def lane(keys):
        return agent(region("r", *(state(key) for key in keys), initial="a"))

    moved = {change.key for change in compare_agents(lane(old), lane(new))}
    still = [key for key in old if key not in moved]
    assert still == [key for key in new if key not in moved]
    assert (moved == set()) == (old == new)
