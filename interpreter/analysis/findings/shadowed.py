"""Transitions that an earlier one of their state always beats."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.analysis.atoms import descriptors
from interpreter.analysis.explore import Edge
from interpreter.analysis.offers import answers
from interpreter.analysis.survey import Finding, Survey, leaves_of, shown
from interpreter.compiling import CompiledTransition
from interpreter.document import matches


def find(survey: Survey) -> Iterator[Finding]:
    """One finding a transition, with a script in which the earlier one is taken."""
    for node in survey.machine.nodes:
        for number, later in enumerate(node.transitions):
            for earlier in node.transitions[:number]:
                if not shadows(survey, earlier, later):
                    continue
                edge = _shows(survey, earlier, later)
                if edge is not None:
                    yield _finding(survey, earlier, later, edge)
                break


def _finding(
    survey: Survey, earlier: CompiledTransition, later: CompiledTransition, edge: Edge
) -> Finding:
    active = leaves_of(edge.target.snapshot.active, survey.machine)
    return Finding(
        "transition.shadowed",
        "warning",
        "certain",
        later.path,
        f"'{later.key}' of '{later.source.key}' can never be taken: "
        f"'{earlier.key}' always comes first",
        "Put it first, or give the earlier one a guard.",
        shown(edge.script(), record="transition.taken", active=active),
    )


def shadows(survey: Survey, earlier: CompiledTransition, later: CompiledTransition) -> bool:
    """Whether whatever enables the later one enables the earlier one too."""
    if earlier.trigger != later.trigger or earlier.trigger == "propose" or _reluctant(earlier):
        return False
    if not covers(earlier, later):
        return False
    if earlier.guard is None:
        return True
    yes = (later.guard,) if later.guard is not None else ()
    if later.guard is not None and survey.possible.holds(later) == "never":
        return False
    return survey.possible.together(later, yes, (earlier.guard,))[0] == "never"


def _reluctant(transition: CompiledTransition) -> bool:
    """Whether something else than its guard can hold it back."""
    if transition.min_confidence is not None or transition.max_takes is not None:
        return True
    home, target = transition.home, transition.target
    if target is None or home is None:
        return False
    capped = any(n.max_visits is not None for n in (target, *target.ancestors, *target.walk()))
    return capped or bool(home.cooldown_ms or home.backward_confidence)


def covers(earlier: CompiledTransition, later: CompiledTransition) -> bool:
    """Whether the trigger of the one fires whenever that of the other does."""
    if earlier.trigger == "event":
        return all(
            any(_wider(wide, narrow) for wide in descriptors(earlier))
            for narrow in descriptors(later)
        )
    if earlier.trigger == "after":
        return earlier.after_ms <= later.after_ms and earlier.target is not None
    return True


def _wider(wide: str, narrow: str) -> bool:
    return wide == narrow or (narrow != "*" and matches(wide, narrow.removesuffix(".*")))


def _shows(survey: Survey, earlier: CompiledTransition, later: CompiledTransition) -> Edge | None:
    """A way to take the earlier one by what would trigger the later one."""
    best = None
    for edge in survey.taking(earlier):
        if best is None or edge.cost < best.cost:
            name = edge.lines[-1].get("event") if edge.lines else None
            if earlier.trigger != "event" or name is None or answers(later, name):
                best = edge
    return best or survey.taken(earlier)
