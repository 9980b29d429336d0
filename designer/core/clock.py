"""The clock. It is read once, at the door; after that `now` is an argument."""

from datetime import UTC, datetime


def now() -> datetime:
    """This moment in UTC, in whole milliseconds: what is stored is what is shown."""
    moment = datetime.now(UTC)
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


def rfc3339(moment: datetime) -> str:
    """`2026-11-30T10:00:00.000Z`."""
    return (
        moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.")
        + f"{moment.microsecond // 1000:03d}Z"
    )


def rfc3339_or_none(moment: datetime | None) -> str | None:
    """`rfc3339`, or None for None."""
    return None if moment is None else rfc3339(moment)
