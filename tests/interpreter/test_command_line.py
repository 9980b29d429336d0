"""`python -m interpreter` with files of every sort: a status, a sentence, never a traceback."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from interpreter.cli.reading import MAX_FILE
from tests.interpreter.charts import chart, on, region, state

ROOT = Path(__file__).parents[2]
CHART = chart(region("talk", state("a", on("go", "b")), state("b", on("back", "a"), max_visits=9)))


@pytest.fixture
def folder(tmp_path):
    files = {
        "chart.json": json.dumps(CHART),
        "faulty.json": json.dumps(chart(region("talk", state("a", on("go", "nowhere"))))),
        "good.json": json.dumps([{"event": "go"}, {"expect": {"active": "b"}}]),
        "long.json": json.dumps([{"event": "go"}, {"event": "back"}] * 2_000),
        "unmet.json": json.dumps([{"event": "go"}, {"expect": {"active": "a"}}]),
        "no_lines.json": json.dumps({"lines": []}),
        "bad_slots.json": json.dumps({"script": [], "slots": 3}),
        "bad_time.json": json.dumps({"script": [], "at": 3}),
        "number.json": "5",
        "text.json": '"a"',
        "open.json": "[",
        "empty.json": "",
        "deep.json": "[" * 100_000,
        "twice.json": '{"regions": [], "regions": []}',
        "nan.json": '[{"event": "a", "data": {"b": NaN}}]',
        "digits.json": '[{"event": "a", "data": {"b": ' + "9" * 5_000 + "}}]",
        "surrogate.json": '[{"event": "a\\ud800"}]',
        "marked.json": "\ufeff[]",
        "huge.json": json.dumps({**CHART, "notes": "x" * MAX_FILE}),
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "binary.json").write_bytes(bytes(range(128, 256)))
    return tmp_path


def command(folder, *arguments, **more):
    return subprocess.run(
        [sys.executable, "-m", "interpreter", *arguments],
        stderr=subprocess.PIPE,
        cwd=folder,
        env={"PYTHONPATH": str(ROOT)},
        check=False,
        **more,
    )


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        ("check chart.json", 0),
        ("check faulty.json", 1),
        ("check twice.json", 2),
        ("check huge.json", 2),
        ("check deep.json", 2),
        ("check binary.json", 2),
        ("check number.json", 2),
        ("check .", 2),
        ("check missing.json", 2),
        ("run chart.json --events good.json", 0),
        ("run chart.json --events marked.json", 0),
        ("run chart.json --events surrogate.json", 0),
        ("run chart.json --events surrogate.json --json", 0),
        ("run chart.json --events unmet.json", 1),
        ("run faulty.json --events good.json", 2),
        ("run chart.json --events no_lines.json", 2),
        ("run chart.json --events bad_slots.json", 2),
        ("run chart.json --events bad_time.json", 2),
        ("run chart.json --events number.json", 2),
        ("run chart.json --events text.json", 2),
        ("run chart.json --events open.json", 2),
        ("run chart.json --events empty.json", 2),
        ("run chart.json --events nan.json", 2),
        ("run chart.json --events digits.json", 2),
        ("run chart.json --events .", 2),
        ("run chart.json --events binary.json", 2),
        ("run chart.json", 2),
        ("dance chart.json", 2),
    ],
)
def test_every_input_has_its_status(folder, arguments, status):
    done = command(folder, *arguments.split(), stdout=subprocess.PIPE)
    assert done.returncode == status, done.stderr
    assert b"Traceback" not in done.stderr
    assert bool(done.stderr) == (status == 2)


@pytest.mark.parametrize(("script", "status"), [("long.json", 0), ("unmet.json", 1)])
def test_a_reader_that_stops_reading_is_no_fault(folder, script, status):
    running = subprocess.Popen(
        [sys.executable, "-m", "interpreter", "run", "chart.json", "--events", script],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=folder,
        env={"PYTHONPATH": str(ROOT)},
    )
    running.stdout.close()
    said = running.stderr.read()
    running.stderr.close()
    assert running.wait() == status
    assert said == b""


def test_a_full_disk_is_named(folder):
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    with Path("/dev/full").open("w") as full:
        done = command(folder, "run", "chart.json", "--events", "good.json", stdout=full)
    assert done.returncode == 2
    assert b"cannot write" in done.stderr
    assert b"Traceback" not in done.stderr
