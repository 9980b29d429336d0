"""Laws over drawn charts and scripts: what must hold whatever is drawn, whatever is sent."""

import json
import random
from datetime import timedelta

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from interpreter import (
    Machine,
    Snapshot,
    compile_machine,
    dump_document,
    parse_document,
    start,
    step,
)
from tests.interpreter.charts import T0

EVENTS = ["a", "b", "c.d", "error.guard"]
GUARDS = [
    None, None, None, "slots.n > 1", "slots.n == null", "event.data.v > 1", "slots.flag",
    "machine.turns > 1", "active('s0')", "visits.s0 < 3",
]  # fmt: skip
EFFECTS = [
    {"set": "n", "value": "slots.n + 1"}, {"set": "n", "value": "1"}, {"clear": "n"},
    {"set": "n", "value": "event.data.v"}, {"raise": "b"}, {"hook": "h"}, {"call": "t"},
    {"handoff": "other"}, {"say": "p"}, {"set": "flag", "value": "true"}, {"end": "over"},
]  # fmt: skip
SLOTS = [{"key": "n", "type": "integer"}, {"key": "flag", "type": "boolean"}]


def chance(dice, one_in):
    return dice.randrange(one_in) == 0


class Drawing:
    """A chart of up to some twelve states, three levels, every kind of trigger and effect.

    Drawn from a seed by plain dice: hypothesis' own drawing of it took a thousand times as long.
    """

    def __init__(self, seed):
        self.dice = random.Random(seed)
        self.states = []
        self.regions = []

    def document(self):
        dice = self.dice
        top = [self.region(0) for _ in range(dice.randint(1, 2))]
        for index, one in enumerate(top):
            one["role"] = "observer" if index else "speaker"
        for holder in [*self.states, *self.regions]:
            if holder.get("kind") not in ("final", "history"):
                self.furnish(holder)
        limits = {"target": dice.choice(top[0]["states"])["key"]}
        most = {"transitions": 6, "turns": 3, "refusals": 4, "visits": 5, "seconds": 9}
        for name, highest in most.items():
            if chance(dice, 6):
                limits[name] = dice.randint(0, highest)
        return {"format": "callchart.machine/1", "regions": top, "limits": limits}

    def state(self, **more):
        one = {"key": f"s{len(self.states)}", **more}
        self.states.append(one)
        return one

    def region(self, depth):
        dice = self.dice
        made = {"key": f"r{len(self.regions)}"}
        self.regions.append(made)
        states = []
        for _ in range(dice.randint(1, 3)):
            one = self.state()
            states.append(one)
            if depth < 2 and len(self.states) < 10 and chance(dice, 4):
                one["regions"] = [self.region(depth + 1) for _ in range(dice.randint(1, 2))]
            elif len(states) > 1 and chance(dice, 6):
                one["kind"] = "final"
        made["initial"] = states[0]["key"]
        if chance(dice, 4):
            default = [{"on": {"always": True}, "target": states[0]["key"]}]
            history = dice.choice(["shallow", "deep"])
            states.append(self.state(kind="history", history=history, transitions=default))
        if chance(dice, 5):
            made["stability"] = {"cooldown": "2s", "backward_confidence": 0.5}
        made["states"] = states
        return made

    def furnish(self, holder):
        dice = self.dice
        holder["transitions"] = [self.transition() for _ in range(dice.randint(0, 3))]
        for place in ("entry", "exit"):
            if chance(dice, 5):
                holder[place] = [dice.choice(EFFECTS) for _ in range(dice.randint(0, 2))]
        if "initial" not in holder and chance(dice, 6):
            holder["max_visits"] = dice.randint(1, 3)

    def transition(self):
        dice = self.dice
        event = {"event": dice.choice([*EVENTS, "*", "c.*"])}
        rare = [{"after": "1s"}, {"after": "3s"}, {"done": True}, {"always": True}]
        made = {"on": dice.choice([event] * 5 + [{"propose": "x"}] * 2 + rare)}
        guard = dice.choice(GUARDS)
        if guard is not None:
            made["guard"] = guard
        if not chance(dice, 6):
            made["target"] = dice.choice(self.states)["key"]
        if chance(dice, 2):
            made["effects"] = [dice.choice(EFFECTS[:-1]) for _ in range(dice.randint(1, 2))]
        if chance(dice, 6):
            made[dice.choice(["internal", "external"])] = True
        if chance(dice, 8):
            made["max_takes"] = 1
        return made


def line(dice):
    return dice.choice(
        [
            {"event": dice.choice(EVENTS), "data": {"v": dice.choice([None, 0, 2, "text"])}},
            {"event": dice.choice(EVENTS)},
            {"propose": {"transition": f"s{dice.randrange(8)}", "confidence": dice.random()}},
            {"set": {"slot": "n", "value": dice.choice([None, 1, 2, "x"])}},
            {"propose": {"handoff": "other"}},
            {"propose": {"set_slot": {"slot": "flag", "value": True}}},
            {"caller": "hello"},
            "timer",
        ]
    )


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.floats() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2)
    ),
    max_leaves=4,
)
NAMES = ["event", "data", "propose", "set", "at", "end", "timer", "caller", "confidence"]
RUBBISH = st.dictionaries(st.sampled_from(NAMES), JSON, max_size=3) | JSON


def charts():
    return st.integers(0, 2**32).map(lambda seed: Drawing(seed).document())


