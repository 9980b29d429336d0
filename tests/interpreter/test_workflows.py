"""Workflows: a graph of nodes becomes a chart, and each evaluation leaves one record."""

import json

import jsonschema
import pytest

from interpreter import (
    DocumentError,
    check_agent,
    check_workflow,
    compile_agent,
    compile_machine,
    compile_workflow,
    dry_run,
    dump_document,
    evaluate_node,
    parse_agent,
    workflow_schema,
)
from interpreter.workflow import CODES
from tests.interpreter.workflows import edge, node, otherwise, phone_line, workflow

REFUND = [
    {"event": "decision.intent.refund"},
    {"propose": {"set_slot": {"slot": "order_id", "value": "A7"}}},
]


def found(amount):
    return {"event": "tool.lookup.ok", "data": {"amount": amount}}


def play(document, *lines, version=None):
    return dry_run(compile_agent(compile_workflow(document, version=version).agent), lines)


def evaluations(report):
    return [
        record.data
        for step in (report.start, *report.steps)
        for record in step.records
        if record.type == "workflow.evaluated"
    ]


# --- rows --------------------


@pytest.mark.row("R3-03")
def test_a_graph_of_nodes_is_created_and_tested_with_a_script():
    report = play(
        phone_line(),
        {"expect": {"active": "want", "effect": "say"}},
        {"event": "decision.intent.refund"},
        {"expect": {"active": "order_asking", "effect": "say"}},
        REFUND[1],
        {"expect": {"active": "look", "effect": "call"}},
        found(20),
        {"expect": {"ended": "resolved", "slots": {"topic": "refund"}}},
    )
    looks = [step.expectation for step in report.steps if step.expectation is not None]
    assert report.ok, [look.message for look in looks if not look.met]
    assert len(looks) == 4


@pytest.mark.row("R3-04", "F334")
def test_the_same_logic_as_a_chart_and_as_a_workflow_gives_the_same_steps():
    flow = workflow(
        [
            node("begin", "start"),
            node("rest", "wait", event="paid"),
            node("enough", "decide"),
            node("thanks", "say", text="Thank you."),
            node("bye", "end"),
        ],
        [
            edge("begin", "rest", key="on"),
            edge("rest", "enough", key="paid"),
            edge("enough", "rest", key="no", when="event.data.amount < 10", max_takes=3),
            otherwise("enough", "thanks", key="yes"),
            edge("thanks", "bye", key="over"),
        ],
    )

    def go(key, target, on, **more):
        return {"key": key, "on": on, "target": target, **more}

    always = {"always": True}
    states = [
        {"key": "begin", "kind": "choice", "transitions": [go("on", "rest", always)]},
        {"key": "rest", "transitions": [go("paid", "enough", {"event": "paid"})]},
        {
            "key": "enough",
            "kind": "choice",
            "transitions": [
                go("no", "rest", always, guard="event.data.amount < 10", max_takes=3),
                go("yes", "thanks", always),
            ],
        },
        {"key": "thanks", "prompt": "thanks", "transitions": [go("over", "bye", always)]},
        {"key": "bye", "kind": "final"},
    ]
    region = {"key": "path", "role": "speaker", "initial": "begin", "states": states}
    chart = compile_machine(
        {"format": "callchart.machine/1", "regions": [region]},
        prompts=[{"key": "thanks", "text": "Thank you."}],
    )
    script = [
        {"event": "paid", "data": {"amount": 3}},
        {"event": "what"},
        {"event": "paid", "data": {"amount": 9}},
        {"event": "paid", "data": {"amount": 12}},
        {"event": "paid", "data": {"amount": 1}},
    ]
    one, two = play(flow, *script), dry_run(chart, script)
    assert one.snapshot.ended
    for left, right in zip(one.steps, two.steps, strict=True):
        apart = left.to_json(), right.to_json()
        for told in apart:
            told["records"] = [r for r in told["records"] if r["type"] != "workflow.evaluated"]
        assert apart[0] == apart[1]


@pytest.mark.row("F129")
def test_a_call_through_three_deciding_nodes_leaves_three_events():
    report = play(phone_line(), *REFUND, found(60), {"advance": "5s"})
    assert report.snapshot.outcome == "resolved"
    assert [one["node"] for one in evaluations(report)] == ["want", "big", "loyal"]


