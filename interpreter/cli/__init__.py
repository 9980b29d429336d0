"""The command line, one command a file; `main.COMMANDS` lists them all."""

from interpreter.cli.main import main

__all__ = ["main"]
