"""What the rules look at.

The parsed pieces of an Agent, and every expression in them, analysed once.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from interpreter.analysis import EffectPlace, Index, TransitionPlace, index, reachable
from interpreter.document import (
    AgentDoc,
    CallEffect,
    HookEffect,
    MachineDoc,
    OutcomeDoc,
    PolicyDoc,
    PromptDoc,
    RaiseEffect,
    SetEffect,
    SlotDoc,
    SquadDoc,
    ToolDoc,
)
from interpreter.errors import Path
from interpreter.expressions import Analysis, Scope, analyse, analyse_template


@dataclass(frozen=True, slots=True)
class Written:
    """An expression where it stands.

    ``kind`` is guard, effect or prompt; ``place`` names it for people.
    """

    kind: str
    path: Path
    place: str
    analysis: Analysis


@dataclass(eq=False)
class Chart:
    """An Agent under check.

    ``members`` holds the documents of squad Agents that are known, by squad key.
    """

    machine: MachineDoc
    slots: tuple[SlotDoc, ...] = ()
    squad: tuple[SquadDoc, ...] = ()
    prompts: tuple[PromptDoc, ...] = ()
    tools: tuple[ToolDoc, ...] = ()
    outcomes: tuple[OutcomeDoc, ...] = ()
    policies: tuple[PolicyDoc, ...] = ()
    instructions: str = ""
    members: Mapping[str, AgentDoc] = field(default_factory=dict)
    has_machine: bool = True

    @cached_property
    def index(self) -> Index:
        """All places of the machine."""
        return index(self.machine)

    @cached_property
    def slots_by_key(self) -> dict[str, SlotDoc]:
        """The slots by key."""
        return {slot.key: slot for slot in self.slots}

    @cached_property
    def scope(self) -> Scope:
        """What the expressions may name."""
        questions = {question for place in self.index.states for question in place.doc.ask}
        return Scope(self.slots_by_key, frozenset(self.index.by_key), frozenset(questions))

    @cached_property
    def reachable(self) -> dict[str, tuple[str, ...]]:
        """The states that a run can come to, with a way there."""
        return reachable(self.index)

    @cached_property
    def guards(self) -> dict[TransitionPlace, Analysis]:
        """The analysis of every guard."""
        found: dict[TransitionPlace, Analysis] = {}
        for transition in self.index.transitions:
            if transition.doc.guard is not None:
                found[transition] = analyse(transition.doc.guard, self.scope, "boolean")
        return found

    @cached_property
    def written(self) -> list[Written]:
        """Every expression of the Agent."""
        found = [
            Written("guard", (*place.path, "guard"), f"the guard of '{place.name}'", analysis)
            for place, analysis in self.guards.items()
        ]
        for effect in self.index.effects:
            found += self._in_effect(effect)
        found += self._in_policies()
        found += self._in_texts()
        return found

    def _in_effect(self, place: EffectPlace) -> Iterator[Written]:
        effect = place.doc
        if isinstance(effect, SetEffect):
            want = self.slots_by_key.get(effect.set)
            analysis = analyse(effect.value, self.scope, want)
            yield Written(
                "effect", (*place.path, "value"), f"the value of '{effect.set}'", analysis
            )
        elif isinstance(effect, RaiseEffect | CallEffect | HookEffect):
            step = "args" if isinstance(effect, CallEffect) else "data"
            values = effect.args if isinstance(effect, CallEffect) else effect.data
            for name, source in (values or {}).items():
                analysis = analyse(source, self.scope)
                yield Written("effect", (*place.path, step, name), f"'{name}'", analysis)

    def _in_policies(self) -> Iterator[Written]:
        for number, policy in enumerate(self.policies):
            if policy.when is not None:
                analysis = analyse(policy.when, self.scope, "boolean")
                where: Path = ("policies", number, "when")
                yield Written("guard", where, f"the guard of the policy '{policy.key}'", analysis)

    def _in_texts(self) -> Iterator[Written]:
        for number, prompt in enumerate(self.prompts):
            if "{{" in prompt.text:
                analysis = analyse_template(prompt.text, self.scope)
                where: Path = ("prompts", number, "text")
                yield Written("prompt", where, f"the prompt '{prompt.key}'", analysis)
        if "{{" in self.instructions:
            analysis = analyse_template(self.instructions, self.scope)
            yield Written("prompt", ("instructions",), "the instructions", analysis)
        for place in self.index.states:
            if "{{" in (place.doc.instructions or ""):
                analysis = analyse_template(place.doc.instructions or "", self.scope)
                path = (*place.path, "instructions")
                yield Written("prompt", path, f"the instructions of '{place.key}'", analysis)
