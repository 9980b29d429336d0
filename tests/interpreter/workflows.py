"""A Workflow for tests, and Workflows drawn from a seed together with the chart they mean."""

import random

SLOTS = [
    {"key": "n", "type": "integer"},
    {"key": "flag", "type": "boolean"},
]
QUESTION = {"key": "q", "answers": [{"key": "yes"}, {"key": "no"}, {"key": "later"}]}
GUARDS = [
    "slots.n > 1", "slots.n == null", "slots.flag", "slots.n + 1 > 3 || slots.flag == null",
    "visits.n1 < 2", "decision.q == 'yes'", "!slots.flag", "slots.n != 2",
]  # fmt: skip
SCRIPT = [
    {"event": "decision.q.yes"}, {"event": "decision.q.no"}, {"event": "decision.q.later"},
    {"event": "decision.q.unsure"}, {"event": "decision.q.failed"}, {"event": "decision.q.odd"},
    {"event": "go"}, {"event": "nobody"}, {"caller": "hello"}, {"advance": "7s"},
    {"event": "tool.t.ok", "data": {"v": 2}}, {"event": "tool.t.ok", "data": {"v": "no"}},
    {"event": "tool.t.failed"}, {"propose": {"set_slot": {"slot": "n", "value": 3}}},
    {"set": {"slot": "n", "value": 1}}, {"set": {"slot": "flag", "value": True}},
    {"set": {"slot": "n", "value": None}},
]  # fmt: skip


def node(key, kind, **more):
    return {"key": key, "kind": kind, **more}


def edge(source, target, **more):
    return {"source": source, "target": target, **more}


def otherwise(source, target, **more):
    return edge(source, target, otherwise=True, **more)


def workflow(nodes, edges, **more):
    return {
        "format": "callchart.workflow/1",
        "key": "flow",
        "nodes": nodes,
        "edges": edges,
        **more,
    }


def phone_line():
    """A small phone line: every kind of node, three of which decide."""
    return workflow(
        [
            node("begin", "start"),
            node("hello", "say", text="Hello."),
            node("want", "question", question="intent", text="What can I do?", timeout="20s"),
            node("order", "ask", slot="order_id", text="Your order, please?"),
            node(
                "look", "tool", tool="lookup", args={"id": "slots.order_id"},
                save=[{"slot": "amount", "value": "event.data.amount"}],
            ),
            node("big", "decide"),
            node("loyal", "decide"),
            node("mark", "set", set=[{"slot": "topic", "value": "'refund'"}]),
            node("people", "handoff", agent="billing"),
            node("pause", "wait", timeout="5s"),
            node("bye", "end", outcome="resolved", text="Done: {{ slots.order_id }}."),
            node("fail", "end", outcome="gave_up", text="Sorry."),
        ],
        [
            edge("begin", "hello"),
            edge("hello", "want"),
            edge("want", "order", key="refund", answer="refund"),
            edge("want", "hello", key="status", answer="status", max_takes=2),
            otherwise("want", "fail", key="lost"),
            edge("order", "look"),
            edge("look", "big", key="found"),
            otherwise("look", "fail", key="not_found"),
            edge("big", "people", key="much", when="slots.amount > 100"),
            otherwise("big", "loyal", key="little"),
            edge("loyal", "mark", key="friend", when="slots.topic == null && slots.amount < 50"),
            otherwise("loyal", "pause", key="stranger"),
            edge("mark", "bye"),
            edge("people", "bye"),
            edge("pause", "bye"),
        ],
        slots=[
            {"key": "order_id", "type": "string"},
            {"key": "amount", "type": "number"},
            {"key": "topic", "type": "string"},
        ],
        questions=[{"key": "intent", "answers": [{"key": "refund"}, {"key": "status"}]}],
        tools=[{"key": "lookup"}],
        outcomes=[{"key": "resolved"}, {"key": "gave_up"}],
        squad=[{"key": "billing"}],
    )  # fmt: skip


