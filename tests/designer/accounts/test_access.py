"""Who may do what: tokens, workspaces, roles, and the one policy table."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from designer.accounts import policy
from designer.accounts import services as people
from designer.core.clock import now
from designer.models import ApiToken, AuditEntry, Membership, User
from tests.designer.agents.test_draft_api import dump, made
from tests.designer.conftest import PASSWORD, Api, Person, person

OUTSIDE = {"account_login", "account_logout", "home", "shell", "nothing"}


def routes(resolver: Any = None, prefix: str = "/") -> list[tuple[str, URLPattern]]:
    """Every route with its path."""
    found: list[tuple[str, URLPattern]] = []
    for entry in (resolver or get_resolver()).url_patterns:
        path = prefix + str(entry.pattern)
        if isinstance(entry, URLResolver):
            found += routes(entry, path)
        else:
            found.append((path, entry))
    return found


def methods(entry: URLPattern) -> list[str]:
    view = getattr(entry.callback, "cls", None) or getattr(entry.callback, "view_class", None)
    names = ("get", "post", "put", "patch", "delete")
    return [name.upper() for name in names if hasattr(view, name)]


def guarded() -> list[tuple[str, str, str]]:
    """(route, path, method) of all that the policy table must know."""
    return [
        (str(entry.name), path, method)
        for path, entry in routes()
        if entry.name not in OUTSIDE
        for method in methods(entry)
    ]


BODIES: dict[str, Any] = {
    "draft-operations": {
        "id": "11111111-0000-7000-8000-000000000001",
        "operations": [{"op": "settings.update", "fields": {"name": "X"}}],
    },
    "draft": {"format": "callchart.agent/1", "key": "x", "name": "X"},
    "machine-dry-run": {"events": [{"event": "x"}]},
    "call-events": {"event": "x"},
    "call-proposals": {"transition": "x"},
    "call-turns": {"caller": "Hello"},
    "call-slots": {"slot": "name", "value": "x"},
    "call-end": {"reason": "x"},
    "member": {"roles": ["support"]},
    "version-return": {"reason": "x"},
    "comments": {"anchor": {"kind": "agent"}, "text": "x"},
    "comment": {"text": "x"},
    "scenarios": {"name": "x"},
    "scenario": {"name": "x"},
    "scenario-record": {"call": "11111111-0000-7000-8000-000000000001", "name": "x"},
}


def filled(path: str, agent: str, **more: str) -> str:
    """The path with ids in it."""
    known = {"agent": agent, "number": "1", "other": "1", "version": "1", "id": agent} | more
    parts = []
    for part in path.split("/"):
        name = part.strip("<>").rpartition(":")[2]
        parts.append(known.get(name, agent) if part.startswith("<") else part)
    return "/".join(parts)


@pytest.mark.row("R-08")
def test_every_route_and_method_is_in_the_policy_table(db: None) -> None:
    walked = {(name, method) for name, _, method in guarded()}
    assert {(n, m) for n, m in walked if policy.permission_of_route(n, m) is None} == set()
    assert {(n, m) for n, m in policy.ROUTES if (n, m) not in walked} == set()
    assert set(policy.ROUTES.values()) | set(policy.SOCKETS.values()) == (
        set(policy.PERMISSIONS) - policy.WITHIN
    )
    roles = ("designer", "reviewer", "support", "admin")
    people = {role: person(f"w-{role}", role.title(), role) for role in roles}
    for name, path, method in guarded():
        permission = policy.permission_of_route(name, method)
        for role, who in people.items():
            answer = Api(who.token)(method, filled(path, str(uuid4())), {})
            refused = answer.status_code == 403 and answer.json()["code"] == "forbidden"
            assert refused != policy.allows(str(permission), who.actor), (name, method, role)


@pytest.mark.row("R-07")
def test_what_belongs_to_another_workspace_is_not_found(
    api: Api, reviewer: Api, foreign: Api, dana: Person
) -> None:
    from designer.calls.services import start_call

    agent = made(api)
    api("POST", f"agents/{agent}/versions")
    reviewer("POST", f"agents/{agent}/versions/1/approve")
    reviewer("POST", f"agents/{agent}/versions/1/activate")
    call = start_call(dana.actor, now(), agent=UUID(agent))
    job = api(
        "POST",
        f"agents/{agent}/versions/1/machine/dry-run",
        {"events": [{"event": "x"}]},
        Prefer="wait=0",
    )
    assert job.status_code == 202
    token = ApiToken.objects.get(user_id=dana.id)
    ids = {
        "call": str(call.id),
        "job": job.json()["job"],
        "member": str(dana.id),
        "token": str(token.id),
    }
    comment = api("POST", f"agents/{agent}/comments", BODIES["comments"])
    scenario = api("POST", f"agents/{agent}/scenarios", BODIES["scenarios"])
    inner = {"comment": comment.json()["id"], "scenario": scenario.json()["id"]}
    roles = ("designer", "reviewer", "support", "admin")
    people_there = [Api(person("south", f"{role}x", role).token) for role in roles]
    before = dump()
    for name, path, method in guarded():
        if "<" not in path:
            continue
        kind = next((k for k in ids if name.startswith(k)), None)
        target = filled(path, ids[kind] if kind else agent, **inner)
        for client in (*people_there, foreign):
            body = BODIES.get(name, {})
            answer = client(method, target, body, If_Match='"1"', Prefer="wait=0")
            assert answer.status_code in (403, 404), (name, method, answer.content)
            assert "desk" not in answer.content.decode().lower()
            if answer.status_code == 403:
                permission = str(policy.permission_of_route(name, method))
                assert answer.json()["code"] == "forbidden"
                assert client is not foreign, permission
        assert Api(None)(method, target, {}).status_code == 401
    assert foreign("GET", f"agents/{agent}").status_code == 404
    without_people = {k: v for k, v in before.items() if k not in ("AuditEntry", "ApiToken")}
    token.refresh_from_db()
    assert token.revoked_at is None
    after = {k: v for k, v in dump().items() if k in without_people}
    assert after == without_people


def test_a_strangers_token_is_401(db: None, dana: Person) -> None:
    for token in ("cc_wrong", "x" * 500, "cc_" + "é" * 20):
        answer = Api(None)("GET", "me", Authorization=f"Bearer {token}")
        assert (answer.status_code, answer.json()["code"]) == (401, "auth.failed")
        assert answer["WWW-Authenticate"].startswith("Bearer")
    assert Api(None)("GET", "agents").json()["code"] == "auth.required"
    assert Api(None)("GET", "agents", Authorization="Basic abc").status_code == 401


@pytest.mark.row("R-05")
def test_a_token_is_kept_hashed_scoped_and_ends(api: Api, dana: Person, stranger: Person) -> None:
    raw, token = people.issue_token(dana.actor, now(), name="t", roles=["designer"])
    row = ApiToken.objects.get(id=token)
    assert raw not in str(ApiToken.objects.filter(id=token).values()[0])
    assert len(raw.removeprefix("cc_")) == 43
    replay = Api(row.sha256)("GET", "me")
    assert replay.status_code == 401
    mine = Api(raw)
    assert mine("GET", "me").json()["workspace"]["roles"] == ["designer"]
    agent = made(api)
    assert mine("POST", f"agents/{agent}/versions/1/approve").status_code == 403
    assert mine("GET", "me", Callchart_Workspace="south").status_code == 404
    people.ensure_member(
        workspace=stranger.actor.workspace,
        email=dana.email,
        name="",
        roles=["admin"],
        password=None,
    )
    assert mine("GET", "me", Callchart_Workspace="south").status_code == 404
    with pytest.raises(Exception, match="role reviewer"):
        people.issue_token(dana.actor, now(), name="t", roles=["reviewer"])
    ApiToken.objects.filter(id=token).update(expires_at=now() - timedelta(seconds=1))
    assert mine("GET", "me").status_code == 401
    second, other = people.issue_token(dana.actor, now(), name="t", roles=["designer"])
    assert Api(second)("GET", "me").status_code == 200
    people.revoke_token(dana.actor, now(), token=other)
    assert Api(second)("GET", "me").status_code == 401


def test_a_member_who_leaves_is_out_at_once(api: Api, dana: Person) -> None:
    Membership.objects.filter(user_id=dana.id).delete()
    assert api("GET", "agents").status_code == 401


def test_a_person_in_two_workspaces_names_one(db: None, dana: Person, stranger: Person) -> None:
    people.ensure_member(
        workspace=stranger.actor.workspace,
        email=dana.email,
        name="",
        roles=["support"],
        password=None,
    )
    client = signed_in(dana)
    assert client.get("/v1/me").json()["workspace"]["slug"] == "north"
    there = client.get("/v1/me", headers={"Callchart-Workspace": "south"}).json()
    assert (there["workspace"]["slug"], there["workspace"]["roles"]) == ("south", ["support"])
    assert [w["slug"] for w in there["workspaces"]] == ["north", "south"]
    assert client.get("/v1/me", headers={"Callchart-Workspace": "east"}).status_code == 404


def sign_in(client: Client, email: str, password: str = PASSWORD, **more: str) -> Any:
    client.get("/accounts/login/")
    token = client.cookies["csrftoken"].value
    body = {"login": email, "password": password, "csrfmiddlewaretoken": token, **more}
    return client.post("/accounts/login/", body)


def signed_in(who: Person, *, csrf: bool = False) -> Client:
    client = Client(enforce_csrf_checks=csrf)
    assert sign_in(client, who.email).status_code == 302
    return client


def test_sign_in_gives_a_new_session_that_scripts_can_not_read(dana: Person) -> None:
    client = Client()
    client.get("/accounts/login/")
    session = client.session
    session["kept"] = 1
    session.save()
    before = session.session_key
    client.cookies["callchart"] = str(before)
    assert sign_in(client, dana.email).status_code == 302
    cookie = client.cookies["callchart"]
    assert cookie.value != before
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"


@pytest.mark.row("R-29")
def test_next_stays_on_this_host(dana: Person) -> None:
    evil = ("//evil.example", "/\\evil.example", "https:evil.example", "https://evil.example/x")
    for target in (*evil, "javascript:alert(1)", "///evil.example"):
        assert sign_in(Client(), dana.email, next=target)["Location"] == "/"
    assert sign_in(Client(), dana.email, next="/agents/1")["Location"] == "/agents/1"


@pytest.mark.row("R-23")
def test_unsafe_methods_need_the_csrf_token_and_json(dana: Person, api: Api) -> None:
    agent = made(api)
    client = signed_in(dana, csrf=True)
    client.get("/accounts/login/")
    token = client.cookies["csrftoken"].value
    other = signed_in(person("north", "Mia", "designer"), csrf=True)
    foreign_token = other.cookies["csrftoken"].value
    before = dump()

    def patch(content_type: str = "application/json", **headers: str) -> int:
        path, body = f"/v1/agents/{agent}", b'{"name": "Changed"}'
        return client.patch(path, body, content_type=content_type, headers=headers).status_code

    assert patch() == 403
    assert patch(**{"X-CSRFToken": foreign_token}) == 403
    assert patch("text/plain", **{"X-CSRFToken": token}) == 415
    form = {"name": "Changed", "csrfmiddlewaretoken": token}
    assert client.post(f"/v1/agents/{agent}/versions", form).status_code in (403, 415)
    assert (
        client.post("/accounts/login/", {"login": dana.email, "password": PASSWORD}).status_code
        == 403
    )
    assert client.post("/accounts/logout/").status_code == 403
    assert client.get("/accounts/logout/").status_code == 200
    assert {k: v for k, v in dump().items() if k != "User"} == {
        k: v for k, v in before.items() if k != "User"
    }
    assert client.get("/v1/me").status_code == 200
    assert patch(**{"X-CSRFToken": token}) == 200


def test_signing_out_ends_the_session(dana: Person) -> None:
    client = signed_in(dana)
    cookie = client.cookies["callchart"].value
    assert client.post("/accounts/logout/").status_code == 302
    client.cookies["callchart"] = cookie
    assert client.get("/v1/me").status_code == 401


def test_nobody_signs_up(db: None) -> None:
    assert Client().get("/accounts/signup/").status_code == 404


def test_wrong_passwords_are_counted_and_then_refused(dana: Person) -> None:
    answers = [sign_in(Client(), dana.email, "wrong") for _ in range(12)]
    assert any(
        answer.status_code == 429 or b"Too many" in answer.content for answer in answers[5:]
    )


def test_an_unknown_address_is_told_the_same_as_a_wrong_password(dana: Person) -> None:
    def told(email: str) -> str:
        text = sign_in(Client(), email, "wrong").content.decode()
        return text[text.index("errors") : text.index("id_login")]

    assert told(dana.email) == told("nobody@north.example")


@pytest.mark.row("R-03")
def test_passwords_are_long_uncommon_and_kept_by_argon2(settings: Any, db: None) -> None:
    for weak in (
        "password1234",
        "short",
        "123456789012",
        "aaaaaaaaaaaa",
        "Password1234!",
        "qwerty123456",
    ):
        with pytest.raises(ValidationError):
            validate_password(weak)
    validate_password("correct horse battery staple")
    from designer.config import settings as product

    settings.PASSWORD_HASHERS = product.PASSWORD_HASHERS
    user = User.objects.create_user("a@b.example", "correct horse battery staple")
    assert user.password.startswith("argon2$argon2id$")


def test_acts_are_in_the_audit_which_no_one_changes(
    api: Api, reviewer: Api, dana: Person, rui: Person
) -> None:
    client = signed_in(dana)
    client.post("/accounts/logout/")
    sign_in(Client(), dana.email, "wrong")
    agent = made(api)
    api("POST", f"agents/{agent}/versions")
    reviewer("POST", f"agents/{agent}/versions/1/approve")
    reviewer("POST", f"agents/{agent}/versions/1/activate")
    admin = replace(dana.actor, roles=frozenset({"admin"}))
    people.set_roles(admin, now(), user=rui.id, roles=["support"])
    verbs = set(AuditEntry.objects.values_list("verb", flat=True))
    assert {
        "sign_in", "sign_out", "sign_in.failed", "agent.created", "version.published",
        "version.approved", "version.activated", "roles.set", "token.issued",
    } <= verbs  # fmt: skip
    assert {m for name, path, m in guarded() if "audit" in path} == {"GET"}
    with pytest.raises(IntegrityError), transaction.atomic():
        AuditEntry.objects.update(verb="nothing")
    assert "correct horse" not in str(list(AuditEntry.objects.values()))


@pytest.mark.row("R-30")
def test_safe_methods_change_nothing(api: Api, reviewer: Api, dana: Person) -> None:
    from designer.calls.services import start_call

    agent = made(api)
    api("POST", f"agents/{agent}/versions")
    reviewer("POST", f"agents/{agent}/versions/1/approve")
    reviewer("POST", f"agents/{agent}/versions/1/activate")
    call = str(start_call(dana.actor, now(), agent=UUID(agent)).id)
    client = signed_in(dana)
    full = Api(person("north", "All", "designer", "reviewer", "support", "admin").token)
    before = dump()
    for path, entry in routes():
        name = str(entry.name)
        target = filled(path, call if name.startswith("call") else agent)
        for method in ("GET", "HEAD", "OPTIONS"):
            assert full(method, target).status_code < 500
        if "(?P" not in target:
            assert client.get(target).status_code < 600
    assert dump() == before
