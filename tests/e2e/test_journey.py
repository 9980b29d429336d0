"""A newcomer draws a chart by mouse, publishes it and watches a Call move."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.page import (
    draw_state,
    draw_transition,
    lane,
    new_agent,
    sign_in,
    state,
    transition,
)


@pytest.fixture
def faults(page: Page) -> list[str]:
    """What the browser complained about, the content security policy included."""
    said: list[str] = []
    page.on("console", lambda m: said.append(m.text) if m.type == "error" else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    return said


def clear_the_lane(page: Page) -> None:
    for name in ("Start", "End"):
        state(page, name).click()
        page.keyboard.press("Delete")
        expect(state(page, name)).to_have_count(0)


@pytest.mark.row("F340", "F131")
def test_a_chart_drawn_by_mouse_becomes_a_call_that_moves(
    page: Page, served: str, faults: list[str]
) -> None:
    sign_in(page, served)
    new_agent(page, "Two states")
    clear_the_lane(page)
    box = lane(page, "Conversation").bounding_box()
    assert box is not None
    draw_state(page, "Greeting", box["x"] + 60, box["y"] + 60)
    box = lane(page, "Conversation").bounding_box()
    assert box is not None
    draw_state(page, "Goodbye", box["x"] + box["width"] - 40, box["y"] + box["height"] - 30)
    draw_transition(page, "Greeting", "Goodbye", "caller.done")

    expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    page.reload()
    expect(transition(page, "Greeting", "Goodbye")).to_be_visible()

    page.get_by_role("button", name="Publish").first.click()
    page.get_by_role("button", name="Publish the draft").click()
    expect(page.get_by_text("Published as v1")).to_be_visible()
    page.get_by_role("button", name="Start a Call on v1").click()
    expect(page.locator(".is-live").filter(has_text="Greeting")).to_be_visible()

    watcher = page.context.new_page()
    watcher.goto(page.url)
    expect(watcher.locator(".is-live").filter(has_text="Greeting")).to_be_visible()

    page.get_by_role("button", name="caller.done").first.click()
    for window in (page, watcher):
        expect(window.locator(".is-live").filter(has_text="Goodbye")).to_be_visible()
        expect(window.get_by_text("Greeting → Goodbye on caller.done")).to_be_visible()
    assert faults == []


def test_undo_and_redo_take_back_and_give_again(
    page: Page, served: str, faults: list[str]
) -> None:
    sign_in(page, served)
    new_agent(page, "Undo me")
    state(page, "End").click()
    page.keyboard.press("Delete")
    expect(state(page, "End")).to_have_count(0)
    expect(transition(page, "Start", "End")).to_have_count(0)
    page.keyboard.press("Control+z")
    expect(transition(page, "Start", "End")).to_be_visible()
    page.keyboard.press("Control+Shift+z")
    expect(state(page, "End")).to_have_count(0)
    page.keyboard.press("Control+z")
    expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    page.reload()
    expect(transition(page, "Start", "End")).to_be_visible()
    assert faults == []


def test_a_problem_leads_to_its_culprit(page: Page, served: str) -> None:
    sign_in(page, served)
    new_agent(page, "Faulty")
    transition(page, "Start", "End").click()
    guard = page.get_by_label("Only if (guard)")
    guard.click()
    page.keyboard.type("slots.age > 1")
    page.keyboard.press("Escape")
    state(page, "End").click()
    problem = page.get_by_role("button", name=re.compile("age"))
    expect(problem.first).to_be_visible()
    problem.first.click()
    expect(page.get_by_role("heading", name=re.compile("Start → End"))).to_be_visible()


def test_a_dry_run_streams_its_steps_onto_the_chart(
    page: Page, served: str, faults: list[str]
) -> None:
    sign_in(page, served)
    page.get_by_role("link", name="Grounded answers").first.click()
    page.get_by_role("tab", name="Simulate").click()
    for event in ("plan_ready", "answered", "hits"):
        page.get_by_role("button", name=event, exact=True).click()
    page.get_by_role("region", name="Script").get_by_role("button", name="Run").click()
    steps = page.get_by_role("listbox", name="Steps")
    expect(steps).to_contain_text("plan_ready")
    steps.get_by_role("option").filter(has_text="answered").click()
    sentence = "'answered' is not a declared event in state 'retrieving'"
    expect(page.get_by_role("region", name="Step in full")).to_contain_text(sentence)
    steps.get_by_role("option").last.click()
    expect(page.locator(".is-sim").filter(has_text="Answering")).to_be_visible()
    assert faults == []


def test_the_keyboard_is_enough(page: Page, served: str, faults: list[str]) -> None:
    """Select, add, name, delete, undo, find and fit without the mouse."""
    sign_in(page, served)
    new_agent(page, "Keys only")
    state(page, "Start").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("F2")
    page.keyboard.type("Hello")
    page.keyboard.press("Enter")
    expect(state(page, "Hello")).to_be_visible()
    page.keyboard.press("Delete")
    expect(state(page, "Hello")).to_have_count(0)
    page.keyboard.press("Control+z")
    expect(state(page, "Hello")).to_be_visible()
    page.keyboard.press("Control+f")
    page.keyboard.type("End")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="End")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("Shift+Digit1")
    expect(state(page, "End")).to_be_in_viewport()
    assert faults == []
