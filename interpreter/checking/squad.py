"""Squad Agents have no machine and no squad of their own (where their documents are known)."""

from collections.abc import Iterator

from .chart import Chart
from .rule import Code, Found, Rule


def find(chart: Chart) -> Iterator[Found]:
    """Members that hold what a member may not hold."""
    for number, member in enumerate(chart.squad):
        agent = chart.members.get(member.key)
        if agent is None:
            continue
        path = ("squad", number)
        if agent.machine is not None:
            message = f"the squad agent '{member.key}' has a machine of its own"
            yield Found("squad.nested_machine", path, message, "Name an agent without a machine.")
        if agent.squad:
            message = f"the squad agent '{member.key}' has a squad of its own"
            yield Found("squad.nested_squad", path, message, "Name an agent without a squad.")


RULE = Rule(
    (
        Code("squad.nested_machine", "error", "A squad agent has a machine of its own."),
        Code("squad.nested_squad", "error", "A squad agent has a squad of its own."),
    ),
    find,
)
