"""What the rules look at.

The parsed pieces of an Agent, and every expression in them, analysed once.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from interpreter.analysis import EffectPlace, Index, StatePlace, TransitionPlace, index, reachable
from interpreter.compiling import questions_asked
from interpreter.document import (
    AgentDoc,
    CallEffect,
    HookEffect,
    MachineDoc,
    OutcomeDoc,
    PolicyDoc,
    PromptDoc,
    QuestionSetDoc,
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

    ``members`` holds the documents of squad Agents that are known, by squad key. Question sets
    that are None are unknown: then what a state asks is taken for the question itself.
    """

    machine: MachineDoc
    slots: tuple[SlotDoc, ...] = ()
    squad: tuple[SquadDoc, ...] = ()
    prompts: tuple[PromptDoc, ...] = ()
    tools: tuple[ToolDoc, ...] = ()
    outcomes: tuple[OutcomeDoc, ...] = ()
    policies: tuple[PolicyDoc, ...] = ()
    question_sets: tuple[QuestionSetDoc, ...] | None = None
    instructions: str = ""
    members: Mapping[str, AgentDoc] = field(default_factory=dict)
    has_machine: bool = True

    @cached_property
    def index(self) -> Index:
        """All places of the machine."""
        return index(self.machine)

    @cached_property
    def state_at(self) -> dict[Path, StatePlace]:
        """The states by path."""
        return {place.path: place for place in self.index.states}

    @cached_property
    def transition_at(self) -> dict[Path, TransitionPlace]:
        """The transitions by path."""
        return {place.path: place for place in self.index.transitions}

    @cached_property
    def slots_by_key(self) -> dict[str, SlotDoc]:
        """The slots by key."""
        return {slot.key: slot for slot in self.slots}

    @cached_property
    def scope(self) -> Scope:
        """What the expressions may name."""
        asked = (key for place in self.index.states for key in place.doc.ask)
        questions = questions_asked(asked, self.question_sets or ())
        return Scope(self.slots_by_key, frozenset(self.index.by_key), questions)

    @cached_property
    def reachable(self) -> dict[str, tuple[str, ...]]:
        """The states that a run can come to, with a way there."""
        return reachable(self.index)

    @cached_property
    def guards(self) -> dict[TransitionPlace, Analysis]:
        """The analysis of every guard."""
        found: dict[TransitionPlace, Analysis] = {}
        known: dict[str, Analysis] = {}
        for transition in self.index.transitions:
            guard = transition.doc.guard
            if guard is not None:
                if guard not in known:
                    known[guard] = analyse(guard, self.scope, "boolean")
                found[transition] = known[guard]
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
        for number, outcome in enumerate(self.outcomes):
            if "{{" in outcome.label:
                analysis = analyse_template(outcome.label, self.scope)
                where = ("outcomes", number, "label")
                yield Written("prompt", where, f"the outcome '{outcome.key}'", analysis)
        if "{{" in self.instructions:
            analysis = analyse_template(self.instructions, self.scope)
            yield Written("prompt", ("instructions",), "the instructions", analysis)
        for place in self.index.states:
            if "{{" in (place.doc.instructions or ""):
                analysis = analyse_template(place.doc.instructions or "", self.scope)
                path = (*place.path, "instructions")
                yield Written("prompt", path, f"the instructions of '{place.key}'", analysis)
