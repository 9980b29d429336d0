"""Every screen by axe, light and dark: nothing that keeps someone out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.e2e.page import new_agent, sign_in, state

AXE = Path(__file__).parents[2] / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
HEAVY = ("serious", "critical")
CLASS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# Off by default in axe itself, and on by its tag otherwise.
EXPERIMENTS = {"label-content-name-mismatch": {"enabled": False}}
THEMES = ("light", "dark")

pytestmark = pytest.mark.skipif(not AXE.is_file(), reason="frontend/node_modules: npm ci")


def show(page: Page, theme: Any) -> None:
    """Puts the page in this theme: the machine's choice, which the page follows."""
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    page.wait_for_function(
        "theme => (document.documentElement.dataset.theme ?? theme) === theme", arg=theme
    )


def faults(page: Page) -> list[str]:
    """What axe finds, one line each. It comes in by the debugger: the page may load no script."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())
    rules = {
        "runOnly": {"type": "tag", "values": CLASS},
        "resultTypes": ["violations"],
        "rules": EXPERIMENTS,
    }
    found = page.evaluate("rules => axe.run(document, rules)", rules)
    return [
        f"{one['impact']} {one['id']}: {node['target']} {node['failureSummary']}"
        for one in found["violations"]
        if one["impact"] in HEAVY
        for node in one["nodes"][:3]
    ]


def check(page: Page) -> None:
    for theme in THEMES:
        show(page, theme)
        assert not faults(page), (theme, faults(page))


def agent_of(page: Page, served: str, key: str = "northwind_support") -> str:
    rows = page.request.get(f"{served}/v1/agents").json()["results"]
    return str(next(row["id"] for row in rows if row["key"] == key))


def test_signing_in(page: Page, served: str) -> None:
    page.goto(f"{served}/accounts/login/")
    check(page)
    page.get_by_label("E-mail").fill("nobody@callchart.local")
    page.get_by_label("Password").fill("wrong")
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("alert").wait_for()
    check(page)


def test_the_agents(page: Page, served: str) -> None:
    sign_in(page, served)
    page.get_by_role("link", name="Northwind support").last.wait_for()
    check(page)
    page.get_by_role("button", name="New agent").click()
    page.get_by_role("textbox", name="Name").wait_for()
    check(page)


def test_the_chart_being_drawn(page: Page, served: str) -> None:
    sign_in(page, served)
    page.goto(f"{served}/agents/{agent_of(page, served)}")
    state(page, "Greeting").wait_for()
    check(page)


def test_the_dry_run(page: Page, served: str) -> None:
    sign_in(page, served)
    page.goto(f"{served}/agents/{agent_of(page, served)}?drawer=simulate")
    script = page.get_by_role("region", name="Script")
    script.get_by_role("button", name="caller.left").click()
    script.get_by_role("button", name="Run").click()
    page.get_by_text("1 step", exact=True).wait_for()
    check(page)


def test_publishing(page: Page, served: str) -> None:
    sign_in(page, served)
    new_agent(page, "Read aloud")
    page.get_by_role("button", name="Publish", exact=True).click()
    page.get_by_role("dialog", name="Publish").wait_for()
    check(page)
    page.get_by_role("button", name="Publish the draft").click()
    page.get_by_text("Published as").wait_for()
    check(page)


def test_a_version(page: Page, served: str) -> None:
    sign_in(page, served, "rui")
    page.goto(f"{served}/agents/{agent_of(page, served)}/versions/1")
    state(page, "Greeting").wait_for()
    check(page)


def test_the_calls(page: Page, served: str) -> None:
    sign_in(page, served, "sam")
    page.get_by_role("link", name="Live Calls").first.click()
    page.get_by_role("table").get_by_role("link").first.wait_for()
    check(page)


@pytest.mark.parametrize("status", ["running", "ended"])
def test_a_call(page: Page, served: str, status: str) -> None:
    sign_in(page, served, "sam")
    rows = page.request.get(f"{served}/v1/calls?status={status}").json()["results"]
    page.goto(f"{served}/calls/{rows[0]['id']}")
    page.get_by_text("in step").wait_for()
    page.get_by_role("list", name="Call events").wait_for()
    check(page)


def test_an_address_that_leads_nowhere(page: Page, served: str) -> None:
    page.goto(f"{served}/nowhere")
    page.get_by_role("heading", name="There is nothing here").wait_for()
    check(page)
    sign_in(page, served)
    page.goto(f"{served}/agents/{'0' * 8}-0000-0000-0000-{'0' * 12}")
    page.get_by_role("heading", name="This agent is not here").wait_for()
    check(page)