@pytest.mark.row("F335")
def test_the_same_input_takes_the_same_branch_ten_times():
    answers = {
        json.dumps(evaluate_node(phone_line(), "big", {"slots": {"amount": 101}}).to_json())
        for _ in range(10)
    }
    runs = {
        json.dumps(play(phone_line(), *REFUND, found(101)).to_json()["steps"]) for _ in range(10)
    }
    assert len(answers) == len(runs) == 1
    assert json.loads(answers.pop())["edge"] == "much"
    assert '"target": "people"' in runs.pop()


@pytest.mark.row("F336")
def test_each_evaluation_names_its_node_what_it_read_and_what_came_of_it():
    report = play(phone_line(), *REFUND, found(60), version=3)
    assert evaluations(report) == [
        {
            "workflow": "flow", "version": 3, "node": "want",
            "inputs": {"decision.intent": "refund"}, "outcome": "refund", "edge": "refund",
        },
        {
            "workflow": "flow", "version": 3, "node": "big",
            "inputs": {"slots.amount": 60}, "outcome": "otherwise", "edge": "little",
        },
        {
            "workflow": "flow", "version": 3, "node": "loyal",
            "inputs": {"slots.amount": 60, "slots.topic": None},
            "outcome": "otherwise", "edge": "stranger",
        },
    ]  # fmt: skip


# --- nodes --------------------


@pytest.mark.parametrize("answer", ["unsure", "failed"])
def test_a_question_without_a_verdict_goes_on_by_otherwise_whatever_was_answered_before(answer):
    report = play(
        phone_line(), {"event": "decision.intent.status"}, {"event": f"decision.intent.{answer}"}
    )
    assert report.snapshot.outcome == "gave_up"
    assert evaluations(report)[-1] == {
        "workflow": "flow", "version": None, "node": "want",
        "inputs": {"decision.intent": answer}, "outcome": answer, "edge": "lost",
    }  # fmt: skip


def test_a_question_whose_time_runs_out_is_one_evaluation_too():
    report = play(phone_line(), {"advance": "20s"})
    assert [(one["outcome"], one["edge"]) for one in evaluations(report)] == [("timeout", "lost")]


def test_an_edge_whose_bound_is_spent_is_passed_over():
    report = play(phone_line(), *[{"event": "decision.intent.status"}] * 3)
    assert [one["edge"] for one in evaluations(report)] == ["status", "status", "lost"]
    assert report.snapshot.outcome == "gave_up"


def test_a_node_with_a_bound_is_entered_so_often():
    flow = workflow(
        [
            node("begin", "start"),
            node("more", "decide"),
            node("again", "wait", event="go", max_visits=2),
            node("bye", "end"),
        ],
        [
            edge("begin", "more"),
            edge("more", "again", key="once_more", when="true"),
            otherwise("more", "bye", key="enough"),
            edge("again", "more"),
        ],
    )
    assert check_workflow(flow) == []
    report = play(flow, *[{"event": "go"}] * 2)
    assert [one["edge"] for one in evaluations(report)] == ["once_more", "once_more", "enough"]


def test_evaluations_of_one_node_twice_in_a_step_are_two_records_each_with_its_own_inputs():
    flow = workflow(
        [
            node("begin", "start"),
            node("count", "set", set=[{"slot": "n", "value": "slots.n + 1"}]),
            node("more", "decide"),
            node("bye", "end"),
        ],
        [
            edge("begin", "count"),
            edge("count", "more"),
            edge("more", "count", key="again", when="slots.n < 2", max_takes=9),
            edge("more", "more", key="itself", when="visits.more < 4", max_takes=9),
            otherwise("more", "bye", key="enough"),
        ],
        slots=[{"key": "n", "type": "integer", "default": 0}],
    )
    assert check_workflow(flow) == []
    told = [(one["inputs"], one["edge"]) for one in evaluations(play(flow))]
    assert told == [
        ({"slots.n": 1}, "again"),
        ({"slots.n": 2, "visits.more": 2}, "itself"),
        ({"slots.n": 2, "visits.more": 3}, "itself"),
        ({"slots.n": 2, "visits.more": 4}, "enough"),
    ]


def test_a_guard_that_fails_counts_as_false_and_is_among_the_inputs():
    flow = workflow(
        [
            node("begin", "start"),
            node("rest", "wait", event="go"),
            node("big", "decide"),
            node("bye", "end"),
            node("fail", "end"),
        ],
        [
            edge("begin", "rest"),
            edge("rest", "big"),
            edge("big", "bye", key="much", when="event.data.v > 1"),
            otherwise("big", "fail", key="little"),
        ],
    )
    report = play(flow, {"event": "go", "data": {"v": "text"}})
    assert [record.type for record in report.steps[0].records].count("guard.error") == 1
    assert evaluations(report) == [
        {
            "workflow": "flow", "version": None, "node": "big",
            "inputs": {"event.data.v": "text"}, "outcome": "otherwise", "edge": "little",
        }
    ]  # fmt: skip


