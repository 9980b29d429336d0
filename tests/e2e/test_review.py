"""A version on its way from the designer to the reviewer to a Call, and the tests for it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.page import new_agent, sign_in, state, transition
from tests.e2e.test_access import check

People = Callable[[str], Page]


@pytest.fixture
def people(
    browser: Browser, browser_context_args: dict[str, Any], served: str
) -> Iterator[People]:
    """A window of its own for each person, signed in."""
    windows: dict[str, Page] = {}

    def window(person: str) -> Page:
        if person not in windows:
            windows[person] = browser.new_context(**browser_context_args).new_page()
            sign_in(windows[person], served, person)
        return windows[person]

    yield window
    for page in windows.values():
        page.context.close()


def publish(page: Page) -> None:
    expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    page.get_by_role("button", name="Publish", exact=True).click()
    page.get_by_role("button", name="Publish the draft").click()
    page.get_by_text("Published as").wait_for()


def request_review(page: Page, note: str) -> None:
    page.get_by_role("button", name="Request review").click()
    asked = page.get_by_role("dialog", name="Request a review")
    asked.get_by_label("Note for the reviewer").fill(note)
    asked.get_by_role("button", name="Request review").click()
    expect(asked).to_have_count(0)


def confirm(page: Page, button: str, dialog: str) -> None:
    page.get_by_role("button", name=button).first.click()
    asked = page.get_by_role("dialog", name=dialog)
    asked.get_by_role("button", name=re.compile(button.rstrip("…"))).click()
    expect(asked).to_have_count(0)


def rename(page: Page, name: str, new: str) -> None:
    state(page, name).click()
    page.keyboard.press("F2")
    field = page.locator(".react-flow").get_by_role("textbox", name="Name")
    field.fill(new)
    field.press("Enter")
    expect(state(page, new)).to_be_visible()


def address_of(page: Page) -> str:
    """The address of the agent that is open."""
    found = re.match(r"(.*/agents/[0-9a-f-]+)", page.url)
    assert found is not None
    return found[1]


def test_a_version_goes_from_the_designer_over_the_reviewer_to_a_call(people: People) -> None:
    dana = people("dana")
    new_agent(dana, "Under review")
    agent = address_of(dana)
    publish(dana)
    request_review(dana, "The first one.")

    rui = people("rui")
    rui.goto(f"{agent}/versions/1/review")
    expect(rui.get_by_role("region", name="Where it stands")).to_contain_text("The first one.")
    expect(rui.get_by_text("This is the first version")).to_be_visible()
    confirm(rui, "Approve v1", "Approve v1?")
    confirm(rui, "Activate v1", "Activate v1?")
    expect(rui.get_by_role("region", name="Where it stands")).to_contain_text("New Calls start on")

    dana.goto(agent)
    rename(dana, "Start", "Welcome")
    publish(dana)
    request_review(dana, "A kinder name.")

    rui.goto(f"{agent}/versions/2/review")
    changes = rui.get_by_role("navigation", name="Changes")
    expect(changes.get_by_role("status")).to_have_text(re.compile(r"^[1-9]\d*$"))
    rui.keyboard.press("j")
    expect(changes.get_by_role("status")).to_contain_text("1 of")
    expect(
        rui.locator(".cv-state[class*='is-added'], .cv-state[class*='is-changed']").first
    ).to_be_visible()
    state(rui, "Welcome").click()
    rui.keyboard.press("c")
    rui.get_by_role("textbox", name="Comment on state Welcome").fill("Too formal for a greeting?")
    rui.keyboard.press("Control+Enter")
    expect(rui.get_by_role("button", name="1 comment on State Welcome")).to_be_visible()
    rui.get_by_role("button", name="Return…").first.click()
    asked = rui.get_by_role("dialog", name="Return v2")
    send = asked.get_by_role("button", name="Return v2")
    expect(send).to_be_disabled()
    asked.get_by_label("Reason").fill("See the comment.")
    send.click()
    rui.get_by_role("tab", name="Evidence").click()
    expect(rui.get_by_role("region", name="Where it stands")).to_contain_text("See the comment.")

    # The comment is on the row: it goes with the state when that gets another name.
    dana.goto(agent)
    rename(dana, "Welcome", "Hello")
    publish(dana)
    request_review(dana, "Now simply Hello.")
    rui.goto(f"{agent}/versions/3/review")
    expect(rui.get_by_role("button", name="1 comment on State Hello")).to_be_visible()
    confirm(rui, "Approve v3", "Approve v3?")
    confirm(rui, "Activate v3", "Activate v3?")

    sam = people("sam")
    sam.goto(f"{agent}/versions/3")
    expect(sam.get_by_role("button", name="Approve")).to_have_count(0)
    sam.get_by_role("button", name="Start a Call").click()
    expect(sam.locator(".is-live").filter(has_text="Hello")).to_be_visible()
    sam.goto(f"{agent}/versions")
    versions = sam.get_by_role("list", name="Versions").get_by_role("listitem")
    expect(versions).to_have_count(3)
    expect(versions.nth(0)).to_contain_text("active")
    expect(versions.nth(1)).to_contain_text("returned")
    expect(versions.nth(2)).to_contain_text("retired")

    # Back to the version before, on its own review, after a question.
    rui.goto(f"{agent}/versions/1/review")
    confirm(rui, "Return to v1", "Return to v1?")
    expect(rui.get_by_role("region", name="Where it stands")).to_contain_text("New Calls start on")


def test_who_may_not_decide_reads_why(people: People) -> None:
    dana, sam = people("dana"), people("sam")
    new_agent(dana, "Watched")
    publish(dana)
    sam.goto(f"{address_of(dana)}/versions/1/review")
    approve = sam.get_by_role("button", name="Approve v1").first
    expect(approve).to_be_disabled()
    expect(sam.get_by_role("region", name="Where it stands")).to_contain_text(
        "Reviewers approve versions."
    )


def test_a_dry_run_becomes_a_test_that_turns_red_when_the_chart_changes(people: People) -> None:
    dana = people("dana")
    new_agent(dana, "Tested")
    agent = address_of(dana)
    event = transition(dana, "Start", "End")
    expect(event).to_be_visible()
    dana.get_by_role("tab", name="Simulate").click()
    script = dana.get_by_role("region", name="Script")
    script.locator(".sim-add .ui-btn").first.click()
    script.get_by_role("button", name="Run").click()
    dana.get_by_role("button", name="Save as test").click()
    expect(dana.get_by_role("button", name="Saved", exact=True)).to_be_visible()

    dana.get_by_role("tab", name="Tests").click()
    tests = dana.get_by_role("region", name="Scenarios")
    expect(tests.get_by_role("listitem")).to_have_count(1)
    tests.get_by_role("button", name="Run all").click()
    expect(tests.get_by_role("status")).to_contain_text("1 pass")
    tests.get_by_label("Coverage on the chart").check()
    expect(dana.locator(".cv-state.cover-full")).to_have_count(2)
    expect(dana.locator(".cv-wire.cover-full")).to_have_count(1)

    event.click()
    guard = dana.get_by_label("Only if (guard)")
    guard.click()
    dana.keyboard.type("false")
    dana.keyboard.press("Escape")
    state(dana, "End").click()
    tests.get_by_role("button", name="Run all").click()
    expect(tests.get_by_role("status")).to_contain_text("1 of 1 fail")
    expect(dana.get_by_role("region", name="Scenario ", exact=False).last).to_contain_text(
        "Line 2"
    )

    publish(dana)
    dana.goto(f"{agent}/versions/1/review")
    evidence = dana.get_by_role("region", name="Scenarios")
    evidence.get_by_role("button", name="Run on v1").click()
    expect(evidence).to_contain_text("1 fails")
    expect(evidence.get_by_role("status")).to_have_text("0/1")


def test_a_call_is_saved_as_a_test(people: People, served: str) -> None:
    sam, dana = people("sam"), people("dana")
    rows = sam.request.get(f"{served}/v1/calls?status=ended").json()["results"]
    sam.goto(f"{served}/calls/{rows[0]['id']}")
    sam.get_by_role("button", name="Save as test").click()
    asked = sam.get_by_role("dialog", name="Save as test")
    asked.get_by_label("Name").fill("As it was on the phone")
    asked.get_by_role("button", name="Save as test").click()
    expect(asked).to_have_count(0)
    dana.goto(f"{served}/agents/{rows[0]['agent']['id']}?drawer=tests")
    state(dana, "Greeting").wait_for()
    tests = dana.get_by_role("region", name="Scenarios")
    expect(tests.get_by_role("button", name="As it was on the phone")).to_be_visible()
    tests.get_by_role("button", name="Run all").click()
    expect(tests.get_by_role("status")).to_contain_text("1 pass")


@pytest.mark.parametrize("width", [1440, 390])
def test_the_review_keeps_nobody_out(people: People, served: str, width: int) -> None:
    dana = people("dana")
    new_agent(dana, f"Axe at {width}")
    agent = address_of(dana)
    publish(dana)
    dana.goto(agent)
    rename(dana, "End", "Bye")
    publish(dana)
    dana.set_viewport_size({"width": width, "height": 844})
    dana.goto(f"{agent}/versions/2/review")
    state(dana, "Bye").wait_for()
    dana.get_by_role("heading", name="Play side by side").wait_for()
    check(dana)
    dana.get_by_role("tab", name="Comments").click()
    check(dana)
    dana.goto(f"{agent}/versions")
    dana.get_by_role("list", name="Versions").wait_for()
    check(dana)
