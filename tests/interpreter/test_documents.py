"""Documents: JSON in with every fault by path, JSON out, durations, slot values, digests."""

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from interpreter import (
    DocumentError,
    compile_agent,
    compile_machine,
    digest_of,
    dump_document,
    parse_agent,
    parse_document,
    parse_duration,
    parse_slots,
    why_not,
)
from interpreter.document.writing import canonical
from tests.interpreter.charts import chart, on, region, state


def faults(document, read=parse_document):
    with pytest.raises(DocumentError) as caught:
        read(document)
    return {"/".join(map(str, p.path)): p for p in caught.value.problems}


def test_it_refuses_unknown_keys_with_their_path():
    document = chart(region("r", state("a", colour="red")))
    document["regions"][0]["states"][0]["transitions"] = [{**on("x", "a"), "gaurd": "true"}]
    found = faults({**document, "extra": 1})
    assert set(found) == {
        "extra",
        "regions/0/states/0/colour",
        "regions/0/states/0/transitions/0/gaurd",
    }
    assert {p.code for p in found.values()} == {"document.unknown_key"}


def test_it_names_every_fault_at_once():
    states = state("Bad Key"), state("b", max_visits=True, kind="odd")
    document = chart(region("r", *states, initial="b"))
    document["regions"][0]["states"][1]["transitions"] = [
        {"on": {"after": "soon"}, "target": "b"},
        {"on": {}, "target": "b"},
        {"on": {"event": "a"}, "effects": [{"shout": 1}, {"set": "x"}]},
    ]
    base = "regions/0/states/1"
    assert set(faults(document)) == {
        "regions/0/states/0/key",
        f"{base}/max_visits",
        f"{base}/kind",
        f"{base}/transitions/0/on/after",
        f"{base}/transitions/1/on",
        f"{base}/transitions/2/effects/0",
        f"{base}/transitions/2/effects/1/value",
    }


@pytest.mark.parametrize("value", [None, 3, "chart", [], {"regions": {}}, {"regions": [3]}])
def test_it_refuses_what_is_no_chart(value):
    assert faults(value)


def test_a_trigger_says_one_thing_only():
    document = chart(region("r", state("a", {"on": {"event": "x", "after": "2s"}})))
    assert list(faults(document)) == ["regions/0/states/0/transitions/0/on/after"]


@pytest.mark.row("F023")
def test_a_document_survives_reading_and_writing():
    document = chart(
        region(
            "r",
            state("a", on(["x", "y.*"], "b", guard="true", effects=[{"raise": "z", "data": {}}])),
            {"key": "b", "kind": "final"},
            stability={"cooldown": "2s"},
        ),
        turns=3,
        target="b",
    )
    once = dump_document(parse_document(document))
    assert once == dump_document(parse_document(once))
    assert parse_document(once) == parse_document(document)
    assert digest_of(once) == digest_of(parse_document(document))


def test_defaults_and_absence_have_one_digest():
    bare = chart(region("r", {"key": "a"}))
    full = chart(region("r", state("a", kind="state", tools=[], regions=[])))
    assert digest_of(parse_document(bare)) == digest_of(parse_document(full))


def test_a_digest_changes_with_the_meaning():
    one = chart(region("r", state("a")))
    other = chart(region("r", state("a", label="A")))
    assert digest_of(parse_document(one)) != digest_of(parse_document(other))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("250ms", 250), ("20s", 20_000), ("5m", 300_000), ("2h", 7_200_000), ("1d", 86_400_000),
        ("1.5s", 1_500), ("PT20S", 20_000), ("P1DT2H", 93_600_000), ("PT0.25S", 250),
    ],
)  # fmt: skip
def test_durations(text, expected):
    assert parse_duration(text) == expected


@pytest.mark.parametrize("text", ["", "20", "s", "-2s", "P", "PT", "1y", "400d", "٣s", "2 s"])
def test_it_refuses_what_is_no_duration(text):
    with pytest.raises(ValueError):
        parse_duration(text)


GOOD = {
    "string": "x", "integer": 3, "number": 2.5, "boolean": False, "date": "2026-11-30",
    "time": "10:30", "datetime": "2026-11-30T10:30:00Z", "duration": "PT5M",
    "email": "a@b.example", "phone": "+49 30 1234567", "list": ["a"],
}  # fmt: skip
BAD = {
    "string": 3, "integer": 2.5, "number": "2", "boolean": 1, "date": "2026-02-30",
    "time": "25:00", "datetime": "yesterday", "duration": "soon", "email": "a@b",
    "phone": "call me", "list": [1],
}  # fmt: skip


