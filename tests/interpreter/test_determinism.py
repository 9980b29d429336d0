"""The same chart and the same script give the same bytes in every process."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PLACES = [
    {"PYTHONHASHSEED": "0", "TZ": "UTC", "LC_ALL": "C"},
    {"PYTHONHASHSEED": "1", "TZ": "Asia/Kathmandu", "LC_ALL": "C.UTF-8"},
    {"PYTHONHASHSEED": "2", "TZ": "America/New_York", "LC_ALL": "tr_TR.UTF-8"},
]
ALL_THAT_SHIPS = """
import json, sys
from interpreter import check_agent, compile_agent, dry_run
from interpreter.library import load, names
for name in names():
    agent = load(name)
    document = agent["document"]
    machine = compile_agent(document)
    print(machine.digest, json.dumps([p.to_json() for p in check_agent(document)]))
    for script, lines in agent["scripts"].items():
        report = dry_run(machine, lines)
        print(script, json.dumps(report.to_json()), json.dumps(report.snapshot.to_json()))
        for step in report.steps:
            print(json.dumps(machine.allowed(step.snapshot)), step.snapshot.to_bytes())
"""


def said_in(place):
    done = subprocess.run(
        [sys.executable, "-c", ALL_THAT_SHIPS],
        capture_output=True,
        env={"PYTHONPATH": str(ROOT), **place},
        check=True,
    )
    return done.stdout


def test_hash_seed_time_zone_and_locale_change_no_byte():
    first, *others = [said_in(place) for place in PLACES]
    assert len(first) > 10_000
    assert [said == first for said in others] == [True] * len(others)
