"""The figures as tables of text, ours against each peer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from benchmarks.engine.charts import NAMES

FLAT_ONLY = {"xstate-fsm": "ab", "robot3": "ab"}
GROWTH = ("compile", "check", "session", "snapshot", "step", "memo")
TITLES = {
    "psm": "python-statemachine",
    "psm-json": "  the same, from JSON",
    "transitions": "transitions",
    "sismic": "sismic",
    "sismic-nocontract": "  the same, no contracts",
    "xsm": "xstate-statemachine",
    "xstate-actor": "XState 5, actor",
    "xstate-pure": "XState 5, pure",
    "xstate-fsm": "@xstate/fsm (flat only)",
    "robot3": "robot3 (flat only)",
    "ours-step": "ours, an Input each",
    "ours-records": "ours, records read",
}


def printed(result: dict[str, Any], engines: Sequence[str], ours: Sequence[str]) -> Iterator[str]:
    """All tables, line by line."""
    yield from _rates(result, engines, ours)
    for kind, word in (("absent", "not here"), ("wrong", "WRONG")):
        for name, why in result[kind].items():
            yield f"{TITLES.get(name, name).strip()} is {word}: {why}"
    yield from _growth(result["growth"])


def _rates(result: dict[str, Any], engines: Sequence[str], ours: Sequence[str]) -> Iterator[str]:
    loads = result["workloads"]
    yield "\nEvents per second of CPU time; in brackets how many times as fast `ours` is."
    yield ", ".join(f"{letter} {NAMES[letter]}" for letter in loads)
    yield f"{'':<25}" + "".join(f"{letter:>20}" for letter in loads)
    for name in engines:
        cells = [_cell(rates, name) for rates in loads.values()]
        if any(cell.strip() for cell in cells):
            yield f"{TITLES.get(name, name):<25}" + "".join(f"{cell:>20}" for cell in cells)
    peers = [name for name in engines if name not in ours]
    best = [_best(rates, peers) for rates in loads.values()]
    yield f"{'ours / the best of all':<25}" + "".join(f"{cell:>20}" for cell in best)
    whole = [name for name in peers if name not in FLAT_ONLY]
    best = [_best(rates, whole) for rates in loads.values()]
    yield f"{'ours / the best statechart':<25}" + "".join(f"{cell:>20}" for cell in best)


def _cell(rates: dict[str, float], name: str) -> str:
    if name not in rates:
        return ""
    shown = f"{rates[name]:,.0f}"
    if name == "ours" or "ours" not in rates:
        return shown + " " * 9
    return f"{shown} {_times(ratio(rates, name)):>8}"


def _times(value: float) -> str:
    return f"(x{value:.2f})" if value < 100 else f"(x{value:.0f})"


def ratio(rates: dict[str, float], name: str) -> float:
    """How many times as fast `ours` is as the named engine."""
    return rates["ours"] / rates[name]


def _best(rates: dict[str, float], peers: Sequence[str]) -> str:
    there = [name for name in peers if name in rates]
    if not there or "ours" not in rates:
        return ""
    best = max(there, key=lambda name: rates[name])
    return f"x{ratio(rates, best):.2f} {best}"


def _growth(growth: dict[str, Any]) -> Iterator[str]:
    for name in GROWTH:
        table = growth.get(name, {})
        if "error" in table:
            yield f"\n{name}: FAILED: {table['error']}"
            continue
        yield from _SHOWN[name](table)


def _by_size(title: str) -> Any:
    def shown(table: dict[str, Any]) -> Iterator[str]:
        yield f"\n{title}"
        yield f"{'states':<10}{'plain':>12}{'first':>12}{'guards':>12}{'first':>12}"
        for size, row in table.items():
            cells = [
                row[kind][what] for kind in ("plain", "talking") for what in ("ms", "first_ms")
            ]
            yield f"{size:<10}" + "".join(f"{cell:>12,.2f}" for cell in cells)

    return shown


def _session(table: dict[str, Any]) -> Iterator[str]:
    yield "\nOne more run of a compiled machine (chart c)"
    yield f"{'':<10}{'µs':>12}{'bytes':>12}"
    for name, row in table.items():
        yield f"{name:<10}{row['us']:>12,.1f}{row['bytes']:>12,}"


def _snapshot(table: dict[str, Any]) -> Iterator[str]:
    yield "\nA Snapshot to JSON and back, every state entered, µs"
    heads = ("to_json", "from_json", "to_bytes", "from_bytes")
    yield f"{'states':<10}" + "".join(f"{head:>12}" for head in heads) + f"{'bytes':>12}"
    for size, row in table.items():
        cells = "".join(f"{row[head + '_us']:>12,.1f}" for head in heads)
        yield f"{size:<10}{cells}{row['bytes']:>12,}"


def _step(table: dict[str, Any]) -> Iterator[str]:
    yield "\nOne event as the chart grows, every state entered, µs"
    yield f"{'states':<10}{'often met':>12}{'first met':>12}"
    for size, row in table.items():
        yield f"{size:<10}{row['us']:>12,.2f}{row['cold_us']:>12,.2f}"


def _memo(table: dict[str, Any]) -> Iterator[str]:
    yield "\nA storm of event names, all different; who waits for them"
    yield f"{'':<10}{'names':>12}{'µs each':>12}{'bytes grown':>14}"
    for name, row in table.items():
        yield f"{name:<10}{row['names']:>12,}{row['us_each']:>12,.2f}{row['grown_bytes']:>14,}"


_SHOWN = {
    "compile": _by_size("Compiling, CPU ms (median, and the first call)"),
    "check": _by_size("Checking, CPU ms (median, and the first call)"),
    "session": _session,
    "snapshot": _snapshot,
    "step": _step,
    "memo": _memo,
}
