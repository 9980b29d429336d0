"""The values of a run of stages: what it counts, what it shows, what it says of a tool."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from interpreter import Result
from interpreter.library.stage_tables import PATH_ARGUMENTS, READERS, WRITERS

LAST_TOOLS = 5


@dataclass(slots=True)
class Facts:
    """What a run of stages counts beside the stage itself."""

    tool_history: list[str] = field(default_factory=list)
    observed_files: list[str] = field(default_factory=list)
    modified_files: list[str] = field(default_factory=list)
    messages: list[list[str]] = field(default_factory=list)
    confidence: float = 0.5

    @property
    def last_tools(self) -> list[str]:
        """The newest five."""
        return self.tool_history[-LAST_TOOLS:]

    def record(self, tool: str, arguments: Mapping[str, Any]) -> None:
        """A tool was used; its path counts as observed or modified, once each."""
        self.tool_history.append(tool)
        path = next((str(arguments[n]) for n in PATH_ARGUMENTS if arguments.get(n)), None)
        if path is None:
            return
        for tools, files in ((READERS, self.observed_files), (WRITERS, self.modified_files)):
            if tool in tools and path not in files:
                files.append(path)


@dataclass(frozen=True, slots=True)
class View:
    """What an agent shows of its state at one moment."""

    stage: str
    tool_calls_used: int
    tool_budget: int
    files_observed: tuple[str, ...]
    files_modified: tuple[str, ...]
    message_count: int


@dataclass(frozen=True, slots=True)
class ToolUse:
    """Whether a tool may be used now; `warning` where it is outside of the stage, yet allowed."""

    allowed: bool
    warning: str | None = None
    reason: str | None = None
    moved: Result | None = None
