"""Bodies and answers of the routes on workspaces, members, invitations, tokens and the audit."""

from typing import Any

from rest_framework import serializers as s

from designer.api.call_bodies import Body
from designer.api.shapes import Answer, PersonSchema

ROLES = ["designer", "reviewer", "support", "admin"]


class RolesField(s.ListField):
    """At least one role."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            child=s.ChoiceField(ROLES), allow_empty=False, max_length=len(ROLES), **options
        )


class WorkspacePatch(Body):
    """What changes of a workspace."""

    name = s.CharField(required=False, max_length=200)
    allow_self_approval = s.BooleanField(required=False)
    require_scenarios = s.BooleanField(required=False)


class WorkspaceSchema(Answer):
    """A workspace and what it asks for."""

    slug = s.CharField()
    name = s.CharField()
    allow_self_approval = s.BooleanField()
    require_scenarios = s.BooleanField()


class RolesBody(Body):
    """All the roles of a member from now on."""

    roles = RolesField()


class MemberUserSchema(PersonSchema):
    """Who a member is."""

    email = s.EmailField()


class MemberSchema(Answer):
    """A member of the workspace."""

    user = MemberUserSchema()
    roles = s.ListField(child=s.ChoiceField(ROLES))
    joined_at = s.DateTimeField(allow_null=True)
    last_sign_in_at = s.DateTimeField(allow_null=True)


class InvitationBody(Body):
    """Who is invited, as what."""

    email = s.EmailField(max_length=254)
    roles = RolesField()


class InvitationSchema(Answer):
    """An open invitation."""

    id = s.UUIDField()
    email = s.EmailField()
    roles = s.ListField(child=s.ChoiceField(ROLES))
    created_at = s.DateTimeField()
    created_by = PersonSchema(allow_null=True)
    expires_at = s.DateTimeField()
    expired = s.BooleanField()


class InvitedSchema(InvitationSchema):
    """A new invitation; `url` is shown this once."""

    url = s.CharField()


class TokenBody(Body):
    """A token to issue: at most one's own roles, for 1 to 365 days."""

    name = s.CharField(max_length=200)
    roles = RolesField()
    days = s.IntegerField(required=False, min_value=1, max_value=365)


class TokenSchema(Answer):
    """A token, without its secret."""

    id = s.UUIDField()
    name = s.CharField()
    prefix = s.CharField()
    roles = s.ListField(child=s.ChoiceField(ROLES))
    owner = PersonSchema()
    created_at = s.DateTimeField()
    expires_at = s.DateTimeField()
    expired = s.BooleanField()
    last_used_at = s.DateTimeField(allow_null=True)


class IssuedSchema(TokenSchema):
    """A new token; `secret` is shown this once."""

    secret = s.CharField()


class AuditActorSchema(Answer):
    """Who did it; no id for someone unknown."""

    id = s.CharField(allow_null=True)
    name = s.CharField()


class AuditObjectSchema(Answer):
    """What it was done to."""

    kind = s.CharField()
    id = s.CharField()


class AuditEntrySchema(Answer):
    """One line of the audit."""

    id = s.UUIDField()
    at = s.DateTimeField()
    actor = AuditActorSchema()
    action = s.CharField()
    object = AuditObjectSchema()
    address = s.CharField()
    data = s.DictField()  # type: ignore[assignment]


class AuditPageSchema(Answer):
    """A page of the audit."""

    results = AuditEntrySchema(many=True)
    next = s.CharField(allow_null=True)
