"""W3C SCXML, appendix D, written down as it stands there: slow, without masks or memo.

It reads the compiled tree and nothing else of the engine. A region is a compound state, a state
with regions (and the root) a parallel one. Guards and effects are those of `random_charts`.
"""

from interpreter.budget import MICROSTEPS


class EndlessError(Exception):
    """More microsteps than a macrostep may have."""


def inside(node, around):
    return around in node.ancestors


def in_order(nodes):
    return sorted(nodes, key=lambda node: node.index)


class Interpreter:
    """One run; `log` is what the last macrostep did, `active` the state keys in document order."""

    def __init__(self, machine):
        self.root = machine.root
        self.configuration = {machine.root}
        self.history = {}
        self.count = 0
        self.queue = []
        self.log = []
        self.microsteps = 0
        self.running = True
        self._enter([], start=True)
        self._complete()

    @property
    def active(self):
        return tuple(node.key for node in in_order(self.configuration) if node.is_state)

    def send(self, event):
        self.log, self.microsteps = [], 0
        transitions = self._select(event)
        if transitions:
            self._microstep(transitions)
            self._complete()

    def _complete(self):
        while self.running:
            transitions = self._select(None)
            if not transitions:
                if not self.queue:
                    return
                transitions = self._select(self.queue.pop(0))
            if transitions:
                self._microstep(transitions)

    # --- selecting --------------------

    def _select(self, event):
        enabled = []
        leaves = [n for n in in_order(self.configuration) if n.is_state and not n.children]
        for leaf in leaves:
            first = next(
                (
                    transition
                    for node in (leaf, *leaf.ancestors)
                    for transition in node.transitions
                    if self._matches(transition, event) and self._holds(transition.doc.guard)
                ),
                None,
            )
            if first is not None and first not in enabled:
                enabled.append(first)
        return self._without_conflicts(enabled)

    def _without_conflicts(self, enabled):
        kept = []
        for one in enabled:
            beaten = []
            for other in kept:
                if self._exits([one]) & self._exits([other]):
                    if not inside(one.source, other.source):
                        break
                    beaten.append(other)
            else:
                kept = [other for other in kept if other not in beaten] + [one]
        return kept

    @staticmethod
    def _matches(transition, event):
        on = transition.doc.on
        if event is None or on.kind == "always":
            return event is None and on.kind == "always"
        if on.kind == "done":
            return event == f"done.state.{transition.source.key}"
        return any(
            name in ("*", event) or (name[-2:] == ".*" and f"{event}.".startswith(name[:-1]))
            for name in on.events
        )

    def _holds(self, guard):
        if guard is None:
            return True
        if guard.startswith("slots.count < "):
            return self.count < int(guard.removeprefix("slots.count < "))
        return guard.split("'")[1] in self.active

    # --- moving --------------------

    def _targets(self, transition):
        target = transition.target
        if target is None:
            return []
        if target.kind != "history":
            return [target]
        return list(self.history.get(target.key) or [target.transitions[0].target])

    def _domain(self, transition):
        source, targets = transition.source, self._targets(transition)
        if source.kind == "region":
            internal = not transition.doc.external
        else:
            internal = transition.doc.internal and len(source.children) == 1
        if internal and all(inside(target, source) for target in targets):
            return source
        for node in source.ancestors:
            if node.kind == "region" and all(inside(target, node) for target in targets):
                return node
        return None

    def _exits(self, transitions):
        found = set()
        for transition in transitions:
            if transition.target is not None:
                domain = self._domain(transition)
                found |= {
                    node
                    for node in self.configuration
                    if node is not self.root and (domain is None or inside(node, domain))
                }
        return found

    def _microstep(self, transitions):
        self.microsteps += 1
        if self.microsteps > MICROSTEPS:
            raise EndlessError
        exits = in_order(self._exits(transitions))[::-1]
        for node in exits:
            for history in node.histories:
                self.history[history.key] = [
                    one
                    for one in in_order(self.configuration)
                    if one.is_state
                    and (
                        inside(one, node) and not one.children
                        if history.deep
                        else one.parent is node
                    )
                ]
        for node in exits:
            self._execute(node.exit)
            self.configuration.remove(node)
            if node.is_state:
                self.log.append(("exit", node.key))
        for transition in transitions:
            self.log.append(("take", transition.key))
            self._execute(transition.effects)
        self._enter(transitions)

    def _execute(self, effects):
        for effect in effects:
            if effect.kind == "set":
                self.count += 1
            else:
                self.queue.append(effect.key)

    # --- entering --------------------

    def _enter(self, transitions, *, start=False):
        self._entering = set(self.configuration)
        self._defaults = {}
        if start:
            self._fill(self.root)
        for transition in transitions:
            if transition.target is not None:
                self._descend(transition.target)
                domain = self._domain(transition)
                for target in self._targets(transition):
                    self._ascend(target, domain)
        for node in in_order(self._entering - self.configuration):
            self._enter_one(node)
        finals = [self._is_final(region) for region in self.root.children]
        self.running = not (finals[0] or all(finals))

    def _enter_one(self, node):
        self.configuration.add(node)
        if node.is_state:
            self.log.append(("enter", node.key))
        self._execute(node.entry)
        self._execute(self._defaults.get(node, ()))
        if node.kind == "final":
            self.queue.append(f"done.region.{node.parent.key}")
            owner = node.parent.parent
            if owner is not self.root and all(map(self._is_final, owner.children)):
                self.queue.append(f"done.state.{owner.key}")

    def _is_final(self, region):
        return any(
            child.kind == "final" and child in self.configuration for child in region.children
        )

    def _descend(self, node):
        if node.kind == "history":
            remembered = self.history.get(node.key)
            if not remembered:
                default = node.transitions[0]
                self._defaults[node.parent] = default.effects
                remembered = [default.target]
            for one in remembered:
                self._descend(one)
            for one in remembered:
                self._ascend(one, node.parent)
            return
        self._entering.add(node)
        if node.kind == "region":
            if not any(inside(one, node) for one in self._entering):
                self._descend(node.initial)
        else:
            self._fill(node)

    def _ascend(self, node, upto):
        for ancestor in node.ancestors:
            if ancestor is upto:
                return
            self._entering.add(ancestor)
            if ancestor.kind != "region":
                self._fill(ancestor)

    def _fill(self, node):
        for region in node.children:
            if not any(one is region or inside(one, region) for one in self._entering):
                self._descend(region)
