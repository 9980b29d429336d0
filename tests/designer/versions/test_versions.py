"""Publish, approve, activate."""

from __future__ import annotations

import copy
import subprocess
import sys
from typing import Any
from uuid import uuid4

import pytest
from django.db import IntegrityError, connection, transaction

from designer.accounts import services as people
from designer.core.clock import now
from designer.models import AuditEntry, Version, Workspace
from interpreter import digest_of
from tests.designer.agents.test_draft_api import draft, dump, edit, made, row
from tests.designer.conftest import Api, Person
from tests.support.charts import desk


def publish(api: Api, agent: str) -> Any:
    return api("POST", f"agents/{agent}/versions")


def activate(api: Api, reviewer: Api, agent: str, number: int = 1) -> None:
    assert reviewer("POST", f"agents/{agent}/versions/{number}/approve").status_code == 200
    assert reviewer("POST", f"agents/{agent}/versions/{number}/activate").status_code == 200


def rename(api: Api, agent: str, name: str) -> None:
    assert edit(api, agent, {"op": "settings.update", "fields": {"name": name}}).status_code == 200


@pytest.mark.row("F309", "R3-31")
def test_publish_lists_every_problem_and_makes_no_version(api: Api) -> None:
    chart = desk()
    states = chart["machine"]["regions"][0]["states"]
    states[0]["prompt"] = "nothing"
    states[0]["transitions"][0]["guard"] = "slots.unknown == 1"
    states[1]["tools"] = ["hammer"]
    agent = made(api, chart)
    before = dump()
    answer = publish(api, agent)
    assert (answer.status_code, answer.json()["code"]) == (422, "check.failed")
    errors = [p for p in answer.json()["problems"] if p["severity"] == "error"]
    assert len(errors) == 3
    assert all(problem["path"] and problem["subject"]["id"] for problem in errors)
    assert dump() == before


@pytest.mark.row("F310", "R3-32")
def test_a_version_stays_as_it_was_published(api: Api) -> None:
    agent = made(api)
    first = publish(api, agent)
    assert first.status_code == 201
    frozen = api("GET", f"agents/{agent}/versions/1").json()
    slot = row(draft(api, agent)["slots"], "tries")["id"]
    edit(api, agent, {"op": "slot.update", "id": slot, "fields": {"key": "attempts"}})
    rename(api, agent, "Other")
    assert api("GET", f"agents/{agent}/versions/1").json() == frozen


@pytest.mark.row("F311", "R3-33")
def test_a_version_carries_what_a_call_needs_and_its_digest(api: Api) -> None:
    from designer.versions.selectors import machine_of

    agent = made(api)
    answer = publish(api, agent).json()
    document = api("GET", f"agents/{agent}/versions/1").json()["document"]
    assert answer["digest"] == digest_of(document)
    version = Version.objects.get(agent_id=agent)
    machine = machine_of(version.id)
    assert machine_of(Version.objects.get(agent_id=agent).id) is machine


def test_an_unchanged_draft_gives_the_same_version_back(api: Api) -> None:
    agent = made(api)
    first = publish(api, agent)
    again = publish(api, agent)
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json() == first.json()


@pytest.mark.row("F312")
def test_versions_are_numbered_and_one_is_active(api: Api, reviewer: Api, dana: Person) -> None:
    from designer.versions.selectors import version_for_call

    agent = made(api)
    publish(api, agent)
    rename(api, agent, "Two")
    assert publish(api, agent).json()["number"] == 2
    for number in (1, 2):
        activate(api, reviewer, agent, number)
    statuses = {
        v["number"]: v["status"] for v in api("GET", f"agents/{agent}/versions").json()["results"]
    }
    assert statuses == {1: "retired", 2: "active"}
    reviewer("POST", f"agents/{agent}/versions/1/activate")
    assert version_for_call(dana.actor, agent, None).number == 1  # type: ignore[arg-type]
    assert api("GET", f"agents/{agent}").json()["active_version"] == 1


TEN_LINES = """
import hashlib, json, sys
import rfc8785
version = json.load(sys.stdin)
print(hashlib.sha256(rfc8785.dumps(version["document"])).hexdigest())
"""


def test_the_digest_of_a_version_is_recomputed_outside_the_app(api: Api, reviewer: Api) -> None:
    publish(api, other := made(api, specialist()))
    activate(api, reviewer, other)
    chart = with_squad()
    chart["name"] = "Café 𝄞 \u20ac"
    chart["machine"]["regions"][0]["stability"] = {"cooldown": "2s", "backward_confidence": 1e-7}
    agent = made(api, chart)
    assert publish(api, agent).status_code == 201
    answer = api("GET", f"agents/{agent}/versions/1")
    there = subprocess.run(
        [sys.executable, "-I", "-c", TEN_LINES],
        input=answer.content, capture_output=True, check=True, cwd="/",
    )  # fmt: skip
    stored = Version.objects.get(agent_id=agent).digest
    assert there.stdout.decode().strip() == stored == answer.json()["digest"]


