"""The expression language says what it means, refuses what it must, and stays in its bounds."""

# ruff: noqa: E501 - tables of cases are wide
from __future__ import annotations

import pytest

from interpreter.expressions import (
    EvaluationError,
    ExpressionSyntaxError,
    analyse,
    analyse_template,
    compile_expression,
    compile_template,
    rename_in_template,
    rename_reference,
)
from tests.interpreter.language_helpers import SCOPE, Slot, env, guard, value


def problems(source: str, want: object = "boolean") -> list[tuple[str, str, int, int, str]]:
    found = analyse(source, SCOPE, want).problems  # type: ignore[arg-type]
    return [(p.code, p.message, p.start, p.end, p.hint) for p in found]


@pytest.mark.parametrize(
    ("source", "slots", "passes"),
    [
        ("slots.age >= 18", {"age": 18}, True),
        ("slots.age >= 18", {"age": 17}, False),
        ("slots.age >= 18 && slots.plan in ['gold', 'silver']", {"age": 20, "plan": "gold"}, True),
        ("slots.amount == 2", {"amount": 2.0}, True),
        ("-slots.age < -1", {"age": 2}, True),
        ("slots.age + 1 * 2 == 4", {"age": 2}, True),
        ("slots.age * 2 - 1 == 3", {"age": 2}, True),
        ("slots.name.startsWith('An')", {"name": "Anna"}, True),
        ("slots.name.endsWith('na') && slots.name.contains('nn')", {"name": "Anna"}, True),
        ("lower(slots.name) == 'anna'", {"name": "ANNA"}, True),
        ("slots.name.lower().startsWith('a')", {"name": "ANNA"}, True),
        ("size(slots.name) == 2", {"name": "a😀"}, True),
        ("slots.tags.size() == 1 && 'x' in slots.tags", {"tags": ["x"]}, True),
        ("slots.name + slots.other == 'ab'", {"name": "a", "other": "b"}, True),
        ("slots.ok ? slots.age > 1 : slots.age > 9", {"ok": False, "age": 5}, False),
        ("slots.ok == slots.yes", {"ok": True, "yes": True}, True),
        ("event.name == 'order.paid' && event.confidence > 0.8", {}, True),
        ("machine.turns == 0 && machine.elapsed < 1", {}, True),
        ("visits.refund >= 2 && visits.greeting == 0", {}, True),
        ("active('greeting') && !active('refund')", {}, True),
        ("decision.intent == 'billing'", {}, True),
        ("slots.day < '2026-05-01'", {"day": "2026-04-30"}, True),
        ("slots.at == '10:00'", {"at": "10:00:00"}, True),
        ("slots.when > '2026-01-01T00:00:00Z'", {"when": "2026-01-01T00:30:00+02:00"}, False),
        ("slots.wait > '20s'", {"wait": "PT5M"}, True),
        ("slots.mail == 'a@b.c' && slots.tel != '1'", {"mail": "a@b.c", "tel": "2"}, True),
        ("'a\\'b\\u0041' == 'a\\'bA'", {}, True),
        ("!(slots.age > 1) || true", {}, True),
    ],
)
def test_a_guard_is_true_or_not(source: str, slots: dict[str, object], passes: bool) -> None:
    assert guard(source, **slots) is passes


