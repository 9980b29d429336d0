"""W3C SCXML: reading it as a chart."""

from .reader import read_scxml
from .report import Imported, InterchangeError, Loss

__all__ = ["Imported", "InterchangeError", "Loss", "read_scxml"]
