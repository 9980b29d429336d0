"""Which transitions answer an event: W3C's selectTransitions and removeConflictingTransitions."""

from __future__ import annotations

from interpreter.compiling import Candidate, Chains, History, Lookup, Tables
from interpreter.expressions import EvaluationError
from interpreter.stepping.outcome import GuardOutcome
from interpreter.stepping.work import Work


class Blocked:
    """A declared transition that may not be taken now."""

    __slots__ = ("candidate", "detail", "guard", "reason")

    def __init__(
        self, candidate: Candidate, reason: str, detail: str, guard: GuardOutcome | None = None
    ) -> None:
        self.candidate = candidate
        self.reason = reason
        self.detail = detail
        self.guard = guard


def select(
    run: Work, lookup: Lookup, confidence: float, blocked: list[Blocked] | None = None
) -> tuple[Candidate, ...]:
    """The transitions to take together, in order; empty when none is enabled.

    Those that were asked and said no are added to `blocked`, in the order of asking.
    """
    chains = run.machine.chains(run.config, lookup)
    if len(chains) == 1:
        first = chains[0][0]
        if first.free:
            return (first,)
    elif not chains:
        return ()
    enabled = _enabled(run, chains, confidence, blocked)
    if len(enabled) < 2:
        return tuple(enabled)
    return without_conflicts(run.machine, run.config.mask, run.history, enabled)


def _enabled(
    run: Work, chains: Chains, confidence: float, blocked: list[Blocked] | None
) -> list[Candidate]:
    """The first enabled candidate of each chain; each candidate is asked once."""
    asked: dict[int, bool] = {}
    enabled: list[Candidate] = []
    for chain in chains:
        for candidate in chain:
            index = candidate.transition.index
            verdict = asked.get(index)
            if verdict is None:
                no = _why_not(run, candidate, confidence)
                if no is not None and blocked is not None:
                    blocked.append(no)
                verdict = asked[index] = no is None
                if verdict:
                    enabled.append(candidate)
            if verdict:
                break
    return enabled


def without_conflicts(
    machine: Tables, mask: int, history: History, enabled: list[Candidate]
) -> tuple[Candidate, ...]:
    """Those of the enabled candidates that can be taken together (W3C)."""
    kept: list[Candidate] = []
    for candidate in enabled:
        one = candidate.transition
        leaves = mask & machine.leaves(one, history)
        beaten: list[Candidate] = []
        for other in kept:
            two = other.transition
            if not leaves & machine.leaves(two, history):
                continue
            if one.source.is_within(two.source):
                beaten.append(other)
            else:
                break
        else:
            kept = [other for other in kept if other not in beaten]
            kept.append(candidate)
    return tuple(kept)


def _why_not(run: Work, candidate: Candidate, confidence: float) -> Blocked | None:
    if not candidate.plain:
        no = _why_not_steady(run, candidate, confidence)
        if no is not None:
            return no
    return _ask(run, candidate)


def _why_not_steady(run: Work, candidate: Candidate, confidence: float) -> Blocked | None:
    transition, home = candidate.transition, candidate.transition.home
    rests = run.outside and home is not None and transition.target is not None
    if rests and home is not None and home.cooldown_ms:
        moved = run.moved_at.get(home.key)
        if moved is not None and run.now - moved < home.cooldown_ms:
            waited = run.now - moved
            return Blocked(
                candidate,
                "cooldown",
                f"region '{home.key}' moved {waited} ms ago and rests {home.cooldown_ms} ms",
            )
    floor = transition.min_confidence or 0.0
    what = "the transition"
    if candidate.backward and home is not None and home.backward_confidence > floor:
        floor, what = home.backward_confidence, f"a backward move in '{home.key}'"
    if confidence < floor:
        return Blocked(
            candidate, "confidence", f"confidence {confidence} is below the {floor} of {what}"
        )
    if transition.max_takes is not None:
        taken = run.takes.get(transition.key, 0)
        if taken >= transition.max_takes:
            detail = (
                f"'{transition.key}' was taken {taken} times (max_takes {transition.max_takes})"
            )
            return Blocked(candidate, "takes", detail)
    return _why_not_visits(run, candidate)


def _why_not_visits(run: Work, candidate: Candidate) -> Blocked | None:
    if candidate.transition.target is None or not run.machine.has_caps:
        return None
    plan = run.machine.plan(run.config, (candidate.transition,), run.history)
    for node in plan.capped:
        visits = run.visits.get(node.key, 0)
        if node.max_visits is not None and visits >= node.max_visits:
            detail = f"'{node.key}' entered {visits} times; retries spent"
            return Blocked(candidate, "visits", f"{detail} (max_visits {node.max_visits})")
    return None


def _ask(run: Work, candidate: Candidate) -> Blocked | None:
    transition = candidate.transition
    guard = transition.guard
    if guard is None:
        return None
    env = run.env()
    try:
        passed = guard(env) is True
    except EvaluationError as error:
        return _guard_failed(run, candidate, error)
    outcome = GuardOutcome(transition, "true" if passed else "false", env, None)
    run.guards.append(outcome)
    if passed:
        return None
    return Blocked(candidate, "guard", "", outcome)


def _guard_failed(run: Work, candidate: Candidate, error: EvaluationError) -> Blocked:
    transition = candidate.transition
    outcome = GuardOutcome(transition, "error", run.env(), error.message)
    run.guards.append(outcome)
    if transition.index not in run.erred:
        run.erred.add(transition.index)
        run.record(
            "guard.error",
            {
                "transition": transition.key,
                "state": transition.source.key,
                "expression": transition.doc.guard,
                "error": error.message,
                "position": [error.start, error.end],
            },
        )
        run.raise_event("error.guard", {"transition": transition.key, "error": error.message})
    return Blocked(candidate, "guard", error.message, outcome)
