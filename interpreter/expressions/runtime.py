"""What compiled expressions call. Everything is bounded, total or EvaluationError, and ``None``
means unknown.
"""

from collections.abc import Mapping
from typing import Any

from .moments import ordered
from .problems import EvaluationError
from .tree import MAX_NUMBER, MAX_STRING

Truth = bool | None


def kind_of(value: object) -> str:
    """The word an author would use for the type of a run-time value."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true/false"
    if isinstance(value, int | float):
        return "a number"
    if isinstance(value, str):
        return "text"
    return "a list" if isinstance(value, list | tuple) else "an object"


def dig(data: object, *names: str) -> Any:
    """``event.data.a.b``: unknown when any part is missing."""
    for name in names:
        if not isinstance(data, Mapping):
            return None
        data = data.get(name)
    return data


def truth(value: Any, start: int, end: int) -> bool | None:
    """A boolean of unknown type; raises unless it is true, false or unknown."""
    if value is None or value is True or value is False:
        return value
    raise EvaluationError(f"this needs true/false and met {kind_of(value)}", start, end)


def negate(value: Truth) -> Truth:
    """Kleene's `!`."""
    return None if value is None else not value


def same(left: Any, right: Any) -> bool:
    """Equality between values of one kind; values of different kinds are never equal."""
    return kind_of(left) == kind_of(right) and bool(left == right)


def compare(operator: str, left: Any, right: Any, start: int, end: int) -> bool | None:
    """A comparison in which a type is known only now."""
    if left is None or right is None:
        return None
    if operator in ("==", "!="):
        return same(left, right) == (operator == "==")
    kind = kind_of(left)
    if kind != kind_of(right) or kind not in ("a number", "text"):
        message = f"'{operator}' cannot order {kind} and {kind_of(right)}"
        raise EvaluationError(message, start, end)
    return _order(operator, left, right)


def compare_moments(
    kind: str, operator: str, left: Any, right: Any, start: int, end: int
) -> bool | None:
    """A comparison of two dates, times, datetimes or durations."""
    if left is None or right is None:
        return None
    try:
        first, second = ordered(kind, left), ordered(kind, right)
    except (ValueError, ArithmeticError) as error:
        raise EvaluationError(f"this is not a {kind}: {error}", start, end) from None
    if operator in ("==", "!="):
        return (first == second) == (operator == "==")
    return _order(operator, first, second)


def _order(operator: str, left: Any, right: Any) -> bool:
    if operator == "<":
        return bool(left < right)
    if operator == "<=":
        return bool(left <= right)
    return bool(left > right) if operator == ">" else bool(left >= right)


def is_in(value: Any, items: Any, start: int, end: int) -> bool | None:
    """`in`: unknown when the item is not found and the list holds an unknown."""
    if value is None or items is None:
        return None
    if not isinstance(items, list | tuple):
        raise EvaluationError(f"'in' needs a list and met {kind_of(items)}", start, end)
    if any(same(value, item) for item in items):
        return True
    return None if None in items else False


def add(left: Any, right: Any, start: int, end: int) -> Any:
    """`+` on two numbers or two texts."""
    if left is None or right is None:
        return None
    if isinstance(left, str) and isinstance(right, str):
        if len(left) + len(right) > MAX_STRING:
            raise EvaluationError(
                f"the text would be longer than {MAX_STRING} characters", start, end
            )
        return left + right
    _need_numbers("+", left, right, start, end)
    return bounded(left + right, start, end)


def subtract(left: Any, right: Any, start: int, end: int) -> Any:
    """`-` on two numbers."""
    if left is None or right is None:
        return None
    _need_numbers("-", left, right, start, end)
    return bounded(left - right, start, end)


def multiply(left: Any, right: Any, start: int, end: int) -> Any:
    """`*` on two numbers."""
    if left is None or right is None:
        return None
    _need_numbers("*", left, right, start, end)
    bounded(left, start, end)
    bounded(right, start, end)
    return bounded(left * right, start, end)


def minus(value: Any, start: int, end: int) -> Any:
    """The negative of a number."""
    return None if value is None else subtract(0, value, start, end)


def _need_numbers(operator: str, left: Any, right: Any, start: int, end: int) -> None:
    if kind_of(left) != "a number" or kind_of(right) != "a number":
        message = f"'{operator}' cannot take {kind_of(left)} and {kind_of(right)}"
        raise EvaluationError(message, start, end)


def bounded(value: int | float, start: int, end: int) -> int | float:
    """The number itself; raises when it is too large either way."""
    if not -MAX_NUMBER <= value <= MAX_NUMBER:
        raise EvaluationError("the number is beyond 1000000000000000", start, end)
    return value


def size(value: Any, start: int, end: int) -> int | None:
    """The length of a text (in code points) or of a list."""
    if value is None:
        return None
    if isinstance(value, str | list | tuple):
        return len(value)
    raise EvaluationError(f"size() needs text or a list and met {kind_of(value)}", start, end)


def text_of(name: str, value: Any, start: int, end: int) -> str | None:
    """The text itself; raises when it is something else."""
    if value is None or isinstance(value, str):
        return value
    raise EvaluationError(f"{name}() needs text and met {kind_of(value)}", start, end)


def lower(value: Any, start: int, end: int) -> str | None:
    """The text in lower case."""
    text = text_of("lower", value, start, end)
    return None if text is None else text.lower()[: 2 * MAX_STRING]


def text_test(name: str, value: Any, part: Any, start: int, end: int) -> bool | None:
    """`startsWith`, `endsWith` and `contains`."""
    text, wanted = text_of(name, value, start, end), text_of(name, part, start, end)
    if text is None or wanted is None:
        return None
    if name == "startsWith":
        return text.startswith(wanted)
    return text.endswith(wanted) if name == "endsWith" else wanted in text


RUNTIME = {
    "type": type,
    "int": int,
    "_dig": dig,
    "_truth": truth,
    "_negate": negate,
    "_compare": compare,
    "_moments": compare_moments,
    "_in": is_in,
    "_add": add,
    "_subtract": subtract,
    "_multiply": multiply,
    "_minus": minus,
    "_size": size,
    "_lower": lower,
    "_test": text_test,
}
