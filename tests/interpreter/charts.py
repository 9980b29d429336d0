"""Small charts for tests of the engine, and short ways to run them."""

from datetime import UTC, datetime, timedelta

from interpreter import Machine, compile_machine, start, step

T0 = datetime(2026, 11, 30, 10, tzinfo=UTC)


def seconds(number):
    return T0 + timedelta(seconds=number)


def state(key, *transitions, **more):
    return {"key": key, "transitions": list(transitions), **more}


def on(event, target=None, **more):
    line = {"on": {"event": event}, **more}
    return line if target is None else {**line, "target": target}


def propose(target, **more):
    return {"on": {"propose": f"go to {target}"}, "target": target, **more}


def always(target, guard=None, **more):
    line = {"on": {"always": True}, "target": target, **more}
    return line if guard is None else {**line, "guard": guard}


def region(key, *states, role=None, initial=None, **more):
    made = {"key": key, "initial": initial or states[0]["key"], "states": list(states), **more}
    return made if role is None else {**made, "role": role}


def chart(*regions, **limits):
    document = {"format": "callchart.machine/1", "regions": list(regions)}
    if regions and not any("role" in one for one in regions):
        document["regions"] = [{**regions[0], "role": "speaker"}, *regions[1:]]
    return {**document, "limits": limits} if limits else document


class Player:
    """A run that is fed line by line."""

    def __init__(self, document, slots=(), at=T0, start_slots=None, **beside):
        self.machine = (
            document
            if isinstance(document, Machine)
            else compile_machine(document, slots=list(slots), **beside)
        )
        self.snapshot, self.records = start(self.machine, at, slots=start_slots)
        self.step = None

    def send(self, event, at=None, confidence=None, **data):
        line = {"event": event, "data": data}
        if confidence is not None:
            line["confidence"] = confidence
        return self.take(line, at)

    def propose(self, target, at=None, **more):
        return self.take({"propose": {"transition": target, **more}}, at)

    def take(self, line, at=None):
        self.step = step(self.machine, self.snapshot, line, at)
        self.snapshot = self.step.snapshot
        self.records += self.step.records
        return self.step

    @property
    def active(self):
        return list(self.snapshot.active)

    @property
    def value(self):
        return self.machine.value(self.snapshot)

    def types(self):
        return [record.type for record in self.step.records]

    def entered(self):
        return [r.data["state"] for r in self.step.records if r.type == "state.entered"]

    def exited(self):
        return [r.data["state"] for r in self.step.records if r.type == "state.exited"]


COURSE = {
    ("planning", "plan_ready"): "retrieving",
    ("planning", "out_of_scope"): "refusing",
    ("retrieving", "hits"): "answering",
    ("retrieving", "no_hits"): "refusing",
    ("answering", "answered"): "done",
    ("refusing", "refused"): "done",
}
COURSE_STATES = ["planning", "retrieving", "answering", "refusing", "done"]
COURSE_EVENTS = [
    "plan_ready", "out_of_scope", "hits", "no_hits", "answered", "refused", "skip_ahead",
]  # fmt: skip
REVIEW = {
    "stages": ["DRAFT", "REVIEW", "APPROVED", "PUBLISHED"],
    "initial": "DRAFT",
    "transitions": {
        "DRAFT": ["REVIEW"],
        "REVIEW": ["DRAFT", "APPROVED"],
        "APPROVED": ["PUBLISHED"],
    },
    "stage_tools": {"DRAFT": ["write", "edit"], "REVIEW": ["read", "comment"]},
}