@pytest.mark.parametrize(
    ("source", "answer"),
    [
        ("slots.age >= 18", None),
        ("!(slots.age >= 18)", None),
        ("false && slots.age > 1", False),
        ("slots.age > 1 && false", False),
        ("slots.age > 1 || true", True),
        ("true || slots.age > 1", True),
        ("slots.age > 1 || false", None),
        ("slots.ok == slots.yes", None),
        ("slots.age == null", True),
        ("slots.age != null", False),
        ("!(slots.age == null)", False),
        ("has(slots.age)", False),
        ("slots.age in [1, 2]", None),
        ("!(slots.name in ['a'])", None),
        ("'a' in slots.tags", None),
        ("slots.age + 1", None),
        ("size(slots.name)", None),
        ("slots.name.contains('a')", None),
        ("slots.ok ? 1 : 2", None),
        ("slots.day < '2026-05-01'", None),
        ("(slots.age > 1) == (slots.age > 1)", None),
    ],
)
def test_an_unset_slot_makes_kleenes_unknown(source: str, answer: object) -> None:
    assert value(source) is answer
    if answer is None and analyse(source, SCOPE, "boolean").problems == ():
        assert guard(source) is False


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("slots.aeg > 3", ("slot", "no slot is named 'aeg'", 0, 9, "did you mean 'age'?")),
        ("age > 3", ("name", "'age' is not a name", 0, 3, "write slots.age")),
        ("slot.age > 3", ("name", "nothing is named 'slot'", 0, 8, "did you mean 'slots'?")),
        ("event.nane == 'x'", ("name", "event has no field 'nane'", 0, 10, "did you mean 'name'?")),
        ("slots.age.x > 1", ("name", "'slots.age' has no fields", 0, 11, "")),
        ("visits.refunt > 1", ("state", "no state is named 'refunt'", 0, 13, "did you mean 'refund'?")),
        ("active('x')", ("state", "no state is named 'x'", 7, 10, "")),
        ("active(slots.name)", ("type", "'active' needs a state's key in quotes", 7, 17, "as in active('greeting')")),
        ("slots.plan == 'golden'", ("enum", "'golden' is not a choice of slots.plan", 14, 22, "did you mean 'gold'?")),
        ("slots.plan in ['gold', 'x']", ("enum", "'x' is not a choice of slots.plan", 23, 26, "it has gold, silver")),
        ("slots.plan > 'gold'", ("type", "'>' does not order an enum", 0, 10, "use == or !=")),
        ("slots.age == '3'", ("type", "cannot compare a whole number with text", 0, 16, "")),
        ("slots.name", ("result", "this must be true/false, it is text", 0, 10, "write it as a comparison")),
        ("slots.name && true", ("type", "'&&' needs true/false, this is text", 0, 10, "compare it, as in slots.name != null")),
        ("!slots.age", ("type", "'!' needs true/false, this is a whole number", 1, 10, "")),
        ("1 < slots.age < 3", ("type", "cannot compare true/false with a whole number", 0, 17, "write a < b && b < c")),
        ("slots.tags.contains('x')", ("type", "'contains' needs text, this is a list", 0, 10, "write 'a' in slots.list")),
        ("startsWith(slots.name, 'a')", ("function", "'startsWith' is written slots.name.startsWith('A')", 0, 27, "")),
        ("len(slots.name) > 1", ("function", "no function is named 'len'", 0, 15, "")),
        ("slots.age = 3", ("syntax", "'=' alone does not compare", 10, 11, "write '=='")),
        ("slots.ok and true", ("syntax", "expected an operator, found 'and'", 9, 12, "write '&&'")),
        ("slots.age / 2 > 1", ("unsupported", "division is not part of the language", 10, 11, "multiply, or compute the value outside")),
        ("slots.age % 2 == 1", ("unsupported", "'%' is not part of the language", 10, 11, "compute the remainder outside")),
        ("slots.age >", ("syntax", "expected a value, found the end", 11, 11, "")),
        ("'abc", ("syntax", "this text has no closing quote", 0, 4, "")),
        ("slots.day > '2026-13-01'", ("type", "'2026-13-01' is not a date", 12, 24, "write it as in ISO 8601")),
        ("9999999999999999 > 1", ("number", "numbers go up to 1000000000000000", 0, 16, "")),
        ("", ("syntax", "the expression is empty", 0, 0, "")),
    ],
)  # fmt: skip
def test_a_problem_says_what_where_and_what_instead(source: str, problem: tuple) -> None:
    assert problems(source)[0] == problem


def test_all_problems_come_at_once_in_order() -> None:
    assert [p[0] for p in problems("slots.x > 1 && slots.plan == 'y' && slots.name > 2")] == [
        "slot",
        "enum",
        "type",
    ]


