"""A chart in the notations of others."""

from .formats import FORMATS, Format
from .mermaid import diagram_mermaid
from .scxml import Imported, InterchangeError, Loss, Written, read_scxml, write_scxml

__all__ = [
    "FORMATS", "Format", "Imported", "InterchangeError", "Loss", "Written", "diagram_mermaid",
    "read_scxml", "write_scxml",
]  # fmt: skip
