"""What a deciding node of a Workflow leaves: `workflow.evaluated` (machine.md section 9).

The hook `EVALUATED` stands first among the effects of every transition out of such a node, and one
of these transitions is taken for each evaluation. In an Agent that names its Workflow the engine
answers the hook by itself, inside the step.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from interpreter.document import EVALUATED, AgentDoc
from interpreter.stepping.work import Work

Action = Callable[[Work, dict[str, Any], dict[str, Any]], None]


def actions_of(agent: AgentDoc) -> dict[str, Action]:
    """The hooks of an Agent that the engine answers; none for one without a Workflow."""
    pin = agent.workflow
    if pin is None:
        return {}
    return {EVALUATED: partial(_evaluated, pin.key, pin.version)}


def _evaluated(
    workflow: str,
    version: int | None,
    run: Work,
    data: dict[str, Any],
    origin: dict[str, Any],
) -> None:
    """One record. Its inputs are what the guards of this node read since the last move."""
    taken = run.machine.transition_keys.get(origin.get("transition", ""))
    inputs: dict[str, Any] = {}
    for outcome in run.guards[run.asked :]:
        if taken is not None and outcome.transition.source is taken.source:
            inputs.update(outcome.reads)
    outcome_of = data.get("outcome")
    if "question" in data:
        inputs[f"decision.{data['question']}"] = outcome_of
    told = {
        "workflow": workflow,
        "version": version,
        "node": data.get("node"),
        "inputs": dict(sorted(inputs.items())),
        "outcome": outcome_of,
        "edge": data.get("edge"),
    }
    run.record("workflow.evaluated", told)
