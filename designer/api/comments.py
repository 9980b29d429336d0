"""Comments on a chart. docs/contracts.md section 6."""

from typing import Any
from uuid import UUID

from django.urls import path
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from designer.api.agents import CURSOR, KEY, LIMIT
from designer.api.call_bodies import checked
from designer.api.parts import (
    answered_once,
    flag,
    known_query,
    limit_of,
    make_cursor,
    moment_cursor,
    whole,
)
from designer.api.permissions import actor_of
from designer.api.review_shapes import (
    CommentBody,
    CommentPageSchema,
    CommentPatch,
    CommentSchema,
)
from designer.core import clock
from designer.versions import comments


class CommentsView(APIView):
    """`/v1/agents/{id}/comments`."""

    @extend_schema(
        operation_id="comments_list",
        parameters=[
            OpenApiParameter("version", int, description="Those made on this version."),
            OpenApiParameter("open", bool, description="Those of threads that are not resolved."),
            LIMIT,
            CURSOR,
        ],
        responses=CommentPageSchema,
    )
    def get(self, request: Request, agent: UUID) -> Response:
        """The comments, the oldest first."""
        known_query(request, "version", "open", "limit", "cursor")
        limit = limit_of(request)
        version = whole(request, "version", 0, 0, 2**31 - 1)
        rows = comments.list_comments(
            actor_of(request),
            agent,
            limit=limit + 1,
            after=moment_cursor(request),
            version=version or None,
            only_open=flag(request, "open"),
        )
        page = rows[:limit]
        more = make_cursor(page[-1]["at"], page[-1]["id"]) if len(rows) > limit else None
        return Response({"results": page, "next": more})

    @extend_schema(
        operation_id="comments_add",
        parameters=[KEY],
        request=CommentBody,
        responses={201: CommentSchema},
    )
    def post(self, request: Request, agent: UUID) -> Response:
        """A comment, or an answer to one."""
        body = checked(CommentBody, request.data)
        actor = actor_of(request)

        def act() -> tuple[int, dict[str, Any]]:
            made = comments.add_comment(
                actor,
                clock.now(),
                agent=agent,
                text=body["text"],
                anchor=body.get("anchor"),
                version=body.get("version"),
                parent=body.get("parent"),
            )
            return 201, comments.comment_json(actor, agent, made)

        return answered_once(request, act)


class CommentView(APIView):
    """`/v1/agents/{id}/comments/{comment}`."""

    @extend_schema(operation_id="comments_change", request=CommentPatch, responses=CommentSchema)
    def patch(self, request: Request, agent: UUID, comment: UUID) -> Response:
        """Another text, or whether its thread is resolved."""
        body = checked(CommentPatch, request.data)
        actor = actor_of(request)
        comments.change_comment(actor, clock.now(), agent=agent, comment=comment, **body)
        return Response(comments.comment_json(actor, agent, comment))

    @extend_schema(operation_id="comments_delete", responses={204: None})
    def delete(self, request: Request, agent: UUID, comment: UUID) -> Response:
        """Takes the comment away."""
        comments.delete_comment(actor_of(request), clock.now(), agent=agent, comment=comment)
        return Response(status=204)


urlpatterns = [
    path("agents/<uuid:agent>/comments", CommentsView.as_view(), name="comments"),
    path("agents/<uuid:agent>/comments/<uuid:comment>", CommentView.as_view(), name="comment"),
]
