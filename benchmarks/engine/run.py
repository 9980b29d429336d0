"""The driver: every engine on every workload in a fresh process, in rounds of shuffled order.

`ROUNDS` says how many; without it they are three, or fewer where the machine is so busy that a
further one would not begin within `PATIENCE` seconds. The figure of an engine is the median over
the rounds. What counts is CPU time of the engine's thread, so that a busy machine disturbs little.
"""

from __future__ import annotations

import json
import math
import os
import random
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks.engine import install, tables
from benchmarks.engine.charts import WORKLOADS, as_json

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "bench"
LETTERS = "".join(WORKLOADS)
OURS = ("ours", "ours-step", "ours-records")
PYTHON_PEERS = ("psm", "psm-json", "transitions", "sismic", "sismic-nocontract", "xsm")
NODE_PEERS = ("xstate-actor", "xstate-pure", "xstate-fsm", "robot3")
ENGINES = (*OURS, *PYTHON_PEERS, *NODE_PEERS)
SECONDS = "0.1"
ROUNDS = 3
PATIENCE = 130

Job = tuple[str, str]
Rates = dict[str, dict[str, float]]


def jobs() -> list[Job]:
    """Every (engine, workload) that the engine can express."""
    return [(name, letter) for name in ENGINES for letter in tables.FLAT_ONLY.get(name, LETTERS)]


def command(job: Job, charts: Path) -> list[str]:
    """The command line of one measurement."""
    name, letter = job
    if name in OURS:
        return [sys.executable, "-m", "benchmarks.engine.ours", name, letter, SECONDS]
    if name in PYTHON_PEERS:
        python = str(install.python_of(BUILD))
        return [python, "-m", "benchmarks.engine.python_peers", name, letter, SECONDS]
    script = str(install.script_of(BUILD))
    return ["node", script, name, letter, SECONDS, str(charts)]


def answer(arguments: list[str]) -> dict[str, Any]:
    """What a measuring process printed last; `{"error"}` when it gave none."""
    try:
        done = subprocess.run(
            arguments,
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
            env={**os.environ, "NODE_ENV": "production", "PYTHONHASHSEED": "0"},
        )
    except FileNotFoundError:
        return {"absent": f"{arguments[0]} is not on this machine"}
    except subprocess.TimeoutExpired:
        return {"error": "no answer within 300 seconds"}
    lines = done.stdout.strip().splitlines()
    try:
        found: dict[str, Any] = json.loads(lines[-1])
    except (IndexError, ValueError):
        said = (done.stderr.strip() or "it printed nothing").splitlines()[-1]
        return {"error": said}
    return found


def measure(
    rounds: int, absent: dict[str, str], patience: float = math.inf
) -> tuple[Rates, dict[str, str]]:
    """Medians by workload and engine; adds to `absent`, gives what went wrong by engine.

    No round but the first begins when more than `patience` seconds have passed.
    """
    charts = BUILD / "charts.json"
    charts.write_text(as_json(), encoding="utf-8")
    found: dict[Job, list[float]] = {}
    wrong: dict[str, str] = {}
    since = time.monotonic()
    for number in range(rounds):
        if number and time.monotonic() - since > patience:
            print(f"The machine is busy: {number} of {rounds} rounds. ROUNDS={rounds} insists.")
            break
        order = [job for job in jobs() if job[0] not in absent]
        random.Random(number).shuffle(order)
        begun = time.monotonic()
        for job in order:
            got = answer(command(job, charts))
            if "rate" in got:
                found.setdefault(job, []).append(got["rate"])
            elif "absent" in got:
                absent[job[0]] = got["absent"]
            else:
                wrong[job[0]] = f"on ({job[1]}): {got['error']}"
        spent = time.monotonic() - begun
        print(f"round {number + 1} of {rounds}: {spent:.0f} s, load {_load()}", flush=True)
    rates: Rates = {letter: {} for letter in LETTERS}
    for name, letter in jobs():
        if (name, letter) in found and name not in wrong:
            rates[letter][name] = statistics.median(found[name, letter])
    return rates, wrong


def ratios(rates: Rates) -> Rates:
    """How many times as fast `ours` is, by workload and engine."""
    return {
        letter: {name: round(tables.ratio(found, name), 3) for name in found}
        for letter, found in rates.items()
        if "ours" in found
    }


def growth() -> dict[str, Any]:
    """Our own costs and how they grow, each in a fresh process."""
    found: dict[str, Any] = {}
    for name in tables.GROWTH:
        got = answer([sys.executable, "-m", "benchmarks.engine.growth", name])
        found[name] = got
    return found


def _load() -> str:
    return " ".join(f"{one:.1f}" for one in os.getloadavg())


def main() -> None:
    """Installs the peers, measures, prints the tables, writes `build/bench/engine.json`."""
    asked = os.environ.get("ROUNDS", "")
    rounds = max(1, int(asked)) if asked else ROUNDS
    BUILD.mkdir(parents=True, exist_ok=True)
    begun = time.monotonic()
    absent = install.peers(ROOT, BUILD)
    rates, wrong = measure(rounds, absent, math.inf if asked else PATIENCE)
    grown = growth()
    result = {
        "workloads": rates,
        "ratios": ratios(rates),
        "unit": "events per second of CPU time",
        "rounds": rounds,
        "absent": absent,
        "wrong": wrong,
        "growth": grown,
        "machine": {
            "python": sys.version.split()[0],
            "cpus": os.cpu_count(),
            "load": _load(),
            "seconds": round(time.monotonic() - begun),
        },
    }
    (BUILD / "engine.json").write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    for line in tables.printed(result, ENGINES, OURS):
        print(line)
    print(f"\nwritten to {BUILD.relative_to(ROOT)}/engine.json")
    if any(name in OURS for name in wrong):
        raise SystemExit(1)
