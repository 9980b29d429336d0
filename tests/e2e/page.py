"""What a person does on the page, in the page's own words."""

from __future__ import annotations

from playwright.sync_api import Locator, Page

PASSWORD = "callchart-demo"


def sign_in(page: Page, address: str, person: str = "dana") -> None:
    page.goto(f"{address}/")
    page.get_by_label("E-mail").or_(page.locator("input[type=email]")).first.fill(
        f"{person}@callchart.local"
    )
    page.locator("input[type=password]").fill(PASSWORD)
    page.locator("button[type=submit]").click()
    page.get_by_role("heading", name="Agents").wait_for()


def new_agent(page: Page, name: str) -> None:
    page.get_by_role("button", name="New agent").first.click()
    page.get_by_role("textbox", name="Name").fill(name)
    page.get_by_role("button", name="Create agent").click()
    state(page, "Start").wait_for()


def state(page: Page, name: str) -> Locator:
    """The state on the canvas; final ones too."""
    return page.get_by_role("group", name=f"state {name}, in")


def lane(page: Page, name: str) -> Locator:
    return page.get_by_role("group", name=f"region {name}")


def transition(page: Page, source: str, target: str) -> Locator:
    return page.get_by_role("group", name=f"Transition from {source} to {target}")


def draw_state(page: Page, name: str, x: float, y: float) -> None:
    """Double-click on the canvas, type the name, Enter."""
    page.mouse.dblclick(x, y)
    page.locator(".react-flow").get_by_role("textbox", name="Name").wait_for()
    page.keyboard.type(name)
    page.keyboard.press("Enter")
    state(page, name).wait_for()


def draw_transition(page: Page, source: str, target: str, event: str) -> None:
    """Drag from the right edge of one state onto another, then say what it waits for."""
    a, b = state(page, source), state(page, target)
    a.hover()
    start, end = a.bounding_box(), b.bounding_box()
    assert start is not None
    assert end is not None
    page.mouse.move(start["x"] + start["width"], start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(start["x"] + start["width"] + 30, start["y"] + 40, steps=4)
    page.mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2, steps=8)
    page.mouse.up()
    asked = page.get_by_role("dialog")
    asked.get_by_label("Event name").fill(event)
    asked.get_by_role("button", name="Add transition").click()
    transition(page, source, target).wait_for()