def test_a_slot_that_is_filled_already_is_not_asked_for():
    filled = {"set": {"slot": "order_id", "value": "A7"}}
    report = play(phone_line(), filled, {"event": "decision.intent.refund"})
    said = [e["text"] for e in report.steps[1].effects if e["kind"] == "say"]
    assert said == []
    assert report.snapshot.active == ("look",)


def test_a_tool_that_fails_goes_on_by_otherwise():
    report = play(phone_line(), *REFUND, {"event": "tool.lookup.failed"})
    assert report.snapshot.outcome == "gave_up"


def test_every_state_and_transition_leads_back_to_its_node_and_edge():
    made = compile_workflow(phone_line())
    region = made.agent.machine.regions[0]
    assert [made.node_of(state.key) for state in region.states] == [
        "begin", "hello", "want", "order", "order", "look", "big", "loyal", "mark", "people",
        "pause", "bye", "fail",
    ]  # fmt: skip
    for state in region.states:
        for transition in state.transitions:
            if transition.key is None:
                assert transition.target == "order_asking"
                continue
            found = made.edge_of(transition.key)
            assert made.transitions[found].count(transition.key) == 1
    assert made.to_json()["states"]["order"] == ["order", "order_asking"]
    assert made.node_of("nothing") is None


def test_the_chart_of_a_workflow_is_a_document_like_any_other():
    agent = compile_workflow(phone_line(), version=2).agent
    written = json.loads(json.dumps(dump_document(agent)))
    assert parse_agent(written) == agent
    assert compile_agent(written).digest == compile_agent(agent).digest
    assert [p for p in check_agent(written) if p.severity == "error"] == []
    report = dry_run(compile_agent(written), [*REFUND, found(60)])
    assert len(evaluations(report)) == 3


def test_a_chart_that_names_no_workflow_dispatches_the_hook_and_leaves_no_evaluation():
    written = dump_document(compile_workflow(phone_line()).agent)
    del written["workflow"]
    report = dry_run(compile_agent(written), [{"event": "decision.intent.refund"}])
    assert evaluations(report) == []
    assert [hook["hook"] for hook in report.steps[0].hooks] == ["workflow_evaluated"]


def test_what_the_agent_declares_may_be_named_by_nodes():
    flow = phone_line()
    del flow["tools"], flow["outcomes"]
    agent = {
        "key": "helper",
        "instructions": "Be kind.",
        "tools": [{"key": "lookup"}],
        "outcomes": [{"key": "resolved"}, {"key": "gave_up"}],
        "lane": {"provider": "keywords"},
    }
    assert {p.code for p in check_workflow(flow) if p.severity == "error"} == {
        "tool.unknown", "outcome.unknown",
    }  # fmt: skip
    assert [p for p in check_workflow(flow, agent=agent) if p.severity == "error"] == []
    made = compile_workflow(flow, agent=agent).agent
    assert (made.key, made.instructions, made.lane.provider) == ("helper", "Be kind.", "keywords")
    assert compile_agent(made).key == "helper"


def test_what_both_declare_is_a_problem():
    problems = check_workflow(phone_line(), agent={"key": "a", "tools": [{"key": "lookup"}]})
    assert [(p.code, p.path) for p in problems if p.severity == "error"] == [
        ("key.duplicate", ("tools", 0, "key"))
    ]


# --- one node by itself --------------------


def test_a_deciding_node_is_asked_for_a_sample():
    asked = evaluate_node(phone_line(), "loyal", {"slots": {"amount": 20}})
    assert asked.to_json() == {
        "node": "loyal", "edge": "friend", "target": "mark", "outcome": "when",
        "inputs": {"slots.amount": 20, "slots.topic": None},
        "guards": [
            {
                "edge": "friend", "guard": "slots.topic == null && slots.amount < 50",
                "outcome": "true", "reads": {"slots.amount": 20, "slots.topic": None},
                "error": None,
            }
        ],
        "reason": None, "message": None,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("answer", "more", "edge_taken"),
    [
        ("refund", {}, "refund"),
        ("status", {}, "status"),
        ("status", {"takes": {"status": 2}}, "lost"),
        ("unsure", {}, "lost"),
        ("timeout", {}, "lost"),
    ],
)
def test_a_question_is_asked_for_an_answer(answer, more, edge_taken):
    asked = evaluate_node(phone_line(), "want", {"answer": answer, **more})
    assert (asked.edge, asked.outcome) == (edge_taken, answer)
    assert asked.inputs == {"decision.intent": answer}


