"""What can be wrong with an expression.

Before it runs (problems) and while it runs (one error).
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ExpressionProblem:
    """One thing the author can fix.

    ``start`` and ``end`` are character positions in the source (end exclusive). Codes: ``syntax``,
    ``length``, ``depth``, ``size``, ``number``, ``unsupported``, ``name``, ``slot``, ``state``,
    ``decision``, ``function``, ``arity``, ``type``, ``enum``, ``result``.
    """

    code: str
    message: str
    start: int
    end: int
    hint: str = ""

    def moved(self, by: int) -> "ExpressionProblem":
        """The same problem in a text in which the expression starts at ``by``."""
        return ExpressionProblem(
            self.code, self.message, self.start + by, self.end + by, self.hint
        )


class ExpressionSyntaxError(ValueError):
    """The source does not compile.

    ``problems`` says all that is wrong with it, first one first.
    """

    def __init__(self, problems: tuple[ExpressionProblem, ...]) -> None:
        self.problems = problems
        first = problems[0]
        super().__init__(f"{first.message} (characters {first.start} to {first.end})")


class EvaluationError(Exception):
    """A checked expression failed on the values it met; ``start`` and ``end`` say where in its
    source.
    """

    def __init__(self, message: str, start: int = 0, end: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.start = start
        self.end = end
