"""Bringing the peers: an environment and a folder of their own, from locks with hashes.

What cannot be brought is named, and the rest is measured.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

PIP = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes")


def python_of(build: Path) -> Path:
    """The interpreter of the peers' environment."""
    return build / "venv" / "bin" / "python"


def script_of(build: Path) -> Path:
    """The adapters beside `node_modules`, from where Node looks for packages."""
    return build / "node" / "node_peers.mjs"


def peers(root: Path, build: Path) -> dict[str, str]:
    """Installs what the locks name, once per lock. Gives engines that stay away, and why.

    A package that is missing shows itself when an engine is measured; here only a missing Python
    environment or a missing Node is named.
    """
    absent: dict[str, str] = {}
    fault = _python(root / "requirements" / "bench.lock", build)
    if fault is not None:
        absent.update(dict.fromkeys(_python_names(), fault))
    fault = _node(root / "benchmarks", build)
    if fault is not None:
        absent.update(dict.fromkeys(_node_names(), fault))
    return absent


def _python_names() -> tuple[str, ...]:
    return ("psm", "psm-json", "transitions", "sismic", "sismic-nocontract", "xsm")


def _node_names() -> tuple[str, ...]:
    return ("xstate-actor", "xstate-pure", "xstate-fsm", "robot3")


def _fresh(stamp: Path, files: Iterable[Path]) -> str | None:
    """The digest to stamp when something is to be done, None when it was done before."""
    digest = hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == digest:
        return None
    return digest


def _python(lock: Path, build: Path) -> str | None:
    stamp = build / "venv" / "lock"
    digest = _fresh(stamp, [lock])
    if digest is None:
        return None
    print("Installing the peers from PyPI ...", flush=True)
    made = _ran([sys.executable, "-m", "venv", str(build / "venv")])
    if made is not None:
        return f"no environment for it: {made}"
    python = str(python_of(build))
    if _ran([python, *PIP, "-r", str(lock)]) is None:
        stamp.write_text(digest, encoding="utf-8")
        return None
    one = build / "one.lock"
    for block in blocks(lock.read_text(encoding="utf-8")):
        one.write_text(block, encoding="utf-8")
        fault = _ran([python, *PIP, "--no-deps", "-r", str(one)])
        if fault is not None:
            print(f"  {block.split(' ')[0]} cannot be installed: {fault}")
    return None


def blocks(lock: str) -> list[str]:
    """A lock's requirements, each with its hashes."""
    found: list[str] = []
    for line in lock.splitlines(keepends=True):
        if line.startswith("#"):
            continue
        if line[:1].strip():
            found.append(line)
        elif found and not line.lstrip().startswith("#"):
            found[-1] += line
    return found


def _node(source: Path, build: Path) -> str | None:
    if shutil.which("node") is None or shutil.which("npm") is None:
        return "Node and npm are not on this machine"
    folder = build / "node"
    folder.mkdir(parents=True, exist_ok=True)
    names = ("package.json", "package-lock.json")
    digest = _fresh(folder / "lock", [source / name for name in names])
    shutil.copy(source / "engine" / "node_peers.mjs", script_of(build))
    if digest is None:
        return None
    print("Installing the peers from npm ...", flush=True)
    for name in names:
        shutil.copy(source / name, folder / name)
    fault = _ran(
        ["npm", "ci", "--no-audit", "--no-fund", "--loglevel=error", "--prefix", str(folder)]
    )
    if fault is None:
        (folder / "lock").write_text(digest, encoding="utf-8")
    return fault and f"npm could not install it: {fault}"


def _ran(arguments: list[str]) -> str | None:
    """Runs a command; gives the last line of what it complained of, None when all is well."""
    done = subprocess.run(arguments, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return None
    lines = (done.stderr or done.stdout).strip().splitlines()
    return lines[-1] if lines else f"exit status {done.returncode}"
