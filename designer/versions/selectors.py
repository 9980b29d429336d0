"""Reads of versions. A version's machine is compiled once per process."""

import threading
from typing import Any
from uuid import UUID, uuid5

from django.db.models import QuerySet

from designer.accounts.actors import Actor
from designer.agents.documents import Built, build, build_layout, load
from designer.agents.draft import Draft
from designer.agents.fields import KINDS
from designer.agents.selectors import draft_of, find_agent
from designer.core.clock import rfc3339
from designer.core.errors import Refusal
from designer.versions.anchors import Names, names_then
from designer.versions.closure import Surroundings, review_json, surroundings
from designer.versions.models import ACTIVE, Version
from interpreter import Machine, compile_agent

ROWS = UUID("6c7a1f0e-31c5-5b9e-9a35-0d6f0f5ad2b1")
"""The namespace of the ids that a version's rows get from their keys."""


def _not_found(agent: UUID, number: object) -> Refusal:
    return Refusal(
        "version.not_found", f"There is no version {number} of agent {agent}.", status=404
    )


def versions_of(actor: Actor, agent: UUID) -> QuerySet[Version]:
    """The versions of an Agent of the actor's workspace, newest first.

    Raises 404 `agent.not_found`.
    """
    row = find_agent(actor, agent)
    people = ("published_by", "requested_by", "decided_by")
    return Version.objects.filter(agent=row).select_related(*people).order_by("-number")


def find_version(actor: Actor, agent: UUID, number: int) -> Version:
    """One version. Raises 404 `agent.not_found`, `version.not_found`."""
    row = versions_of(actor, agent).filter(number=number).first()
    if row is None:
        raise _not_found(agent, number)
    return row


def version_for_call(actor: Actor, agent: UUID, number: int | None) -> Version:
    """The version that a Call starts on:
    `number`, or the active one (409 `version.none_active`).
    """
    if number is not None:
        return find_version(actor, agent, number)
    row = versions_of(actor, agent).filter(status=ACTIVE).first()
    if row is None:
        raise Refusal("version.none_active", "This agent has no active version.", status=409)
    return row


