"""Members, invitations, tokens and the audit, by HTTP and by the page behind a link."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from designer.accounts.models import ApiToken, AuditEntry, Invitation
from tests.designer.conftest import PASSWORD, Api, Person, person


@pytest.fixture
def ada(dana: Person) -> Person:
    return person("north", "Ada", "admin", "designer")


@pytest.fixture
def admin(ada: Person) -> Api:
    return Api(ada.token)


def signed_in(email: str) -> Client:
    client = Client()
    client.post("/accounts/login/", {"login": email, "password": PASSWORD})
    return client


def path_of(url: str) -> str:
    return url.partition("://")[2].partition("/")[2].join(("/", ""))


def roles_of(admin: Api) -> dict[str, list[str]]:
    return {row["user"]["name"]: row["roles"] for row in admin("GET", "members").json()}


def test_it_lists_members_by_name(admin: Api, reviewer: Api) -> None:
    found = reviewer("GET", "members").json()
    assert [row["user"]["name"] for row in found] == ["Ada", "Dana", "Rui"]
    assert found[0]["roles"] == ["admin", "designer"]
    assert set(found[0]) == {"user", "roles", "joined_at", "last_sign_in_at"}


def test_an_admin_gives_roles_and_the_audit_says_so(admin: Api, rui: Person) -> None:
    answer = admin("PATCH", f"members/{rui.id}", {"roles": ["support", "reviewer"]})
    assert answer.json()["roles"] == ["reviewer", "support"]
    (entry,) = admin("GET", "audit?action=roles.set").json()["results"]
    assert entry["data"]["before"] == ["reviewer"]
    assert entry["data"]["roles"] == ["reviewer", "support"]
    assert entry["object"] == {"kind": "user", "id": str(rui.id)}


@pytest.mark.parametrize("roles", [[], ["king"], "admin", [1], ["admin"] * 9])
def test_roles_that_are_none_are_refused_by_field(admin: Api, rui: Person, roles: Any) -> None:
    answer = admin("PATCH", f"members/{rui.id}", {"roles": roles})
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["path"].startswith("/roles")
    assert roles_of(admin)["Rui"] == ["reviewer"]


def test_the_last_admin_stays_one(admin: Api, ada: Person, rui: Person) -> None:
    for answer in (
        admin("PATCH", f"members/{ada.id}", {"roles": ["designer"]}),
        admin("DELETE", f"members/{ada.id}"),
    ):
        assert (answer.status_code, answer.json()["code"]) == (409, "member.last_admin")
    admin("PATCH", f"members/{rui.id}", {"roles": ["admin"]})
    assert admin("PATCH", f"members/{ada.id}", {"roles": ["designer"]}).status_code == 200


def test_who_is_taken_out_loses_their_tokens_with_it(
    admin: Api, reviewer: Api, rui: Person
) -> None:
    assert admin("DELETE", f"members/{rui.id}").status_code == 204
    assert reviewer("GET", "me").status_code == 401
    assert "Rui" not in roles_of(admin)
    assert not ApiToken.objects.filter(user_id=rui.id, revoked_at__isnull=True).exists()
    assert admin("DELETE", f"members/{rui.id}").status_code == 404


def test_someone_new_joins_by_a_link_once(admin: Api) -> None:
    made = admin("POST", "invitations", {"email": "Mia@north.example", "roles": ["support"]})
    assert made.status_code == 201
    link = path_of(made.json()["url"])
    assert made.json()["email"] == "mia@north.example"
    browser = Client()
    assert "mia@north.example" in browser.get(link).content.decode()
    weak = browser.post(link, {"name": "Mia", "password": "password1234"})
    assert weak.status_code == 422
    assert "too common" in weak.content.decode()
    joined = browser.post(link, {"name": "Mia", "password": PASSWORD})
    assert joined["Location"] == "/"
    assert browser.get("/v1/me").json()["workspace"]["roles"] == ["support"]
    assert roles_of(admin)["Mia"] == ["support"]
    (entry,) = admin("GET", "audit?action=member.joined").json()["results"]
    assert (entry["address"], entry["data"]) == ("127.0.0.1", {"roles": ["support"]})
    assert Client().get(link).status_code == 404
    assert admin("GET", "invitations").json() == []


def test_who_has_an_account_signs_in_to_join(admin: Api, stranger: Person) -> None:
    made = admin("POST", "invitations", {"email": stranger.email, "roles": ["reviewer"]}).json()
    link = path_of(made["url"])
    assert "sign in as" in Client().get(link).content.decode()
    assert Client().post(link, {"name": "X", "password": PASSWORD}).status_code == 422
    browser = signed_in(stranger.email)
    assert browser.post(link)["Location"] == "/"
    both = browser.get("/v1/me").json()["workspaces"]
    assert [row["slug"] for row in both] == ["north", "south"]


def test_a_link_is_kept_as_a_hash_and_shown_once(admin: Api) -> None:
    made = admin("POST", "invitations", {"email": "m@north.example", "roles": ["support"]})
    raw = path_of(made.json()["url"]).rpartition("/")[2]
    assert raw not in str(list(Invitation.objects.values()))
    assert raw not in str(list(AuditEntry.objects.values()))
    (listed,) = admin("GET", "invitations").json()
    assert "url" not in listed


def test_links_end_when_withdrawn_replaced_or_old(admin: Api) -> None:
    def invite() -> tuple[str, str]:
        made = admin("POST", "invitations", {"email": "m@x.example", "roles": ["support"]}).json()
        return made["id"], path_of(made["url"])

    _, first = invite()
    id, second = invite()
    assert Client().get(first).status_code == 404
    assert Client().get(second).status_code == 200
    assert admin("DELETE", f"invitations/{id}").status_code == 204
    assert Client().get(second).status_code == 404
    assert admin("DELETE", f"invitations/{id}").status_code == 404
    id, third = invite()
    Invitation.objects.filter(id=id).update(expires_at=timezone.now() - timedelta(seconds=1))
    assert Client().get(third).status_code == 404
    assert Client().get("/join/" + "x" * 500).status_code == 404


def test_a_member_is_not_invited_again(admin: Api, rui: Person) -> None:
    answer = admin("POST", "invitations", {"email": rui.email, "roles": ["support"]})
    assert (answer.status_code, answer.json()["code"]) == (409, "member.already")


def test_a_token_is_issued_used_seen_and_revoked(dana: Person, api: Api) -> None:
    browser = signed_in(dana.email)
    made = browser.post(
        "/v1/tokens",
        {"name": "runtime", "roles": ["designer"], "days": 3},
        content_type="application/json",
    )
    assert made.status_code == 201, made.content
    secret = made.json()["secret"]
    assert secret.startswith(made.json()["prefix"])
    assert Api(secret)("GET", "me").status_code == 200
    listed = {row["name"]: row for row in api("GET", "tokens").json()}
    assert listed["runtime"]["last_used_at"] is not None
    assert "secret" not in listed["runtime"]
    assert api("DELETE", f"tokens/{made.json()['id']}").status_code == 204
    assert Api(secret)("GET", "me").status_code == 401


def test_a_token_issues_no_token_and_no_role_one_lacks(dana: Person, api: Api) -> None:
    body = {"name": "more", "roles": ["designer"]}
    assert api("POST", "tokens", body).json()["code"] == "token.by_token"
    browser = signed_in(dana.email)
    answer = browser.post(
        "/v1/tokens", {"name": "more", "roles": ["admin"]}, content_type="application/json"
    )
    assert (answer.status_code, answer.json()["code"]) == (403, "role.not_yours")


def test_people_see_their_own_tokens_and_an_admin_all(
    api: Api, admin: Api, reviewer: Api, rui: Person
) -> None:
    assert {row["owner"]["name"] for row in api("GET", "tokens").json()} == {"Dana"}
    assert {row["owner"]["name"] for row in admin("GET", "tokens").json()} == {
        "Ada",
        "Dana",
        "Rui",
    }
    (mine,) = reviewer("GET", "tokens").json()
    assert api("DELETE", f"tokens/{mine['id']}").status_code == 404
    assert admin("DELETE", f"tokens/{mine['id']}").status_code == 204


def test_the_audit_pages_and_filters(admin: Api, ada: Person, rui: Person, foreign: Api) -> None:
    for roles in (["support"], ["reviewer"], ["support", "reviewer"]):
        admin("PATCH", f"members/{rui.id}", {"roles": roles})
    first = admin("GET", "audit?limit=2").json()
    second = admin("GET", f"audit?limit=200&cursor={first['next']}").json()
    everything = [row["id"] for row in first["results"] + second["results"]]
    assert second["next"] is None
    assert len(everything) == len(set(everything)) >= 3
    assert {r["action"] for r in admin("GET", "audit?action=roles.*").json()["results"]} == {
        "roles.set"
    }
    of_ada = admin("GET", f"audit?actor={ada.id}").json()["results"]
    assert of_ada
    assert {row["actor"]["name"] for row in of_ada} == {ada.email}
    assert admin("GET", f"audit?object={rui.id}&action=roles.set").json()["results"][0]["data"]
    assert admin("GET", "audit?to=2020-01-01T00:00:00Z").json()["results"] == []
    assert foreign("GET", f"audit?object={rui.id}").json()["results"] == []


@pytest.mark.parametrize(
    "query", ["actor=x", "from=yesterday", "limit=0", "cursor=%%%", "colour=red", "action=%00"]
)
def test_a_bad_question_to_the_audit_is_named(admin: Api, query: str) -> None:
    answer = admin("GET", f"audit?{query}")
    assert (answer.status_code, answer.json()["code"]) == (400, "query.invalid")


def test_sign_ins_of_members_stand_in_the_audit(admin: Api, rui: Person) -> None:
    signed_in(rui.email)
    (entry,) = admin("GET", f"audit?action=sign_in&actor={rui.id}").json()["results"]
    assert entry["address"] == "127.0.0.1"


def test_what_a_workspace_asks_for_is_an_admins_to_say(admin: Api, api: Api) -> None:
    changed = admin("PATCH", "workspace", {"allow_self_approval": True, "name": "North"})
    assert changed.json() == {
        "slug": "north",
        "name": "North",
        "allow_self_approval": True,
        "require_scenarios": False,
    }
    assert api("GET", "workspace").json() == changed.json()
    assert admin("PATCH", "workspace", {"allow_self_approval": "yes"}).status_code == 422
    (entry,) = admin("GET", "audit?action=workspace.updated").json()["results"]
    assert entry["data"]["after"]["allow_self_approval"] is True
