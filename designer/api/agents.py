"""Agents and their drafts. docs/contracts.md sections 5 and 6."""

from typing import Any
from uuid import UUID

from django.urls import path
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from designer.accounts.actors import Actor
from designer.agents import findings, history, library, selectors, services
from designer.api.bodies import AgentCreate, AgentPatch, OperationBatch
from designer.api.call_bodies import checked
from designer.api.parsers import ChartJSONParser
from designer.api.parts import (
    answered_once,
    etag,
    if_match,
    known_query,
    limit_of,
    make_cursor,
    moment_cursor,
    whole,
    whole_schema,
)
from designer.api.permissions import actor_of
from designer.api.shapes import (
    AgentPageSchema,
    AgentSchema,
    DraftSchema,
    EditAnswerSchema,
    EditPageSchema,
    FindingsSchema,
    HistorySchema,
    TemplateSchema,
)
from designer.calls.selectors import live_calls
from designer.core import clock
from designer.core.errors import Fault, Refusal
from designer.versions.selectors import heads, with_head

KEY = OpenApiParameter("Idempotency-Key", str, OpenApiParameter.HEADER)
IF_MATCH = OpenApiParameter("If-Match", str, OpenApiParameter.HEADER)
LIMIT = OpenApiParameter("limit", whole_schema(1, 200), description="At most this many.")
CURSOR = OpenApiParameter("cursor", str, description="Where the page before ended.")