class _Machines:
    """Compiled machines by version, the longest unused one dropped first."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.lock = threading.Lock()
        self.kept: dict[UUID, Machine] = {}

    def known(self, version: UUID) -> Machine | None:
        with self.lock:
            machine = self.kept.pop(version, None)
            if machine is not None:
                self.kept[version] = machine
        return machine

    def keep(self, version: UUID, document: dict[str, Any]) -> Machine:
        machine = compile_agent(document)
        with self.lock:
            self.kept[version] = machine
            while len(self.kept) > self.size:
                self.kept.pop(next(iter(self.kept)))
        return machine


_machines = _Machines(128)


def machine_of(version: UUID) -> Machine:
    """The compiled machine of a version. Versions never change, so it is kept per process."""
    return _machines.known(version) or machines_of({version})[version]


def machines_of(versions: set[UUID]) -> dict[UUID, Machine]:
    """The compiled machines of versions; one query for those not kept yet."""
    known = {version: _machines.known(version) for version in versions}
    found = {version: machine for version, machine in known.items() if machine is not None}
    missing = versions - set(found)
    if missing:
        rows = Version.objects.filter(id__in=missing).values_list("id", "document")
        found |= {version: _machines.keep(version, document) for version, document in rows}
    return found


def _version_json(row: Version, around: Surroundings) -> dict[str, Any]:
    by = row.published_by
    return {
        "id": str(row.id),
        "number": row.number,
        "status": row.status,
        "digest": row.digest,
        "published_at": rfc3339(row.published_at),
        "published_by": {"id": str(by.pk), "name": by.display_name()} if by else None,
        "problems": row.problems,
        "anchors": {kind: row.anchors.get(kind, {}) for kind in KINDS},
        **review_json(row, around),
    }


def version_json(actor: Actor, row: Version, *, full: bool = False) -> dict[str, Any]:
    """A version as the page reads it; `full` adds document, layout and rows."""
    out = _version_json(row, surroundings(actor.workspace, row.agent_id, [row]))
    if full:
        out |= {"document": row.document, "layout": row.layout, "rows": rows_of(row)}
    return out


def list_versions(
    actor: Actor, agent: UUID, *, limit: int, below: int | None
) -> list[dict[str, Any]]:
    """Versions, newest first, with numbers under `below`."""
    rows = versions_of(actor, agent).defer("document", "layout")
    if below is not None:
        rows = rows.filter(number__lt=below)
    page = list(rows[:limit])
    around = surroundings(actor.workspace, agent, page)
    return [_version_json(row, around) for row in page]


def row_id(agent: UUID, kind: str, name: str) -> str:
    """The id of a version's row: `name` is its key; a transition's source id and its place there
    (`<id>/0`).
    """
    return str(uuid5(ROWS, f"{agent}/{kind}/{name}"))


def rows_of(row: Version) -> dict[str, Any]:
    """The version in the shape of a draft (contracts.md section 5); ids come from the keys, so
    they stay.
    """
    empty = Draft(str(row.agent_id), row.document["key"], {})
    draft = load(
        row.document,
        previous=empty,
        new_id=lambda kind, name: row_id(row.agent_id, kind, name),
        layout=row.layout,
    )
    built = build(draft)
    problems = [_pointed(problem, built) for problem in row.problems]
    return draft.to_json() | {"revision": row.number, "problems": problems}


def _pointed(problem: dict[str, Any], built: Built) -> dict[str, Any]:
    subject, field = built.subject(tuple(problem["path"]))
    return problem | {"subject": subject, "field": field}


def heads(agents: list[UUID]) -> dict[UUID, dict[str, Any]]:
    """For each Agent with versions:
    `{active, latest: {number, status, digest}, draft_digest}`; one query.
    """
    found: dict[UUID, dict[str, Any]] = {}
    rows = (
        Version.objects.filter(agent_id__in=agents)
        .order_by("number")
        .values_list("agent_id", "number", "status", "digest", "draft_digest")
    )
    for agent, number, status, digest, draft_digest in rows:
        head = found.setdefault(agent, {"active": None})
        head["latest"] = {"number": number, "status": status, "digest": digest}
        head["draft_digest"] = draft_digest
        if status == ACTIVE:
            head["active"] = number
    return found


def with_head(shown: dict[str, Any], head: dict[str, Any] | None) -> dict[str, Any]:
    """An Agent or draft with what its versions say:
    status, active and latest version, whether it differs.
    """
    head = head or {"active": None, "latest": None, "draft_digest": None}
    latest = head["latest"]
    status = "active" if head["active"] else latest["status"] if latest else "draft"
    differs = shown["draft_digest"] != head["draft_digest"]
    kept = {name: value for name, value in shown.items() if name != "draft_digest"}
    return kept | {
        "status": status,
        "active_version": head["active"],
        "latest_version": latest,
        "differs": differs,
    }


def document_to_run(
    actor: Actor, agent: UUID, version: int | None
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The agent document and layout of a version, or of the draft for None. Raises 404."""
    if version is None:
        _, draft, built = draft_of(actor, agent)
        return built.document, build_layout(draft)
    row = find_version(actor, agent, version)
    return row.document, row.layout


def document_and_names(
    actor: Actor, agent: UUID, version: int | None
) -> tuple[dict[str, Any], Names]:
    """The document to run, as `document_to_run`, and what it calls differently than the draft
    does: by kind, from the draft's name to the document's. Raises 404.
    """
    if version is None:
        return document_to_run(actor, agent, None)[0], {}
    row = find_version(actor, agent, version)
    _, draft, _ = draft_of(actor, agent)
    return row.document, names_then(draft, row.anchors)
