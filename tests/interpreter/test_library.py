"""The charts that ship are sound, run as their scripts say, and stay as their goldens are."""

from __future__ import annotations

from typing import Any

import pytest

from interpreter import library
from interpreter.analysis import index, predecessors
from interpreter.checking import check_agent
from interpreter.document import parse_agent
from interpreter.dryrun import dry_run
from interpreter.interchange import diagram_mermaid
from interpreter.stepping import compile_agent

SCRIPTS = [(name, script) for name in library.names() for script in library.load(name)["scripts"]]


@pytest.mark.parametrize("name", library.names())
def test_a_chart_of_the_library_has_no_errors(name: str, golden: Any) -> None:
    problems = check_agent(library.load(name)["document"])
    assert [p.message for p in problems if p.severity == "error"] == []
    golden(f"check_{name}", [problem.to_json() for problem in problems])


def test_the_demo_has_no_problems_at_all() -> None:
    billing = library.load("billing_specialist")["document"]
    demo = library.load("northwind_support")["document"]
    assert check_agent(demo, {"billing": billing}) == []


@pytest.mark.parametrize(("name", "script"), SCRIPTS)
def test_a_script_of_the_library_runs_as_its_golden_says(
    name: str, script: str, golden: Any
) -> None:
    chart = library.load(name)
    report = dry_run(compile_agent(chart["document"]), chart["scripts"][script])
    unmet = [step.expectation.message for step in report.steps if step.expectation and not step.expectation.met]  # noqa: E501 # fmt: skip
    assert unmet == []
    golden(f"run_{name}_{script}", report.to_json())


def test_an_unknown_chart_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        library.load("nothing")


def boxes(name: str) -> dict[str, dict[str, int]]:
    return library.load(name)["layout"]


@pytest.mark.parametrize("name", [n for n in library.names() if boxes(n)])
def test_the_layout_has_a_box_for_everything_and_no_overlaps(name: str) -> None:
    chart = index(parse_agent(library.load(name)["document"]).machine)  # type: ignore[arg-type]
    layout = boxes(name)
    assert {place.key for place in (*chart.states, *chart.regions)} == set(layout)
    groups = [([place.key for place in inside], region.key) for region, inside in chart.inside.items()]  # noqa: E501 # fmt: skip
    groups += [([r.key for r in inner], state.key) for state, inner in chart.regions_of.items()]
    for keys, around in groups:
        for number, key in enumerate(keys):
            one = layout[key]
            outer = layout[around]
            assert 0 <= one["x"] <= outer["w"] - one["w"], key
            assert 28 <= one["y"] <= outer["h"] - one["h"], key
            for other in keys[:number]:
                two = layout[other]
                beside = one["x"] >= two["x"] + two["w"] or two["x"] >= one["x"] + one["w"]
                above = one["y"] >= two["y"] + two["h"] or two["y"] >= one["y"] + one["h"]
                assert beside or above, (key, other)


@pytest.mark.row("F024")
def test_the_course_machine_is_a_graph_of_five_nodes_and_six_labelled_edges() -> None:
    text = diagram_mermaid(library.load("course_answers")["document"]["machine"])
    lines = [line.strip() for line in text.splitlines()]
    assert lines[0] == "stateDiagram-v2"
    assert sum(line.startswith("state ") for line in lines) == 5
    edges = [line for line in lines if "-->" in line and not line.startswith("[*]")]
    assert len(edges) == 6
    assert "planning --> retrieving : plan_ready" in edges
    assert "retrieving --> answering : hits / set, set" in edges


def test_regions_and_nesting_show_in_mermaid(golden: Any) -> None:
    text = diagram_mermaid(library.load("northwind_support")["document"]["machine"])
    golden("mermaid_northwind_support", text.splitlines())


@pytest.mark.row("F018")
def test_who_can_reach_a_state_is_readable() -> None:
    machine = parse_agent(library.load("course_answers")["document"]).machine
    assert machine is not None
    assert predecessors(index(machine), "answering") == ("retrieving",)
    assert predecessors(index(machine), "refusing") == ("planning", "retrieving")
