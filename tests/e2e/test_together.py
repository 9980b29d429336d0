"""Two people in two browsers at one draft: both are seen, both win, each undoes their own."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.e2e.page import new_agent, sign_in, state


@pytest.fixture
def pair(browser: Browser, served: str) -> Iterator[tuple[Page, Page]]:
    """Dana and Ada, each in a browser of their own, at a draft that Dana has just made."""
    contexts: list[BrowserContext] = []
    pages: list[Page] = []
    for name in ("dana", "ada"):
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        contexts.append(context)
        page = context.new_page()
        pages.append(page)
        sign_in(page, served, name)
    dana, ada = pages
    new_agent(dana, "Together")
    address = re.sub(r"\?.*", "", dana.url)
    ada.goto(address)
    state(ada, "Start").wait_for()
    yield dana, ada
    for context in contexts:
        context.close()


def rename(page: Page, old: str, new: str) -> None:
    state(page, old).click()
    field = page.get_by_label("Inspector").get_by_label("Name", exact=True)
    field.fill(new)
    field.press("Enter")


def test_two_people_see_each_other_edit_together_and_undo_their_own(
    pair: tuple[Page, Page],
) -> None:
    dana, ada = pair
    expect(dana.get_by_role("list", name="Also here").first).to_contain_text("Ada")
    expect(ada.get_by_role("list", name="Also here").first).to_contain_text("Dana")

    state(ada, "End").click()
    expect(state(dana, "End").locator(".cv-others")).to_contain_text("Ada")
    prompt = ada.get_by_label("Inspector").get_by_label("Notes")
    prompt.focus()
    state(dana, "End").click()
    expect(dana.get_by_label("Inspector").get_by_label("Notes")).to_have_attribute(
        "title", re.compile("Ada.* is typing here")
    )

    rename(dana, "Start", "Hello")
    rename(ada, "End", "Goodbye")
    for page in pair:
        expect(state(page, "Hello")).to_be_visible()
        expect(state(page, "Goodbye")).to_be_visible()

    dana.reload()
    state(dana, "Goodbye").wait_for()
    dana.locator(".react-flow__pane").click(position={"x": 5, "y": 5})
    dana.keyboard.press("Control+z")
    for page in pair:
        expect(state(page, "Start")).to_be_visible()
        expect(state(page, "Goodbye")).to_be_visible()


def test_what_was_typed_while_the_line_was_down_is_kept_and_sent(pair: tuple[Page, Page]) -> None:
    dana, ada = pair
    dana.context.set_offline(True)
    rename(dana, "Start", "Typed in the dark")
    expect(dana.get_by_text("Not saved")).to_be_visible()
    rename(ada, "End", "The end")
    expect(state(ada, "The end")).to_be_visible()
    dana.context.set_offline(False)
    for page in pair:
        expect(state(page, "Typed in the dark")).to_be_visible(timeout=20_000)
        expect(state(page, "The end")).to_be_visible(timeout=20_000)


def test_a_problem_is_fixed_with_one_click_and_one_step_back(pair: tuple[Page, Page]) -> None:
    dana, _ = pair
    inspector = dana.get_by_label("Inspector")
    dana.locator(".react-flow__pane").click(position={"x": 5, "y": 5})
    inspector.get_by_label("Turns").fill("5")
    inspector.get_by_label("Turns").press("Enter")
    problems = dana.get_by_role("list", name="Problems")
    row = problems.get_by_role("listitem").filter(has_text="lead nowhere")
    row.get_by_role("button", name=re.compile("Fix: Lead to 'end'")).click()
    expect(row).to_have_count(0)
    dana.locator(".react-flow__pane").click(position={"x": 5, "y": 5})
    dana.keyboard.press("Control+z")
    expect(row).to_have_count(1)
