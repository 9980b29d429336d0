"""What comes in is judged before it is parsed, and refused with the place."""

from __future__ import annotations

import base64
import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from designer.api import strict_json
from designer.core.errors import Refusal
from tests.designer.agents.test_draft_api import dump, made
from tests.designer.conftest import Api


def refused(data: bytes) -> Refusal:
    with pytest.raises(Refusal) as caught:
        strict_json.parse(data)
    return caught.value


@pytest.mark.parametrize(
    ("data", "code", "path"),
    [
        (b"{", "json.malformed", ""),
        (b'{"a": 1} x', "json.malformed", ""),
        (b'{"a": "\xff"}', "json.malformed", ""),
        (b'{"a": NaN}', "json.number", "/a"),
        (b'{"a": [1, -Infinity]}', "json.number", "/a/1"),
        (b'{"a": 1e999}', "json.number", "/a"),
        (b'{"a": 9007199254740992}', "json.number", "/a"),
        (b'{"a": 1e300}', "json.number", "/a"),
        (b'{"a": ' + b"9" * 4000 + b"}", "json.number", "/a"),
        (b'{"a": {"b": "x\\u0000"}}', "json.text", "/a/b"),
        (b'{"a": "\\ud800"}', "json.text", "/a"),
        (b'{"\\udc00": 1}', "json.text", ""),
        (b'{"role": "support", "role": "admin"}', "json.duplicate", "/role"),
        (b"[" * 33 + b"]" * 33, "json.depth", ""),
    ],
)
def test_it_refuses_with_the_place(data: bytes, code: str, path: str) -> None:
    refusal = refused(data)
    assert (refusal.status, refusal.code) == (400, code)
    assert [fault.path for fault in refusal.errors] == [path]


def test_brackets_in_strings_are_no_depth() -> None:
    text = "[" * 500 + '"\\'
    assert strict_json.parse(json.dumps({"a": text}).encode()) == {"a": text}
    assert strict_json.parse(b"[" * 32 + b"]" * 32) is not None


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(1 - 2**53, 2**53 - 1)
    | st.floats(1 - 2**53, 2**53 - 1)
    | st.text(
        st.characters(blacklist_categories=["Cs"], blacklist_characters="\x00"), max_size=20
    ),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text('abc[]{}"\\', max_size=4), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(values)
@settings(max_examples=150, deadline=None)
def test_it_reads_what_json_writes(value: Any) -> None:
    assert strict_json.parse(json.dumps(value).encode()) == value


@given(st.binary(max_size=60) | st.text('[]{}",:\\u0d8e1-.naif', max_size=60).map(str.encode))
@settings(max_examples=300, deadline=None)
def test_it_never_fails_otherwise(data: bytes) -> None:
    with suppress(Refusal):
        strict_json.parse(data)


@pytest.mark.row("R-31")
def test_depth_is_checked_before_the_parser_recurses(api: Api) -> None:
    for data in (b"[" * 100_000, b'{"a":' * 30_000, b"[" * 100_000 + b"]" * 100_000):
        for path in ("agents", "agents/00000000-0000-7000-8000-000000000000/draft/operations"):
            answer = api("POST", path, raw=data)
            assert (answer.status_code, answer.json()["code"]) == (400, "json.depth")
    small = api("POST", "calls", raw=b"[" * 60_000)
    assert (small.status_code, small.json()["code"]) == (400, "json.depth")


@pytest.mark.row("R-33")
@pytest.mark.parametrize("number", ["NaN", "1e999", "9" * 4000, "-Infinity", str(2**53), "1e300"])
def test_numbers_are_finite_and_small_enough(api: Api, number: str) -> None:
    before = dump()
    answer = api("POST", "agents", raw=b'{"key": "a", "name": %s}' % number.encode())
    assert (answer.status_code, answer.json()["code"]) == (400, "json.number")
    assert answer.json()["errors"][0]["path"] == "/name"
    assert dump() == before


@pytest.mark.row("R-34")
def test_a_key_given_twice_is_refused(api: Api) -> None:
    answer = api("POST", "agents", raw=b'{"key": "a", "name": "A", "name": "B"}')
    assert (answer.status_code, answer.json()["code"]) == (400, "json.duplicate")
    assert answer.json()["errors"][0]["path"] == "/name"


