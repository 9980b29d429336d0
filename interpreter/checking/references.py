"""Whatever is named is there: targets, prompts, tools, outcomes, slots, squad agents."""

from collections.abc import Collection, Iterator

from interpreter.document import (
    CallEffect,
    ClearEffect,
    Effect,
    EndEffect,
    HandoffEffect,
    SayEffect,
    SetEffect,
)
from interpreter.errors import Path
from interpreter.expressions import near

from .chart import Chart
from .rule import Code, Found, Rule


class _Names:
    def __init__(self, chart: Chart) -> None:
        self.chart = chart
        self.known: dict[str, Collection[str]] = {
            "state": chart.index.by_key,
            "prompt": {prompt.key for prompt in chart.prompts},
            "tool": {tool.key for tool in chart.tools},
            "outcome": {outcome.key for outcome in chart.outcomes},
            "slot": chart.slots_by_key,
            "agent": {member.key for member in chart.squad},
        }

    def look(self, kind: str, key: str | None, path: Path, place: str) -> Iterator[Found]:
        if key is None or key in self.known[kind]:
            return
        said = "squad agent" if kind == "agent" else kind
        code = "target.unknown" if kind == "state" else f"{kind}.unknown"
        hint = near(key, self.known[kind]) or f"Add the {said} '{key}' or name another."
        hint = hint[0].upper() + hint[1:]
        yield Found(code, path, f"{place} names the {said} '{key}', which does not exist", hint)


def find(chart: Chart) -> Iterator[Found]:
    """Every name that leads nowhere."""
    names = _Names(chart)
    for transition in chart.index.transitions:
        path = (*transition.path, "target")
        place = f"the transition '{transition.name}' of '{transition.source.key}'"
        yield from names.look("state", transition.doc.target, path, place)
    for state in chart.index.states:
        place = f"the state '{state.key}'"
        yield from names.look("prompt", state.doc.prompt, (*state.path, "prompt"), place)
        yield from names.look("agent", state.doc.agent, (*state.path, "agent"), place)
        for number, tool in enumerate(state.doc.tools):
            yield from names.look("tool", tool, (*state.path, "tools", number), place)
    for number, policy in enumerate(chart.policies):
        place = f"the policy '{policy.key}'"
        yield from names.look("tool", policy.tool, ("policies", number, "tool"), place)
    for effect in chart.index.effects:
        named = _named(effect.doc)
        if named is not None:
            kind, word, key = named
            place = f"an effect of '{effect.owner.key}'"
            yield from names.look(kind, key, (*effect.path, word), place)


def _named(effect: Effect) -> tuple[str, str, str] | None:
    if isinstance(effect, SetEffect):
        return "slot", "set", effect.set
    if isinstance(effect, ClearEffect):
        return "slot", "clear", effect.clear
    if isinstance(effect, SayEffect):
        return "prompt", "say", effect.say
    if isinstance(effect, CallEffect):
        return "tool", "call", effect.call
    if isinstance(effect, HandoffEffect):
        return "agent", "handoff", effect.handoff
    return ("outcome", "end", effect.end) if isinstance(effect, EndEffect) else None


RULE = Rule(
    (
        Code("target.unknown", "error", "A transition leads to a state that does not exist."),
        Code(
            "prompt.unknown", "error", "A state or an effect names a prompt that does not exist."
        ),
        Code(
            "tool.unknown",
            "error",
            "A state, an effect or a policy names a tool that does not exist.",
        ),
        Code("outcome.unknown", "error", "An effect ends with an outcome that does not exist."),
        Code(
            "slot.unknown", "error", "An effect or an expression names a slot that does not exist."
        ),
        Code("agent.unknown", "error", "A state or an effect names an agent outside the squad."),
    ),
    find,
)
