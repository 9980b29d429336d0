"""The guide is true: every example runs, every command prints what it says."""

from __future__ import annotations

import contextlib
import doctest
import io
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from interpreter.cli import main

ROOT = Path(__file__).resolve().parents[2]
GUIDES = sorted((ROOT / "docs").glob("guide*.md"))
GUIDE = (ROOT / "docs" / "guide.md").read_text(encoding="utf-8")
CONSOLE = re.findall(r"^```console\n\$ python -m interpreter (.*)\n([\s\S]*?)^```", GUIDE, re.M)
FILES = dict(re.findall(r"^<!-- file: (\S+) -->\n```json\n([\s\S]*?)^```", GUIDE, re.M))
NAMED = {"annotated_types", "msgspec", "pydantic", "pydantic_core", "re2", "rfc8785"}
BEHIND = {"typing_extensions", "typing_inspection"}


@pytest.mark.parametrize("guide", GUIDES, ids=lambda path: path.name)
def test_every_example_of_a_guide_gives_what_it_says(guide: Path) -> None:
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        failed, tried = doctest.testfile(str(guide), module_relative=False, encoding="utf-8")
    assert tried > 0
    assert failed == 0, said.getvalue()


@pytest.mark.parametrize(("command", "printed"), CONSOLE, ids=[one[0] for one in CONSOLE])
def test_every_command_of_the_guide_prints_what_it_says(
    command: str,
    printed: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    main(shlex.split(command))
    assert capsys.readouterr().out == printed


def test_the_guide_has_a_line_for_every_command() -> None:
    helped = subprocess.run(
        [sys.executable, "-m", "interpreter", "--help"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    listed = helped.partition("commands:\n")[2].partition("\n\n")[0]
    commands = set(re.findall(r"^  (\w+) ", listed, re.M))
    assert "check" in commands
    assert commands <= set(re.findall(r"^\| `(\w+) [^`]*` \|", GUIDE, re.M))


def test_the_interpreter_loads_what_the_stack_names_and_nothing_else() -> None:
    """A fresh process: no Django, none of the product, no package that is not named."""
    code = (
        "import sys; before = set(sys.modules)\n"
        "import interpreter, interpreter.cli, interpreter.library\n"
        "tops = {name.partition('.')[0] for name in set(sys.modules) - before}\n"
        "print(*sorted(t for t in tops if t not in sys.stdlib_module_names))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    loaded = {name for name in done.stdout.split() if not name.startswith("_sysconfigdata")}
    assert "interpreter" in loaded
    assert loaded - {"interpreter"} <= NAMED | BEHIND | {"defusedxml"}


def test_the_interpreter_says_that_it_has_types() -> None:
    assert (ROOT / "interpreter" / "py.typed").is_file()
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert re.search(r'^interpreter = \["py\.typed"', project, re.M)
