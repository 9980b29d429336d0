"""What a format could not carry, line by line; and the error when nothing can be read at all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from interpreter.document import (
    AgentDoc,
    MachineDoc,
    SlotDoc,
    Widening,
    dump_document,
    is_loose,
)
from interpreter.errors import InterpreterError

Carried = Literal["no", "beside", "note"]


class InterchangeError(InterpreterError):
    """A text that is no document of the format it claims; the message is a sentence."""


@dataclass(frozen=True, slots=True)
class Loss:
    """One thing that did not come over whole.

    `carried` is "no" (it is lost), "beside" (only a Widening holds it: our engine runs it, a
    document does not) or "note" (it came over in another form, which the sentence names).
    """

    where: str
    what: str
    carried: Carried = "no"

    def __str__(self) -> str:
        said = {"no": "lost", "beside": "not in the document", "note": "note"}[self.carried]
        return f"{self.where}: {said}: {self.what}"


@dataclass(frozen=True, slots=True)
class Imported:
    """A chart read from another notation.

    `machine`, `slots` and `wider` are what the compiler takes; `states` gives the key of each id
    of the source; `events` our names for those of the source that we spell otherwise. `whole` is
    the agent document when the source is one that we wrote.
    """

    machine: MachineDoc
    slots: tuple[SlotDoc, ...]
    wider: Widening
    states: dict[str, str]
    events: dict[str, str]
    losses: tuple[Loss, ...]
    name: str = ""
    whole: AgentDoc | None = None

    def agent(self, key: str = "imported") -> dict[str, Any]:
        """The agent document (JSON): all that a document can hold."""
        if self.whole is not None:
            return dump_document(self.whole)
        slots = tuple(
            SlotDoc(key=slot.key, type="string") if is_loose(slot) else slot for slot in self.slots
        )
        whole = AgentDoc(key=key, name=self.name[:200], slots=slots, machine=self.machine)
        return dump_document(whole)
