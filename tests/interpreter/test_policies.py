"""Policies stand in the agent document; they are checked, and the engine runs none of them."""

import copy

import pytest

from interpreter import check_agent, compile_agent, digest_of, dry_run, dump_document, parse_agent
from tests.support.charts import desk

DENY = {"key": "no_lookups", "tool": "lookup", "effect": "deny", "message": "Not today."}
SCRIPT = [{"event": "help"}, {"event": "again"}]


def calling(*policies):
    """The desk, which asks for its tool when it goes back; with policies."""
    agent = copy.deepcopy(desk())
    helping = agent["machine"]["regions"][0]["states"][1]
    helping["transitions"][0]["effects"] = [{"call": "lookup", "args": {"k": "slots.tries"}}]
    return {**agent, "policies": list(policies)} if policies else agent


def codes(agent):
    return [(p.code, p.path) for p in check_agent(agent) if p.severity == "error"]


def test_a_policy_is_part_of_the_document_and_of_its_digest():
    agent = calling({**DENY, "when": "slots.tries > 0"})
    read = parse_agent(agent)
    assert read.policies[0].when == "slots.tries > 0"
    assert parse_agent(dump_document(read)) == read
    assert digest_of(read) != digest_of(parse_agent(calling()))
    assert codes(agent) == []


def test_a_policy_names_a_tool_that_is_there_and_has_a_key_of_its_own():
    faulty = calling(DENY, {**DENY, "tool": "hammer"})
    assert codes(faulty) == [
        ("key.duplicate", ("policies", 1, "key")),
        ("tool.unknown", ("policies", 1, "tool")),
    ]


@pytest.mark.parametrize(
    ("when", "code"),
    [("slots.", "guard.syntax"), ("slots.nobody == 1", "slot.unknown"), ("1", "guard.type")],
)
def test_the_guard_of_a_policy_is_checked_like_any_guard(when, code):
    assert codes(calling({**DENY, "when": when})) == [(code, ("policies", 0, "when"))]


def test_a_policy_that_is_none_is_a_fault_of_shape():
    (problem,) = check_agent(calling({**DENY, "effect": "maybe"}))
    assert (problem.code, problem.path[:2]) == ("document.value", ("policies", 0))


@pytest.mark.row("F303")
@pytest.mark.parametrize("when", [None, "true", "slots.tries > 0"])
def test_a_dry_run_goes_as_if_there_were_no_policy(when):
    policy = {**DENY, "when": when} if when else DENY
    reports = [
        dry_run(compile_agent(agent), SCRIPT).to_json() for agent in (calling(policy), calling())
    ]
    for report in reports:  # the digest in call.started tells the documents apart, and should
        assert report["start"]["records"][0]["data"].pop("digest")
    with_it, without = reports
    assert with_it == without
    assert with_it["steps"][1]["effects"][0]["kind"] == "call"
