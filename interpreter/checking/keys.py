"""Keys are unique per kind; there are at most 32 slots and 8 squad Agents."""

from collections.abc import Iterable, Iterator, Sequence

from interpreter.errors import Path

from .chart import Chart
from .rule import Code, Found, Rule

MAX_SLOTS, MAX_SQUAD = 32, 8


def _twice(kind: str, keyed: Iterable[tuple[str, Path]]) -> Iterator[Found]:
    seen: set[str] = set()
    for key, path in keyed:
        if key in seen:
            hint = f"Give this {kind} a key of its own."
            many = f"{kind[:-1]}ies" if kind.endswith("y") else f"{kind}s"
            yield Found("key.duplicate", (*path, "key"), f"two {many} have the key '{key}'", hint)
        seen.add(key)


def _listed(name: str, items: Sequence[object]) -> Iterator[tuple[str, Path]]:
    for number, item in enumerate(items):
        yield getattr(item, "key", ""), (name, number)


def _questions(chart: Chart) -> Iterator[Found]:
    """Questions are told apart in all sets together: a verdict is ``decision.<question>``."""
    sets = chart.question_sets or ()
    yield from _twice("question set", _listed("question_sets", sets))
    placed = [
        (question, ("question_sets", number, "questions", place))
        for number, one in enumerate(sets)
        for place, question in enumerate(one.questions)
    ]
    yield from _twice("question", ((question.key, path) for question, path in placed))
    for question, path in placed:
        answers = ((a.key, (*path, "answers", n)) for n, a in enumerate(question.answers))
        yield from _twice("answer", answers)


def find(chart: Chart) -> Iterator[Found]:
    """All duplicate keys, and lists that are too long."""
    places = chart.index
    yield from _twice("state", ((place.key, place.path) for place in places.states))
    yield from _twice("region", ((place.key, place.path) for place in places.regions))
    given = ((t.doc.key, t.path) for t in places.transitions if t.doc.key is not None)
    yield from _twice("transition", given)
    yield from _twice("slot", _listed("slots", chart.slots))
    yield from _twice("prompt", _listed("prompts", chart.prompts))
    yield from _twice("tool", _listed("tools", chart.tools))
    yield from _twice("outcome", _listed("outcomes", chart.outcomes))
    yield from _twice("policy", _listed("policies", chart.policies))
    yield from _twice("squad agent", _listed("squad", chart.squad))
    yield from _questions(chart)
    if len(chart.slots) > MAX_SLOTS:
        message = f"there are {len(chart.slots)} slots; {MAX_SLOTS} are allowed"
        yield Found("slot.too_many", ("slots", MAX_SLOTS), message, "Remove slots nobody reads.")
    if len(chart.squad) > MAX_SQUAD:
        message = f"there are {len(chart.squad)} squad agents; {MAX_SQUAD} are allowed"
        yield Found("squad.too_many", ("squad", MAX_SQUAD), message, "Let one agent do more.")


RULE = Rule(
    (
        Code("key.duplicate", "error", "Two things of one kind have the same key."),
        Code("slot.too_many", "error", "There are more than 32 slots."),
        Code("squad.too_many", "error", "There are more than 8 squad agents."),
    ),
    find,
)
