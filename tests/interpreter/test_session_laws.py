"""Laws of a Session over drawn charts and scripts: it is the engine with a host, and no more."""

import json
from datetime import timedelta

from hypothesis import given

from interpreter import Session, compile_machine, due, start, step
from interpreter.errors import InputError
from interpreter.stepping.inputs import parse_input
from tests.interpreter.charts import T0
from tests.interpreter.test_engine_laws import LAW, SCRIPTS, SLOTS, charts


class Ticking:
    """A second passes between two lines."""

    def __init__(self):
        self.lines = 0

    def __call__(self):
        return T0 + timedelta(seconds=self.lines)


def told(session, clock, script):
    """What a session answers to each line."""
    results = []
    for line in script:
        clock.lines += 1
        if line == "timer":
            timers = session.snapshot.timers
            line = {"timer": timers[0].key if timers else "none"}
        results.append(session.take(line))
    return results


def readable(line):
    try:
        parse_input(line)
    except InputError:
        return False
    return True


def alone(machine, script):
    """The Snapshots of the bare engine, fed in the same way: what fell due fires first."""
    snapshot, _ = start(machine, T0)
    for number, line in enumerate(script, 1):
        now = T0 + timedelta(seconds=number)
        if line == "timer":
            line = {"timer": snapshot.timers[0].key if snapshot.timers else "none"}
        if readable(line):  # a Session answers what is no input, and its run knows nothing of it
            while timer := due(machine, snapshot, now):
                snapshot = step(machine, snapshot, {"timer": timer.key}, now).snapshot
            snapshot = step(machine, snapshot, line, now).snapshot
        yield snapshot


@LAW
@given(charts(), SCRIPTS)
def test_a_session_without_a_host_stands_where_the_engine_does(document, script):
    machine = compile_machine(document, slots=SLOTS)
    clock = Ticking()
    session = Session(machine, clock=clock)
    for line, snapshot in zip(script, alone(machine, script), strict=True):
        told(session, clock, [line])
        assert session.snapshot.to_json() == snapshot.to_json()
        assert session.current in machine.states


@LAW
@given(charts(), SCRIPTS)
def test_a_saved_session_goes_on_as_if_nothing_had_been(document, script):
    machine = compile_machine(document, slots=SLOTS)
    half = len(script) // 2
    clock = Ticking()
    session = Session(machine, clock=clock)
    told(session, clock, script[:half])
    saved = json.loads(json.dumps(session.to_json()))
    other_clock = Ticking()
    other_clock.lines = clock.lines
    other = Session(machine, clock=other_clock)
    other.restore(saved)
    one = [(r.ok, r.reason, r.state) for r in told(session, clock, script[half:])]
    two = [(r.ok, r.reason, r.state) for r in told(other, other_clock, script[half:])]
    assert one == two
    assert json.dumps(session.to_json()) == json.dumps(other.to_json())


@LAW
@given(charts(), SCRIPTS)
def test_asking_does_nothing_and_a_refusing_host_keeps_the_run_where_it_is(document, script):
    machine = compile_machine(document, slots=SLOTS)
    clock = Ticking()
    session = Session(machine, clock=clock, validators={"no": lambda *_: (False, None)})
    begun = session.snapshot.active
    for line in script:
        (result,) = told(session, clock, [line])
        kept = json.dumps(session.to_json())
        session.valid()
        session.declared()
        for name in ("a", "b", "c.d", *list(machine.states)[:3]):
            session.can(name)
        assert json.dumps(session.to_json()) == kept
        if not session.snapshot.limits_hit and not session.snapshot.ended:
            assert session.snapshot.active == begun
            assert not result.moved
