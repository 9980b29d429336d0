"""Between uvicorn and Django: bodies are bounded, API requests keep their threads."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import Any

import pytest

from designer.config import http
from designer.config.logs import OneLine


def scope(path: str, *, length: int | None = None, method: str = "POST") -> dict[str, Any]:
    headers = [(b"host", b"localhost"), (b"content-type", b"application/json")]
    if length is not None:
        headers.append((b"content-length", str(length).encode()))
    return {
        "type": "http", "method": method, "path": path, "query_string": b"", "headers": headers,
        "http_version": "1.1", "scheme": "http", "root_path": "", "server": ("localhost", 80),
        "client": ("127.0.0.1", 1),
    }  # fmt: skip


async def answer_to(asked: dict[str, Any], *parts: bytes, stalls: bool = False) -> tuple[int, Any]:
    """Send parts of a body; a stalling client says that more comes, and sends nothing."""
    left, sent = list(parts), []

    async def receive() -> dict[str, Any]:
        if left:
            part = left.pop(0)
            return {"type": "http.request", "body": part, "more_body": bool(left) or stalls}
        await asyncio.Event().wait()
        raise AssertionError

    async def send(message: Any) -> None:
        sent.append(message)

    async with asyncio.timeout(20):
        await http.Http()(asked, receive, send)
    return sent[0]["status"], json.loads(b"".join(part.get("body", b"") for part in sent[1:]))


@pytest.mark.parametrize("declared", [6_000_000, 10**20, None])
async def test_a_body_beyond_every_limit_is_refused_before_it_is_kept(declared: Any) -> None:
    chunk = b"x" * 1_000_000
    asked = scope("/v1/agents", length=declared)
    status, problem = await answer_to(asked, *([chunk] * 6))
    assert (status, problem["code"]) == (413, "body.too_large")


@pytest.mark.row("R-40")
async def test_a_body_that_drips_is_cut_off(monkeypatch: Any) -> None:
    monkeypatch.setattr(http, "BODY_SECONDS", 0.05)
    status, problem = await answer_to(scope("/v1/agents"), b"{", stalls=True)
    assert (status, problem["code"]) == (408, "request.timeout")


async def test_a_path_of_the_api_is_answered_in_problem_details() -> None:
    status, problem = await answer_to(scope("/v1/nothing", method="GET"), b"")
    assert (status, problem["code"]) == (404, "not_found")
    status, problem = await answer_to(scope("/v1/\x00", method="GET"), b"")
    assert (status, problem["code"]) == (404, "not_found")


@pytest.mark.row("R-62")
def test_a_log_line_can_not_be_forged() -> None:
    said = "a\r\n2026-11-30 ERROR all is lost \x1b[31m\u2028b" + "x" * 1_000_000
    record = logging.makeLogRecord({"msg": "the path %s", "args": (said,), "name": "designer"})
    line = OneLine().format(record)
    assert len(line.splitlines()) == 1
    assert "\x1b" not in line
    assert len(line) < 3_000
    fault = ValueError("one\ntwo")
    record.exc_info = (ValueError, fault, None)
    first, *rest = OneLine().format(record).splitlines()
    assert all(line.startswith("  ") for line in rest), first
