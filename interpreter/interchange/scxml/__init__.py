"""W3C SCXML 1.0 (https://www.w3.org/TR/scxml/), read and written."""

from .reader import read_scxml
from .report import Imported, InterchangeError, Loss
from .writer import Written, write_scxml

__all__ = ["Imported", "InterchangeError", "Loss", "Written", "read_scxml", "write_scxml"]
