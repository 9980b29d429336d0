"""Laws over drawn Workflows: a Workflow is the chart a person would have drawn for it."""

import json

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from interpreter import (
    check_agent,
    check_workflow,
    compile_agent,
    compile_workflow,
    dry_run,
    dump_workflow,
    evaluate_node,
    parse_workflow,
)
from tests.interpreter.test_fast_path import both
from tests.interpreter.workflows import SCRIPT, Twins

LAW = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
SEEDS = st.integers(0, 2**32)
SCRIPTS = st.lists(st.sampled_from(SCRIPT), max_size=14)


def errors(problems):
    return [problem for problem in problems if problem.severity == "error"]


def told(report):
    """A step without the name of the Agent, and without what only a Workflow leaves."""
    shown = report.to_json()
    apart = ("workflow.evaluated", "call.started")
    records = [one for one in shown["records"] if one["type"] not in apart]
    return {**shown, "records": records}


@LAW
@given(SEEDS, SCRIPTS)
def test_a_workflow_and_the_chart_drawn_by_hand_give_the_same_steps(seed, script):
    twins = Twins(seed)
    flow = compile_agent(compile_workflow(twins.workflow()).agent)
    chart = compile_agent(twins.agent())
    one, two = dry_run(flow, script), dry_run(chart, script)
    assert told(one.start) == told(two.start)
    assert [told(step) for step in one.steps] == [told(step) for step in two.steps]


@LAW
@given(SEEDS, SCRIPTS)
def test_each_move_out_of_a_deciding_node_is_one_evaluation_that_can_be_asked_again(seed, script):
    document = Twins(seed).workflow()
    made = compile_workflow(document, version=4)
    deciding = {one["key"] for one in document["nodes"] if one["kind"] in ("decide", "question")}
    report = dry_run(compile_agent(made.agent), script)
    seen = Seen(document)
    for step in (report.start, *report.steps):
        pending = None
        seen.hear(step.input)
        for record in step.records:
            if record.type == "workflow.evaluated":
                assert pending is not None, "an evaluation without a move"
                assert record.data == {**pending, "workflow": "flow", "version": 4}
                pending = None
                continue
            if record.type == "transition.taken":
                assert pending is None, "a move without an evaluation"
                if record.data["source"] in deciding:
                    pending = seen.ask_again(record.data, made.edge_of(record.data["transition"]))
            seen.note(record, made)
        assert pending is None


class Seen:
    """What a reader of the records knows: enough to ask a node again."""

    def __init__(self, document):
        self.document = document
        self.slots, self.visits, self.takes, self.decisions = {}, {}, {}, {}

    def hear(self, line):
        name = line.get("event", "") if line else ""
        if name.startswith("decision.q."):
            self.answer = name.rpartition(".")[2]
            if self.answer not in ("unsure", "failed"):
                self.decisions["q"] = self.answer

    def note(self, record, made):
        data = record.data
        if record.type == "slot.set":
            self.slots[data["slot"]] = data["to"]
        elif record.type == "state.entered":
            self.visits[data["state"]] = data["visits"]
        elif record.type == "transition.taken":
            edge = made.edge_of(data["transition"])
            self.takes[edge] = self.takes.get(edge, 0) + 1

    def ask_again(self, taken, edge):
        key = taken["source"]
        kind = next(one["kind"] for one in self.document["nodes"] if one["key"] == key)
        answer = None
        if kind == "question":
            answer = "timeout" if taken["trigger"] == "after" else self.answer
        if answer == "odd":  # the lane never gives what is not offered; the chart goes on anyway
            inputs = {"decision.q": "odd"}
            return {"node": key, "edge": edge, "outcome": "odd", "inputs": inputs}
        asked = {} if answer is None else {"answer": answer}
        again = evaluate_node(
            self.document,
            key,
            {
                "slots": self.slots,
                "visits": {k: v for k, v in self.visits.items() if not k.endswith("_asking")},
                "takes": {k: v for k, v in self.takes.items() if k is not None},
                "decisions": self.decisions,
                **asked,
            },
        )
        assert again.ok, again.message
        assert again.edge == edge
        return {
            "node": key, "edge": again.edge, "outcome": again.outcome, "inputs": again.inputs,
        }  # fmt: skip


@LAW
@given(SEEDS, SCRIPTS)
def test_both_paths_of_the_engine_leave_the_same_evaluations(seed, script):
    machine = compile_agent(compile_workflow(Twins(seed).workflow()).agent)
    lines = ["timer" if "advance" in line else line for line in script]
    for taken in both(machine, lines):
        assert taken.snapshot is not None


@LAW
@given(SEEDS)
def test_what_has_no_errors_as_a_workflow_has_none_as_a_chart(seed):
    document = Twins(seed).workflow()
    assert errors(check_workflow(document)) == []
    assert errors(check_agent(compile_workflow(document).agent)) == []


@LAW
@given(SEEDS)
def test_a_workflow_is_read_as_it_was_written(seed):
    read = parse_workflow(Twins(seed).workflow())
    assert parse_workflow(dump_workflow(read)) == read
    assert compile_workflow(dump_workflow(read)).digest == compile_workflow(read).digest


NONSENSE = st.sampled_from(
    [None, 3, "", "what", [], {}, "n1", True, -1, ["x"], "slots.n ==", "{{"]
)


@settings(max_examples=150, deadline=None)
@given(SEEDS, st.randoms(use_true_random=False), NONSENSE, st.booleans())
def test_a_spoilt_workflow_never_makes_the_check_raise(seed, dice, nonsense, remove):
    document = json.loads(json.dumps(Twins(seed).workflow()))
    holder = document
    while True:
        key = dice.choice(list(holder) if isinstance(holder, dict) else range(len(holder)))
        inside = holder[key]
        if not isinstance(inside, (dict, list)) or not inside or dice.random() < 0.2:
            break
        holder = inside
    if remove:
        del holder[key]
    else:
        holder[key] = nonsense
    problems = check_workflow(document)
    for problem in problems:
        assert problem.message
        assert isinstance(problem.to_json(), dict)
    if not errors(problems):
        assert compile_agent(compile_workflow(document).agent).digest
