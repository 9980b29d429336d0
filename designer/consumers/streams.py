"""The one table of streams: where each kind's rows are read. The hub knows no kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from designer.agents import selectors as agents
from designer.calls import event_store
from designer.calls import selectors as calls
from designer.jobs import selectors as jobs
from designer.realtime.frames import encode
from designer.realtime.hub import Head, Item
from designer.realtime.topics import CALL, DRAFT, JOB, Topic


@dataclass(frozen=True)
class Kind:
    """How the streams of one kind are read; all of it synchronous."""

    read: Callable[[UUID, int, int], list[dict[str, Any]]]
    heads: Callable[[list[UUID]], dict[UUID, Head]]
    snapshot: Callable[[UUID], dict[str, Any]]
    workspace: Callable[[UUID], UUID | None]


def _call_items(call_id: UUID, after: int, limit: int) -> list[dict[str, Any]]:
    events = event_store.events_after(call_id, after, limit)
    if not events:
        return []
    veil = event_store.veil_of(call_id, upto=events[-1].seq)
    return [event.to_json(veil) for event in events]


def _call_heads(ids: list[UUID]) -> dict[UUID, Head]:
    found = event_store.heads(ids)
    return {key: Head(head.epoch, head.seq, head.pruned_before) for key, head in found.items()}


def _job_heads(ids: list[UUID]) -> dict[UUID, Head]:
    return {key: Head(1, seq) for key, seq in jobs.heads(ids).items()}


def _draft_heads(ids: list[UUID]) -> dict[UUID, Head]:
    return {key: Head(1, seq) for key, seq in agents.draft_revisions(ids).items()}


def _draft_snapshot(agent_id: UUID) -> dict[str, Any]:
    """A draft is read again by its own route; the reset only says that it must be."""
    return {"agent": str(agent_id)}


KINDS: Mapping[str, Kind] = {
    CALL: Kind(_call_items, _call_heads, calls.watched_call, calls.workspace_of_call),
    JOB: Kind(jobs.steps_after, _job_heads, jobs.watched_job, jobs.workspace_of_job),
    DRAFT: Kind(agents.edits_after, _draft_heads, _draft_snapshot, agents.workspace_of_agent),
}


def workspace_of(topic: Topic) -> UUID | None:
    """Give the workspace a stream belongs to, or None when there is no such stream."""
    return KINDS[topic.kind].workspace(UUID(topic.id))


class Streams:
    """The Source of the hub."""

    def read(self, topic: Topic, after: int, limit: int) -> Sequence[Item]:
        """Give the items after a number, each encoded once for all watchers of the process."""
        items = KINDS[topic.kind].read(UUID(topic.id), after, limit)
        return [Item(item["seq"], encode(item)) for item in items]

    def heads(self, topics: Iterable[Topic]) -> Mapping[Topic, Head]:
        """Give where streams stand: one query a kind."""
        by_kind: dict[str, list[Topic]] = {}
        for topic in topics:
            by_kind.setdefault(topic.kind, []).append(topic)
        found: dict[Topic, Head] = {}
        for kind, members in by_kind.items():
            heads = KINDS[kind].heads([UUID(topic.id) for topic in members])
            for topic in members:
                head = heads.get(UUID(topic.id))
                if head is not None:
                    found[topic] = head
        return found

    def snapshot(self, topic: Topic) -> tuple[Head, dict[str, object]]:
        """Give the head first and the state after it: what came between is in the stream again."""
        head = self.heads([topic]).get(topic, Head(1, 0))
        return head, KINDS[topic.kind].snapshot(UUID(topic.id))
