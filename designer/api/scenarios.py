"""Scenarios, and the suite job that runs them. docs/contracts.md section 6."""

from __future__ import annotations

from typing import Any, cast
from uuid import UUID

from django.http import JsonResponse
from django.urls import path
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from designer.agents import scenarios
from designer.api.agents import CURSOR, IF_MATCH, KEY, LIMIT
from designer.api.call_bodies import checked
from designer.api.jobs import DryRunPendingSchema, failure, number_of, pending, waiting
from designer.api.parsers import ChartJSONParser
from designer.api.parts import answered_once, etag, if_match, known_query, limit_of
from designer.api.permissions import actor_of
from designer.api.review_shapes import (
    RecordBody,
    ScenarioBody,
    ScenarioPageSchema,
    ScenarioSchema,
    SuiteBody,
    SuiteSchema,
)
from designer.calls.recording import record_scenario
from designer.core import clock
from designer.jobs import results, selectors, services


class ScenariosView(APIView):
    """`/v1/agents/{id}/scenarios`."""

    parser_classes = [ChartJSONParser]

    @extend_schema(
        operation_id="scenarios_list", parameters=[LIMIT, CURSOR], responses=ScenarioPageSchema
    )
    def get(self, request: Request, agent: UUID) -> Response:
        """The scenarios by name."""
        known_query(request, "limit", "cursor")
        page, more = scenarios.scenarios_of(
            actor_of(request),
            agent,
            limit=limit_of(request),
            cursor=request.query_params.get("cursor"),
        )
        return Response({"results": page, "next": more})

    @extend_schema(
        operation_id="scenarios_create",
        parameters=[KEY],
        request=ScenarioBody,
        responses={201: ScenarioSchema},
    )
    def post(self, request: Request, agent: UUID) -> Response:
        """A new scenario."""
        body = checked(ScenarioBody, request.data)
        actor = actor_of(request)

        def act() -> tuple[int, dict[str, Any]]:
            made = scenarios.create_scenario(actor, clock.now(), agent=agent, fields=body)
            return 201, scenarios.scenario_json(made)

        return _located(answered_once(request, act), agent)


def _located(response: Response, agent: UUID) -> Response:
    response["Location"] = f"/v1/agents/{agent}/scenarios/{response.data['id']}"
    response["ETag"] = etag(response.data["revision"])["ETag"]
    return response


def _one(row: Any) -> Response:
    return Response(scenarios.scenario_json(row), headers=etag(row.revision))


class ScenarioView(APIView):
    """`/v1/agents/{id}/scenarios/{scenario}`."""

    parser_classes = [ChartJSONParser]

    @extend_schema(operation_id="scenarios_read", responses=ScenarioSchema)
    def get(self, request: Request, agent: UUID, scenario: UUID) -> Response:
        """One scenario; `ETag` is its revision."""
        return _one(scenarios.find_scenario(actor_of(request), agent, scenario))

    @extend_schema(
        operation_id="scenarios_replace",
        parameters=[IF_MATCH],
        request=ScenarioBody,
        responses=ScenarioSchema,
    )
    def put(self, request: Request, agent: UUID, scenario: UUID) -> Response:
        """Makes it what the body says. Needs `If-Match`."""
        expected = if_match(request, required=True)
        body = checked(ScenarioBody, request.data)
        row = scenarios.replace_scenario(
            actor_of(request),
            clock.now(),
            agent=agent,
            scenario=scenario,
            expected=expected,
            fields=body,
        )
        return _one(row)

    @extend_schema(operation_id="scenarios_delete", responses={204: None})
    def delete(self, request: Request, agent: UUID, scenario: UUID) -> Response:
        """Takes the scenario away."""
        scenarios.delete_scenario(actor_of(request), clock.now(), agent=agent, scenario=scenario)
        return Response(status=204)


