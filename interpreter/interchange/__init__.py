"""A chart in the notations of others."""

from .mermaid import diagram_mermaid
from .scxml import Imported, InterchangeError, Loss, read_scxml

__all__ = ["Imported", "InterchangeError", "Loss", "diagram_mermaid", "read_scxml"]
