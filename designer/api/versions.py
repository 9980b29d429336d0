"""Versions: publish, compare, review, activate. docs/contracts.md section 6."""

from typing import Any
from uuid import UUID

from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from designer.api.agents import CURSOR, IF_MATCH, KEY, LIMIT
from designer.api.bodies import Nothing
from designer.api.call_bodies import checked
from designer.api.parts import (
    answered_once,
    if_match,
    known_query,
    limit_of,
    make_cursor,
    read_cursor,
)
from designer.api.permissions import actor_of
from designer.api.review_shapes import NoteBody, ReasonBody
from designer.api.shapes import (
    BehaviourSchema,
    ComparisonSchema,
    FullVersionSchema,
    VersionPageSchema,
    VersionSchema,
)
from designer.core import clock
from designer.core.errors import Refusal
from designer.versions import review, selectors, services
from designer.versions.comparing import behaviour, compare


class VersionsView(APIView):
    """`/v1/agents/{id}/versions`."""

    @extend_schema(
        operation_id="versions_list", parameters=[LIMIT, CURSOR], responses=VersionPageSchema
    )
    def get(self, request: Request, agent: UUID) -> Response:
        """The versions, newest first."""
        known_query(request, "limit", "cursor")
        limit = limit_of(request)
        parts = read_cursor(request, 1)
        if parts and not (parts[0].isdigit() and len(parts[0]) < 10):
            raise Refusal("query.invalid", "The cursor is not one of ours.", status=400)
        below = int(parts[0]) if parts else None
        rows = selectors.list_versions(actor_of(request), agent, limit=limit + 1, below=below)
        more = make_cursor(str(rows[limit - 1]["number"])) if len(rows) > limit else None
        return Response({"results": rows[:limit], "next": more})

    @extend_schema(
        operation_id="versions_publish",
        parameters=[KEY, IF_MATCH],
        request=Nothing,
        responses={201: VersionSchema, 200: VersionSchema},
    )
    def post(self, request: Request, agent: UUID) -> Response:
        """Publishes the draft:

        201 with a new version, 200 with the same one when nothing changed.
        """
        expected = if_match(request, required=False)
        checked(Nothing, request.data)

        def act() -> tuple[int, dict[str, Any]]:
            version, new = services.publish(
                actor_of(request), clock.now(), agent=agent, expected=expected
            )
            return (201 if new else 200), selectors.version_json(actor_of(request), version)

        return answered_once(request, act)


class VersionView(APIView):
    """`/v1/agents/{id}/versions/{n}`."""

    @extend_schema(operation_id="versions_read", responses=FullVersionSchema)
    def get(self, request: Request, agent: UUID, number: int) -> Response:
        """One version with its document, layout and rows."""
        version = selectors.find_version(actor_of(request), agent, number)
        return Response(selectors.version_json(actor_of(request), version, full=True))


class CompareView(APIView):
    """`/v1/agents/{id}/versions/{n}/compare/{other}`."""

    @extend_schema(operation_id="versions_compare", responses=ComparisonSchema)
    def get(self, request: Request, agent: UUID, number: int, other: int) -> Response:
        """What became of the version in another one."""
        return Response(compare(actor_of(request), agent, number, other))


class CompareDraftView(APIView):
    """`/v1/agents/{id}/versions/{n}/compare/draft`."""

    @extend_schema(operation_id="versions_compare_draft", responses=ComparisonSchema)
    def get(self, request: Request, agent: UUID, number: int) -> Response:
        """What became of the version in the draft."""
        return Response(compare(actor_of(request), agent, number, None))


class BehaviourView(APIView):
    """`/v1/agents/{id}/versions/{n}/compare/{other}/behaviour`."""

    @extend_schema(operation_id="versions_compare_behaviour", responses=BehaviourSchema)
    def get(self, request: Request, agent: UUID, number: int, other: int) -> Response:
        """Scripts that tell the two versions apart, the shortest first."""
        return Response(behaviour(actor_of(request), agent, number, other))


