"""Charts drawn by chance from a seed: nested regions, histories, finals, every kind of arrow."""

import random

EVENTS = ("e0", "e1", "e2")
COUNT = [{"key": "count", "type": "integer", "default": 0}]
PLUS_ONE = {"set": "count", "value": "slots.count + 1"}


class Drawer:
    """One use: `draw()`."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.number = 0
        self.states = []
        self.histories = []
        self.regions = []

    def draw(self):
        tops = [self._region(0) for _ in range(self.chance.choice([1, 1, 2]))]
        tops[0]["role"] = "speaker"
        for region in self.regions:
            region["transitions"] = self._transitions(
                self.chance.choice([0, 0, 1]), of_region=True
            )
        for state in self.states:
            if state.get("kind") != "final":
                state["transitions"] = self._transitions(self.chance.choice([0, 1, 1, 2]))
                state["entry"] = self._effects(0.15)
                state["exit"] = self._effects(0.1)
        return {"format": "callchart.machine/1", "regions": tops}

    def _key(self, letter):
        self.number += 1
        return f"{letter}{self.number}"

    def _region(self, depth):
        region = {"key": self._key("r"), "states": []}
        self.regions.append(region)
        own = []
        first = len(self.states)
        for place in range(self.chance.randint(1, 3)):
            state = {"key": self._key("s")}
            self.states.append(state)
            own.append(state)
            if place and depth and self.chance.random() < 0.3:
                state["kind"] = "final"
            elif depth < 3 and self.chance.random() < 0.6 - 0.2 * depth:
                count = self.chance.choice([1, 1, 2, 2, 3])
                state["regions"] = [self._region(depth + 1) for _ in range(count)]
        region["initial"] = self.chance.choice(own)["key"]
        region["states"] = own
        if self.chance.random() < 0.45:
            default = self.chance.choice(self.states[first:])["key"]
            history = {
                "key": self._key("h"),
                "kind": "history",
                "history": self.chance.choice(["shallow", "deep"]),
                "transitions": [{"on": {"always": True}, "target": default}],
            }
            self.histories.append(history)
            region["states"] = [*own, history]
        return region

    def _transitions(self, count, *, of_region=False):
        return [self._transition(of_region=of_region) for _ in range(count)]

    def _transition(self, *, of_region):
        made = {"on": self._trigger(of_region=of_region), "effects": self._effects(0.2)}
        if "always" in made["on"]:
            made["guard"] = f"slots.count < {self.chance.randint(1, 4)}"
            made["effects"] = [PLUS_ONE]
        elif self.chance.random() < 0.25:
            made["guard"] = f"active('{self.chance.choice(self.states)['key']}')"
        if self.chance.random() < 0.9:
            made["target"] = self.chance.choice([*self.states, *self.histories])["key"]
        made["internal"] = self.chance.random() < 0.2
        made["external"] = of_region and self.chance.random() < 0.4
        return made

    def _trigger(self, *, of_region):
        kind = self.chance.random()
        if kind < 0.7:
            return {"event": self.chance.choice(EVENTS)}
        if kind < 0.8:
            region, state = self.chance.choice(self.regions), self.chance.choice(self.states)
            names = ["done.*", f"done.region.{region['key']}", f"done.state.{state['key']}", "*"]
            return {"event": self.chance.choice(names)}
        return {"done": True} if kind < 0.9 and not of_region else {"always": True}

    def _effects(self, likely):
        if self.chance.random() > likely:
            return []
        return [self.chance.choice([PLUS_ONE, {"raise": self.chance.choice(EVENTS)}])]