class RecordView(APIView):
    """`/v1/agents/{id}/scenarios/record`."""

    @extend_schema(
        operation_id="scenarios_record",
        parameters=[KEY],
        request=RecordBody,
        responses={201: ScenarioSchema},
    )
    def post(self, request: Request, agent: UUID) -> Response:
        """A scenario of what came in to a Call, with where it stood after each input."""
        body = checked(RecordBody, request.data)
        actor = actor_of(request)

        def act() -> tuple[int, dict[str, Any]]:
            made = record_scenario(
                actor,
                clock.now(),
                agent=agent,
                call=body["call"],
                name=body["name"],
                until=body.get("until"),
            )
            return 201, scenarios.scenario_json(made)

        return _located(answered_once(request, act), agent)


class SuiteView(APIView):
    """`/v1/agents/{id}/versions/{n or "draft"}/scenarios/run`."""

    @extend_schema(
        operation_id="scenarios_run",
        parameters=[OpenApiParameter("Prefer", str, OpenApiParameter.HEADER), KEY],
        request=SuiteBody,
        responses={200: SuiteSchema, 202: DryRunPendingSchema},
    )
    def post(self, request: Request, id: UUID, version: str) -> Response:
        """Run scenarios on a version or the draft, as they are now."""
        body = checked(SuiteBody, request.data)
        actor = actor_of(request)

        def act() -> tuple[int, dict[str, Any]]:
            job = services.request_suite(
                actor,
                clock.now(),
                agent=id,
                version=number_of(version),
                scenarios=body.get("scenarios"),
            )
            return 202, {"job": str(job.id), "status": job.status}

        response = answered_once(request, act)
        response["Location"] = f"/v1/jobs/{response.data['job']}"
        return response


class SuiteResultView(APIView):
    """What `waiting` answers with once it has waited; on no route of its own."""

    def post(self, request: Request, id: UUID, version: str, job: UUID) -> Response:
        """Give the result of a finished suite, 202 while it goes on, a problem when it failed."""
        found = selectors.job_of(actor_of(request), job)
        if found.status == "done" and found.result is not None:
            told = {"job": str(job), "status": "done", **found.result}
            return Response(told | {"scenarios": selectors.step_data(job)})
        if found.status == "failed":
            raise failure(found.error or {})
        return pending(str(job), found.status)


_WHOLE = {"type": "integer", "minimum": 0}
RESULTS: Any = {
    "type": ["object", "null"],
    "required": ["total", "passed", "failed", "coverage", "job", "at", "stale"],
    "properties": {
        **dict.fromkeys(("total", "passed", "failed"), _WHOLE),
        "coverage": {"$ref": "#/components/schemas/Coverage"},
        "job": {"type": "string", "format": "uuid"},
        "at": {"type": "string", "format": "date-time"},
        "stale": {"type": "boolean"},
    },
}
"""As SuiteResult, or null: drf-spectacular has no word for an answer that may be null."""


class ResultsView(APIView):
    """`/v1/agents/{id}/versions/{n or "draft"}/scenarios/results`."""

    @extend_schema(operation_id="scenarios_results", responses={200: RESULTS})
    def get(self, request: Request, id: UUID, version: str) -> JsonResponse:
        """What the newest run of the whole suite found, or null; `stale` when the draft or the
        scenarios were changed since.
        """
        found = results.suite_result(actor_of(request), id, number_of(version))
        return JsonResponse(found, safe=False)


_OF_VERSION = "agents/<uuid:id>/versions/<str:version>/scenarios"
urlpatterns = [
    path("agents/<uuid:agent>/scenarios", ScenariosView.as_view(), name="scenarios"),
    path("agents/<uuid:agent>/scenarios/record", RecordView.as_view(), name="scenario-record"),
    path("agents/<uuid:agent>/scenarios/<uuid:scenario>", ScenarioView.as_view(), name="scenario"),
    path(
        f"{_OF_VERSION}/run",
        cast(Any, waiting(SuiteView.as_view(), SuiteResultView.as_view())),
        name="scenarios-run",
    ),
    path(f"{_OF_VERSION}/results", ResultsView.as_view(), name="scenarios-results"),
]
