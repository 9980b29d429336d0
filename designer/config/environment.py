"""What the environment says, read once. Nothing else reads `os.environ`."""

import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

from designer.core.buckets import Rate, parse_rate

ROOT = Path(__file__).resolve().parent.parent.parent
TRUE = frozenset({"1", "true", "yes", "on"})
RATES = {"inputs": "200/400", "actor": "40/400", "strangers": "1/60"}
"""A second / at once. Inputs of Calls count by workspace, other requests by token or person,
requests without good credentials by address."""
LOCAL_HOSTS = ("localhost", "127.0.0.1", "[::1]", "testserver")


@dataclass(frozen=True)
class Environment:
    """The settings a person who runs Callchart can choose."""

    mode: str
    debug: bool
    data: Path
    database_url: str
    redis_url: str
    secret_key: str
    hosts: tuple[str, ...]
    origins: tuple[str, ...]
    https: bool
    trust_proxy: bool
    rates: dict[str, Rate | None]


def flag(name: str, *, default: bool) -> bool:
    """The boolean in environment variable `name`."""
    value = os.environ.get(name, "").strip().lower()
    return default if not value else value in TRUE


def words(name: str) -> tuple[str, ...]:
    """The comma-separated values in environment variable `name`."""
    return tuple(word.strip() for word in os.environ.get(name, "").split(",") if word.strip())


def rates() -> dict[str, Rate | None]:
    """The rate limits: `CALLCHART_RATE_INPUTS=50/100`, or `CALLCHART_RATES=off` for none.

    Raises `ImproperlyConfigured` for what is no rate.
    """
    off = os.environ.get("CALLCHART_RATES", "").strip().lower() == "off"
    found: dict[str, Rate | None] = {}
    for name, usual in RATES.items():
        variable = f"CALLCHART_RATE_{name.upper()}"
        text = os.environ.get(variable, "").strip() or ("off" if off else usual)
        try:
            found[name] = parse_rate(text)
        except ValueError as fault:
            raise ImproperlyConfigured(f"{variable}: {fault}") from fault
    return found


def kept_secret(data: Path) -> str:
    """A secret key made once and kept in the data folder, readable by its owner only."""
    file = data / "secret"
    if not file.exists():
        data.mkdir(parents=True, exist_ok=True)
        made = data / f"secret.{os.getpid()}"
        made.touch(mode=0o600)
        made.write_text(secrets.token_urlsafe(48))
        try:
            os.link(made, file)
        except FileExistsError:
            pass
        finally:
            made.unlink()
    return file.read_text().strip()


def read() -> Environment:
    """Reads the environment.

    Raises `ImproperlyConfigured` when scaled mode lacks a key or hosts.
    """
    redis_url = os.environ.get("REDIS_URL", "").strip()
    mode = "scaled" if redis_url else "embedded"
    debug = flag("CALLCHART_DEBUG", default=False)
    data = Path(os.environ.get("CALLCHART_DATA", "").strip() or ROOT / "var").resolve()
    data.mkdir(parents=True, exist_ok=True)
    easy = debug or mode == "embedded"
    secret = os.environ.get("CALLCHART_SECRET_KEY", "").strip()
    hosts = words("CALLCHART_HOSTS")
    if not easy and len(secret) < 32:
        raise ImproperlyConfigured(
            "CALLCHART_SECRET_KEY must hold at least 32 characters when REDIS_URL is set."
        )
    if not easy and not hosts:
        raise ImproperlyConfigured("CALLCHART_HOSTS must name the hosts when REDIS_URL is set.")
    return Environment(
        mode=mode,
        debug=debug,
        data=data,
        database_url=os.environ.get("DATABASE_URL", "").strip()
        or f"sqlite:///{data / 'callchart.sqlite3'}",
        redis_url=redis_url,
        secret_key=secret or kept_secret(data),
        hosts=hosts or LOCAL_HOSTS,
        origins=words("CALLCHART_ORIGINS"),
        https=flag("CALLCHART_HTTPS", default=not easy),
        trust_proxy=flag("CALLCHART_TRUST_PROXY", default=False),
        rates=rates(),
    )


ENVIRONMENT = read()
