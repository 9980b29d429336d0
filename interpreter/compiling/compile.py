"""From documents to Tables; all structural faults and bad expressions are raised at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from interpreter.compiling.build import TreeBuilder
from interpreter.compiling.effects import EffectCompiler
from interpreter.compiling.scope import scope_of
from interpreter.compiling.tables import Tables
from interpreter.document import (
    NOT_WIDENED,
    AgentDoc,
    Limits,
    MachineDoc,
    OutcomeDoc,
    PromptDoc,
    QuestionSetDoc,
    RegionDoc,
    SlotDoc,
    SquadDoc,
    StateDoc,
    ToolDoc,
    Widening,
    digest_of,
    dump_document,
    parse_agent,
    parse_document,
    parse_outcomes,
    parse_prompts,
    parse_slots,
    parse_squad,
    parse_tools,
    why_not,
)
from interpreter.errors import DocumentError, Problem
from interpreter.expressions import ExpressionSyntaxError, Scope, Template, compile_template

_Tables = TypeVar("_Tables", bound=Tables)
Beside = Sequence[Any]

IMPLICIT = MachineDoc(
    regions=(
        RegionDoc(
            key="conversation",
            role="speaker",
            initial="conversation",
            states=(StateDoc(key="conversation"),),
        ),
    )
)


def compile_tables(
    kind: type[_Tables],
    machine: object,
    *,
    slots: Beside = (),
    squad: Beside | None = None,
    prompts: Beside | None = None,
    outcomes: Beside | None = None,
    tools: Beside | None = None,
    question_sets: Sequence[QuestionSetDoc] = (),
    key: str | None = None,
    fingerprint: Callable[[], str] | None = None,
    wider: Widening = NOT_WIDENED,
    actions: Mapping[str, Callable[..., None]] | None = None,
) -> _Tables:
    """A compiled machine of the given kind from a machine document and what stands beside it.

    Lists that are None are unknown: keys into them are not looked up. `wider` is what a reader of
    another notation adds, `actions` are hooks that the host runs inside the step.
    Raises DocumentError with all faults of shape, or else all faults of structure, reference and
    expression.
    """
    doc = parse_document(machine)
    slot_docs = parse_slots(slots)
    prompt_docs = None if prompts is None else parse_prompts(prompts)
    squad_docs = None if squad is None else parse_squad(squad)
    outcome_docs = None if outcomes is None else parse_outcomes(outcomes)
    tool_docs = None if tools is None else parse_tools(tools)
    scope = scope_of(doc, slot_docs, question_sets)
    by_key = {slot.key: slot for slot in slot_docs}
    compiler = EffectCompiler(
        scope,
        by_key,
        prompts=_keys(prompt_docs),
        squad=_keys(squad_docs),
        outcomes=_keys(outcome_docs),
        tools=_keys(tool_docs),
        wider=wider,
    )
    builder = TreeBuilder(doc, compiler, wider)
    root = builder.build()
    problems = builder.problems
    problems += _slot_faults(slot_docs)
    templates = _templates(prompt_docs or (), scope, problems)
    if problems:
        raise DocumentError(problems)
    return kind(
        root=root,
        nodes=builder.nodes,
        states=builder.states,
        regions=builder.regions,
        transitions=builder.transitions,
        transition_keys=builder.transition_keys,
        slots=by_key,
        defaults={s.key: s.default for s in slot_docs if s.default is not None},
        prompts=None if prompt_docs is None else {p.key: p for p in prompt_docs},
        templates=templates,
        squad=None if squad_docs is None else frozenset(s.key for s in squad_docs),
        outcomes=None if outcome_docs is None else {o.key: o for o in outcome_docs},
        limits=doc.limits or Limits(),
        scope=scope,
        fingerprint=fingerprint or (lambda: _digest(doc, slot_docs)),
        key=key,
        microsteps=wider.microsteps,
        record_cap=wider.records,
        actions=actions or {},
    )


def compile_agent_tables(
    kind: type[_Tables],
    agent: object,
    actions: Callable[[AgentDoc], Mapping[str, Callable[..., None]]] | None = None,
) -> _Tables:
    """The same from an agent document; one without a machine is one implicit state.

    `actions` gives the hooks that are answered inside the step.
    """
    doc = parse_agent(agent)
    try:
        return compile_tables(
            kind,
            doc.machine if doc.machine is not None else IMPLICIT,
            slots=doc.slots,
            squad=doc.squad,
            prompts=doc.prompts,
            outcomes=doc.outcomes,
            tools=doc.tools,
            question_sets=doc.question_sets,
            key=doc.key,
            fingerprint=lambda: digest_of(doc),
            actions=actions(doc) if actions is not None else None,
        )
    except DocumentError as error:
        raise DocumentError([_inside_agent(p) for p in error.problems]) from None


def _inside_agent(problem: Problem) -> Problem:
    if problem.path and problem.path[0] not in ("regions", "limits"):
        return problem
    path = ("machine", *problem.path)
    return Problem(
        problem.code, problem.severity, path, problem.message, problem.hint, problem.span
    )


def _keys(
    docs: Sequence[PromptDoc | SquadDoc | OutcomeDoc | ToolDoc] | None,
) -> frozenset[str] | None:
    return None if docs is None else frozenset(doc.key for doc in docs)


def _slot_faults(slots: Sequence[SlotDoc]) -> list[Problem]:
    faults = []
    seen: set[str] = set()
    for place, slot in enumerate(slots):
        if slot.key in seen:
            faults.append(_fault("key.duplicate", place, "key", f"two slots are '{slot.key}'"))
        seen.add(slot.key)
        if slot.type == "enum" and not slot.choices:
            faults.append(
                _fault(
                    "slot.choices", place, "choices", f"the enum slot '{slot.key}' has no choice"
                )
            )
            continue
        reason = why_not(slot, slot.default)
        if reason is not None:
            faults.append(
                _fault("slot.default", place, "default", f"default of '{slot.key}': {reason}")
            )
    return faults


def _fault(code: str, place: int, field: str, message: str) -> Problem:
    return Problem(code, "error", ("slots", place, field), message)


def _templates(
    prompts: Sequence[PromptDoc], scope: Scope, problems: list[Problem]
) -> dict[str, Template]:
    made = {}
    for place, prompt in enumerate(prompts):
        try:
            made[prompt.key] = compile_template(prompt.text, scope)
        except ExpressionSyntaxError as error:
            path = ("prompts", place, "text")
            problems += [
                Problem(f"expression.{p.code}", "error", path, p.message, p.hint, (p.start, p.end))
                for p in error.problems
            ]
    return made


def _digest(machine: MachineDoc, slots: Sequence[SlotDoc]) -> str:
    if not slots:
        return digest_of(machine)
    return digest_of(
        {"machine": dump_document(machine), "slots": [dump_document(s) for s in slots]}
    )
