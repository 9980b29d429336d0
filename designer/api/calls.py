"""Calls: start, drive, watch by REST, verify. docs/contracts.md section 6."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.urls import path
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from designer.api.call_bodies import (
    AnswerSchema,
    CallPageSchema,
    CallSchema,
    CallStart,
    EndInput,
    EventInput,
    EventPageSchema,
    ProposalInput,
    SlotInput,
    SnapshotSchema,
    TurnInput,
    VerdictSchema,
    checked,
)
from designer.api.parts import answered_once, known_query, limit_of, whole, whole_schema
from designer.api.permissions import actor_of
from designer.calls import selectors, services
from designer.core import clock
from designer.core.errors import Refusal
from designer.core.ids import parse_id

KEY = OpenApiParameter("Idempotency-Key", str, OpenApiParameter.HEADER)
AFTER = OpenApiParameter("after", int, description="Events after this number.")
LIMIT = OpenApiParameter("limit", whole_schema(1, 500), description="At most this many.")
LARGEST = 2**53


class CallsView(APIView):
    """`/v1/calls`."""

    @extend_schema(
        operation_id="calls_list",
        parameters=[
            LIMIT,
            OpenApiParameter("cursor", str),
            OpenApiParameter("agent", UUID),
            OpenApiParameter("status", str, enum=["running", "ended"]),
        ],
        responses=CallPageSchema,
    )
    def get(self, request: Request) -> Response:
        """Give the workspace's Calls, the newest first."""
        known_query(request, "limit", "cursor", "agent", "status")
        query = request.query_params
        agent = query.get("agent")
        if agent is not None and parse_id(agent) is None:
            raise Refusal("query.invalid", "agent must be an id.", status=400)
        results, more = selectors.list_calls(
            actor_of(request),
            limit=limit_of(request),
            cursor=query.get("cursor"),
            agent=parse_id(agent),
            status=query.get("status"),
        )
        return Response({"results": results, "next": more})

    @extend_schema(
        operation_id="calls_start",
        parameters=[KEY],
        request=CallStart,
        responses={201: CallSchema},
    )
    def post(self, request: Request) -> Response:
        """Start a Call on a version, the active one unless it is numbered."""
        actor = actor_of(request)
        body = checked(CallStart, request.data)

        def act() -> tuple[int, dict[str, Any]]:
            call = services.start_call(actor, clock.now(), **body)
            return 201, selectors.call_json(selectors.call_of(actor, call.id))

        response = answered_once(request, act)
        response["Location"] = f"/v1/calls/{response.data['id']}"
        return response


class CallView(APIView):
    """`/v1/calls/{id}`."""

    @extend_schema(operation_id="calls_read", responses=CallSchema)
    def get(self, request: Request, id: UUID) -> Response:
        """Give a Call as it stands, with what is allowed now."""
        return Response(selectors.call_json(selectors.call_of(actor_of(request), id)))


def give(
    request: Request, call_id: UUID, payload: dict[str, Any], based_on: int | None = None
) -> Response:
    """Hand an input to the Call and answer with what came of it."""
    answer = services.handle(
        actor_of(request),
        clock.now(),
        call_id=call_id,
        payload=payload,
        key=request.headers.get("Idempotency-Key"),
        based_on_seq=based_on,
    )
    headers = {"Idempotent-Replay": "true"} if answer.replayed else {}
    return Response(answer.to_json(), headers=headers)


class CallEventsView(APIView):
    """`/v1/calls/{id}/events`."""

    bucket = "inputs"

    @extend_schema(
        operation_id="calls_events", parameters=[AFTER, LIMIT], responses=EventPageSchema
    )
    def get(self, request: Request, id: UUID) -> Response:
        """Give Call events in order: the REST twin of the socket."""
        call = selectors.call_of(actor_of(request), id)
        after = whole(request, "after", 0, 0, LARGEST)
        limit = whole(request, "limit", 500, 1, 500)
        return Response(selectors.events_json(call, after=after, limit=limit))

    @extend_schema(
        operation_id="calls_event", parameters=[KEY], request=EventInput, responses=AnswerSchema
    )
    def post(self, request: Request, id: UUID) -> Response:
        """Send an event."""
        return give(request, id, checked(EventInput, request.data))


class CallProposalsView(APIView):
    """`/v1/calls/{id}/proposals`."""

    bucket = "inputs"

    @extend_schema(
        operation_id="calls_propose",
        parameters=[KEY],
        request=ProposalInput,
        responses=AnswerSchema,
    )
    def post(self, request: Request, id: UUID) -> Response:
        """Propose a move, a slot's value or a handoff; guards decide."""
        body = checked(ProposalInput, request.data)
        based_on = body.pop("based_on_seq", None)
        return give(request, id, {"propose": body}, based_on)


class CallTurnsView(APIView):
    """`/v1/calls/{id}/turns`."""

    bucket = "inputs"

    @extend_schema(
        operation_id="calls_turn", parameters=[KEY], request=TurnInput, responses=AnswerSchema
    )
    def post(self, request: Request, id: UUID) -> Response:
        """Say what the caller or the Agent said."""
        return give(request, id, checked(TurnInput, request.data))


class CallSlotsView(APIView):
    """`/v1/calls/{id}/slots`."""

    bucket = "inputs"

    @extend_schema(
        operation_id="calls_set_slot", parameters=[KEY], request=SlotInput, responses=AnswerSchema
    )
    def post(self, request: Request, id: UUID) -> Response:
        """Set a slot as the host."""
        return give(request, id, {"set": checked(SlotInput, request.data)})


class CallEndView(APIView):
    """`/v1/calls/{id}/end`."""

    bucket = "inputs"

    @extend_schema(
        operation_id="calls_end", parameters=[KEY], request=EndInput, responses=AnswerSchema
    )
    def post(self, request: Request, id: UUID) -> Response:
        """End the Call."""
        reason = checked(EndInput, request.data).get("reason")
        return give(request, id, {"end": {"reason": reason} if reason else {}})


class CallSnapshotView(APIView):
    """`/v1/calls/{id}/snapshot`."""

    @extend_schema(operation_id="calls_snapshot", responses=SnapshotSchema)
    def get(self, request: Request, id: UUID) -> Response:
        """Give the engine's snapshot, for support."""
        return Response(selectors.snapshot_json(selectors.call_of(actor_of(request), id)))


class CallVerifyView(APIView):
    """`/v1/calls/{id}/verify`."""

    @extend_schema(operation_id="calls_verify", request=None, responses=VerdictSchema)
    def post(self, request: Request, id: UUID) -> Response:
        """Replay the Call on its frozen version and compare with what is stored."""
        call = selectors.call_of(actor_of(request), id)
        return Response(selectors.verify(call).to_json())


urlpatterns = [
    path("calls", CallsView.as_view(), name="calls"),
    path("calls/<uuid:id>", CallView.as_view(), name="call"),
    path("calls/<uuid:id>/events", CallEventsView.as_view(), name="call-events"),
    path("calls/<uuid:id>/proposals", CallProposalsView.as_view(), name="call-proposals"),
    path("calls/<uuid:id>/turns", CallTurnsView.as_view(), name="call-turns"),
    path("calls/<uuid:id>/slots", CallSlotsView.as_view(), name="call-slots"),
    path("calls/<uuid:id>/end", CallEndView.as_view(), name="call-end"),
    path("calls/<uuid:id>/snapshot", CallSnapshotView.as_view(), name="call-snapshot"),
    path("calls/<uuid:id>/verify", CallVerifyView.as_view(), name="call-verify"),
]
