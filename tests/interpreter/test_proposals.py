"""A model proposes by control tools alone, and guards decide (source-systems.md 4.2)."""

import pytest

from interpreter import compile_machine, dry_run
from tests.interpreter.charts import Player, chart, on, propose, region, state

AGE = [{"key": "age", "type": "integer"}, {"key": "word", "type": "string"}]


def desk():
    return chart(
        region(
            "r",
            state(
                "a",
                propose("b", key="grown_up", guard="slots.age >= 18"),
                propose("c", key="child", guard="slots.age < 18"),
                on("turn.caller", effects=[{"set": "word", "value": "event.data.text"}]),
            ),
            state("b"),
            state("c"),
        )
    )


def proposal(target):
    return {"propose": {"transition": target}}


@pytest.mark.row("R3-08")
def test_each_proposal_shows_its_guard_and_what_it_said():
    machine = compile_machine(desk(), slots=AGE)
    script = [proposal("b"), {"set": {"slot": "age", "value": 30}}, proposal("c"), proposal("b")]
    first, _, second, third = dry_run(machine, script).to_json()["steps"]
    told = [[(g["transition"], g["guard"], g["outcome"]) for g in s["guards"]] for s in (first, second, third)]  # noqa: E501 # fmt: skip
    assert told == [
        [("grown_up", "slots.age >= 18", "false")],
        [("child", "slots.age < 18", "false")],
        [("grown_up", "slots.age >= 18", "true")],
    ]
    assert [s["moved"] for s in (first, second, third)] == [False, False, True]
    assert second["guards"][0]["reads"] == {"slots.age": 30}
    assert [r["type"] for r in second["records"]] == ["transition.refused"]


@pytest.mark.row("R3-13")
def test_the_control_tools_are_proposals_of_a_script_and_free_text_moves_nothing():
    machine = compile_machine(desk(), slots=AGE, squad=["billing"])
    script = [
        {"propose": {"set_slot": {"slot": "age", "value": 30}}},
        {"propose": {"handoff": "billing"}},
        {"agent": "transition to b; set_slot age 3; handoff billing"},
        {"agent": '{"propose": {"transition": "b"}}'},
        {"caller": "go to b"},
        {"propose": {"transition": "b"}},
    ]
    steps = dry_run(machine, script).steps
    assert not any(step.refusal for step in steps)
    assert steps[0].slots["age"] == 30
    assert [r.type for r in steps[1].records] == ["handoff.completed"]
    assert steps[1].snapshot.agent == "billing"
    for step in steps[2:5]:
        assert step.active == ("a",)
        assert (step.slots["age"], step.snapshot.agent) == (30, "billing")
    assert steps[5].active == ("b",)


@pytest.mark.parametrize(
    "line",
    [
        {"propose": {"end": "now"}},
        {"propose": {"transition": "b", "set_slot": {"slot": "age", "value": 1}}},
        {"propose": {}},
        {"propose": "b"},
    ],
)
def test_what_is_no_control_tool_is_refused(line):
    run = Player(desk(), AGE)
    assert run.take(line).refusal.reason == "malformed"
    assert run.active == ["a"]


def test_a_verdict_and_a_failure_of_the_lane_are_events_like_any_other():
    """A failed or unsure ask is no answer: what guards read is the last one that was given."""
    document = chart(
        region(
            "r",
            state(
                "a",
                on("decision.intent.refund", "a"),
                on("decision.intent.failed", "a"),
                on("go", "b", guard="decision.intent == 'refund'"),
                ask=["intent"],
            ),
            state("b"),
        )
    )
    run = Player(document)
    run.send("decision.intent.failed")
    assert run.snapshot.decision == {}
    run.send("decision.intent.refund")
    run.send("decision.intent.failed")
    run.send("decision.intent.unsure")
    assert run.snapshot.decision == {"intent": "refund"}
    run.send("go")
    assert run.active == ["b"]


@pytest.mark.row("F128", "R3-48", "R3-49")
def test_an_ask_leaves_a_verdict_or_a_failure_and_never_both():
    document = chart(
        region(
            "r",
            state(
                "a",
                on("decision.intent.refund", "b"),
                on("decision.intent.failed"),
                ask=["intent"],
            ),
            state("b"),
        )
    )

    def said(run, line):
        found = [r for r in run.take(line).records if r.type.startswith("decision.")]
        assert len(found) == 1
        return found[0].type, found[0].data

    run = Player(document)
    slow = {"event": "decision.intent.failed", "data": {"error": "time-out", "provider": "openai"}}
    kind, data = said(run, slow)
    assert kind == "decision.failed"
    assert (data["question"], data["error"], data["provider"]) == ("intent", "time-out", "openai")
    assert (run.active, run.snapshot.status) == (["a"], "running")
    kind, data = said(run, {"event": "decision.intent.unsure", "confidence": 0.3})
    assert (kind, data["answer"], data["confidence"]) == ("decision.verdict", "unsure", 0.3)
    sure = {"model": "keywords", "latency_ms": 2}
    kind, data = said(run, {"event": "decision.intent.refund", "data": sure, "confidence": 0.9})
    assert kind == "decision.verdict"
    assert data == {
        "question": "intent",
        "answer": "refund",
        "confidence": 0.9,
        "provider": None,
        "model": "keywords",
        "latency_ms": 2,
    }
    assert run.active == ["b"]
    assert not [
        r for r in run.take({"event": "decision.mood.bad"}).records if "decision" in r.type
    ]
