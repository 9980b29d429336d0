"""Workspaces, members, invitations, tokens and the audit. docs/contracts.md section 6."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.urls import path
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from designer.accounts import invitations, selectors, services
from designer.accounts.selectors import AuditFilter
from designer.api.call_bodies import checked
from designer.api.parts import (
    known_query,
    limit_of,
    make_cursor,
    moment_cursor,
    whole_schema,
)
from designer.api.people_bodies import (
    AuditPageSchema,
    InvitationBody,
    InvitationSchema,
    InvitedSchema,
    IssuedSchema,
    MemberSchema,
    RolesBody,
    TokenBody,
    TokenSchema,
    WorkspacePatch,
    WorkspaceSchema,
)
from designer.api.permissions import actor_of
from designer.core import clock
from designer.core.errors import Fault, Refusal
from designer.core.ids import parse_id


class WorkspaceView(APIView):
    """`/v1/workspace`."""

    @extend_schema(operation_id="workspace_read", responses=WorkspaceSchema)
    def get(self, request: Request) -> Response:
        """The workspace one is in."""
        return Response(selectors.workspace_json(actor_of(request)))

    @extend_schema(
        operation_id="workspace_update", request=WorkspacePatch, responses=WorkspaceSchema
    )
    def patch(self, request: Request) -> Response:
        """Its name, and what an approval asks for."""
        actor = actor_of(request)
        fields = checked(WorkspacePatch, request.data)
        services.update_workspace(actor, clock.now(), fields=fields)
        return Response(selectors.workspace_json(actor))


class MembersView(APIView):
    """`/v1/members`."""

    @extend_schema(operation_id="members_list", responses=MemberSchema(many=True))
    def get(self, request: Request) -> Response:
        """Everybody in the workspace, by name."""
        return Response(selectors.members(actor_of(request)))


class MemberView(APIView):
    """`/v1/members/{user}`."""

    @extend_schema(operation_id="members_update", request=RolesBody, responses=MemberSchema)
    def patch(self, request: Request, user: UUID) -> Response:
        """Gives a member other roles."""
        actor = actor_of(request)
        roles = checked(RolesBody, request.data)["roles"]
        services.set_roles(actor, clock.now(), user=user, roles=roles)
        found = selectors.members(actor)
        return Response(next(row for row in found if row["user"]["id"] == str(user)))

    @extend_schema(operation_id="members_remove", responses={204: None})
    def delete(self, request: Request, user: UUID) -> Response:
        """Takes a member out; their tokens end with it."""
        services.remove_member(actor_of(request), clock.now(), user=user)
        return Response(status=204)


class InvitationsView(APIView):
    """`/v1/invitations`."""

    @extend_schema(operation_id="invitations_list", responses=InvitationSchema(many=True))
    def get(self, request: Request) -> Response:
        """The open invitations, newest first."""
        return Response(invitations.invitations(actor_of(request), clock.now()))

    @extend_schema(
        operation_id="invitations_create",
        request=InvitationBody,
        responses={201: InvitedSchema},
    )
    def post(self, request: Request) -> Response:
        """Invites someone; the answer alone holds the link."""
        body = checked(InvitationBody, request.data)
        made, raw = invitations.invite(actor_of(request), clock.now(), **body)
        return Response(made | {"url": request.build_absolute_uri(f"/join/{raw}")}, status=201)


class InvitationView(APIView):
    """`/v1/invitations/{id}`."""

    @extend_schema(operation_id="invitations_withdraw", responses={204: None})
    def delete(self, request: Request, invitation: UUID) -> Response:
        """Withdraws an open invitation."""
        invitations.withdraw(actor_of(request), clock.now(), invitation=invitation)
        return Response(status=204)


class TokensView(APIView):
    """`/v1/tokens`."""

    @extend_schema(operation_id="tokens_list", responses=TokenSchema(many=True))
    def get(self, request: Request) -> Response:
        """One's own tokens; an admin sees everybody's."""
        return Response(selectors.tokens(actor_of(request), clock.now()))

    @extend_schema(operation_id="tokens_create", request=TokenBody, responses={201: IssuedSchema})
    def post(self, request: Request) -> Response:
        """Issues a token of one's own; the answer alone holds the secret."""
        actor, now = actor_of(request), clock.now()
        if actor.token is not None:
            raise Refusal(
                "token.by_token",
                "A token issues no tokens: sign in, and issue it there.",
                status=403,
            )
        raw, id = services.issue_token(actor, now, **checked(TokenBody, request.data))
        made = next(row for row in selectors.tokens(actor, now) if row["id"] == str(id))
        return Response(made | {"secret": raw}, status=201)


