"""What the source system's code says of its seven stages (source-systems.md 1.2), as data.

The chart `coding_stages` holds what its documentation says; the two differ, and both are kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

PURPOSES: Mapping[str, str] = MappingProxyType(
    {
        "INITIAL": "Start",
        "PLANNING": "Strategizing",
        "READING": "Gathering",
        "ANALYSIS": "Analyzing",
        "EXECUTION": "Changing and running",
        "VERIFICATION": "Validating",
        "COMPLETION": "Done",
    }
)

KEYWORDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "INITIAL": ("what", "how", "where", "explain", "help", "can you"),
        "PLANNING": ("plan", "approach", "strategy", "design", "architect"),
        "READING": ("show", "read", "look at", "check", "find"),
        "ANALYSIS": ("analyze", "review", "examine", "understand", "why"),
        "EXECUTION": (
            "change", "modify", "create", "add", "remove", "fix", "implement", "write", "update",
        ),
        "VERIFICATION": ("test", "verify", "check", "validate", "run"),
        "COMPLETION": ("done", "finish", "complete", "summarize", "commit"),
    }
)  # fmt: skip

WEAK: Mapping[str, float] = MappingProxyType(
    {"fix": 0.5, "add": 0.5, "change": 0.5, "update": 0.5}
)
"""Words of EXECUTION that also stand in a report of a bug: they count half."""

TOOLS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "INITIAL": (
            "analysis_checkpoint", "code_search", "ls", "project_overview", "read", "refs",
            "symbol", "web_fetch", "web_search",
        ),
        "PLANNING": (
            "analysis_checkpoint", "code_search", "docs", "jira", "ls", "refs", "symbol",
            "web_fetch", "web_search",
        ),
        "READING": ("code_search", "docs_coverage", "ls", "read", "refs", "symbol"),
        "ANALYSIS": (
            "analysis_checkpoint", "code_search", "docs", "docs_coverage", "ls", "metrics",
            "project_overview", "read", "refs", "scan", "symbol",
        ),
        "EXECUTION": (
            "edit", "extract", "jira", "notebook_edit", "rename", "shell", "slack", "teams",
            "write",
        ),
        "VERIFICATION": ("read", "shell", "test"),
        "COMPLETION": ("docs", "slack", "teams"),
    }
)  # fmt: skip

READERS = frozenset({"read", "ls", "search", "overview"})
"""Tools whose path counts as observed."""

WRITERS = frozenset({"write", "edit"})
"""Tools whose path counts as modified."""

PATH_ARGUMENTS = ("file", "path", "file_path")

PREDICTIONS: Mapping[str, Mapping[str, float]] = MappingProxyType(
    {
        "INITIAL": {"READING": 0.7, "PLANNING": 0.3},
        "PLANNING": {"READING": 0.6, "EXECUTION": 0.3, "ANALYSIS": 0.1},
        "READING": {"EXECUTION": 0.5, "ANALYSIS": 0.3, "READING": 0.2},
        "ANALYSIS": {"EXECUTION": 0.6, "READING": 0.3, "PLANNING": 0.1},
        "EXECUTION": {"VERIFICATION": 0.5, "READING": 0.3, "EXECUTION": 0.2},
        "VERIFICATION": {"COMPLETION": 0.4, "EXECUTION": 0.4, "READING": 0.2},
        "COMPLETION": {"COMPLETION": 1.0},
    }
)
"""What comes next, by probability; each row adds up to 1."""
