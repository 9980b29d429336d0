"""Log records that nobody can forge: what came from outside never starts a line. R-62."""

import logging

LONGEST = 2_000


class OneLine(logging.Formatter):
    """The message on one line, control characters escaped; a traceback follows it indented."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802
        """Give the line."""
        return _escaped(super().formatMessage(record)[:LONGEST])

    def formatException(self, ei: object) -> str:  # noqa: N802
        """Give the traceback, every line of it indented."""
        text = super().formatException(ei)  # type: ignore[arg-type]
        return "\n".join(f"  {_escaped(line)}" for line in text.split("\n"))


def _escaped(text: str) -> str:
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode()
        for letter in text
    )
