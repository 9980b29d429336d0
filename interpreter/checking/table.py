"""docs/problems.md, made from the rules: ``python -m interpreter.checking.table`` rewrites it."""

from pathlib import Path

from interpreter.workflow import CODES as WORKFLOW_CODES

from .rules import RULES

_HEAD = """# Problems

What a check may say of a chart. Made from `interpreter/checking`; do not edit, run
`python -m interpreter.checking.table`. Faults of shape have codes `document.*`.
An error stops a publish; a warning does not.

| code | severity | when |
| --- | --- | --- |
"""


_WORKFLOWS = """
## Workflows

What `check_workflow` may say of the graph, beside what the codes above say of its slots, prompts,
tools, questions and expressions.

| code | severity | when |
| --- | --- | --- |
"""


def markdown() -> str:
    """The whole page, in the order of the rules."""
    codes = (code for rule in RULES for code in rule.codes)
    rows = (f"| `{code.code}` | {code.severity} | {code.when} |" for code in codes)
    graph = (f"| `{code}` | {row[0]} | {row[1]} |" for code, row in WORKFLOW_CODES.items())
    return _HEAD + "\n".join(rows) + "\n" + _WORKFLOWS + "\n".join(graph) + "\n"


if __name__ == "__main__":
    Path(__file__).resolve().parents[2].joinpath("docs", "problems.md").write_text(markdown())
