"""docs/problems.md, made from the rules: ``python -m interpreter.checking.table`` rewrites it."""

from pathlib import Path

from .rules import RULES

_HEAD = """# Problems

What a check may say of a chart. Made from `interpreter/checking`; do not edit, run
`python -m interpreter.checking.table`. Faults of shape have codes `document.*`.
An error stops a publish; a warning does not.

| code | severity | when |
| --- | --- | --- |
"""


def markdown() -> str:
    """The whole page, in the order of the rules."""
    codes = (code for rule in RULES for code in rule.codes)
    rows = (f"| `{code.code}` | {code.severity} | {code.when} |" for code in codes)
    return _HEAD + "\n".join(rows) + "\n"


if __name__ == "__main__":
    Path(__file__).resolve().parents[2].joinpath("docs", "problems.md").write_text(markdown())
