"""The drawing and the table are one thing, and runs follow it. Real server, real Chromium."""

from __future__ import annotations

import re
from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.page import draw_state, draw_transition, lane, new_agent, sign_in, transition


class Rest:
    """The API, asked with the session of the page."""

    def __init__(self, page: Page, served: str) -> None:
        found = re.search(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", page.url)
        assert found is not None, page.url
        self.page, self.served = page, served
        self.agent = f"{served}/v1/agents/{found.group()}"

    def post(self, path: str, body: Any, **headers: str) -> Any:
        cookies = {c.get("name"): c.get("value", "") for c in self.page.context.cookies()}
        token = next(value for name, value in cookies.items() if name and "csrf" in name)
        headers |= {"X-CSRFToken": token, "Referer": self.served}
        answer = self.page.request.post(f"{self.agent}/{path}", data=body, headers=headers)
        assert answer.status == 200, answer.text()
        return answer.json()

    def draft(self) -> Any:
        return self.page.request.get(f"{self.agent}/draft").json()

    def edges(self) -> list[tuple[str, Any, str]]:
        """The table: source, trigger, target, by the labels of the states."""
        draft = self.draft()
        named = {row["id"]: row["label"] or row["key"] for row in draft["states"]}
        return [
            (named[row["source"]], row["on"].get("event"), named[row["target"]])
            for row in draft["transitions"]
        ]

    def dry_run(self, event: str) -> Any:
        body = {"events": [{"event": event}]}
        answer = self.post("versions/draft/machine/dry-run", body, Prefer="wait=20")
        return answer["steps"][0]


@pytest.mark.row("F017")
def test_what_is_drawn_stands_in_the_table_and_what_is_deleted_is_no_longer_drawn(
    page: Page, served: str
) -> None:
    sign_in(page, served)
    new_agent(page, f"Drawing {uuid4().hex[:6]}")
    rest = Rest(page, served)
    box = lane(page, "Conversation").bounding_box()
    assert box is not None
    draw_state(page, "Aside", box["x"] + box["width"] - 30, box["y"] + box["height"] - 16)
    expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    edge = ("Start", "turn.aside", "Aside")
    assert edge not in rest.edges()
    before = len(rest.edges())
    assert rest.dry_run("turn.aside")["refusal"]["reason"] == "undeclared"

    draw_transition(page, "Start", "Aside", "turn.aside")
    expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    assert edge in rest.edges()
    assert len(rest.edges()) == before + 1
    step = rest.dry_run("turn.aside")
    assert (step["refusal"], step["moved"]) == (None, True)
    assert step["active"] == ["aside"]

    (gone,) = [
        row["id"] for row in rest.draft()["transitions"] if row["on"] == {"event": "turn.aside"}
    ]
    removal = {"op": "transition.remove", "id": gone}
    rest.post("draft/operations", {"id": str(uuid4()), "operations": [removal]})
    expect(transition(page, "Start", "Aside")).to_have_count(0)
    assert edge not in rest.edges()
    assert rest.dry_run("turn.aside")["refusal"]["reason"] == "undeclared"


@pytest.mark.row("F017")
def test_what_is_deleted_on_the_canvas_leaves_the_table(page: Page, served: str) -> None:
    sign_in(page, served)
    new_agent(page, f"Deleting {uuid4().hex[:6]}")
    rest = Rest(page, served)
    ((source, event, target),) = rest.edges()
    assert (source, target) == ("Start", "End")
    assert rest.dry_run(event)["moved"] is True
    transition(page, "Start", "End").click()
    page.keyboard.press("Delete")
    expect(transition(page, "Start", "End")).to_have_count(0)
    expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    assert rest.edges() == []
    assert rest.dry_run(event)["refusal"]["reason"] == "undeclared"
