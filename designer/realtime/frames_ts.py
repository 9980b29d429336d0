"""Writes the TypeScript protocol of the sockets from `frames.py`.

`python -m designer.realtime.frames_ts` rewrites the file; `--check` exits with 1 if it is stale.
"""

from __future__ import annotations

import dataclasses
import sys
import types
import typing
from pathlib import Path
from typing import Any

from designer.realtime import frames

TARGET = Path(__file__).resolve().parents[2] / "frontend" / "src" / "transport" / "frames.ts"
_NAMES: dict[Any, str] = {
    int: "number",
    float: "number",
    str: "string",
    bool: "boolean",
    type(None): "null",
    Any: "unknown",
}


def _type(hint: Any) -> str:
    if hint in _NAMES:
        return _NAMES[hint]
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Literal:
        return " | ".join(f'"{value}"' for value in args)
    if origin is list:
        return f"readonly ({_type(args[0])})[]"
    if origin is dict:
        return f"Readonly<Record<{_type(args[0])}, {_type(args[1])}>>"
    if origin in (typing.Union, types.UnionType):
        return " | ".join(_type(arg) for arg in args)
    return str(hint.__name__)


def _interface(cls: type[Any]) -> str:
    hints = typing.get_type_hints(cls)
    lines = [f"/** {(cls.__doc__ or '').strip()} */", f"export interface {cls.__name__} {{"]
    if hasattr(cls, "op"):
        lines.append(f'  readonly op: "{cls.op}";')
    for field in dataclasses.fields(cls):
        lines.append(f"  readonly {field.name.rstrip('_')}: {_type(hints[field.name])};")
    return "\n".join([*lines, "}"])


def render() -> str:
    """Give the text of frames.ts."""
    classes = (*frames.ITEMS, *frames.PARTS, *frames.CLIENT_FRAMES, *frames.SERVER_FRAMES)
    server = " | ".join(cls.__name__ for cls in frames.SERVER_FRAMES)
    client = " | ".join(cls.__name__ for cls in frames.CLIENT_FRAMES)
    codes = "\n".join(f"  {name}: {code}," for name, code in frames.CLOSE_CODES.items())
    return (
        "\n\n".join(
            [
                "// Generated from designer/realtime/frames.py by"
                " `python -m designer.realtime.frames_ts`. Do not edit.",
                f'export const SUBPROTOCOL = "{frames.SUBPROTOCOL}";',
                f"export const CLOSE_CODES = {{\n{codes}\n}} as const;",
                *(_interface(cls) for cls in classes),
                f"export type ServerFrame = {server};",
                f"export type ClientFrame = {client};",
            ]
        )
        + "\n"
    )


def main(arguments: list[str]) -> int:
    """Write the file, or with `--check` say whether it is fresh; gives the exit status."""
    text = render()
    if "--check" in arguments:
        fresh = TARGET.exists() and TARGET.read_text(encoding="utf-8") == text
        sys.stdout.write("fresh\n" if fresh else f"stale: {TARGET}\n")
        return 0 if fresh else 1
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
