"""The service itself: health, the API's description, error pages, headers."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.conf import settings as product
from django.test import Client
from django.urls import path

from designer.core.buckets import Rate
from tests.designer.conftest import PASSWORD, Api, Person


def boom(request: Any) -> Any:
    raise RuntimeError("secret inside")


urlpatterns = [path("v1/boom", boom), path("boom", boom)]
handler404 = "designer.pages.views.not_found"
handler500 = "designer.pages.views.server_error"


def test_health_needs_no_one_and_asks_the_database(db: None) -> None:
    answer = Client().get("/healthz")
    assert (answer.status_code, answer.json()) == (
        200,
        {"ok": True, "database": True, "mode": "embedded"},
    )


def test_me_says_who_and_where(api: Api, dana: Person) -> None:
    me = api("GET", "me").json()
    assert me["user"] == {"id": str(dana.id), "name": "Dana", "email": dana.email}
    assert me["workspace"] == {"slug": "north", "name": "North", "roles": ["designer"]}
    assert me["mode"] == "embedded"


def test_the_api_describes_itself(db: None) -> None:
    document = Client().get("/v1/openapi.json").json()
    assert document["openapi"].startswith("3.1")
    shapes = document["components"]["schemas"]
    assert {"Agent", "Draft", "Version", "Problem"} <= set(shapes)
    draft = document["paths"]["/v1/agents/{agent}/draft"]["get"]["responses"]
    assert draft["200"]["content"]["application/json"]["schema"]["$ref"].endswith("/Draft")
    assert "application/problem+json" in draft["default"]["content"]


def test_every_operation_has_one_name_and_a_described_answer(db: None) -> None:
    document = Client().get("/v1/openapi.json").json()
    names = []
    for operations in document["paths"].values():
        for method, operation in operations.items():
            names.append(operation["operationId"])
            good = {code: body for code, body in operation["responses"].items() if code[0] == "2"}
            assert good, (operation["operationId"], method)
            for code, body in good.items():
                assert code == "204" or body["content"]["application/json"]["schema"]
    assert len(names) == len(set(names))


def test_the_description_is_made_without_a_warning(capsys: Any, db: None) -> None:
    from django.core.management import call_command

    call_command("spectacular", "--validate", "--fail-on-warn", "--file", "/dev/null")
    assert "arning" not in capsys.readouterr().err


def test_the_docs_page_fetches_nothing_from_elsewhere(db: None) -> None:
    for query in ("", "?script="):
        page = Client().get(f"/v1/docs{query}").content.decode()
        assert not re.findall(r"(?:src|href)=\"(?:https?:)?//", page)
    page = Client().get("/v1/docs").content.decode()
    assert "<script>" not in page
    assert "/static/drf_spectacular_sidecar/" in page


def test_an_unknown_path_is_a_problem_in_the_api_and_a_page_elsewhere(db: None) -> None:
    answer = Client().get("/v1/nothing/here")
    assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json")
    assert answer.json()["type"] == "urn:callchart:not_found"
    page = Client().get("/nothing")
    assert page.status_code == 404
    assert b"There is nothing here" in page.content


@pytest.mark.urls(__name__)
def test_a_bug_tells_nothing_of_the_inside(db: None) -> None:
    client = Client(raise_request_exception=False)
    answer = client.get("/v1/boom")
    assert (answer.status_code, answer.json()["code"]) == (500, "internal")
    page = client.get("/boom")
    assert page.status_code == 500
    assert b"secret" not in answer.content + page.content


def test_a_method_that_is_not_there_is_405(api: Api) -> None:
    answer = api("DELETE", "agents")
    assert (answer.status_code, answer.json()["code"]) == (405, "method.not_allowed")


def test_rates_are_limited_with_retry_after(api: Api, settings: Any) -> None:
    settings.RATES |= {"actor": Rate(0.05, 3), "strangers": Rate(0.03, 2)}
    answers = [api("GET", "me") for _ in range(5)]
    assert [a.status_code for a in answers] == [200, 200, 200, 429, 429]
    assert answers[-1].json()["code"] == "rate.limited"
    assert 1 <= int(answers[-1]["Retry-After"]) <= 20
    assert [Client().get("/v1/openapi.json").status_code for _ in range(3)] == [200, 200, 429]


def test_bad_credentials_are_limited_by_address_and_good_ones_there_are_not(
    api: Api, settings: Any
) -> None:
    settings.RATES |= {"strangers": Rate(0.03, 4)}
    nobody, wrong = Api(None), Api("cc_wrong")
    spoofed = {"X-Forwarded-For": "203.0.113.9"}
    codes = [nobody("GET", "me").status_code, wrong("GET", "me").status_code]
    codes += [wrong("GET", "me", **spoofed).status_code for _ in range(4)]
    assert codes == [401, 401, 401, 401, 429, 429]
    assert api("GET", "me").status_code == 200


def test_headers_hold_on_every_kind_of_answer(api: Api) -> None:
    answers = [
        api("GET", "me"), Client().get("/v1/me"), Client().get("/accounts/login/"),
        Client().get("/nothing"), Client().get("/v1/docs"), Client().get("/healthz"),
    ]  # fmt: skip
    for answer in answers:
        policy = answer["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self';" in policy + ";"
        assert "frame-ancestors 'none'" in policy
        assert answer["X-Content-Type-Options"] == "nosniff"
        assert answer["Cross-Origin-Opener-Policy"] == "same-origin"
        assert answer["Referrer-Policy"] == "same-origin"
        assert "Access-Control-Allow-Origin" not in answer
        assert "Server" not in answer


def signed_in(dana: Person) -> Client:
    client = Client()
    client.post("/accounts/login/", {"login": dana.email, "password": PASSWORD})
    return client


def test_the_page_wants_a_person_and_carries_its_csrf_token(
    dana: Person, tmp_path: Any, settings: Any
) -> None:
    assert Client().get("/agents/1")["Location"] == "/accounts/login/?next=/agents/1"
    vite = {**product.DJANGO_VITE["default"], "manifest_path": tmp_path / "manifest.json"}
    settings.DJANGO_VITE = {"default": vite}
    missing = signed_in(dana).get("/agents/1")
    assert missing.status_code == 503
    assert b"not built" in missing.content
