"""The public SCXML suites on our engine, and the command that runs them."""

import csv
import json

import pytest

from interpreter.cli.main import main
from interpreter.conformance import Case, judge
from tests.conftest import SHARED

SUITES = SHARED / "conformance"
COPIES = "scion/w3c-ecma/"
NOT_APPLICABLE = {
    "scion/assign/assign_obj_literal.scxml": "'{' is not of the subset",
    "w3c/ecma/test444.scxml": "'++' is not of the subset",
    "w3c/ecma/test561.scxml": "a <content> of XML",
}


def cases(tier):
    path = SUITES / "tiers.tsv"
    if not path.is_file():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    return [row for row in rows if row["tier"][1] == tier]


def verdict_of(row):
    path = SUITES / row["path"]
    script = path.with_suffix(".json")
    return judge(
        Case(
            name=row["path"],
            tier=int(row["tier"][1]),
            source=path.read_bytes(),
            script=json.loads(script.read_bytes()) if script.is_file() else None,
            note=row["note"] or "",
        )
    )


@pytest.mark.shared
def test_tier_1_passes_as_a_whole():
    rows = cases("1")
    assert len([row for row in rows if not row["path"].startswith(COPIES)]) == 104
    missed = [v.case.name for v in map(verdict_of, rows) if v.status != "pass"]
    assert missed == []


@pytest.mark.shared
@pytest.mark.parametrize(("tier", "count"), [("2", 35), ("3", 77)])
def test_tiers_2_and_3_pass_but_for_the_named_ones(tier, count):
    rows = [row for row in cases(tier) if not row["path"].startswith(COPIES)]
    assert len(rows) == count
    missed = {v.case.name: v for v in map(verdict_of, rows) if v.status != "pass"}
    assert set(missed) == {row["path"] for row in rows} & set(NOT_APPLICABLE)
    for name, verdict in missed.items():
        assert verdict.status == "not applicable"
        assert NOT_APPLICABLE[name] in verdict.reason


@pytest.mark.shared
def test_what_is_out_of_scope_is_never_a_failure():
    verdicts = [verdict_of(row) for row in cases("4")]
    assert {verdict.status for verdict in verdicts} <= {"pass", "not applicable"}
    assert all(verdict.reason for verdict in verdicts if verdict.status != "pass")


def suite(tmp_path, target, *, tier="T1 structure"):
    (tmp_path / "one.scxml").write_text(
        '<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">'
        f'<state id="a"><transition event="go" target="{target}"/></state>'
        '<state id="b"/><state id="c"/></scxml>'
    )
    (tmp_path / "one.json").write_text(
        json.dumps(
            {
                "initialConfiguration": ["a"],
                "events": [{"event": {"name": "go"}, "nextConfiguration": ["b"]}],
            }
        )
    )
    header = "tier\tsuite\tgroup\ttest\tparallel\thistory\tnote\tpath\n"
    (tmp_path / "tiers.tsv").write_text(f"{header}{tier}\town\t\tone\t0\t0\t\tone.scxml\n")
    return str(tmp_path)


def test_the_command_counts_by_tier_and_exits_with_0_when_nothing_fails(tmp_path, capsys):
    assert main(["conformance", suite(tmp_path, "b")]) == 0
    head, row = capsys.readouterr().out.splitlines()
    assert head.split() == ["tier", "tests", "pass", "fail", "n/a", "copies"]
    assert row.split() == ["1", "structure", "1", "1", "0", "0", "0"]


def test_a_failure_is_listed_with_its_reason_and_exits_with_1(tmp_path, capsys):
    assert main(["conformance", suite(tmp_path, "c")]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == (
        "fail: one.scxml: after event 1 (go) it is in c and not in b"
    )


def test_a_chart_that_cannot_be_read_is_a_failure_with_a_sentence(tmp_path, capsys):
    assert main(["conformance", suite(tmp_path, "nowhere")]) == 1
    said = capsys.readouterr().out.splitlines()[-1]
    assert "there is no state 'nowhere'" in said


def test_a_directory_without_a_suite_is_unusable(tmp_path, capsys):
    assert main(["conformance", str(tmp_path)]) == 2
    assert "tiers.tsv" in capsys.readouterr().err
