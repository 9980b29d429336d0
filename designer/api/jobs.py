"""Jobs, and the dry run that makes one. docs/contracts.md section 6."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from typing import Any, cast
from uuid import UUID

from asgiref.sync import sync_to_async
from django.db import close_old_connections
from django.http import HttpRequest, HttpResponse
from django.urls import path
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from designer.api.call_bodies import Body, checked
from designer.api.parts import answered_once
from designer.api.permissions import actor_of
from designer.core import clock
from designer.core.errors import Fault, Refusal
from designer.jobs import selectors, services
from designer.versions.selectors import document_to_run

KEY = OpenApiParameter("Idempotency-Key", str, OpenApiParameter.HEADER)
WAIT, LONGEST_WAIT = 10, 30
_PREFER_WAIT = re.compile(r"(?:^|[,;\s])wait\s*=\s*\"?(\d{1,4})\"?")


class JobSchema(serializers.Serializer[Any]):
    """A job as it stands."""

    id = serializers.UUIDField()
    kind = serializers.CharField()
    status = serializers.ChoiceField(["queued", "running", "done", "failed", "cancelled"])
    done = serializers.IntegerField()
    total = serializers.IntegerField()
    result = serializers.DictField(allow_null=True)
    error = serializers.DictField(allow_null=True)


class DryRunBody(Body):
    """A script (contracts.md section 2), the slots it starts with, and when."""

    events = serializers.ListField(child=serializers.DictField())
    slots = serializers.DictField(required=False, allow_null=True)
    at = serializers.DateTimeField(required=False, allow_null=True)


class DryRunSchema(serializers.Serializer[Any]):
    """A finished dry run."""

    job = serializers.UUIDField()
    status = serializers.CharField()
    ok = serializers.BooleanField()
    start = serializers.DictField()
    steps = serializers.ListField(child=serializers.DictField())


class DryRunPendingSchema(serializers.Serializer[Any]):
    """A dry run that goes on; `Location` is its job."""

    job = serializers.UUIDField()
    status = serializers.CharField()


class JobView(APIView):
    """`/v1/jobs/{id}`."""

    @extend_schema(operation_id="jobs_read", responses=JobSchema)
    def get(self, request: Request, id: UUID) -> Response:
        """Give a job as it stands."""
        return Response(selectors.job_json(selectors.job_of(actor_of(request), id)))


class JobCancelView(APIView):
    """`/v1/jobs/{id}/cancel`."""

    @extend_schema(operation_id="jobs_cancel", request=None, responses=JobSchema)
    def post(self, request: Request, id: UUID) -> Response:
        """Ask a job to stop; it stops within one batch of its work."""
        job = services.cancel(actor_of(request), clock.now(), job_id=id)
        return Response(selectors.job_json(job))


class DryRunView(APIView):
    """`/v1/agents/{id}/versions/{n or "draft"}/machine/dry-run`."""

    @extend_schema(
        operation_id="agents_dry_run",
        parameters=[OpenApiParameter("Prefer", str, OpenApiParameter.HEADER), KEY],
        request=DryRunBody,
        responses={200: DryRunSchema, 202: DryRunPendingSchema},
    )
    def post(self, request: Request, id: UUID, version: str) -> Response:
        """Run a script against a version or the draft; no Policy runs, no Call is written."""
        body = checked(DryRunBody, request.data)
        at = body.get("at")
        actor = actor_of(request)

        def act() -> tuple[int, dict[str, Any]]:
            job = services.request_dry_run(
                actor,
                clock.now(),
                document=document_to_run(actor, id, number_of(version))[0],
                lines=body["events"],
                slots=body.get("slots"),
                at=at.isoformat() if at else None,
            )
            return 202, {"job": str(job.id), "status": job.status}

        response = answered_once(request, act)
        response["Location"] = f"/v1/jobs/{response.data['job']}"
        return response


def number_of(text: str) -> int | None:
    """Give a version's number, None for the draft."""
    if text == "draft":
        return None
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise Refusal("version.not_found", f"There is no version {text}.", status=404)
    return int(text)


def pending(job: str, status: str) -> Response:
    """Answer 202: the job goes on."""
    return Response(
        {"job": job, "status": status}, status=202, headers={"Location": f"/v1/jobs/{job}"}
    )


class DryRunResultView(APIView):
    """What `waiting` answers with once it has waited; on no route of its own."""

    def post(self, request: Request, id: UUID, version: str, job: UUID) -> Response:
        """Give the steps of a finished dry run, 202 while it goes on, a problem when it failed."""
        found = selectors.job_of(actor_of(request), job)
        if found.status == "done" and found.result is not None:
            steps = selectors.step_data(job)
            return Response({"job": str(job), "status": "done", **found.result, "steps": steps})
        if found.status == "failed":
            raise failure(found.error or {})
        return pending(str(job), found.status)


def failure(error: dict[str, Any]) -> Refusal:
    """The problem that a failed job's error is."""
    problems = error.get("problems", [])
    faults = [
        Fault("/" + "/".join(map(str, problem["path"])), problem["message"], problem["code"])
        for problem in problems
    ]
    extra = {"problems": problems} if problems else {}
    return Refusal(
        error.get("code", "job.failed"), error.get("message", ""), errors=faults, extra=extra
    )


def wait_seconds(prefer: str) -> int:
    """Give how long a client waits: `Prefer: wait=N`, 10 unless said, at most 30."""
    found = _PREFER_WAIT.search(prefer)
    return min(int(found[1]), LONGEST_WAIT) if found else WAIT


def _still_open(job: UUID) -> bool:
    try:
        return selectors.is_open(job)
    finally:
        close_old_connections()  # a waiting request holds no connection


async def _until_closed(job: UUID, seconds: float) -> None:
    """Wait for a job's end; between looks no thread and no connection is held."""
    loop = asyncio.get_running_loop()
    end, pause = loop.time() + seconds, 0.01
    while await sync_to_async(_still_open)(job) and loop.time() < end:
        await asyncio.sleep(min(pause, max(0.0, end - loop.time())))
        pause = min(pause * 1.3, 0.1)


def waiting(
    ask: Callable[..., HttpResponse], result: Callable[..., HttpResponse]
) -> Callable[..., Awaitable[HttpResponse]]:
    """Make a route that asks for a job, waits for it as the client prefers, and answers."""

    async def view(request: HttpRequest, **parts: Any) -> HttpResponse:
        answer = await sync_to_async(ask)(request, **parts)
        seconds = wait_seconds(request.headers.get("Prefer", ""))
        if answer.status_code != 202 or seconds == 0:
            return answer
        job = UUID(answer.data["job"])  # type: ignore[attr-defined]
        # Asking has checked it, and has read the body that a second check would look into.
        request.csrf_processing_done = True  # type: ignore[attr-defined]
        await _until_closed(job, seconds)
        return await sync_to_async(result)(request, **parts, job=job)

    view.cls = ask.cls  # type: ignore[attr-defined]  # where drf-spectacular reads the schema
    view.initkwargs = {}  # type: ignore[attr-defined]
    view.csrf_exempt = True  # type: ignore[attr-defined]  # DRF checks CSRF for session users
    return view


urlpatterns = [
    path("jobs/<uuid:id>", JobView.as_view(), name="job"),
    path("jobs/<uuid:id>/cancel", JobCancelView.as_view(), name="job-cancel"),
    path(
        "agents/<uuid:id>/versions/<str:version>/machine/dry-run",
        cast(Any, waiting(DryRunView.as_view(), DryRunResultView.as_view())),
        name="machine-dry-run",
    ),
]
