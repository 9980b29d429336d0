"""Dry runs: a step report for each line, in virtual time; and the command line."""

import json
import subprocess
import sys

import pytest

from interpreter import compile_machine, dry_run
from tests.interpreter.charts import chart, on, propose, region, state

DOCUMENT = chart(
    region(
        "talk",
        state(
            "greeting",
            on(
                "refund",
                "refund",
                key="to_refund",
                guard="slots.order == 'A1'",
                effects=[{"set": "topic", "value": "'refund'"}, {"call": "lookup"}],
            ),
            {"on": {"after": "20s"}, "target": "goodbye", "key": "silent"},
            propose("refund", key="offered"),
            exit=[{"hook": "left"}],
        ),
        state("refund", on("bye", "goodbye"), entry=[{"hook": "refund_started"}]),
        {"key": "goodbye", "kind": "final"},
        role="speaker",
    ),
    region("consent", state("unread", on("told", "read")), state("read"), role="observer"),
)
SLOTS = [{"key": "order", "type": "string"}, {"key": "topic", "type": "string"}]
SCRIPT = [
    {"event": "refund"},
    {"set": {"slot": "order", "value": "A1"}},
    {"event": "told"},
    {"event": "refund"},
]


def machine():
    return compile_machine(DOCUMENT, slots=SLOTS)


def steps(script, **more):
    return [report.to_json() for report in dry_run(machine(), script, **more).steps]


@pytest.mark.row("F299", "R3-35", "R3-36")
def test_each_line_is_answered_with_the_value_of_every_region():
    answers = steps(SCRIPT)
    assert [one["index"] for one in answers] == [0, 1, 2, 3]
    assert answers[2]["value"] == {"talk": "greeting", "consent": "read"}
    assert answers[3]["value"] == {"talk": "refund", "consent": "read"}
    assert answers[3]["active"] == ["refund", "read"]
    assert answers[3]["slots"] == {"order": "A1", "topic": "refund"}


@pytest.mark.row("F300", "R3-37")
def test_effects_come_in_order():
    last = steps(SCRIPT)[-1]
    assert [e["kind"] for e in last["effects"]] == ["hook", "set", "call", "hook"]


@pytest.mark.row("F301", "R3-38")
def test_guards_are_listed_with_their_outcome():
    first, *_, last = steps(SCRIPT)
    assert first["guards"] == [
        {
            "transition": "to_refund",
            "source": "greeting",
            "guard": "slots.order == 'A1'",
            "outcome": "false",
            "reads": {"slots.order": None},
            "error": None,
        }
    ]
    assert last["guards"][0]["outcome"] == "true"
    failing = chart(region("r", state("a", on("x", "a", guard="event.data.v > 1"))))
    report = dry_run(compile_machine(failing), [{"event": "x", "data": {"v": "text"}}])
    guard = report.steps[0].to_json()["guards"][0]
    assert guard["outcome"] == "error"
    assert guard["error"]


@pytest.mark.row("F302", "F109", "R3-39")
def test_hooks_are_named_with_their_state():
    last = steps(SCRIPT)[-1]
    assert last["hooks"] == [
        {"hook": "left", "on": "exit", "state": "greeting", "data": {}},
        {"hook": "refund_started", "on": "entry", "state": "refund", "data": {}},
    ]


@pytest.mark.row("F305", "R3-05")
def test_ten_runs_answer_the_same():
    answers = {json.dumps(dry_run(machine(), SCRIPT).to_json()) for _ in range(10)}
    assert len(answers) == 1


@pytest.mark.row("F307")
def test_a_refused_step_is_reported_and_the_rest_goes_on():
    answers = steps(
        [{"event": "told"}, {"event": "nonsense"}, {"event": "refund"}, {"caller": "hm"}]
    )
    assert answers[1]["refusal"]["reason"] == "undeclared"
    assert not answers[1]["moved"]
    assert [r["type"] for r in answers[1]["records"]] == ["transition.refused"]
    assert [r["type"] for r in answers[3]["records"]] == ["turn.caller"]


def test_time_is_virtual_and_timers_fire_in_order():
    answers = steps([{"advance": "19s"}, {"advance": "2s"}], at="2026-11-30T10:00:00Z")
    assert answers[0]["value"]["talk"] == "greeting"
    assert answers[1]["value"]["talk"] == "goodbye"
    assert answers[1]["at"] == "2026-11-30T10:00:21.000Z"
    assert answers[1]["records"][0]["at"] == "2026-11-30T10:00:20.000Z"


def test_a_line_may_say_when():
    answers = steps([{"event": "told", "at": "2026-11-30T10:00:30Z"}], at="2026-11-30T10:00:00Z")
    assert answers[0]["value"] == {"talk": "goodbye", "consent": "unread"}
    assert answers[0]["refusal"]["reason"] == "ended"


