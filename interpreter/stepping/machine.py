"""The compiled machine as callers meet it: what is allowed, what can be, where it stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from interpreter.compiling import Candidate, Tables, compile_agent_tables, compile_tables
from interpreter.compiling.compile import Beside
from interpreter.document import EventTrigger, MachineDoc
from interpreter.errors import InputError
from interpreter.expressions import EventView
from interpreter.stepping import plain_tables, refusals
from interpreter.stepping.evaluations import actions_of
from interpreter.stepping.handling import PROPOSALS, agent_fault, slot_fault
from interpreter.stepping.inputs import Input, parse_input
from interpreter.stepping.literal import run_of
from interpreter.stepping.outcome import Answer, Refusal
from interpreter.stepping.run import Run
from interpreter.stepping.select import Blocked, select
from interpreter.stepping.snapshot import Snapshot, bound


class Machine(Tables):
    """A compiled machine; immutable, safe to share between threads. Has `digest`."""

    def value(self, snapshot: Snapshot) -> dict[str, Any]:
        """Where each top region stands; a compound state in the place of its key."""
        return self.value_of(self.configuration(snapshot.active))

    def active(self, snapshot: Snapshot) -> list[str]:
        """Every active state in document order."""
        return list(snapshot.active)

    def can(self, snapshot: Snapshot, input: Input | Mapping[str, Any]) -> Answer:
        """Whether an input would be taken now; nothing is done."""
        try:
            one = parse_input(input)
        except InputError as error:
            return Answer("malformed", str(error))
        run = self._probe(snapshot)
        refusal = _refusal_of(run, one)
        if refusal is None:
            return Answer()
        return Answer(refusal.reason, refusal.message)

    def declared(self, snapshot: Snapshot, input: Input | Mapping[str, Any]) -> bool:
        """Whether an active state has a transition for it, whatever guards and limits say."""
        one = parse_input(input)
        lookup = ("propose", one.name) if one.kind == "transition" else one.name
        return bool(self.chains(self.configuration(snapshot.active), lookup))

    def allowed(self, snapshot: Snapshot) -> dict[str, list[dict[str, Any]]]:
        """What could be taken now, and why the rest could not (docs/contracts.md section 3)."""
        run = self._probe(snapshot)
        found: dict[str, list[dict[str, Any]]] = {"events": [], "proposals": []}
        seen: set[tuple[str, str]] = set()
        for leaf in run.config.leaves:
            for node in (leaf, *leaf.ancestors):
                for transition in node.transitions:
                    on = transition.doc.on
                    if isinstance(on, EventTrigger):
                        for name in on.events:
                            if ("event", name) not in seen:
                                seen.add(("event", name))
                                found["events"].append(self._event_entry(run, name))
                    elif on.kind == "propose":
                        key = transition.doc.target or transition.key
                        if ("propose", key) not in seen:
                            seen.add(("propose", key))
                            found["proposals"].append(self._proposal_entry(run, key))
        found["handoffs"] = [
            self._entry(run, Input("handoff", key), key, "handoff")
            for key in sorted(self.squad or ())
        ]
        found["slots"] = [self._slot_entry(run, key) for key in self.slots]
        return found

    def _probe(self, snapshot: Snapshot) -> Run:
        return run_of(self, bound(self, snapshot), snapshot.now)

    def _entry(self, run: Run, one: Input, target: str | None, trigger: str) -> dict[str, Any]:
        refusal = _refusal_of(run, one)
        return {
            "key": one.name,
            "target": target,
            "trigger": trigger,
            "allowed": refusal is None,
            "reason": refusal.reason if refusal else None,
            "message": refusal.message if refusal else None,
        }

    def _event_entry(self, run: Run, name: str) -> dict[str, Any]:
        concrete = name.removesuffix(".*") if name != "*" else "*"
        target = _target(self._chosen(run, concrete))
        return {**self._entry(run, Input("event", concrete), target, "event"), "pattern": name}

    def _proposal_entry(self, run: Run, key: str) -> dict[str, Any]:
        candidates = [c for chain in self.chains(run.config, ("propose", key)) for c in chain]
        entry = self._entry(run, Input("transition", key), _target(candidates), "propose")
        on = candidates[0].transition.doc.on
        return {
            **entry,
            "transition": candidates[0].transition.key,
            "text": getattr(on, "propose", ""),
        }

    def _chosen(self, run: Run, name: str) -> list[Candidate]:
        return [c for chain in self.chains(run.config, name) for c in chain]

    def _slot_entry(self, run: Run, key: str) -> dict[str, Any]:
        slot = self.slots[key]
        entry = {"key": key, "target": None, "trigger": "set_slot", "type": slot.type}
        if run.ended:
            refusal: Refusal | None = refusals.over(run, key, "set_slot")
        else:
            fault = slot_fault(run, Input("set_slot", key), "model")
            refusal = refusals.plain(run, *fault, key, "set_slot") if fault else None
        return {
            **entry,
            "allowed": refusal is None,
            "reason": refusal.reason if refusal else None,
            "message": refusal.message if refusal else None,
        }

    # --- small machines in code --------------------

    @classmethod
    def from_table(
        cls, table: Mapping[tuple[str, str], Any], *, initial: str, states: Any = None
    ) -> Machine:
        """A machine exactly as a table `{(state, event): target}` says.

        The order of states is `states`, else that of their first appearance. Raises DocumentError
        naming an undeclared or doubled state.
        """
        return cls._small(plain_tables.table_document(table, initial=initial, states=states))

    @classmethod
    def from_stages(
        cls,
        stages: Any,
        *,
        initial: str,
        transitions: Mapping[str, Any] | None = None,
        stage_tools: Mapping[str, Any] | None = None,
        keywords: Mapping[str, Any] | None = None,
        cooldown_seconds: float = 0.0,
        backward_threshold: float = 0.8,
    ) -> Machine:
        """A machine of ordered stages, moved by proposals of the stage to go to.

        A target in `transitions` is its name, or a mapping with `target`, `key` (under which a
        Session finds guard and action) and `min_confidence`.
        Raises DocumentError naming an undeclared or doubled stage.
        """
        document = plain_tables.stages_document(
            stages,
            initial=initial,
            transitions=transitions or {},
            stage_tools=stage_tools or {},
            keywords=keywords or {},
            cooldown_seconds=cooldown_seconds,
            backward_threshold=backward_threshold,
        )
        return cls._small(document)

    @classmethod
    def _small(cls, document: MachineDoc) -> Machine:
        return compile_tables(cls, document)


def _target(candidates: list[Candidate]) -> str | None:
    for candidate in candidates:
        if candidate.transition.target is not None:
            return candidate.transition.target.key
    return None


def _refusal_of(run: Run, one: Input) -> Refusal | None:
    """Why an input would be refused, without taking it."""
    proposal = one.kind if one.kind in PROPOSALS else None
    if run.ended:
        return refusals.over(run, one.name, proposal)
    if one.kind in ("event", "transition"):
        confidence = 1.0 if one.confidence is None else one.confidence
        name = one.name if one.kind == "event" else None
        run.see(EventView(name, one.data, confidence))
        blocked: list[Blocked] = []
        lookup = one.name if one.kind == "event" else ("propose", one.name)
        if select(run, lookup, confidence, blocked):
            return None
        if blocked:
            return refusals.blocked_by(run.config, one.name, proposal, blocked)
        return refusals.not_declared(run.config, one.name, proposal)
    if one.kind in ("set_slot", "set"):
        fault = slot_fault(run, one, "model" if one.kind == "set_slot" else "host")
        return refusals.plain(run, *fault, one.name, proposal) if fault else None
    if one.kind == "handoff":
        detail = agent_fault(run, one.name)
        if detail is not None:
            return refusals.plain(run, "unknown_agent", detail, one.name, "handoff")
    if one.kind == "timer" and one.name not in run.own_timers():
        return refusals.plain(run, "undeclared", "this timer is not armed", one.name, None)
    return None


def compile_machine(
    machine: object,
    *,
    slots: Beside = (),
    squad: Beside | None = None,
    prompts: Beside | None = None,
    outcomes: Beside | None = None,
    tools: Beside | None = None,
) -> Machine:
    """A Machine from a machine document and what stands beside it.

    A list that is None is unknown, and keys into it are not looked up. Raises DocumentError.
    """
    return compile_tables(
        Machine,
        machine,
        slots=slots,
        squad=squad,
        prompts=prompts,
        outcomes=outcomes,
        tools=tools,
    )


def compile_agent(agent: object) -> Machine:
    """A Machine from an agent document; without a machine it is one implicit state.

    Raises DocumentError.
    """
    return compile_agent_tables(Machine, agent, actions_of)
