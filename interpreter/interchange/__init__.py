"""A chart in the notations of others."""

from .mermaid import diagram_mermaid

__all__ = ["diagram_mermaid"]