class BehaviourDraftView(APIView):
    """`/v1/agents/{id}/versions/{n}/compare/draft/behaviour`."""

    @extend_schema(operation_id="versions_compare_draft_behaviour", responses=BehaviourSchema)
    def get(self, request: Request, agent: UUID, number: int) -> Response:
        """Scripts that tell the version and the draft apart, the shortest first."""
        return Response(behaviour(actor_of(request), agent, number, None))


def _answer(request: Request, version: Any) -> Response:
    return Response(selectors.version_json(actor_of(request), version))


class ReviewView(APIView):
    """`/v1/agents/{id}/versions/{n}/review`."""

    @extend_schema(operation_id="versions_review", request=NoteBody, responses=VersionSchema)
    def post(self, request: Request, agent: UUID, number: int) -> Response:
        """Asks for a review; asking again gives the same answer."""
        body = checked(NoteBody, request.data)
        actor, now = actor_of(request), clock.now()
        note = body.get("note") or ""
        found = review.request_review(actor, now, agent=agent, number=number, note=note)
        return _answer(request, found)


class ApproveView(APIView):
    """`/v1/agents/{id}/versions/{n}/approve`."""

    @extend_schema(operation_id="versions_approve", request=NoteBody, responses=VersionSchema)
    def post(self, request: Request, agent: UUID, number: int) -> Response:
        """A reviewer's yes; 403 `version.own_work` for who had a hand in the version."""
        body = checked(NoteBody, request.data)
        actor, now = actor_of(request), clock.now()
        note = body.get("note") or ""
        return _answer(request, review.approve(actor, now, agent=agent, number=number, note=note))


class ReturnView(APIView):
    """`/v1/agents/{id}/versions/{n}/return`."""

    @extend_schema(operation_id="versions_return", request=ReasonBody, responses=VersionSchema)
    def post(self, request: Request, agent: UUID, number: int) -> Response:
        """A reviewer's no, with the reason; final for this version."""
        reason = checked(ReasonBody, request.data)["reason"]
        actor, now = actor_of(request), clock.now()
        found = review.give_back(actor, now, agent=agent, number=number, reason=reason)
        return _answer(request, found)


class ActivateView(APIView):
    """`/v1/agents/{id}/versions/{n}/activate`."""

    @extend_schema(operation_id="versions_activate", request=Nothing, responses=VersionSchema)
    def post(self, request: Request, agent: UUID, number: int) -> Response:
        """New Calls start on this version; running ones keep theirs. 409 `version.approval_void`
        when what was approved has changed.
        """
        checked(Nothing, request.data)
        actor, now = actor_of(request), clock.now()
        return _answer(request, review.activate(actor, now, agent=agent, number=number))


class RetireView(APIView):
    """`/v1/agents/{id}/versions/{n}/retire`."""

    @extend_schema(operation_id="versions_retire", request=Nothing, responses=VersionSchema)
    def post(self, request: Request, agent: UUID, number: int) -> Response:
        """Takes the active version out of service; running Calls go on."""
        checked(Nothing, request.data)
        actor, now = actor_of(request), clock.now()
        return _answer(request, review.retire(actor, now, agent=agent, number=number))


_ONE = "agents/<uuid:agent>/versions/<int:number>"
urlpatterns = [
    path("agents/<uuid:agent>/versions", VersionsView.as_view(), name="versions"),
    path(_ONE, VersionView.as_view(), name="version"),
    path(f"{_ONE}/compare/draft", CompareDraftView.as_view(), name="version-compare-draft"),
    path(
        f"{_ONE}/compare/draft/behaviour",
        BehaviourDraftView.as_view(),
        name="version-behaviour-draft",
    ),
    path(
        f"{_ONE}/compare/<int:other>/behaviour",
        BehaviourView.as_view(),
        name="version-behaviour",
    ),
    path(f"{_ONE}/compare/<int:other>", CompareView.as_view(), name="version-compare"),
    path(f"{_ONE}/approve", ApproveView.as_view(), name="version-approve"),
    path(f"{_ONE}/review", ReviewView.as_view(), name="version-review"),
    path(f"{_ONE}/return", ReturnView.as_view(), name="version-return"),
    path(f"{_ONE}/retire", RetireView.as_view(), name="version-retire"),
    path(f"{_ONE}/activate", ActivateView.as_view(), name="version-activate"),
]