@pytest.mark.row("F313")
def test_an_edit_after_publishing_shows(api: Api) -> None:
    agent = made(api)
    assert api("GET", f"agents/{agent}").json()["differs"] is True
    publish(api, agent)
    assert api("GET", f"agents/{agent}").json()["differs"] is False
    rename(api, agent, "Other")
    assert api("GET", f"agents/{agent}").json()["differs"] is True
    assert draft(api, agent)["differs"] is True
    rename(api, agent, "Desk")
    assert draft(api, agent)["differs"] is False


def test_a_version_is_drawn_with_ids_that_stay(api: Api) -> None:
    agent = made(api)
    publish(api, agent)
    rows = api("GET", f"agents/{agent}/versions/1").json()["rows"]
    again = api("GET", f"agents/{agent}/versions/1").json()["rows"]
    assert rows == again
    shape = set(draft(api, agent)) - {"status", "active_version", "latest_version", "differs"}
    assert set(rows) == shape
    assert {s["key"] for s in rows["states"]} == {s["key"] for s in draft(api, agent)["states"]}


def test_only_an_approved_version_is_activated(api: Api, reviewer: Api) -> None:
    agent = made(api)
    publish(api, agent)
    answer = reviewer("POST", f"agents/{agent}/versions/1/activate")
    assert (answer.status_code, answer.json()["code"]) == (409, "version.not_approved")
    assert api("POST", f"agents/{agent}/versions/1/approve").status_code == 403
    assert reviewer("POST", f"agents/{agent}/versions/7/approve").status_code == 404


@pytest.mark.row("R-12")
def test_an_author_can_not_approve_their_own_work(api: Api, dana: Person, rui: Person) -> None:
    agent = made(api)
    publish(api, agent)
    admin = people_admin(dana)
    people.set_roles(admin, now(), user=dana.id, roles=["designer", "reviewer"])
    both = token_of(dana)
    for _ in range(2):
        answer = both("POST", f"agents/{agent}/versions/1/approve")
        assert (answer.status_code, answer.json()["code"]) == (403, "version.own_work")
    people.set_roles(admin, now(), user=dana.id, roles=["reviewer"])
    assert token_of(dana)("POST", f"agents/{agent}/versions/1/approve").status_code == 403
    assert Version.objects.get(agent_id=agent).status == "published"
    Workspace.objects.update(allow_self_approval=True)
    assert token_of(dana)("POST", f"agents/{agent}/versions/1/approve").status_code == 200


def people_admin(dana: Person) -> Any:
    from dataclasses import replace

    return replace(dana.actor, roles=frozenset({"admin"}))


def token_of(person: Person) -> Api:
    from designer.accounts.selectors import actor_of_user

    actor = actor_of_user(person.id, person.actor.slug)
    raw, _ = people.issue_token(actor, now(), name="again", roles=actor.roles)
    return Api(raw)


def test_a_published_version_never_changes(api: Api) -> None:
    agent = made(api)
    publish(api, agent)
    before = dump()["Version"]
    for method in ("PUT", "PATCH", "DELETE"):
        assert api(method, f"agents/{agent}/versions/1", {}).status_code == 405
    for column, value in [
        ("number", 9), ("digest", "x"), ("document", {}), ("layout", {"a": 1}), ("base", 7),
        ("authors", ["x"]), ("anchors", {"state": {}}), ("revision", 99),
    ]:  # fmt: skip
        with pytest.raises(IntegrityError, match="never changes"), transaction.atomic():
            Version.objects.filter(agent_id=agent).update(**{column: value})
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE designer_version SET document = '{}'")
    with pytest.raises(TypeError, match="never deleted"):
        Version.objects.get(agent_id=agent).delete()
    with pytest.raises(IntegrityError, match="never changes"), transaction.atomic():
        Version.objects.filter(agent_id=agent).delete()
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("DELETE FROM designer_version")
    version = Version.objects.get(agent_id=agent)
    version.digest = "0" * 64
    with pytest.raises(IntegrityError), transaction.atomic():
        version.save()
    assert dump()["Version"] == before
    stored = Version.objects.get(agent_id=agent)
    assert digest_of(stored.document) == stored.digest


def specialist(**more: Any) -> dict[str, Any]:
    return {
        "format": "callchart.agent/1",
        "key": "billing",
        "name": "Billing",
        "instructions": "Bill.",
    } | more


def with_squad(agent: str = "billing") -> dict[str, Any]:
    return desk() | {"squad": [{"key": "billing", "agent": agent}]}