@pytest.mark.parametrize(
    ("key", "sample", "reason", "said"),
    [
        ("hello", {}, "decides_nothing", "of the kind 'say', which decides nothing"),
        ("nobody", {}, "unknown_node", "there is no node 'nobody'"),
        ("want", {}, "answer", "one of refund, status, unsure, failed, timeout"),
        ("want", {"answer": "what"}, "answer", "'want' needs an answer"),
        ("big", {"answer": "refund"}, "answer", "'big' asks no question"),
        ("big", {"slots": {"amout": 3}}, "unknown_slot", "there is no slot 'amout'"),
        ("big", {"slots": {"amount": "3"}}, "type", "slot 'amount' (number): '3' is no number"),
        ("big", {"slot": {}}, "malformed", "'slot' is no field of a sample"),
        ("big", {"slots": []}, "malformed", "'slots' of a sample is a JSON object"),
        ("big", {"event": {"confidence": 2}}, "malformed", "an event has a 'name'"),
        ("big", {"visits": {"big": -1}}, "malformed", "'visits' holds whole numbers"),
        ("big", {"machine": {"turns": "a"}}, "malformed", "'machine' holds numbers"),
        ("big", [], "malformed", "a sample is a JSON object"),
    ],
)  # fmt: skip
def test_what_cannot_be_asked_is_refused_with_a_reason(key, sample, reason, said):
    asked = evaluate_node(phone_line(), key, sample)
    assert (asked.ok, asked.edge, asked.reason) == (False, None, reason)
    assert said in asked.message


# --- check --------------------


def spoilt(change):
    document = phone_line()
    change(document)
    return document


def drop(document, part, key):
    document[part] = [one for one in document[part] if one.get("key") != key]


def at(document, part, key):
    return next(one for one in document[part] if one.get("key") == key)


def add_edge(**made):
    return lambda d: d["edges"].append(made)


