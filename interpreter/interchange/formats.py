"""All formats in one table: what reads and what writes them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from interpreter.document import AgentDoc, MachineDoc
from interpreter.interchange.mermaid import diagram_mermaid
from interpreter.interchange.scxml import Imported, Written, read_scxml, write_scxml


@dataclass(frozen=True, slots=True)
class Format:
    """One notation. `read` takes the text of a file, `write` an agent document, or None."""

    name: str
    about: str
    read: Callable[[bytes | str], Imported] | None = None
    write: Callable[[AgentDoc], Written] | None = None


def _mermaid(agent: AgentDoc) -> Written:
    return Written(diagram_mermaid(agent.machine or MachineDoc()))


FORMATS = {
    row.name: row
    for row in (
        Format("scxml", "W3C SCXML 1.0", read_scxml, write_scxml),
        Format("mermaid", "a Mermaid diagram, to look at", None, _mermaid),
    )
}