class TokenView(APIView):
    """`/v1/tokens/{id}`."""

    @extend_schema(operation_id="tokens_revoke", responses={204: None})
    def delete(self, request: Request, token: UUID) -> Response:
        """Revokes a token: one's own, or as an admin anybody's."""
        services.revoke_token(actor_of(request), clock.now(), token=token)
        return Response(status=204)


AUDIT_QUERY = ("limit", "cursor", "action", "actor", "object", "from", "to")


class AuditView(APIView):
    """`/v1/audit`."""

    @extend_schema(
        operation_id="audit_list",
        parameters=[
            OpenApiParameter("limit", whole_schema(1, 200), description="At most this many."),
            OpenApiParameter("cursor", str, description="Where the page before ended."),
            OpenApiParameter("action", str, description="`version.approved`, or `version.*`."),
            OpenApiParameter("actor", str, description="The id of a person."),
            OpenApiParameter("object", str, description="The id or the kind of what it is about."),
            OpenApiParameter("from", str, description="Not before this moment (RFC 3339)."),
            OpenApiParameter("to", str, description="Before this moment (RFC 3339)."),
        ],
        responses=AuditPageSchema,
    )
    def get(self, request: Request) -> Response:
        """Who did what, newest first."""
        known_query(request, *AUDIT_QUERY)
        limit = limit_of(request)
        rows = selectors.audit_entries(
            actor_of(request), _wanted(request), limit=limit + 1, after=moment_cursor(request)
        )
        page = rows[:limit]
        more = len(rows) > limit
        cursor = make_cursor(page[-1]["at"], page[-1]["id"]) if more else None
        return Response({"results": page, "next": cursor})


def _wanted(request: Request) -> AuditFilter:
    query: dict[str, Any] = dict(request.query_params.items())
    actor = parse_id(query["actor"]) if "actor" in query else None
    if "actor" in query and actor is None:
        raise _bad("actor", "This is no id of a person.")
    return AuditFilter(
        action=_text(query, "action"),
        actor=actor,
        object=_text(query, "object"),
        since=_moment(query, "from"),
        until=_moment(query, "to"),
    )


def _text(query: dict[str, Any], name: str) -> str | None:
    text = query.get(name)
    if text is not None and (len(text) > 200 or not text.isprintable()):
        raise _bad(name, "At most 200 characters that can be printed.")
    return text or None


def _moment(query: dict[str, Any], name: str) -> datetime | None:
    if not query.get(name):
        return None
    try:
        moment = datetime.fromisoformat(query[name])
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        raise _bad(name, "A moment such as 2026-11-30T10:00:00Z is expected.") from None


def _bad(name: str, message: str) -> Refusal:
    return Refusal("query.invalid", message, status=400, errors=[Fault(f"?{name}", message)])


urlpatterns = [
    path("workspace", WorkspaceView.as_view(), name="workspace"),
    path("members", MembersView.as_view(), name="members"),
    path("members/<uuid:user>", MemberView.as_view(), name="member"),
    path("invitations", InvitationsView.as_view(), name="invitations"),
    path("invitations/<uuid:invitation>", InvitationView.as_view(), name="invitation"),
    path("tokens", TokensView.as_view(), name="tokens"),
    path("tokens/<uuid:token>", TokenView.as_view(), name="token"),
    path("audit", AuditView.as_view(), name="audit"),
]