class Twins:
    """One logic, drawn by plain dice and spelled twice: as a Workflow, and as a chart by hand.

    Edges lead on to later nodes; only conditional ones of deciding nodes lead back, with a bound.
    """

    def __init__(self, seed):
        self.dice = random.Random(seed)
        self.count = self.dice.randint(2, 9)
        self.nodes = [node("begin", "start")]
        self.edges = []
        self.states = [self.state("begin", [self.always("begin", self.on(0))], kind="choice")]
        for number in range(1, self.count):
            kind = self.dice.choice(
                ["say", "ask", "decide", "decide", "question", "set", "tool", "handoff", "wait"]
            )
            getattr(self, kind)(number, f"n{number}")
        self.nodes.append(node(f"n{self.count}", "end", outcome="over"))
        self.states.append({"key": f"n{self.count}", "kind": "final", "entry": [{"end": "over"}]})
        self.bound_some()

    # --- the two documents --------------------

    def workflow(self):
        return workflow(
            self.nodes,
            self.edges,
            slots=SLOTS,
            questions=[QUESTION],
            prompts=[{"key": "p", "text": "n is {{ slots.n }}"}],
            tools=[{"key": "t"}],
            outcomes=[{"key": "over"}],
            squad=[{"key": "mate"}],
        )

    def agent(self):
        return {
            "format": "callchart.agent/1",
            "key": "twin",
            "slots": SLOTS,
            "question_sets": [{"key": "asked", "questions": [QUESTION]}],
            "prompts": [{"key": "p", "text": "n is {{ slots.n }}"}],
            "tools": [{"key": "t"}],
            "outcomes": [{"key": "over"}],
            "squad": [{"key": "mate"}],
            "machine": {
                "format": "callchart.machine/1",
                "regions": [
                    {"key": "path", "role": "speaker", "initial": "begin", "states": self.states}
                ],
            },
        }

    # --- pieces --------------------

    def chance(self, one_in):
        return self.dice.randrange(one_in) == 0

    def guard(self):
        """One that reads the verdict only where a question is asked on the way there."""
        asked = any(one["kind"] == "question" for one in self.nodes)
        return self.dice.choice([one for one in GUARDS if asked or "decision" not in one])

    def on(self, number):
        """A later node."""
        return f"n{self.dice.randint(number + 1, self.count)}"

    def state(self, key, transitions, **more):
        return {"key": key, "transitions": transitions, **more}

    def link(self, source, target, **more):
        key = f"e{len(self.edges)}"
        self.edges.append({"key": key, "source": source, "target": target, **more})
        return key

    def always(self, source, target, **more):
        return {"key": self.link(source, target), "on": {"always": True}, "target": target, **more}

    def conditional(self, number, source, **more):
        """A conditional edge: its key, target and bound."""
        back = self.chance(3)
        target = f"n{self.dice.randint(1, number)}" if back else self.on(number)
        bound = {"max_takes": self.dice.randint(1, 3)} if back or self.chance(4) else {}
        return self.link(source, target, **more, **bound), {"target": target, **bound}

    def bound_some(self):
        """Caps nodes that only conditional edges lead to."""
        sure = {one["target"] for one in self.edges if "when" not in one and "answer" not in one}
        for one in self.nodes[1:]:
            if one["key"] not in sure and self.chance(2):
                one["max_visits"] = self.dice.randint(1, 2)
                state = next(s for s in self.states if s["key"] == one["key"])
                state["max_visits"] = one["max_visits"]

    # --- one kind each: the node, then the state as a person would draw it --------------------

    def say(self, number, key):
        self.nodes.append(node(key, "say", prompt="p"))
        self.states.append(self.state(key, [self.always(key, self.on(number))], prompt="p"))

    def set(self, number, key):
        value = self.dice.choice(["1", "slots.n + 1", "size('abc')"])
        rows = [{"slot": "n", "value": value}, {"slot": "flag"}][: self.dice.randint(1, 2)]
        self.nodes.append(node(key, "set", set=rows))
        entry = [{"set": "n", "value": value}, {"clear": "flag"}][: len(rows)]
        leave = [self.always(key, self.on(number))]
        self.states.append(self.state(key, leave, kind="choice", entry=entry))

    def ask(self, number, key):
        slot = self.dice.choice(["n", "flag"])
        late = {"timeout": "5s"} if self.chance(2) else {}
        self.nodes.append(node(key, "ask", slot=slot, prompt="p", **late))
        filled = self.always(key, self.on(number), guard=f"slots.{slot} != null")
        inside = {"on": {"always": True}, "target": f"{key}_asking"}
        self.states.append(self.state(key, [filled, inside], kind="choice"))
        ways = [{**filled, "key": filled["key"] + "_filled"}]
        ways += self.late(number, key) if late else []
        self.states.append(self.state(f"{key}_asking", ways, prompt="p"))

    def late(self, number, key):
        target = self.on(number)
        made = self.link(key, target, otherwise=True)
        return [{"key": made, "on": {"after": "5s"}, "target": target}]

    def wait(self, number, key):
        event = {"event": "go"} if self.chance(2) else {}
        late = {"timeout": "5s"} if not event or self.chance(2) else {}
        self.nodes.append(node(key, "wait", **event, **late))
        target = self.on(number)
        trigger = event or {"after": "5s"}
        ways = [{"key": self.link(key, target), "on": trigger, "target": target}]
        ways += self.late(number, key) if event and late else []
        self.states.append(self.state(key, ways))

    def handoff(self, number, key):
        until = self.chance(2)
        self.nodes.append(node(key, "handoff", agent="mate", **({"until": "go"} if until else {})))
        target = self.on(number)
        trigger = {"event": "go"} if until else {"always": True}
        ways = [{"key": self.link(key, target), "on": trigger, "target": target}]
        kind = {} if until else {"kind": "choice"}
        self.states.append(self.state(key, ways, entry=[{"handoff": "mate"}], **kind))

    def tool(self, number, key):
        save = [{"slot": "n", "value": "event.data.v"}] if self.chance(2) else []
        self.nodes.append(node(key, "tool", tool="t", args={"n": "slots.n"}, save=save))
        good, bad = self.on(number), self.on(number)
        effects = [{"set": "n", "value": "event.data.v"}] if save else []
        ways = [
            {
                "key": self.link(key, good), "on": {"event": "tool.t.ok"},
                "effects": effects, "target": good,
            },
            {
                "key": self.link(key, bad, otherwise=True),
                "on": {"event": "tool.t.*"}, "target": bad,
            },
        ]  # fmt: skip
        call = {"call": "t", "args": {"n": "slots.n"}}
        self.states.append(self.state(key, ways, entry=[call]))

    def decide(self, number, key):
        self.nodes.append(node(key, "decide"))
        ways = []
        for _ in range(self.dice.randint(0, 3)):
            guard = self.guard()
            made, rest = self.conditional(number, key, when=guard)
            ways.append({"key": made, "on": {"always": True}, "guard": guard, **rest})
        target = self.on(number)
        made = self.link(key, target, otherwise=True)
        ways.append({"key": made, "on": {"always": True}, "target": target})
        self.states.append(self.state(key, ways, kind="choice"))

    def question(self, number, key):
        late = {"timeout": "5s"} if self.chance(2) else {}
        self.nodes.append(node(key, "question", question="q", prompt="p", **late))
        ways = []
        for _ in range(self.dice.randint(0, 3)):
            answers = self.dice.sample(["yes", "no", "later"], self.dice.randint(0, 2))
            guard = self.guard() if not answers or self.chance(3) else None
            more = {"answer": answers} if answers else {}
            more.update({"when": guard} if guard else {})
            made, rest = self.conditional(number, key, **more)
            events = [f"decision.q.{one}" for one in answers or ["yes", "no", "later"]]
            way = {"key": made, "on": {"event": events}, **rest}
            ways.append({**way, "guard": guard} if guard else way)
        target = self.on(number)
        made = self.link(key, target, otherwise=True)
        for tail, trigger in (
            ("", {"event": "decision.q.unsure"}),
            ("_failed", {"event": "decision.q.failed"}),
            ("_other", {"event": "decision.q.*"}),
            *([("_timeout", {"after": "5s"})] if late else []),
        ):
            ways.append({"key": made + tail, "on": trigger, "target": target})
        self.states.append(self.state(key, ways, prompt="p", ask=["asked"]))
