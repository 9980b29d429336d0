"""Verbs on Agents and drafts.

One verb, one function, one transaction; the draft's row is locked first.
"""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction

from designer.accounts import policy
from designer.accounts.actors import Actor
from designer.accounts.services import audit
from designer.agents import operations as ops
from designer.agents.documents import Built, build, load
from designer.agents.draft import Draft
from designer.agents.fields import NAME, text
from designer.agents.fields import key as key_rule
from designer.agents.models import Agent, DraftEdit
from designer.agents.problems import counted, problems_of
from designer.agents.renames import follow
from designer.agents.selectors import lock_agent, require_revision
from designer.agents.storage import read, write
from designer.core.canonical import digest
from designer.core.errors import Fault, Refusal
from designer.core.ids import new_id
from designer.realtime.announce import announce

THUMBNAIL = 24


def _fresh(kind: str, name: str) -> str:
    del kind, name
    return str(new_id())


def _thumbnail(draft: Draft) -> list[dict[str, Any]]:
    """The boxes of the outermost states, on the whole canvas."""
    boxes = []
    for region in draft.children("region", None):
        outer = draft.layout.get(region, {"x": 0, "y": 0})
        speaker = draft.rows["region"][region]["role"] == "speaker"
        for state in draft.children("state", region):
            box = draft.layout.get(state)
            if box is not None:
                place = {"x": outer["x"] + box["x"], "y": outer["y"] + box["y"]}
                boxes.append(place | {"w": box["w"], "h": box["h"], "speaker": speaker})
    return boxes[:THUMBNAIL]


def _refresh(row: Agent, draft: Draft, built: Built) -> list[dict[str, Any]]:
    """Puts what lists show into the Agent's row; gives the problems."""
    problems = problems_of(built)
    row.problem_counts = counted(problems)
    row.state_count = len(draft.rows["state"])
    row.thumbnail = _thumbnail(draft)
    row.draft_digest = digest(built.document)
    return problems


def _check_key_and_name(key: Any, name: Any) -> None:
    faults = [
        Fault(f"/{field}", message, "agent.invalid")
        for field, message in (("key", key_rule(key)), ("name", text(NAME)(name)))
        if message
    ]
    if not faults and not name.strip():
        faults = [Fault("/name", "A name is needed.", "agent.invalid")]
    if faults:
        raise Refusal("agent.invalid", faults[0].message, errors=faults)


def _key_taken(key: str) -> Refusal:
    return Refusal(
        "agent.key_taken",
        f"There is already an agent {key}.",
        status=409,
        errors=[Fault("/key", "This key is taken.", "agent.key_taken")],
    )


BLANK: dict[str, Any] = {
    "format": "callchart.machine/1",
    "regions": [
        {
            "key": "conversation",
            "label": "Conversation",
            "role": "speaker",
            "initial": "start",
            "states": [
                {"key": "start", "label": "Start"},
                {"key": "end", "label": "End", "kind": "final"},
            ],
        }
    ],
}
BLANK_LAYOUT: dict[str, Any] = {
    "regions": {"conversation": {"x": 0, "y": 0, "w": 960, "h": 420}},
    "states": {
        "start": {"x": 80, "y": 160, "w": 200, "h": 84},
        "end": {"x": 680, "y": 160, "w": 200, "h": 84},
    },
}
"""A new Agent's draft: the speaker's lane with a start and a final state."""


@transaction.atomic
def create_agent(
    actor: Actor,
    now: datetime,
    *,
    key: Any,
    name: Any,
    document: Any = None,
    layout: Any = None,
) -> UUID:
    """A new Agent, blank or from an agent document; its id.

    Raises 422 `agent.invalid`, `document.invalid`, 409 `agent.key_taken`.
    """
    policy.require("agents.create", actor)
    _check_key_and_name(key, name)
    id = new_id()
    empty = Draft(str(id), key, dict.fromkeys(("name", "instructions"), "") | {"squad": []})
    if document is None:
        document = {"format": "callchart.agent/1", "key": key, "machine": BLANK}
        layout = BLANK_LAYOUT
    draft = load(document, previous=empty, new_id=_fresh, layout=layout)
    draft.settings["name"] = name
    ops.judge(draft, [])
    row = Agent(
        id=id,
        workspace_id=actor.workspace,
        key=key,
        created_at=now,
        updated_at=now,
        updated_by_id=actor.user,
    )
    _refresh(row, draft, build(draft))
    nothing = Draft(str(id), key, draft.settings)
    for field, value in draft.settings.items():
        setattr(row, field, value)
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except IntegrityError as error:
        raise _key_taken(key) from error
    write(row, nothing, draft)
    row.save(update_fields=["limits"])
    audit(actor, now, "agent.created", "agent", id, key=key)
    return id


def _commit(
    actor: Actor,
    now: datetime,
    row: Agent,
    *,
    batch: UUID,
    sha256: str,
    before: Draft,
    after: Draft,
    applied: ops.Applied,
    **said: Any,
) -> DraftEdit:
    """Writes the rows, the new revision and the edit; announces it on commit.

    `said` is what the edit says of itself: its title, what it undoes or redoes.
    """
    try:
        with transaction.atomic():
            write(row, before, after)
    except IntegrityError as error:  # an id that a row of some other draft has
        raise Refusal(
            "operation.invalid",
            "An id of these operations is already taken.",
            errors=[Fault("/operations", "Take a fresh id for what is added.", "id.taken")],
        ) from error
    follow(row, before, after)
    problems = _refresh(row, after, build(after))
    row.revision += 1
    row.updated_at = now
    row.updated_by_id = actor.user
    row.save()
    edit = DraftEdit.objects.create(
        agent=row,
        revision=row.revision,
        batch=batch,
        body_sha256=sha256,
        actor_id=actor.user,
        at=now,
        operations=applied.operations,
        inverse=applied.inverse,
        problems=problems,
        **said,
    )
    announce("agents", str(row.id), row.revision)
    return edit