def test_what_it_refers_to_is_known() -> None:
    source = "slots.age > 1 && event.data.a.b == 2 && active('refund') && visits.refund > 1"
    refs = {"slots.age", "event.data.a.b", "active('refund')", "visits.refund"}
    assert analyse(source, SCOPE, "boolean").refs == refs
    reads = compile_expression(source, SCOPE, "boolean").reads(env({"a": {"b": 2}}, age=3))
    assert reads == {"active('refund')": False, "event.data.a.b": 2, "slots.age": 3, "visits.refund": 2}  # fmt: skip


@pytest.mark.parametrize(
    ("want", "source", "code"),
    [
        ("integer", "slots.amount", "result"),
        ("number", "slots.age", None),
        ("string", "slots.mail", None),
        ("date", "'2026-01-32'", "type"),
        ("date", "'2026-01-31'", None),
        ("list", "['a', slots.name]", None),
        ("list", "[1]", "result"),
        ("string", "null", None),
        ("string", "event.data.x", None),
        (Slot("enum", ("gold",)), "'silver'", "enum"),
        (Slot("enum", ("gold",)), "'gold'", None),
    ],
)
def test_a_value_must_fit_its_slot(want: object, source: str, code: str | None) -> None:
    assert [p[0] for p in problems(source, want)] == ([code] if code else [])


@pytest.mark.parametrize(
    ("source", "data", "message"),
    [
        ("event.data.x > 3", {"x": "a"}, "'>' cannot order text and a number"),
        ("event.data.x", {"x": 1}, "this needs true/false and met a number"),
        ("event.data.x.startsWith('a')", {"x": 1}, "startsWith() needs text and met a number"),
        ("size(event.data.x) > 1", {"x": 1}, "size() needs text or a list and met a number"),
        ("1 in event.data.x", {"x": 1}, "'in' needs a list and met a number"),
        ("event.data.x + 1 > 1", {"x": True}, "'+' cannot take true/false and a number"),
        ("event.data.x > '2026-01-01'", {"x": []}, "'>' cannot order a list and text"),
        ("slots.day > event.data.x", {"x": "soon"}, "this is not a date: Invalid isoformat string: 'soon'"),
        ("event.data.x * 1000000000 > 1", {"x": 10**14}, "the number is beyond 1000000000000000"),
    ],
)  # fmt: skip
def test_a_clash_of_types_at_run_time_is_one_error_with_a_place(
    source: str, data: dict[str, object], message: str
) -> None:
    expression = compile_expression(source, SCOPE, "boolean")
    with pytest.raises(EvaluationError) as caught:
        expression(env(data, day="2026-01-01"))
    assert caught.value.message == message
    assert 0 <= caught.value.start < caught.value.end <= len(source)


def test_true_is_not_one() -> None:
    assert value("event.data.x == 1", {"x": True}) is False
    assert value("event.data.x == true", {"x": 1}) is False


HOSTILE = [
    "().__class__", "''.__class__", "().__class__.__base__.__subclasses__()", "slots.__class__",
    "slots.name.__class__", "slots.name.format(1)", "'{0.__class__}'.format(slots)", "event.__init__",
    "machine.__dict__", "lambda: 1", "(lambda x: x)(1)", "[x for x in slots.tags]", "{}", "{'a': 1}",
    "f'{slots.name}'", "(x := 1)", "9**9**9**9", "'a' * 1000000000", "slots.name * 100000", "import os",
    "__import__('os').system('x')", "open('/etc/passwd')", "eval('1')", "exec('1')", "getattr(slots, 'x')",
    "slots['name']", "slots.tags[0]", "`ls`", "$(ls)", "1; 2", "slots.age if true else 1", "not slots.ok",
    "slots.ok is true", "a.b.c.d.e()", "0x10 > 1", "1e309 > 1", "slots.name.matches('(a+)+$')", "print(1)",
    "globals()", "@slots", "slots.name\\n", "'\\x41' == 'A'", "\"\\ud800\" == ''", "yield 1", "async x", "...",
]  # fmt: skip


@pytest.mark.row("R-41")
@pytest.mark.parametrize("source", HOSTILE)
def test_hostile_text_is_a_problem_with_a_position(source: str) -> None:
    found = problems(source)
    assert found
    assert all(0 <= start <= end <= len(source) for _, _, start, end, _ in found)
    with pytest.raises(ExpressionSyntaxError):
        compile_expression(source, SCOPE, "boolean")


