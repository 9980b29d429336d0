"""Two guards of one state on one trigger that are true at once."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from interpreter.analysis.atoms import descriptors
from interpreter.analysis.explore import run_lines
from interpreter.analysis.offers import answers, environment, truth
from interpreter.analysis.playing import Line
from interpreter.analysis.survey import Finding, Survey, leaves_of, shown
from interpreter.compiling import CompiledTransition
from interpreter.expressions import Expression

from .shadowed import shadows

_STOPS, _CHOICES = 60, 400
Pair = tuple[CompiledTransition, CompiledTransition]


def find(survey: Survey) -> Iterator[Finding]:
    """Pairs to different targets, with a run in which both could be taken."""
    for node in survey.machine.nodes:
        guarded = [t for t in node.transitions if t.guard is not None and t.trigger != "propose"]
        for pair in itertools.combinations(guarded, 2):
            if pair[0].target is pair[1].target or not _names(pair):
                continue
            if shadows(survey, *pair) or not survey.entered(node):
                continue
            holds = [survey.possible.together(one, _guards(pair))[0] for one in pair]
            if "never" in holds:
                continue
            found = _shown(survey, pair) if pair[0].trigger == "event" else _seen(survey, pair)
            if found is not None:
                yield _finding(pair, "certain", found)
            elif not survey.at(node).sure and holds == ["can", "can"]:
                yield _finding(pair, "may", None)


def _finding(pair: Pair, certainty: str, witness: tuple[Line, ...] | None) -> Finding:
    first, second = pair
    verb = "can" if certainty == "certain" else "may"
    return Finding(
        "guard.overlap",
        "warning",
        "certain" if certainty == "certain" else "may",
        (*second.path, "guard"),
        f"the guards of '{first.key}' and '{second.key}' of '{first.source.key}' {verb} both be "
        "true; the first one wins",
        "Narrow one guard.",
        witness,
    )


def _guards(pair: Pair) -> tuple[Expression, ...]:
    return tuple(t.guard for t in pair if t.guard is not None)


def _names(pair: Pair) -> list[str]:
    """Event names that trigger both; for another trigger the empty name."""
    first, second = pair
    if first.trigger != second.trigger:
        return []
    if first.trigger == "after":
        return [""] if first.after_ms == second.after_ms else []
    if first.trigger != "event":
        return [""]
    names = [
        "anything" if name == "*" else name.removesuffix(".*")
        for name in (*descriptors(first), *descriptors(second))
    ]
    return [n for n in dict.fromkeys(names) if answers(first, n) and answers(second, n)]


def _shown(survey: Survey, pair: Pair) -> tuple[Line, ...] | None:
    first = pair[0]
    one = survey.at(first.source)
    offers = survey.offers(one)
    for number, stop in enumerate(survey.stops(first.source)):
        if number >= _STOPS:
            return None
        for name in _names(pair):
            offer = offers.offer({"event": name}, pair)
            for chosen in itertools.islice(offers.choices(offer, stop.snapshot), _CHOICES):
                env = environment(stop.snapshot, chosen, name, 1.0)
                if not all(t.guard is not None and truth(t.guard, env) for t in pair):
                    continue
                lines = offers.written_out(offer, stop.snapshot, chosen, 1.0)
                steps, _ = run_lines(survey.machine, stop.snapshot, stop.now, lines)
                taken = {
                    r.data["transition"]
                    for s in steps
                    for r in s.records
                    if r.type == "transition.taken"
                }
                if first.key in taken:
                    active = leaves_of(steps[-1].snapshot.active, survey.machine)
                    return shown([*stop.script(), *lines], active=active)
    return None


def _seen(survey: Survey, pair: Pair) -> tuple[Line, ...] | None:
    """A run that took the first one while slots said that the second could be taken too."""
    first, second = pair
    written = survey.offers(survey.at(first.source)).written
    refs = {ref for guard in _guards(pair) for ref in guard.refs}
    if any(not ref.startswith("slots.") or ref[6:] in written for ref in refs):
        return None
    best = None
    for edge in survey.taking(first):
        if best is not None and edge.cost >= best.cost:
            continue
        env = environment(edge.target.snapshot, {}, None, 1.0)
        if second.guard is not None and truth(second.guard, env):
            best = edge
    if best is None:
        return None
    active = leaves_of(best.target.snapshot.active, survey.machine)
    return shown(best.script(), active=active)
