"""Guards, values and prompts: they parse, every name resolves, every type fits."""

from collections.abc import Iterator

from .chart import Chart
from .rule import Code, Found, Rule

_SHARED = {"slot": "slot.unknown", "state": "state.unknown", "decision": "question.unknown"}
_GROUP = {
    "syntax": "syntax", "unsupported": "syntax", "number": "syntax", "name": "name",
    "function": "name", "arity": "name", "type": "type", "result": "type", "enum": "enum",
    "length": "size", "depth": "size", "size": "size",
}  # fmt: skip


def find(chart: Chart) -> Iterator[Found]:
    """Every problem of every expression, with its range."""
    for written in chart.written:
        for problem in written.analysis.problems:
            code = _SHARED.get(problem.code) or f"{written.kind}.{_GROUP[problem.code]}"
            message = f"{written.place}: {problem.message}"
            hint = problem.hint[:1].upper() + problem.hint[1:]
            yield Found(code, written.path, message, hint, (problem.start, problem.end))


_SAID = {"guard": "A guard", "effect": "The expression of an effect", "prompt": "A prompt"}
RULE = Rule(
    (
        Code("state.unknown", "error", "An expression names a state that does not exist."),
        Code("question.unknown", "error", "An expression names a question that no state asks."),
        *(
            Code(f"{kind}.{group}", "error", f"{said} {what}.")
            for kind, said in _SAID.items()
            for group, what in (
                ("syntax", "does not parse"),
                ("name", "uses a name or function that does not exist"),
                ("type", "has or compares the wrong type"),
                ("enum", "names a value that the enum does not have"),
                ("size", "is too long or too deep"),
            )
        ),
    ),
    find,
)
