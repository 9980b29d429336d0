"""`make bench` measures what is right and says what it could not. Nothing here is timed."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks.engine import growth, install, measure, ours, run, tables
from benchmarks.engine.charts import WORKLOADS, groups
from interpreter import check

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("letter", WORKLOADS)
@pytest.mark.parametrize("name", run.OURS)
def test_each_face_of_ours_stands_where_the_workload_says(name: str, letter: str) -> None:
    measure.checked(ours.ENGINES[name](), WORKLOADS[letter]())


def test_an_engine_that_stands_elsewhere_is_not_measured() -> None:
    load = dataclasses.replace(WORKLOADS["a"](), leaves=("welcome",))
    with pytest.raises(
        measure.WrongResultError, match=r"stands at .*perform.*must be at .*welcome"
    ):
        measure.checked(ours.ENGINES["ours"](), load)


def test_every_engine_is_measured_on_every_workload_that_it_can_express() -> None:
    jobs = run.jobs()
    assert len(jobs) == len(set(jobs))
    missing = {(n, w) for n in run.ENGINES for w in WORKLOADS} - set(jobs)
    assert missing == {(name, letter) for name in ("xstate-fsm", "robot3") for letter in "cde"}


def test_the_figure_of_an_engine_is_the_median_over_the_rounds(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    rates = iter([30.0, 10.0, 20.0])
    monkeypatch.setattr(run, "BUILD", tmp_path)
    monkeypatch.setattr(run, "jobs", lambda: [("ours", "a")])
    monkeypatch.setattr(run, "answer", lambda _: {"rate": next(rates)})
    found, wrong = run.measure(3, {})
    assert found["a"] == {"ours": 20.0}
    assert wrong == {}


def test_a_busy_machine_gets_fewer_rounds_and_never_none(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[list[str]] = []

    def answer(command: list[str]) -> dict[str, float]:
        asked.append(command)
        return {"rate": 1.0}

    monkeypatch.setattr(run, "BUILD", tmp_path)
    monkeypatch.setattr(run, "jobs", lambda: [("ours", "a")])
    monkeypatch.setattr(run, "answer", answer)
    found, _ = run.measure(3, {}, patience=-1.0)
    assert found["a"] == {"ours": 1.0}
    assert len(asked) == 1


def test_an_absent_peer_and_a_wrong_one_are_named_and_the_rest_is_measured(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def answer(command: list[str]) -> dict[str, Any]:
        if "sismic" in command:
            return {"absent": "No module named 'sismic'"}
        return {"error": "stands at x"} if "robot3" in command else {"rate": 100.0}

    monkeypatch.setattr(run, "BUILD", tmp_path)
    monkeypatch.setattr(run, "answer", answer)
    absent = {"xsm": "no environment for it"}
    found, wrong = run.measure(1, absent)
    assert set(found["a"]) == set(run.ENGINES) - {"sismic", "xsm", "robot3"}
    result = {"workloads": found, "absent": absent, "wrong": wrong, "growth": {}}
    monkeypatch.setattr(tables, "GROWTH", ())
    text = "\n".join(tables.printed(result, run.ENGINES, run.OURS))
    assert "sismic is not here: No module named 'sismic'" in text
    assert "xstate-statemachine is not here: no environment for it" in text
    assert "robot3 (flat only) is WRONG: on (" in text
    assert "x1.00 " in text


def test_ratios_are_ours_over_the_peer() -> None:
    assert run.ratios({"a": {"ours": 300.0, "xstate-actor": 100.0}}) == {
        "a": {"ours": 1.0, "xstate-actor": 3.0}
    }


def test_a_peer_that_is_not_installed_says_so() -> None:
    done = subprocess.run(
        [sys.executable, "-S", "-m", "benchmarks.engine.python_peers", "sismic", "a", "0.01"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout) == {"absent": "No module named 'sismic'"}


def test_a_program_that_is_not_there_and_one_that_fails_are_answers_too() -> None:
    assert run.answer(["no-such-program"]) == {"absent": "no-such-program is not on this machine"}
    assert run.answer([sys.executable, "-c", "raise SystemExit('no luck')"]) == {
        "error": "no luck"
    }
    assert run.answer([sys.executable, "-c", "print('a'); print('{\"rate\": 1}')"]) == {"rate": 1}


def test_every_peer_is_pinned_with_hashes_and_no_registry_is_named() -> None:
    lock = (ROOT / "requirements" / "bench.lock").read_text()
    for block in install.blocks(lock):
        assert "==" in block
        assert "--hash=sha256:" in block
    for name in ("python-statemachine", "sismic", "transitions", "xstate-statemachine"):
        assert f"\n{name}==" in lock
    node = json.loads((ROOT / "benchmarks" / "package-lock.json").read_text())["packages"]
    peers = json.loads((ROOT / "benchmarks" / "package.json").read_text())["dependencies"]
    for name, version in peers.items():
        assert node[f"node_modules/{name}"]["version"] == version
        assert node[f"node_modules/{name}"]["integrity"]
    assert "index-url" not in lock
    assert "http" not in (ROOT / "benchmarks" / "package.json").read_text()


def test_a_lock_falls_into_its_requirements() -> None:
    six = "six==1.17.0 \\\n    --hash=sha256:aa \\\n    --hash=sha256:bb\n"
    other = "other==2 \\\n    --hash=sha256:cc\n"
    assert install.blocks(f"# made by uv\n{six}    # via x\n{other}") == [six, other]


def test_every_table_of_growth_can_be_printed() -> None:
    assert set(growth.TABLES) == set(tables.GROWTH)
    failed = {"growth": {name: {"error": "no luck"} for name in tables.GROWTH}}
    result = {"workloads": {}, "absent": {}, "wrong": {}, **failed}
    lines = list(tables.printed(result, run.ENGINES, run.OURS))
    assert sum("FAILED: no luck" in line for line in lines) == len(tables.GROWTH)


def test_the_charts_that_are_compiled_and_checked_have_no_faults() -> None:
    plain = check(ours.document(groups(100)))
    problems = plain + check(growth.talking(100), **growth.BESIDE)
    assert [p for p in problems if p.severity == "error"] == []