@pytest.mark.parametrize(
    ("expected", "met"),
    [
        ({"active": "refund", "slots": {"topic": "refund"}, "effect": "call"}, True),
        ({"active": ["refund", "read"], "record": ["slot.set", "state.entered"]}, True),
        ({"refused": False, "ended": False}, True),
        ({"active": "greeting"}, False),
        ({"slots": {"topic": "other"}}, False),
        ({"slots": {"nope": 1}}, False),
        ({"refused": "guard"}, False),
        ({"effect": "say"}, False),
        ({"record": "guard.error"}, False),
        ({"ended": True}, False),
        ({"colour": "red"}, False),
        ({}, False),
        (3, False),
    ],
)
def test_an_expectation_looks_at_the_step_before(expected, met):
    report = dry_run(machine(), [*SCRIPT, {"expect": expected}])
    assert report.steps[-1].expectation.met is met
    assert report.ok is met


def test_a_refusal_can_be_expected():
    assert dry_run(machine(), [{"event": "refund"}, {"expect": {"refused": "guard"}}]).ok


@pytest.mark.parametrize("line", [3, None, {}, {"advance": "soon"}, {"advance": 3}, {"event": 3}])
def test_a_line_that_is_no_line_is_a_refused_step(line):
    (answer,) = steps([line])
    assert answer["refusal"]["reason"] == "malformed"


@pytest.mark.parametrize("script", [None, 3, "lines", {"script": 3}, {"script": [], "slots": []}])
def test_it_refuses_a_script_that_is_none(script):
    with pytest.raises((ValueError, TypeError)):
        dry_run(machine(), script)


def test_a_script_may_bring_slots_and_a_time():
    script = {
        "script": [{"event": "refund"}],
        "slots": {"order": "A1"},
        "at": "2030-01-01T00:00:00Z",
    }
    report = dry_run(machine(), script)
    assert report.steps[0].active[0] == "refund"
    assert report.start.to_json()["at"] == "2030-01-01T00:00:00.000Z"
    with pytest.raises(ValueError, match="nope"):
        dry_run(machine(), [], slots={"nope": 1})


def test_steps_are_handed_out_as_they_come():
    seen = []
    dry_run(machine(), SCRIPT, on_step=lambda report: seen.append(report.index))
    assert seen == [0, 1, 2, 3]


# --- the command line ---


@pytest.fixture
def files(tmp_path):
    agent = {"format": "callchart.agent/1", "key": "a", "machine": DOCUMENT, "slots": SLOTS,
             "tools": [{"key": "lookup"}]}  # fmt: skip
    (tmp_path / "agent.json").write_text(json.dumps(agent))
    (tmp_path / "good.json").write_text(json.dumps([*SCRIPT, {"expect": {"active": "refund"}}]))
    (tmp_path / "bad.json").write_text(
        json.dumps([{"event": "x"}, {"expect": {"active": "refund"}}])
    )
    (tmp_path / "broken.json").write_text("{")
    broken = {**agent, "machine": chart(region("r", state("a", on("x", "nowhere"))))}
    (tmp_path / "wrong.json").write_text(json.dumps(broken))
    return tmp_path


def command(folder, *arguments):
    done = subprocess.run(
        [sys.executable, "-m", "interpreter", *arguments],
        capture_output=True,
        text=True,
        cwd=folder,
        env={"PYTHONPATH": str(__import__("pathlib").Path(__file__).parents[2])},
    )
    assert "Traceback" not in done.stderr
    return done


def test_run_prints_a_block_a_step_and_exits_0(files):
    done = command(files, "run", "agent.json", "--events", "good.json")
    assert done.returncode == 0, done.stderr
    assert "refused (guard)" in done.stdout
    assert "refund_started" in done.stdout


def test_run_prints_json(files):
    done = command(files, "run", "agent.json", "--events", "good.json", "--json")
    assert json.loads(done.stdout)["ok"] is True


def test_an_expectation_not_met_exits_1(files):
    done = command(files, "run", "agent.json", "--events", "bad.json")
    assert done.returncode == 1
    assert "NOT MET" in done.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ("run", "agent.json", "--events", "broken.json"),
        ("run", "broken.json", "--events", "good.json"),
        ("run", "wrong.json", "--events", "good.json"),
        ("run", "missing.json", "--events", "good.json"),
        ("check", "broken.json"),
        ("check", "good.json"),
        ("run", "agent.json"),
    ],
)
def test_unusable_input_exits_2(files, arguments):
    done = command(files, *arguments)
    assert done.returncode == 2
    assert done.stderr


def test_check_exits_1_on_problems_and_0_without(files):
    done = command(files, "check", "wrong.json")
    assert done.returncode == 1
    assert "nowhere" in done.stdout
    assert command(files, "check", "agent.json").returncode == 0