@pytest.mark.row("R-42")
@pytest.mark.parametrize(
    "source",
    [
        "(" * 10_000, "-" * 100_000 + "1", "true" + " && true" * 90_000, "!" * 1_999 + "1", "(" * 1_999,
        "[" * 1_999, "-" * 1_900 + "1 > 0", "true ? " * 280 + "true", "slots.ok" + " == slots.ok" * 150,
        "1" + "+1" * 400 + " > 1", "size(" * 300, "'a'" + ".lower()" * 100 + " == 'a'", "9" * 1_000 + " > 1",
        "x" * 2_001,
    ],
    ids=range(14),
)  # fmt: skip
def test_what_is_too_big_is_refused_at_once(source: str) -> None:
    (problem,) = problems(source)
    assert problem[0] in ("length", "depth", "size", "number")


def test_long_chains_within_the_bounds_run() -> None:
    chain = " && ".join(f"slots.age != {n}" for n in range(60))
    assert guard(chain, age=100) is True
    deep = "(" * 28 + "true" + ")" * 28
    assert guard(deep) is True


def test_code_does_not_grow_with_depth() -> None:
    nested = "slots.ok"
    for _ in range(12):
        nested = f"({nested} == slots.yes ? slots.ok : slots.yes)"
    assert len(compile_expression(nested, SCOPE, "boolean").code) < 5_000


def test_texts_are_bounded_at_run_time() -> None:
    with pytest.raises(EvaluationError, match="longer than 4096"):
        value("slots.name + slots.name == 'x'", name="a" * 3_000)


def test_a_template_shows_values_as_people_read_them() -> None:
    text = "{{slots.name}} is {{ slots.age }}, {{ slots.ok }}, {{slots.amount * 2}} {{ slots.tags }}{{ slots.other }}{{ '}}' }}!"
    template = compile_template(text, SCOPE)
    shown = template(env(name="Ann", age=3, ok=True, amount=2.5, tags=["a", "b"]))
    assert shown == "Ann is 3, true, 5 a, b}}!"
    assert template.refs == {"slots.name", "slots.age", "slots.ok", "slots.amount", "slots.tags", "slots.other"}  # fmt: skip


def test_a_template_tells_problems_where_they_are_in_the_text() -> None:
    found = analyse_template("Dear {{ slots.nam }}, {{ slots.age / 2 }}", SCOPE).problems
    assert [(p.code, p.start, p.end) for p in found] == [("slot", 8, 17), ("unsupported", 35, 36)]
    (unclosed,) = analyse_template("Dear {{ slots.name", SCOPE).problems
    assert (unclosed.message, unclosed.start) == ("this '{{' is never closed", 5)


def test_renaming_changes_the_name_and_nothing_else() -> None:
    source = "slots . age>1  && 'slots.age' == slots.name&&event.data.age==1 && slots.ages == 2"
    renamed = "slots . years>1  && 'slots.age' == slots.name&&event.data.age==1 && slots.ages == 2"
    assert rename_reference(source, "slot", "age", "years") == renamed
    source = 'visits.refund > 1 && active("refund") && slots.refund == null'
    renamed = 'visits.back > 1 && active("back") && slots.refund == null'
    assert rename_reference(source, "state", "refund", "back") == renamed
    source = "decision.mood == 'bad' || 'bad' == slots.name || decision.mood in ['ok', 'bad'] || decision.face != 'bad'"
    renamed = "decision.mood == 'sad' || 'bad' == slots.name || decision.mood in ['ok', 'sad'] || decision.face != 'bad'"
    assert rename_reference(source, "answer", "mood.bad", "sad") == renamed
    assert rename_reference("slots.age > > 1", "slot", "age", "x") == "slots.age > > 1"
    text = "slots.age {{slots.age}} {{ slots.age + slots.age }} {{"
    assert rename_in_template(text, "slot", "age", "x") == text
    assert rename_in_template(text[:-3], "slot", "age", "x") == "slots.age {{slots.x}} {{ slots.x + slots.x }}"  # fmt: skip
