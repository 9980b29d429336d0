"""The course's questions put to any chart: each declared pair is taken, each other one refused."""

from __future__ import annotations

from typing import Any

from interpreter import Machine, Snapshot, dry_run, step, ways_to
from interpreter.library.course_report import Faulty, Judgement, Tally

PROBE = "skip_ahead"


def judge_chart(machine: Machine) -> Judgement:
    """Judges a Machine by what it declares itself.

    A declared pair is a state (or region) and the name of an event or proposal that a transition
    of its own waits for; it is exercised by a run that takes the transition. Every state that can
    be entered and rested in is asked for every other event.
    """
    ways = ways_to(machine)
    declared = _declared(machine)
    resting = _resting(machine, ways.states)
    names = list(dict.fromkeys([*(name for _, name in declared), PROBE]))
    undeclared = [
        (state, name)
        for state, snapshot in resting.items()
        for name in names
        if not _answers(machine, snapshot, name)
    ]
    tally = Tally(tuple(declared), tuple(undeclared))
    try:
        for pair, keys in declared.items():
            if _taken(machine, ways.transitions, keys):
                tally.taken.add(pair)
        for state, name in undeclared:
            _refused(machine, resting[state], state, name)
            tally.refused.add((state, name))
    except Faulty as fault:
        return tally.told(f"undeclared edges: {fault}", ("declared edges",))
    left = [pair for pair in declared if pair not in tally.taken]
    if left:
        state, name = left[0]
        said = f"declared edges: no run was found in which '{name}' in '{state}' is taken"
        return tally.told(f"{said}; see what `analyse` says of its guard.", ())
    return tally.told("", ("declared edges", "undeclared edges"))


def _declared(machine: Machine) -> dict[tuple[str, str], list[str]]:
    """Pairs of source and name, with the keys of the transitions."""
    found: dict[tuple[str, str], list[str]] = {}
    for transition in machine.transitions:
        on: Any = transition.doc.on
        source = transition.source.key
        if on.kind == "event":
            for name in on.events:
                found.setdefault((source, name), []).append(transition.key)
        elif on.kind == "propose":
            target = transition.doc.target or transition.key
            found.setdefault((source, target), []).append(transition.key)
    return found


def _resting(machine: Machine, ways: Any) -> dict[str, Snapshot]:
    """Snapshots in which each innermost state rests, where its way leads to one."""
    found: dict[str, Snapshot] = {}
    for key, way in ways.items():
        node = machine.states[key]
        snapshot = dry_run(machine, list(way)).snapshot
        if not node.children and key in snapshot.active:
            found[key] = snapshot
    return found


def _line(machine: Machine, name: str) -> dict[str, Any]:
    if name in machine.proposals and not machine.declares(name):
        return {"propose": {"transition": name}}
    return {"event": _plain(name)}


def _plain(name: str) -> str:
    return "anything" if name == "*" else name.removesuffix(".*")


def _answers(machine: Machine, snapshot: Snapshot, name: str) -> bool:
    return machine.declared(snapshot, _line(machine, name))


def _taken(machine: Machine, ways: Any, keys: list[str]) -> bool:
    for key in keys:
        if key not in ways:
            continue
        played = dry_run(machine, list(ways[key]))
        records = [r for one in (played.start, *played.steps) for r in one.records]
        if any(r.type == "transition.taken" and r.data["transition"] == key for r in records):
            return True
    return False


def _refused(machine: Machine, snapshot: Snapshot, state: str, name: str) -> None:
    taken = step(machine, snapshot, _line(machine, name))
    where = f"'{name}' in '{state}'"
    limited = any(record.type == "machine.limit_reached" for record in taken.records)
    if taken.refusal is not None and limited:
        return
    if taken.refusal is None or taken.moved:
        raise Faulty(f"{where} is not declared and was taken", "refuse what is not drawn")
    after, before = taken.snapshot, snapshot
    if (after.active, after.visits, after.slots) != (before.active, before.visits, before.slots):
        raise Faulty(f"{where} was refused and changed the run", "a refusal changes nothing")
    told = taken.refusal.message
    if _plain(name) not in told or not any(key in told for key in taken.refusal.states):
        raise Faulty(f"{where}: the refusal {told!r} names too little", "name event and state")
