"""What the rules look at.

The parsed pieces of an Agent, and every expression in them, analysed once.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from interpreter.analysis import (
    EffectPlace,
    Index,
    RegionPlace,
    Row,
    StatePlace,
    TransitionPlace,
    index,
    literals_of,
    never_true,
    reached,
    row_of,
)
from interpreter.compiling import questions_asked
from interpreter.document import (
    AgentDoc,
    CallEffect,
    ClearEffect,
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

from .winning import shadowed


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
    def reachable(self) -> frozenset[str]:
        """The keys of the states that a run can come to."""
        return reached(self.index, self.lost)

    @cached_property
    def written_inside(self) -> dict[str, list[Any] | None]:
        """What the effects set each slot to, its default first; None where they work it out."""
        found: dict[str, list[Any] | None] = {s.key: [s.default] for s in self.slots}
        for place in self.index.effects:
            if isinstance(place.doc, SetEffect):
                literal = literals_of(place.doc.value)
                known = found.get(place.doc.set)
                found[place.doc.set] = (
                    None if literal is None or known is None else [*known, *literal]
                )
            elif isinstance(place.doc, ClearEffect):
                known = found.get(place.doc.clear)
                found[place.doc.clear] = None if known is None else [*known, None]
        return found

    @cached_property
    def rows(self) -> dict[str, Row]:
        """What each sound guard asks of the slots, by its source."""
        return {
            place.doc.guard or "": row_of(self.slots_by_key, analysis.tree)
            for place, analysis in self.guards.items()
            if analysis.tree is not None and not analysis.problems
        }

    @cached_property
    def never(self) -> frozenset[TransitionPlace]:
        """The transitions whose guard no values make true, as far as slot by slot tells."""
        false = {
            guard
            for guard, row in self.rows.items()
            if guard.strip() == "false" or never_true(self.slots_by_key, row, self.written_inside)
        }
        return frozenset(place for place in self.guards if place.doc.guard in false)

    @cached_property
    def shadowed(self) -> dict[TransitionPlace, TransitionPlace]:
        """The transitions over which an earlier one of their state always wins, with that one."""
        return shadowed(self.index, self.never)

    @cached_property
    def lost(self) -> frozenset[TransitionPlace]:
        """The transitions that are never taken: never true, or always beaten."""
        return self.never | self.shadowed.keys()

    def but_lost(self, transitions: Iterable[TransitionPlace]) -> str:
        """Why transitions that are drawn do not count, as the end of a sentence; or nothing."""
        lost = [place for place in transitions if place in self.lost]
        false = [
            f"the guard of '{place.name}' is never true" for place in lost if place in self.never
        ]
        late = [
            f"'{self.shadowed[place].name}' always comes before '{place.name}'"
            for place in lost
            if place not in self.never
        ]
        return "".join(f"; {reason}" for reason in (*false, *late))

    def stands(self, transition: TransitionPlace) -> bool:
        """Whether its source can be active."""
        source: StatePlace | RegionPlace | None = transition.source
        if isinstance(source, RegionPlace):
            source = source.parent
        return source is None or source.key in self.reachable

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