FAULTS = [
    (
        lambda d: drop(d, "nodes", "begin"), "start.missing", ("nodes",),
        "the Workflow has no start",
    ),
    (
        lambda d: d["nodes"].append(node("second", "start")), "start.several", ("nodes", 12),
        "the Workflow has two starts, 'begin' and 'second'",
    ),
    (
        lambda d: at(d, "edges", "much").update(target="peeple"), "edge.target",
        ("edges", 8, "target"),
        "the edge 'much' from 'big' leads to the node 'peeple', which does not exist",
    ),
    (
        add_edge(source="nobody", target="bye"), "edge.source", ("edges", 15, "source"),
        "the edge 'nobody_1' comes from the node 'nobody', which does not exist",
    ),
    (
        add_edge(source="mark", target="begin"), "start.entered", ("edges", 15, "target"),
        "the edge 'mark_2' from 'mark' leads back to the start",
    ),
    (
        lambda d: d["nodes"].append(node("lonely", "end")), "node.unreachable", ("nodes", 12),
        "no edge leads to 'lonely' from the start",
    ),
    (
        lambda d: drop(d, "edges", "little"), "node.otherwise", ("nodes", 5),
        "'big' has no 'otherwise' edge: the Call may find no way on",
    ),
    (
        lambda d: drop(d, "edges", "not_found"), "node.otherwise", ("nodes", 4),
        "'look' has no 'otherwise' edge, and the tool may fail",
    ),
    (
        lambda d: at(d, "nodes", "order").update(timeout="9s"), "node.otherwise", ("nodes", 3),
        "'order' has no 'otherwise' edge, and its time may run out",
    ),
    (
        add_edge(source="big", target="bye", key="more", when="slots.amount > 100"), "edge.never",
        ("edges", 15),
        "the edge 'more' of 'big' can never be taken: 'much' always comes first",
    ),
    (
        lambda d: at(d, "edges", "much").update(when="1 > 2"), "edge.never", ("edges", 8, "when"),
        "the edge 'much' of 'big' can never be taken: its 'when' is false",
    ),
    (
        lambda d: at(d, "edges", "much").update(when="true"), "edge.never", ("edges", 9),
        "the 'otherwise' edge 'little' of 'big' can never be taken: 'much' always comes first",
    ),
    (
        add_edge(source="want", target="bye", key="again", answer=["refund"]), "edge.never",
        ("edges", 15),
        "the edge 'again' of 'want' can never be taken: 'refund' always comes first",
    ),
    (
        add_edge(source="pause", target="fail", key="late", otherwise=True), "edge.never",
        ("edges", 15),
        "the 'otherwise' edge 'late' can never be taken: 'pause' always goes on",
    ),
    (
        lambda d: at(d, "edges", "status").pop("max_takes"), "loop.unbounded", ("edges", 3),
        "hello -> want -> hello is a loop without a bound",
    ),
    (
        lambda d: at(d, "edges", "lost").update(max_takes=2), "edge.sure",
        ("edges", 4, "max_takes"),
        "the edge 'lost' is the only way on from 'want', "
        "and none is left when its bound of 2 is spent",
    ),
    (
        lambda d: at(d, "nodes", "look").update(max_visits=2), "edge.sure", ("edges", 5),
        "the edge 'order_1' is the only way on from 'order', "
        "and none is left when the bound of 'look' is spent",
    ),
    (
        lambda d: drop(d, "slots", "topic"), "slot.unknown", ("nodes", 7, "set", 0, "slot"),
        "the node 'mark' fills the slot 'topic', which the Workflow does not declare",
    ),
    (
        lambda d: at(d, "nodes", "want").update(question="intend"), "question.unknown",
        ("nodes", 2, "question"),
        "the node 'want' asks 'intend', which is not declared",
    ),
    (
        lambda d: at(d, "edges", "refund").update(answer="refunds"), "answer.unknown",
        ("edges", 2, "answer"),
        "the edge 'refund' takes the answer 'refunds', which 'intent' does not offer",
    ),
    (
        lambda d: at(d, "nodes", "big").update(ruleset="prices"), "capability_not_available",
        ("nodes", 5, "ruleset"),
        "the node 'big' names the Ruleset 'prices', and Rulesets are not available yet",
    ),
    (
        lambda d: d.update(scope="process"), "capability_not_available", ("scope",),
        "Workflows of the scope 'process' are not available yet",
    ),
    (
        lambda d: d["nodes"].append(node("agree", "human_task")), "capability_not_available",
        ("nodes", 12, "kind"), "human tasks are not available yet",
    ),
    (
        lambda d: at(d, "nodes", "bye").update(prompt="p"), "node.words", ("nodes", 10, "prompt"),
        "the node 'bye' has both a text and a prompt",
    ),
    (
        lambda d: at(d, "nodes", "pause").pop("timeout"), "node.waits", ("nodes", 9),
        "'pause' waits for nothing",
    ),
    (
        lambda d: d["edges"].pop(), "node.dead_end", ("nodes", 9),
        "'pause' is no end, and no edge leads on from it",
    ),
    (
        add_edge(source="bye", target="hello"), "end.leaves", ("edges", 15),
        "the end 'bye' has the edge 'bye_1' out of it",
    ),
    (
        add_edge(source="mark", target="fail"), "edge.several", ("edges", 15),
        "'mark' has a second edge, 'mark_2'",
    ),
    (
        lambda d: d["edges"][0].update(when="true"), "edge.condition", ("edges", 0),
        "the edge 'begin_1' has a condition, and 'begin' decides nothing",
    ),
    (
        add_edge(source="big", target="bye", key="plain"), "edge.condition", ("edges", 15),
        "the edge 'plain' of 'big' has no condition",
    ),
    (
        lambda d: at(d, "edges", "much").update(answer="refund"), "edge.condition",
        ("edges", 8, "answer"),
        "the edge 'much' takes an answer, and 'big' asks no question",
    ),
    (
        lambda d: at(d, "edges", "little").update(when="true"), "edge.condition", ("edges", 9),
        "the 'otherwise' edge 'little' of 'big' has a condition",
    ),
    (
        lambda d: d["nodes"].append(node("bye", "end")), "key.duplicate", ("nodes", 12, "key"),
        "two nodes have the key 'bye'",
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("change", "code", "path", "message"), FAULTS, ids=[f"{f[1]} {f[3][:40]}" for f in FAULTS]
)
def test_a_fault_of_the_graph_is_named_where_it_is(change, code, path, message):
    problems = check_workflow(spoilt(change))
    one = next(p for p in problems if p.code == code)
    assert (one.path, one.message) == (path, message)
    assert one.severity == (CODES[code][0])


def test_each_code_of_a_graph_has_a_fault_that_shows_it():
    assert {fault[1] for fault in FAULTS} == set(CODES)


EXPRESSIONS = [
    (
        lambda d: at(d, "edges", "much").update(when="slots.amont > 100"), "slot.unknown",
        ("edges", 8, "when"),
    ),
    (
        lambda d: at(d, "edges", "much").update(when="slots.amount > 'a'"), "guard.type",
        ("edges", 8, "when"),
    ),
    (
        lambda d: at(d, "edges", "much").update(when="slots.amount >"), "guard.syntax",
        ("edges", 8, "when"),
    ),
    (
        lambda d: at(d, "nodes", "mark")["set"][0].update(value="1 + 2"), "effect.type",
        ("nodes", 7, "set", 0, "value"),
    ),
    (
        lambda d: at(d, "nodes", "look")["save"][0].update(value="slots.nobody"), "slot.unknown",
        ("nodes", 4, "save", 0, "value"),
    ),
    (
        lambda d: at(d, "nodes", "look")["args"].update(id="slots."), "effect.syntax",
        ("nodes", 4, "args", "id"),
    ),
    (
        lambda d: at(d, "nodes", "bye").update(text="{{ slots.what }}"), "slot.unknown",
        ("nodes", 10, "text"),
    ),
    (lambda d: at(d, "nodes", "look").update(tool="look"), "tool.unknown", ("nodes", 4, "tool")),
    (
        lambda d: at(d, "nodes", "people").update(agent="bill"), "agent.unknown",
        ("nodes", 8, "agent"),
    ),
    (
        lambda d: at(d, "nodes", "bye").update(outcome="fine"), "outcome.unknown",
        ("nodes", 10, "outcome"),
    ),
    (
        lambda d: at(d, "nodes", "hello").update(text=None, prompt="hi"), "prompt.unknown",
        ("nodes", 1, "prompt"),
    ),
    (
        lambda d: d["slots"][0].update(default=3), "slot.default", ("slots", 0, "default"),
    ),
    (lambda d: d.update(limits={"turns": 3, "target": "nobody"}), "limit.target", ("limits",)),
]  # fmt: skip


@pytest.mark.parametrize(("change", "code", "path"), EXPRESSIONS)
def test_names_and_expressions_have_the_codes_of_a_chart_and_paths_of_the_workflow(
    change, code, path
):
    problems = [p for p in check_workflow(spoilt(change)) if p.severity == "error"]
    assert [(p.code, p.path[: len(path)]) for p in problems] == [(code, path)]


SHAPES = [
    (
        lambda d: at(d, "nodes", "hello").update(txet="a"), "document.unknown_key",
        ("nodes", 1, "txet"),
    ),
    (lambda d: at(d, "nodes", "hello").update(kind="sya"), "document.node", ("nodes", 1)),
    (lambda d: at(d, "nodes", "order").pop("slot"), "document.missing", ("nodes", 3, "slot")),
    (lambda d: d["edges"][0].update(label=3), "document.type", ("edges", 0, "label")),
    (lambda d: d["edges"][3].update(max_takes=0), "document.type", ("edges", 3, "max_takes")),
    (lambda d: d.update(format="callchart.workflow/2"), "document.value", ("format",)),
    (
        lambda d: at(d, "nodes", "pause").update(timeout="soon"), "document.value",
        ("nodes", 9, "timeout"),
    ),
]  # fmt: skip


@pytest.mark.parametrize(("change", "code", "path"), SHAPES)
def test_a_fault_of_shape_has_its_path(change, code, path):
    problems = check_workflow(spoilt(change))
    assert [(p.code, p.path) for p in problems] == [(code, path)]
    with pytest.raises(DocumentError):
        compile_workflow(spoilt(change))


def test_a_graph_with_errors_does_not_compile_and_says_all_of_them():
    document = spoilt(lambda d: (drop(d, "edges", "little"), drop(d, "slots", "topic")))
    with pytest.raises(DocumentError) as caught:
        compile_workflow(document)
    assert [p.code for p in caught.value.problems] == ["slot.unknown", "node.otherwise"]


def test_the_json_schema_takes_what_the_reader_takes_and_no_more():
    schema = workflow_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    assert list(validator.iter_errors(phone_line())) == []
    for change, _, _ in SHAPES[:4]:
        assert list(validator.iter_errors(spoilt(change)))