@pytest.mark.parametrize("kind", GOOD)
def test_slot_types_take_their_values_and_no_other(kind):
    (slot,) = parse_slots([{"key": "k", "type": kind}])
    assert why_not(slot, GOOD[kind]) is None
    assert why_not(slot, None) is None
    assert why_not(slot, BAD[kind])


def test_slot_options_bind():
    number, text, choice = parse_slots(
        [
            {"key": "n", "type": "integer", "minimum": 1, "maximum": 9},
            {"key": "t", "type": "string", "pattern": "[A-Z]{2}", "max_length": 2},
            {"key": "c", "type": "enum", "choices": ["a", "b"]},
        ]
    )
    assert why_not(number, 9) is None
    assert "less than 1" in why_not(number, 0)
    assert "more than 9" in why_not(number, 10)
    assert why_not(number, True)
    assert why_not(text, "AB") is None
    assert "does not match" in why_not(text, "ab")
    assert "longer" in why_not(text, "ABC")
    assert "not one of a, b" in why_not(choice, "z")


def test_compiling_names_every_structural_fault():
    document = chart(
        region("r", state("a", on("x", "nowhere")), state("a"), initial="missing"),
        region("r", {"key": "f", "kind": "final", "transitions": [on("x", "a")]}),
        region("s", {"key": "h", "kind": "history"}, initial="h"),
    )
    with pytest.raises(DocumentError) as caught:
        compile_machine(document)
    codes = {p.code for p in caught.value.problems}
    assert codes == {
        "key.duplicate",
        "region.initial",
        "transition.target",
        "final.holds",
        "history.default",
    }
    assert "'nowhere'" in str(caught.value)


def test_compiling_names_the_place_of_a_bad_expression():
    document = chart(region("r", state("a", on("x", "a", guard="slots.order = 1"))))
    with pytest.raises(DocumentError) as caught:
        compile_machine(document)
    problem = caught.value.problems[0]
    assert problem.path == ("regions", 0, "states", 0, "transitions", 0, "guard")
    assert problem.span is not None


def test_an_agent_says_where_in_the_machine():
    agent = {"format": "callchart.agent/1", "key": "a", "machine": chart(region("r", state("s")))}
    agent["machine"]["regions"][0]["states"][0]["transitions"] = [on("x", "nowhere")]
    with pytest.raises(DocumentError) as caught:
        compile_agent(agent)
    assert caught.value.problems[0].path[:2] == ("machine", "regions")
    assert parse_agent(agent).key == "a"


@pytest.mark.row("F270")
def test_an_agent_without_a_machine_is_one_implicit_state():
    from interpreter import check_agent, dry_run

    agent = {"format": "callchart.agent/1", "key": "plain", "name": "Plain"}
    assert not [p for p in check_agent(agent) if p.severity == "error"]
    report = dry_run(compile_agent(agent), [{"caller": "hello"}])
    assert report.ok
    assert len(report.steps[0].active) == 1
    assert report.steps[0].refusal is None


def test_the_digest_of_a_machine_covers_the_whole_agent():
    agent = {"format": "callchart.agent/1", "key": "a", "name": "One"}
    other = {**agent, "name": "Two"}
    assert compile_agent(agent).digest == digest_of(parse_agent(agent))
    assert compile_agent(agent).digest != compile_agent(other).digest


CANONICAL = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(CANONICAL)
def test_our_canonical_json_is_that_of_rfc_8785(value):
    try:
        wanted = rfc8785.dumps(value)
    except rfc8785.CanonicalizationError:
        with pytest.raises(rfc8785.CanonicalizationError):
            canonical(value)
    else:
        assert canonical(value) == wanted


def test_the_largest_limit_that_a_document_may_hold_has_a_digest():
    limits = {"turns": 2**53, "target": "a"}
    region = {"key": "r", "role": "speaker", "initial": "a", "states": [{"key": "a"}]}
    document = {"format": "callchart.machine/1", "regions": [region], "limits": limits}
    assert len(compile_machine(document).digest) == 64