def _titled(operations: list[ops.Operation]) -> str:
    """A title for a batch that came without one: its operations, each kind once."""
    return ", ".join(dict.fromkeys(operation["op"] for operation in operations))[:200]


def _require_own(row: Agent, actor: Actor, **named: UUID | None) -> None:
    """What a batch undoes or redoes is an edit of the actor's own. Raises 422."""
    for name, batch in named.items():
        if batch is None:
            continue
        if not DraftEdit.objects.filter(agent=row, batch=batch, actor_id=actor.user).exists():
            message = "This is no edit of yours on this draft."
            raise Refusal(
                "operation.invalid",
                message,
                errors=[Fault(f"/{name}", message, "operation.invalid")],
            )


@transaction.atomic
def apply_operations(
    actor: Actor,
    now: datetime,
    *,
    agent: UUID,
    batch: UUID,
    base: int | None,
    operations: Any,
    expected: int | None = None,
    title: str = "",
    undoes: UUID | None = None,
    redoes: UUID | None = None,
) -> dict[str, Any]:
    """Applies a batch to the draft, all of it or nothing; the answer of contracts.md section 5.

    The same `batch` again gives the stored answer. `undoes` is the batch (of the actor) that this
    one takes back, `redoes` the one that took back what this one does again. Raises 404, 412
    `draft.stale`, 409 `operation.gone`, 409 `idempotency.key_reused`, 422 `operation.invalid`.
    """
    policy.require("drafts.edit", actor)
    row = lock_agent(actor, agent)
    sha256 = digest(operations)
    known = DraftEdit.objects.filter(agent=row, batch=batch).first()
    if known is not None:
        if known.body_sha256 != sha256:
            raise Refusal(
                "idempotency.key_reused",
                f"The batch {batch} was sent before with other operations.",
                status=409,
            )
        return known.answer(replayed=True)
    require_revision(row, expected)
    if base is not None and base > row.revision:
        raise Refusal(
            "draft.ahead",
            f"The draft is at revision {row.revision}; {base} is not there yet.",
            status=409,
        )
    _require_own(row, actor, undoes=undoes, redoes=redoes)
    before = read(row)
    after = before.copy()
    applied = ops.apply_batch(after, operations)
    edit = _commit(
        actor,
        now,
        row,
        batch=batch,
        sha256=sha256,
        before=before,
        after=after,
        applied=applied,
        title=title or _titled(applied.operations),
        undoes=undoes,
        redoes=redoes,
    )
    return edit.answer(replayed=False)


@transaction.atomic
def replace_draft(
    actor: Actor,
    now: datetime,
    *,
    agent: UUID,
    expected: int,
    document: Any,
    layout: Any = None,
) -> None:
    """Makes the draft what an agent document says (the Agent's key stays).

    Raises 404, 412, 422.
    """
    policy.require("drafts.edit", actor)
    row = lock_agent(actor, agent)
    require_revision(row, expected)
    before = read(row)
    after = load(document, previous=before, new_id=_fresh, layout=layout)
    if not after.settings["name"]:
        after.settings["name"] = before.settings["name"]
    ops.judge(after, [])
    _commit(
        actor,
        now,
        row,
        batch=new_id(),
        sha256=digest(document),
        before=before,
        after=after,
        applied=ops.Applied([{"op": "draft.replace"}], []),
    )


@transaction.atomic
def rename_agent(
    actor: Actor, now: datetime, *, agent: UUID, key: Any = None, name: Any = None
) -> None:
    """Another key or name. Raises 404, 409 `agent.key_taken`, 422 `agent.invalid`."""
    policy.require("agents.update", actor)
    row = lock_agent(actor, agent)
    _check_key_and_name(row.key if key is None else key, row.name if name is None else name)
    before = read(row)
    after = before.copy()
    applied = ops.Applied([{"op": "draft.replace"}], [])
    if name is not None:
        applied = ops.settings_update(after, {"op": "settings.update", "fields": {"name": name}})
    if key is not None and key != row.key:
        row.key = after.key = key
    try:
        with transaction.atomic():
            _commit(
                actor,
                now,
                row,
                batch=new_id(),
                sha256="",
                before=before,
                after=after,
                applied=applied,
            )
    except IntegrityError as error:
        raise _key_taken(row.key) from error
    audit(actor, now, "agent.renamed", "agent", agent, key=row.key, name=row.name)


@transaction.atomic
def archive_agent(actor: Actor, now: datetime, *, agent: UUID) -> None:
    """Takes an Agent out of sight; its versions and Calls stay. Raises 404."""
    policy.require("agents.archive", actor)
    row = lock_agent(actor, agent)
    row.archived_at = now
    row.save(update_fields=["archived_at"])
    audit(actor, now, "agent.archived", "agent", agent, key=row.key)
