"""States that no run comes to, and what stands in the way."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.analysis.survey import Certainty, Finding, Survey
from interpreter.compiling import CompiledTransition, Node


def find(survey: Survey) -> Iterator[Finding]:
    """One finding for each outermost state that cannot be entered."""
    for node in survey.machine.nodes:
        if not node.is_state or _inside_another(survey, node):
            continue
        certainty = missing(survey, node)
        if certainty is None:
            continue
        verb = "cannot" if certainty == "certain" else "may never"
        yield Finding(
            "state.unreachable",
            "warning",
            certainty,
            node.path,
            f"the state '{node.key}' {verb} be reached",
            "Add a transition to it, make it initial, or remove it.",
            None,
            tuple(_blocks(survey, node)),
        )


def missing(survey: Survey, node: Node) -> Certainty | None:
    """Whether a state is never entered, as far as that is known."""
    if node not in survey.possible.nodes:
        return "certain"
    one = survey.at(node)
    if node.key in one.entered or not one.complete:
        return None
    return "certain" if one.sure else "may"


def _inside_another(survey: Survey, node: Node) -> bool:
    around = node.parent.parent if node.parent is not None else None
    return around is not None and around.is_state and missing(survey, around) is not None


def _blocks(survey: Survey, node: Node) -> Iterator[str]:
    inside = [t for t in survey.machine.transitions if _leads_into(t, node)]
    if not inside:
        yield "no transition leads to it, and it is not initial where it lies"
    for transition in inside:
        yield f"'{transition.key}' of '{transition.source.key}': {why(survey, transition)}"


def _leads_into(transition: CompiledTransition, node: Node) -> bool:
    target = transition.target
    if target is None or transition.source is node or transition.source.is_within(node):
        return False
    return target is node or target.is_within(node)


def why(survey: Survey, transition: CompiledTransition) -> str:
    """Why a transition is not taken, as a clause."""
    barred = survey.possible.barred(transition)
    if barred is not None:
        return barred
    guard = transition.doc.guard
    if survey.possible.holds(transition) == "never":
        return f"its guard {guard} is never true"
    if transition.source.is_state and not survey.entered(transition.source):
        return f"'{transition.source.key}' was not reached"
    if guard is not None:
        return f"its guard {guard} was true in no run that was tried"
    return "another transition always comes first, or a limit"