def test_nul_and_half_characters_are_refused_on_every_database(api: Api) -> None:
    agent = made(api)
    for text in ("\\u0000", "\\ud800", "\\udfff"):
        answer = api("POST", "agents", raw=b'{"key": "a", "name": "x%s"}' % text.encode())
        assert (answer.status_code, answer.json()["code"]) == (400, "json.text")
        slots = b'{"agent": "%s", "slots": {"name": "%s"}}' % (agent.encode(), text.encode())
        answer = api("POST", "calls", raw=slots)
        assert (answer.status_code, answer.json()["code"]) == (400, "json.text")
        assert answer.json()["errors"][0]["path"] == "/slots/name"


def test_a_body_of_6_mb_is_413_and_changes_nothing(api: Api) -> None:
    agent = made(api)
    before = dump()
    large = b'{"document": {"key": "a", "name": "' + b"x" * 6_000_000 + b'"}}'
    for method, path in (("POST", "agents"), ("PUT", f"agents/{agent}/draft")):
        answer = api(method, path, raw=large, If_Match='"1"')
        assert (answer.status_code, answer.json()["code"]) == (413, "body.too_large")
        assert answer.json()["limit"] == 2 * 1024 * 1024
        assert answer["Content-Type"] == "application/problem+json"
    answer = api("PATCH", f"agents/{agent}", raw=b'{"name": "' + b"x" * 70_000 + b'"}')
    assert (answer.status_code, answer.json()["limit"]) == (413, 64 * 1024)
    assert dump() == before


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/xml", "multipart/form-data; boundary=x", ""]
)
def test_only_json_is_read(api: Api, kind: str) -> None:
    answer = api("POST", "agents", raw=b'{"key": "a", "name": "A"}', Content_Type=kind)
    assert (answer.status_code, answer.json()["code"]) == (415, "body.not_json")


def test_a_compressed_body_is_refused(api: Api) -> None:
    answer = api("POST", "agents", raw=b"\x1f\x8b", Content_Encoding="gzip")
    assert (answer.status_code, answer.json()["code"]) == (415, "body.encoded")


@pytest.mark.parametrize("body", [[], "x", 1, None, True])
def test_a_body_that_is_no_object_is_refused(api: Api, body: Any) -> None:
    agent = made(api)
    for method, path in (
        ("POST", "agents"),
        ("PATCH", f"agents/{agent}"),
        ("POST", f"agents/{agent}/draft/operations"),
        ("PUT", f"agents/{agent}/draft"),
    ):
        answer = api(method, path, raw=json.dumps(body).encode(), If_Match='"1"')
        assert answer.status_code == 422, (method, path, answer.content)


def test_what_never_closes_is_looked_at_once() -> None:
    for data in (b'"' + b'\\"' * 1_000_000, b'["' + b"\\" * 2_000_001, b'"' * 2_000_001):
        assert strict_json.depth_of(data) <= 1


@pytest.mark.parametrize(
    "parts",
    [
        "0001-01-01T00:00:00+14:00|{id}", "9999-12-31T23:59:59-14:00|{id}", "2026-01-01|{id}",
        "x|y", "|", "9" * 5_000, "10" * 30, "-1", "\xff",
    ],
)  # fmt: skip
def test_a_cursor_that_is_not_ours_is_400(api: Api, parts: str) -> None:
    agent = made(api)
    raw = parts.format(id=agent).encode("latin-1")
    cursor = base64.urlsafe_b64encode(raw).decode().rstrip("=")
    for path in ("agents", f"agents/{agent}/versions", "calls"):
        answer = api("GET", f"{path}?cursor={cursor}")
        assert answer.status_code == 400, (path, parts)
        assert answer.json()["code"] in ("query.invalid", "cursor.invalid")


def test_the_page_of_the_api_says_its_problems_in_json(api: Api) -> None:
    for method in ("POST", "OPTIONS", "DELETE"):
        answer = api(method, "docs")
        assert answer.status_code == 405
        assert answer.json()["code"] == "method.not_allowed"
    assert api("POST", "nothing", {}).json()["code"] == "not_found"
