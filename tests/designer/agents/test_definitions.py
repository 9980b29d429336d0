"""A definition comes in whole or not at all, and goes out as it came in."""

from __future__ import annotations

import copy

import pytest

from designer.models import Agent, State
from interpreter import library
from tests.designer.conftest import Api
from tests.support.charts import desk


@pytest.mark.row("F002")
def test_an_initial_state_that_is_not_declared_is_refused_by_name(api: Api) -> None:
    document = copy.deepcopy(desk())
    document["machine"]["regions"][0]["initial"] = "lobby"
    answer = api("POST", "agents", {"document": document})
    assert answer.status_code == 422
    told = answer.json()
    assert "lobby" in told["detail"] + str(told["errors"])
    assert not Agent.objects.exists()
    assert not State.objects.exists()


@pytest.mark.row("F023")
@pytest.mark.parametrize("key", library.names())
def test_a_definition_exported_imported_and_exported_is_the_same(api: Api, key: str) -> None:
    first = api("POST", "agents", {"key": "first", "name": "First", "template": key})
    assert first.status_code == 201, first.content
    document = api("GET", f"agents/{first.json()['id']}/draft/document").json()
    second = api("POST", "agents", {"document": document | {"key": "second"}})
    assert second.status_code == 201, second.content
    again = api("GET", f"agents/{second.json()['id']}/draft/document").json()
    assert again == document | {"key": "second"}