def shown(summaries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Agents with what their versions and Calls say: two queries for all."""
    ids = [UUID(summary["id"]) for summary in summaries]
    versions, live = heads(ids), live_calls(ids)
    return [
        with_head(summary, versions.get(id)) | {"live_calls": live.get(id, 0)}
        for id, summary in zip(ids, summaries, strict=True)
    ]


def one(actor: Actor, agent: UUID) -> dict[str, Any]:
    """One Agent."""
    return shown([selectors.agent_summary(actor, agent)])[0]


class TemplatesView(APIView):
    """`/v1/templates`."""

    @extend_schema(operation_id="templates_list", responses=TemplateSchema(many=True))
    def get(self, request: Request) -> Response:
        """The charts that ship."""
        return Response(library.templates())


class AgentsView(APIView):
    """`/v1/agents`."""

    parser_classes = [ChartJSONParser]

    @extend_schema(
        operation_id="agents_list", parameters=[LIMIT, CURSOR], responses=AgentPageSchema
    )
    def get(self, request: Request) -> Response:
        """The workspace's Agents, last edited first."""
        known_query(request, "limit", "cursor")
        limit = limit_of(request)
        rows = selectors.list_agents(
            actor_of(request), limit=limit + 1, after=moment_cursor(request)
        )
        page = rows[:limit]
        more = len(rows) > limit
        cursor = make_cursor(page[-1]["updated_at"], page[-1]["id"]) if more else None
        return Response({"results": shown(page), "next": cursor})

    @extend_schema(
        operation_id="agents_create",
        parameters=[KEY],
        request=AgentCreate,
        responses={201: AgentSchema},
    )
    def post(self, request: Request) -> Response:
        """A new Agent: blank, from a template, or from an agent document."""
        actor = actor_of(request)
        body = checked(AgentCreate, request.data)

        def act() -> tuple[int, dict[str, Any]]:
            document, layout = body.get("document"), body.get("layout")
            if "template" in body:
                document, layout = library.template(body["template"])
            agent = services.create_agent(
                actor,
                clock.now(),
                key=body.get("key", (document or {}).get("key")),
                name=body.get("name", (document or {}).get("name", "")),
                document=document,
                layout=layout,
            )
            return 201, one(actor, agent)

        response = answered_once(request, act)
        response["Location"] = f"/v1/agents/{response.data['id']}"
        return response


class AgentView(APIView):
    """`/v1/agents/{id}`."""

    @extend_schema(operation_id="agents_read", responses=AgentSchema)
    def get(self, request: Request, agent: UUID) -> Response:
        """One Agent."""
        return Response(one(actor_of(request), agent))

    @extend_schema(operation_id="agents_update", request=AgentPatch, responses=AgentSchema)
    def patch(self, request: Request, agent: UUID) -> Response:
        """Another key or name."""
        body = checked(AgentPatch, request.data)
        services.rename_agent(actor_of(request), clock.now(), agent=agent, **body)
        return Response(one(actor_of(request), agent))

    @extend_schema(operation_id="agents_archive", responses={204: None})
    def delete(self, request: Request, agent: UUID) -> Response:
        """Takes the Agent out of sight; its versions and Calls stay."""
        services.archive_agent(actor_of(request), clock.now(), agent=agent)
        return Response(status=204)


def _draft(request: Request, agent: UUID) -> Response:
    view = selectors.draft_view(actor_of(request), agent)
    answer = with_head(view, heads([agent]).get(agent))
    return Response(answer, headers=etag(answer["revision"]))


class DraftView(APIView):
    """`/v1/agents/{id}/draft`."""

    parser_classes = [ChartJSONParser]

    @extend_schema(operation_id="drafts_read", responses=DraftSchema)
    def get(self, request: Request, agent: UUID) -> Response:
        """The draft, with its problems; `ETag` is its revision."""
        return _draft(request, agent)

    @extend_schema(
        operation_id="drafts_replace",
        parameters=[IF_MATCH],
        request={"application/json": {"type": "object", "additionalProperties": True}},
        responses=DraftSchema,
    )
    def put(self, request: Request, agent: UUID) -> Response:
        """Replaces the draft by an agent document, or by `{document, layout}`.

        Needs `If-Match`.
        """
        expected = if_match(request, required=True)
        body = request.data
        if not isinstance(body, dict):
            raise Refusal(
                "document.invalid", "An object is expected.", errors=[Fault("", "Not an object.")]
            )
        wrapped = "document" in body and set(body) <= {"document", "layout"}
        services.replace_draft(
            actor_of(request),
            clock.now(),
            agent=agent,
            expected=expected or 0,
            document=body["document"] if wrapped else body,
            layout=body.get("layout") if wrapped else None,
        )
        return _draft(request, agent)


class DraftOperationsView(APIView):
    """`/v1/agents/{id}/draft/operations`."""

    parser_classes = [ChartJSONParser]

    @extend_schema(
        operation_id="drafts_edit",
        parameters=[IF_MATCH],
        request=OperationBatch,
        responses=EditAnswerSchema,
    )
    def post(self, request: Request, agent: UUID) -> Response:
        """Applies a batch of operations, all of it or nothing."""
        expected = if_match(request, required=False)
        body = checked(OperationBatch, request.data)
        answer = services.apply_operations(
            actor_of(request),
            clock.now(),
            agent=agent,
            batch=body["id"],
            base=body.get("base"),
            operations=request.data["operations"],
            expected=expected,
            title=body.get("title", ""),
            undoes=body.get("undoes"),
            redoes=body.get("redoes"),
        )
        return Response(answer, headers=etag(answer["revision"]))


class DraftEditsView(APIView):
    """`/v1/agents/{id}/draft/edits`."""

    @extend_schema(
        operation_id="drafts_edits",
        parameters=[OpenApiParameter("after", int), LIMIT],
        responses=EditPageSchema,
    )
    def get(self, request: Request, agent: UUID) -> Response:
        """The edits after a revision, in order."""
        known_query(request, "after", "limit")
        ref = selectors.agent_ref(actor_of(request), agent)
        after = whole(request, "after", 0, 0, 2**31 - 1)
        return Response(
            {
                "events": selectors.edits_after(agent, after, limit_of(request)),
                "head": ref.revision,
            }
        )


class DraftHistoryView(APIView):
    """`/v1/agents/{id}/draft/history`."""

    @extend_schema(operation_id="drafts_history", responses=HistorySchema)
    def get(self, request: Request, agent: UUID) -> Response:
        """What the asker may undo and redo: their own edits, newest first."""
        return Response(history.history_of(actor_of(request), agent))


class DraftFindingsView(APIView):
    """`/v1/agents/{id}/draft/findings`."""

    @extend_schema(operation_id="drafts_findings", responses=FindingsSchema)
    def get(self, request: Request, agent: UUID) -> Response:
        """Scripts that show problems of the draft, to be played as a dry run."""
        return Response(findings.witnesses_of(actor_of(request), agent))


class DraftDocumentView(APIView):
    """`/v1/agents/{id}/draft/document`."""

    @extend_schema(
        operation_id="drafts_document",
        responses={200: {"type": "object", "additionalProperties": True}},
    )
    def get(self, request: Request, agent: UUID) -> Response:
        """The draft as an agent document, to download."""
        document, _, revision = selectors.draft_document(actor_of(request), agent)
        name = f'attachment; filename="{document["key"]}.json"'
        return Response(document, headers=etag(revision) | {"Content-Disposition": name})


urlpatterns = [
    path("templates", TemplatesView.as_view(), name="templates"),
    path("agents", AgentsView.as_view(), name="agents"),
    path("agents/<uuid:agent>", AgentView.as_view(), name="agent"),
    path("agents/<uuid:agent>/draft", DraftView.as_view(), name="draft"),
    path(
        "agents/<uuid:agent>/draft/operations",
        DraftOperationsView.as_view(),
        name="draft-operations",
    ),
    path("agents/<uuid:agent>/draft/edits", DraftEditsView.as_view(), name="draft-edits"),
    path("agents/<uuid:agent>/draft/findings", DraftFindingsView.as_view(), name="draft-findings"),
    path("agents/<uuid:agent>/draft/history", DraftHistoryView.as_view(), name="draft-history"),
    path("agents/<uuid:agent>/draft/document", DraftDocumentView.as_view(), name="draft-document"),
]
