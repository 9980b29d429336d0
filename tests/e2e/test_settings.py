"""An admin at the settings: someone joins by a link, a token works until it is revoked."""

from __future__ import annotations

import urllib.error
import urllib.request

import pytest
from playwright.sync_api import Browser, Page

from tests.e2e.page import sign_in
from tests.e2e.test_access import check

PASSPHRASE = "correct horse battery staple"


@pytest.mark.parametrize("tab", ["members", "tokens", "audit", "workspace"])
def test_every_tab_keeps_nobody_out(page: Page, served: str, tab: str) -> None:
    sign_in(page, served, "ada")
    page.goto(f"{served}/settings/{tab}")
    page.get_by_role("heading", name="Settings").wait_for()
    page.locator(".admin table, .admin-form, .ui-empty").first.wait_for()
    check(page)


def test_someone_joins_by_the_link_an_admin_makes(
    page: Page, browser: Browser, served: str
) -> None:
    sign_in(page, served, "ada")
    page.get_by_role("link", name="Settings").first.click()
    page.get_by_role("button", name="Invite someone").click()
    asked = page.get_by_role("dialog")
    asked.get_by_label("E-mail").fill("mia@callchart.local")
    asked.get_by_label("support").check()
    asked.get_by_role("button", name="Make the link").click()
    link = asked.get_by_role("textbox", name="The link for").input_value()

    theirs = browser.new_context().new_page()
    theirs.goto(link)
    check(theirs)
    theirs.get_by_label("Your name").fill("Mia New")
    theirs.get_by_label("A password").fill(PASSPHRASE)
    theirs.get_by_role("button", name="Join").click()
    theirs.get_by_role("heading", name="Agents").wait_for()
    assert theirs.goto(link).status == 404  # type: ignore[union-attr]
    theirs.context.close()

    asked.get_by_role("button", name="Done").click()
    page.reload()
    page.get_by_role("row", name="Mia New").wait_for()
    page.get_by_role("link", name="Audit log").click()
    page.get_by_role("cell", name="member.joined").wait_for()


def test_a_token_works_until_it_is_revoked(page: Page, served: str) -> None:
    sign_in(page, served, "ada")
    page.goto(f"{served}/settings/tokens")
    page.get_by_role("button", name="Issue a token").click()
    asked = page.get_by_role("dialog")
    asked.get_by_label("Name").fill("Night runtime")
    asked.get_by_role("button", name="Issue", exact=True).click()
    secret = asked.get_by_role("textbox", name="The token").input_value()
    asked.get_by_role("button", name="Done").click()
    assert status(served, secret) == 200
    page.get_by_role("button", name="Revoke Night runtime").click()
    page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    page.get_by_role("row", name="Night runtime").wait_for(state="detached")
    assert status(served, secret) == 401


def status(served: str, secret: str) -> int:
    request = urllib.request.Request(
        f"{served}/v1/agents", headers={"Authorization": f"Bearer {secret}"}
    )
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as refused:
        return refused.code
