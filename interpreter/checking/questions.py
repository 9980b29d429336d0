"""What a state asks is there, and something happens for every answer."""

from collections.abc import Iterator

from interpreter.analysis import StatePlace, TransitionPlace
from interpreter.document import EventTrigger, QuestionDoc, matches
from interpreter.errors import Path
from interpreter.expressions import near

from .chart import Chart
from .rule import Code, Found, Rule


def find(chart: Chart) -> Iterator[Found]:
    """Question sets that do not exist, questions without answers, answers that nothing takes."""
    if chart.question_sets is None:
        return
    sets = {one.key: one for one in chart.question_sets}
    for number, one in enumerate(chart.question_sets):
        for place, question in enumerate(one.questions):
            if not question.offered:
                message = f"the question '{question.key}' offers no answer"
                where: Path = ("question_sets", number, "questions", place, "answers")
                yield Found("question.no_answers", where, message, "Add at least one answer.")
    for state in chart.index.states:
        for number, key in enumerate(state.doc.ask):
            if key in sets:
                for question in sets[key].questions:
                    yield from _answered(chart, state, question, number)
                continue
            message = (
                f"the state '{state.key}' asks the question set '{key}', which does not exist"
            )
            hint = near(key, sets) or f"Add the question set '{key}' or name another."
            path = (*state.path, "ask", number)
            yield Found("question_set.unknown", path, message, hint[0].upper() + hint[1:])


def _answered(
    chart: Chart, state: StatePlace, question: QuestionDoc, number: int
) -> Iterator[Found]:
    offered = list(chart.index.offered(state))
    if any(f"decision.{question.key}" in _refs(chart, place) for place in offered):
        return  # a guard looks at the verdict: which answers it takes is the guard's business
    for answer in question.offered:
        event = f"decision.{question.key}.{answer}"
        if not any(_takes(place, event) for place in (*offered, *_observing(chart))):
            message = (
                f"'{state.key}' asks '{question.key}', and nothing takes its answer '{answer}'"
            )
            hint = f"Add a transition on '{event}'."
            yield Found("question.unhandled", (*state.path, "ask", number), message, hint)


def _observing(chart: Chart) -> Iterator[TransitionPlace]:
    return (place for place in chart.index.transitions if not place.region.speaker)


def _refs(chart: Chart, place: TransitionPlace) -> frozenset[str]:
    analysis = chart.guards.get(place)
    return frozenset(analysis.refs) if analysis is not None else frozenset()


def _takes(place: TransitionPlace, event: str) -> bool:
    on = place.doc.on
    return isinstance(on, EventTrigger) and any(matches(name, event) for name in on.events)


RULE = Rule(
    (
        Code("question_set.unknown", "error", "A state asks a question set that does not exist."),
        Code("question.no_answers", "error", "A question offers no answer."),
        Code(
            "question.unhandled",
            "warning",
            "A question is asked and no transition takes one of its answers.",
        ),
    ),
    find,
)