def squad_codes(answer: Any) -> list[str]:
    assert answer.status_code == 422, answer.content
    return [p["code"] for p in answer.json()["problems"] if p["code"].startswith("squad.")]


def test_a_squad_agent_needs_an_active_version(api: Api, reviewer: Api) -> None:
    agent = made(api, with_squad())
    assert squad_codes(publish(api, agent)) == ["squad.unknown"]
    other = made(api, specialist())
    assert squad_codes(publish(api, agent)) == ["squad.not_active"]
    publish(api, other)
    activate(api, reviewer, other)
    answer = publish(api, agent)
    assert answer.status_code == 201
    pinned = api("GET", f"agents/{agent}/versions/1").json()["document"]["squad"]
    digest = api("GET", f"agents/{other}/versions/1").json()["digest"]
    assert pinned == [{"key": "billing", "agent": "billing", "version": 1, "digest": digest}]
    assert api("GET", f"agents/{agent}").json()["differs"] is False


@pytest.mark.row("F290", "R3-24")
def test_a_published_version_keeps_the_squad_version_it_was_pinned_to(
    api: Api, reviewer: Api
) -> None:
    billing = made(api, specialist())
    publish(api, billing)
    activate(api, reviewer, billing)
    agent = made(api, with_squad())
    publish(api, agent)
    activate(api, reviewer, agent)
    pinned = api("GET", f"agents/{agent}/versions/1").json()["document"]["squad"]
    rename(api, billing, "Billing two")
    newer = publish(api, billing).json()
    activate(api, reviewer, billing, 2)
    kept = api("GET", f"agents/{agent}/versions/1").json()
    assert kept["document"]["squad"] == pinned
    assert (pinned[0]["version"], kept["void"]) == (1, None)
    # Publishing anew is what takes the newer one up.
    again = publish(api, agent)
    assert (again.status_code, again.json()["number"]) == (201, 2)
    squad = api("GET", f"agents/{agent}/versions/2").json()["document"]["squad"]
    assert (squad[0]["version"], squad[0]["digest"]) == (2, newer["digest"])


@pytest.mark.row("F291", "R3-25")
def test_a_squad_agent_has_no_machine_and_no_squad(api: Api, reviewer: Api) -> None:
    chart = copy.deepcopy(desk()) | {"key": "billing"}
    other = made(api, chart)
    publish(api, other)
    activate(api, reviewer, other)
    agent = made(api, with_squad())
    assert squad_codes(publish(api, agent)) == ["squad.nested_machine"]
    assert squad_codes(publish(api, made(api, with_squad("me") | {"key": "me"}))) == [
        "squad.itself"
    ]


@pytest.mark.row("F292", "R3-26")
def test_squads_do_not_nest(api: Api, reviewer: Api) -> None:
    inner = made(api, specialist() | {"key": "inner"})
    publish(api, inner)
    activate(api, reviewer, inner)
    outer = made(api, specialist(squad=[{"key": "inner", "agent": "inner"}]))
    publish(api, outer)
    activate(api, reviewer, outer)
    assert squad_codes(publish(api, made(api, with_squad()))) == ["squad.nested_squad"]


def test_a_stale_publish_is_refused(api: Api) -> None:
    agent = made(api)
    rename(api, agent, "Other")
    answer = api("POST", f"agents/{agent}/versions", {}, If_Match='"1"')
    assert (answer.status_code, answer.json()["code"]) == (412, "draft.stale")
    assert Version.objects.count() == 0


def test_publishing_again_with_a_key_gives_the_first_answer(api: Api) -> None:
    agent = made(api)
    first = api("POST", f"agents/{agent}/versions", {}, Idempotency_Key="p")
    rename(api, agent, "Other")
    again = api("POST", f"agents/{agent}/versions", {}, Idempotency_Key="p")
    assert (again.status_code, again.json()) == (201, first.json())
    assert Version.objects.count() == 1


def test_the_audit_says_who_did_what(api: Api, reviewer: Api, dana: Person) -> None:
    agent = made(api)
    publish(api, agent)
    activate(api, reviewer, agent)
    verbs = list(
        AuditEntry.objects.filter(kind="version").order_by("at").values_list("verb", flat=True)
    )
    assert verbs == ["version.published", "version.approved", "version.activated"]
    entry = AuditEntry.objects.get(verb="version.published")
    assert (entry.actor, entry.actor_name) == (str(dana.id), dana.email)
    with pytest.raises(IntegrityError), transaction.atomic():
        AuditEntry.objects.filter(id=entry.id).update(actor_name="someone else")
    with pytest.raises(TypeError):
        entry.delete()
    with pytest.raises(IntegrityError, match="never changes"), transaction.atomic():
        AuditEntry.objects.filter(id=entry.id).delete()
    assert uuid4() != entry.id