@st.composite
def scripts(draw):
    """Sensible lines, and a few that are rubbish."""
    dice = random.Random(draw(st.integers(0, 2**32)))
    lines = [line(dice) for _ in range(draw(st.integers(0, 14)))]
    for rubbish in draw(st.lists(RUBBISH, max_size=2)):
        lines.insert(dice.randint(0, len(lines)), rubbish)
    return lines


SCRIPTS = scripts()


def legal(machine: Machine, snapshot: Snapshot) -> None:
    """Exactly one state active in each active region, and nothing active beside them."""
    active = set(snapshot.active)
    found = set()

    def visit(region):
        inside = [c for c in region.children if c.key in active and c.is_state]
        assert len(inside) == 1, (region.key, snapshot.active)
        found.add(inside[0].key)
        for inner in inside[0].children:
            visit(inner)

    for region in machine.root.children:
        visit(region)
    assert found == active
    order = [machine.states[key].index for key in snapshot.active]
    assert order == sorted(order)


def play(machine, script, begin=None, through_json=False):
    """All snapshots and records of a script; each line a second after the one before."""
    if begin is None:
        snapshot, records = start(machine, T0)
    else:
        snapshot, records = begin, ()
    snapshots, all_records = [snapshot], list(records)
    for index, line in enumerate(script):
        if line == "timer":
            line = {"timer": snapshot.timers[0].key if snapshot.timers else "none"}
        if through_json:
            snapshot = Snapshot.from_json(json.loads(json.dumps(snapshot.to_json())), machine)
        taken = step(machine, snapshot, line, T0 + timedelta(seconds=index + 1))
        snapshot = taken.snapshot
        snapshots.append(snapshot)
        all_records += taken.records
    return snapshots, all_records


LAW = settings(
    max_examples=120,
    deadline=None,
    phases=(Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink),
    suppress_health_check=list(HealthCheck),
)


@LAW
@given(charts(), SCRIPTS)
def test_the_configuration_is_always_legal(document, script):
    machine = compile_machine(document, slots=SLOTS)
    for snapshot in play(machine, script)[0]:
        legal(machine, snapshot)


@LAW
@given(charts(), SCRIPTS)
def test_what_goes_in_is_never_changed(document, script):
    machine = compile_machine(document, slots=SLOTS)
    snapshot, _ = start(machine, T0)
    for index, line in enumerate(script):
        before = snapshot.to_bytes()
        taken = step(machine, snapshot, line, T0 + timedelta(seconds=index))
        assert snapshot.to_bytes() == before
        snapshot = taken.snapshot


@LAW
@given(charts(), SCRIPTS)
def test_a_run_through_json_goes_on_the_same(document, script):
    machine = compile_machine(document, slots=SLOTS)
    assert play(machine, script) == play(machine, script, through_json=True)


@LAW
@given(charts(), SCRIPTS)
def test_a_replay_leaves_the_same_records(document, script):
    one = play(compile_machine(document, slots=SLOTS), script)
    again = play(compile_machine(json.loads(json.dumps(document)), slots=SLOTS), script)
    assert [r.to_json() for r in one[1]] == [r.to_json() for r in again[1]]
    assert [s.to_bytes() for s in one[0]] == [s.to_bytes() for s in again[0]]


@LAW
@given(charts(), SCRIPTS)
def test_a_refused_step_changes_nothing_but_the_count(document, script):
    machine = compile_machine(document, slots=SLOTS)
    snapshot, _ = start(machine, T0)
    for line in script:
        taken = step(machine, snapshot, line)
        if taken.refusal is not None and not taken.moved:
            kinds = {record.type for record in taken.records}
            assert kinds <= {"transition.refused", "guard.error"}
            changed = {**taken.snapshot.to_json(), "refusals": 0}
            kept = {**snapshot.to_json(), "refusals": 0}
            decided = {"decision": {}}
            assert {**changed, **decided} == {**kept, **decided}
            assert taken.snapshot.refusals == snapshot.refusals + 1
            assert taken.effects == ()
        snapshot = taken.snapshot


@LAW
@given(charts(), SCRIPTS)
def test_can_foretells_what_step_does(document, script):
    machine = compile_machine(document, slots=SLOTS)
    snapshot, _ = start(machine, T0)
    for line in script:
        answer = machine.can(snapshot, line)
        machine.allowed(snapshot)
        taken = step(machine, snapshot, line)
        if taken.refusal is not None:
            assert not answer
            assert answer.reason == taken.refusal.reason
        elif "machine.limit_reached" not in {record.type for record in taken.records}:
            assert answer  # a limit takes the place of whatever came in
        snapshot = taken.snapshot


def test_a_full_memo_begins_anew_and_changes_nothing(monkeypatch):
    for seed in range(40):
        document = Drawing(seed).document()
        lines = [line(random.Random(seed + n)) for n in range(20)]
        whole = play(compile_machine(document, slots=SLOTS), lines)
        with monkeypatch.context() as small:
            small.setattr("interpreter.compiling.tables.MEMO_CAP", 3)
            assert play(compile_machine(document, slots=SLOTS), lines) == whole


@LAW
@given(charts())
def test_reading_after_writing_is_identity(document):
    parsed = parse_document(document)
    assert parse_document(json.loads(json.dumps(dump_document(parsed)))) == parsed
