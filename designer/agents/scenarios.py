"""Scenarios of an Agent: named scripts with expectations, its regression suite."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from designer.accounts import policy
from designer.accounts.actors import Actor
from designer.accounts.services import audit
from designer.agents.scenario_models import Scenario, SuiteResult
from designer.agents.selectors import find_agent, lock_agent
from designer.core.canonical import digest
from designer.core.clock import rfc3339
from designer.core.errors import Fault, Refusal, not_found
from designer.core.ids import parse_id

NAME, DESCRIPTION, LINES, MOST = 200, 2_000, 1_000, 200
"""A name's and a description's characters, a scenario's lines, an Agent's scenarios."""


# --- reads --------------------


def scenarios_of(
    actor: Actor, agent: UUID, *, limit: int, cursor: str | None = None
) -> tuple[list[dict[str, Any]], str | None]:
    """A page of scenarios by name, and the cursor of the next one (None at the end).

    Raises 404 `agent.not_found`, 400 `query.invalid`.
    """
    rows = Scenario.objects.filter(agent=find_agent(actor, agent)).select_related("updated_by")
    if cursor is not None:
        id = parse_id(cursor)
        last = rows.filter(id=id).first() if id else None
        if last is None:
            raise Refusal("query.invalid", "There is no such page.", status=400)
        rows = rows.filter(Q(name__gt=last.name) | Q(name=last.name, id__gt=last.id))
    page = list(rows.order_by("name", "id")[: limit + 1])
    more = str(page[limit - 1].id) if len(page) > limit else None
    return [scenario_json(row) for row in page[:limit]], more


def find_scenario(actor: Actor, agent: UUID, scenario: UUID) -> Scenario:
    """One scenario. Raises 404 `agent.not_found`, `scenario.not_found`."""
    return _find(find_agent(actor, agent).id, scenario)


def _find(agent: UUID, scenario: UUID) -> Scenario:
    rows = Scenario.objects.select_related("updated_by")
    row = rows.filter(agent_id=agent, id=scenario).first()
    if row is None:
        raise not_found("scenario", scenario)
    return row


def chosen_scenarios(agent: UUID, ids: Sequence[UUID] | None) -> list[Scenario]:
    """The scenarios with these ids, all of them for None, by name; one query.

    Raises 404 `scenario.not_found` for an id that is none.
    """
    rows = Scenario.objects.filter(agent_id=agent).order_by("name", "id")
    found = list(rows if ids is None else rows.filter(id__in=ids))
    missing = set(ids or ()) - {row.id for row in found}
    if missing:
        raise not_found("scenario", min(missing))
    return found


def scenario_json(row: Scenario) -> dict[str, Any]:
    """A scenario as the API shows it."""
    by = row.updated_by
    return {
        "id": str(row.id),
        "name": row.name,
        "description": row.description,
        "slots": row.slots,
        "lines": row.lines,
        "revision": row.revision,
        "updated_at": rfc3339(row.updated_at),
        "updated_by": {"id": str(by.pk), "name": by.display_name()} if by else None,
        "last": row.last,
    }


def scenarios_digest(agent: UUID) -> str:
    """The digest of what the Agent's scenarios do; names and descriptions are not in it."""
    return digest_of_rows(Scenario.objects.filter(agent_id=agent))


def digest_of_rows(rows: Iterable[Scenario]) -> str:
    """As `scenarios_digest`, of rows that are read already."""
    said = [{"id": str(row.id), "slots": row.slots, "lines": row.lines} for row in rows]
    return digest(sorted(said, key=lambda one: str(one["id"])))


# --- verbs --------------------


def _fault(path: str, message: str) -> Fault:
    return Fault(path, message, "scenario.invalid")


