"""The index of the models; each lives in its capability."""

from designer.accounts.models import (
    ApiToken,
    AuditEntry,
    Membership,
    StoredAnswer,
    User,
    Workspace,
)
from designer.agents.comment_models import Comment
from designer.agents.models import Agent, DraftEdit, Region, Slot, State, Transition
from designer.agents.scenario_models import Scenario, SuiteResult
from designer.calls.models import Call, CallEvent, CallInput, CallTimer
from designer.jobs.models import Job, JobStep
from designer.versions.models import Version

__all__ = [
    "Agent",
    "ApiToken",
    "AuditEntry",
    "Call",
    "CallEvent",
    "CallInput",
    "CallTimer",
    "Comment",
    "DraftEdit",
    "Job",
    "JobStep",
    "Membership",
    "Region",
    "Scenario",
    "Slot",
    "State",
    "StoredAnswer",
    "SuiteResult",
    "Transition",
    "User",
    "Version",
    "Workspace",
]
