"""The index of the models; each lives in its capability."""

from designer.accounts.models import (
    ApiToken,
    AuditEntry,
    Membership,
    StoredAnswer,
    User,
    Workspace,
)
from designer.agents.models import Agent, DraftEdit, Region, Slot, State, Transition
from designer.versions.models import Version

__all__ = [
    "Agent",
    "ApiToken",
    "AuditEntry",
    "DraftEdit",
    "Membership",
    "Region",
    "Slot",
    "State",
    "StoredAnswer",
    "Transition",
    "User",
    "Version",
    "Workspace",
]