def _checked(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a scenario. Raises 422 `scenario.invalid` with every fault."""
    name, description = fields["name"], fields.get("description") or ""
    slots, lines = fields.get("slots") or {}, fields.get("lines") or []
    faults = []
    if not isinstance(name, str) or not name.strip() or len(name) > NAME:
        faults.append(_fault("/name", f"A name has 1 to {NAME} characters."))
    if not isinstance(description, str) or len(description) > DESCRIPTION:
        faults.append(_fault("/description", f"At most {DESCRIPTION:,} characters."))
    if not isinstance(slots, dict):
        faults.append(_fault("/slots", "An object is expected."))
    if not isinstance(lines, list) or len(lines) > LINES:
        faults.append(_fault("/lines", f"A list of at most {LINES:,} lines is expected."))
    else:
        faults += [
            _fault(f"/lines/{place}", "A line is an object.")
            for place, line in enumerate(lines)
            if not isinstance(line, dict)
        ]
    if faults:
        raise Refusal("scenario.invalid", faults[0].message, errors=faults[:200])
    return {"name": name, "description": description, "slots": slots, "lines": lines}


@transaction.atomic
def create_scenario(
    actor: Actor, now: datetime, *, agent: UUID, fields: Mapping[str, Any]
) -> Scenario:
    """A new scenario of `{name, description?, slots?, lines?}`.

    Raises 404, 422 `scenario.invalid`, `scenario.too_many`.
    """
    policy.require("scenarios.edit", actor)
    return add_scenario(actor, now, agent=agent, fields=fields)


def add_scenario(
    actor: Actor, now: datetime, *, agent: UUID, fields: Mapping[str, Any]
) -> Scenario:
    """As `create_scenario`, for a verb that has asked the policy; in its transaction."""
    owner = lock_agent(actor, agent)
    said = _checked(fields)
    if Scenario.objects.filter(agent=owner).count() >= MOST:
        raise Refusal("scenario.too_many", f"An agent holds at most {MOST} scenarios.")
    made = Scenario.objects.create(
        agent=owner, created_at=now, updated_at=now, updated_by_id=actor.user, **said
    )
    audit(actor, now, "scenario.created", "scenario", made.id, agent=owner.key, name=made.name)
    return _find(owner.id, made.id)


@transaction.atomic
def replace_scenario(
    actor: Actor,
    now: datetime,
    *,
    agent: UUID,
    scenario: UUID,
    expected: int | None,
    fields: Mapping[str, Any],
) -> Scenario:
    """Makes a scenario what `fields` says; the same again changes nothing.

    Raises 404, 412 `scenario.stale`, 422 `scenario.invalid`.
    """
    policy.require("scenarios.edit", actor)
    owner = lock_agent(actor, agent)
    row = _find(owner.id, scenario)
    if expected is not None and expected != row.revision:
        raise Refusal(
            "scenario.stale",
            f"The scenario is at revision {row.revision}, not {expected}.",
            status=412,
            extra={"revision": row.revision},
            headers={"ETag": f'"{row.revision}"'},
        )
    said = _checked(fields)
    if all(getattr(row, name) == value for name, value in said.items()):
        return row
    if (said["slots"], said["lines"]) != (row.slots, row.lines):
        row.last = None
    for name, value in said.items():
        setattr(row, name, value)
    row.revision += 1
    row.updated_at, row.updated_by_id = now, actor.user
    row.save()
    audit(actor, now, "scenario.changed", "scenario", row.id, agent=owner.key, name=row.name)
    return _find(owner.id, row.id)


@transaction.atomic
def delete_scenario(actor: Actor, now: datetime, *, agent: UUID, scenario: UUID) -> None:
    """Takes a scenario away. Raises 404."""
    policy.require("scenarios.edit", actor)
    owner = lock_agent(actor, agent)
    row = _find(owner.id, scenario)
    audit(actor, now, "scenario.deleted", "scenario", row.id, agent=owner.key, name=row.name)
    row.delete()


# --- what runs found --------------------


def result_json(row: SuiteResult) -> dict[str, Any]:
    """`{total, passed, failed, coverage, job, at}`."""
    return {
        "total": row.total,
        "passed": row.passed,
        "failed": row.failed,
        "coverage": row.coverage,
        "job": str(row.job),
        "at": rfc3339(row.at),
    }


def newest_result(agent: UUID, version: int | None) -> SuiteResult | None:
    """The newest run of the whole suite on a version, or on the draft for None."""
    return SuiteResult.objects.filter(agent_id=agent, version=version).order_by("-at").first()


def newest_results(agent: UUID, versions: Iterable[int]) -> dict[int, dict[str, Any]]:
    """What the newest run of the whole suite found on each of these versions, without its
    coverage; one query.
    """
    names = ("total", "passed", "failed", "job", "at", "scenarios_digest")
    rows = SuiteResult.objects.filter(agent_id=agent, version__in=list(versions)).order_by("at")
    return {
        row["version"]: {name: row[name] for name in names}
        | {"job": str(row["job"]), "at": rfc3339(row["at"])}
        for row in rows.values("version", *names)
    }


def keep_result(now: datetime, *, agent: UUID, version: int | None, **found: Any) -> None:
    """Keeps what a run of the whole suite found, in place of what one before found.

    In the caller's transaction.
    """
    SuiteResult.objects.filter(agent_id=agent, version=version).delete()
    SuiteResult.objects.create(agent_id=agent, version=version, at=now, **found)


def mark_last(
    now: datetime, *, version: int | None, runs: Mapping[UUID, tuple[int, bool]]
) -> None:
    """Notes on each scenario how its newest run went: by id, (the revision that ran, whether all
    was as expected). One that was changed meanwhile is left alone. Two statements.
    """
    rows = list(Scenario.objects.filter(id__in=runs).only("id", "revision"))
    marked = [row for row in rows if row.revision == runs[row.id][0]]
    for row in marked:
        shown = "draft" if version is None else version
        row.last = {"ok": runs[row.id][1], "at": rfc3339(now), "version": shown}
    Scenario.objects.bulk_update(marked, ["last"], batch_size=100)
