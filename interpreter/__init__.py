"""The chart language and its engine: pure values in, values out. This is its one door.

`check` says what is wrong with a chart, `compile_machine` makes it ready, `start` and `step`
run it, `dry_run` plays a script over it (docs/contracts.md section 3).
"""

from interpreter.analysis import (
    AnalysisReport,
    Change,
    Comparison,
    Coverage,
    Difference,
    Finding,
    Ways,
    analyse,
    compare_agents,
    compare_behaviour,
    cover,
    coverage,
    same_guard,
    undeclared_moves,
    ways_to,
)
from interpreter.checking import CODES, check, check_agent
from interpreter.document import (
    AgentDoc,
    MachineDoc,
    SlotDoc,
    digest_of,
    dump_document,
    json_schema,
    matches,
    parse_agent,
    parse_document,
    parse_duration,
    parse_slots,
    why_not,
)
from interpreter.dryrun import Report, StepReport, dry_run
from interpreter.errors import (
    DocumentError,
    InputError,
    InterpreterError,
    Problem,
    SnapshotError,
    pointer,
)
from interpreter.expressions import rename_in_template, rename_reference
from interpreter.interchange import (
    FORMATS,
    Imported,
    InterchangeError,
    Loss,
    Written,
    diagram_mermaid,
    read_scxml,
    write_scxml,
)
from interpreter.records import Record
from interpreter.session import (
    History,
    Hooks,
    Move,
    Result,
    Session,
    Thrashing,
    keyword_detector,
    keyword_scores,
)
from interpreter.stepping import (
    Answer,
    GuardOutcome,
    Input,
    Machine,
    Refusal,
    Snapshot,
    Step,
    Timer,
    compile_agent,
    compile_machine,
    due,
    parse_input,
    start,
    start_step,
    step,
)

SlotSpec = SlotDoc

__all__ = [
    "CODES", "FORMATS", "AgentDoc", "AnalysisReport", "Answer", "Change", "Comparison",
    "Coverage", "Difference", "DocumentError", "Finding", "GuardOutcome", "History", "Hooks",
    "Imported", "Input", "InputError", "InterchangeError", "InterpreterError", "Loss",
    "Machine", "MachineDoc", "Move", "Problem", "Record", "Refusal", "Report", "Result",
    "Session", "SlotDoc", "SlotSpec", "Snapshot", "SnapshotError", "Step", "StepReport",
    "Thrashing", "Timer", "Ways", "Written", "analyse", "check", "check_agent",
    "compare_agents", "compare_behaviour", "compile_agent", "compile_machine", "cover", "coverage",
    "diagram_mermaid", "digest_of", "dry_run", "due", "dump_document", "json_schema",
    "keyword_detector", "keyword_scores", "matches", "parse_agent", "parse_document",
    "parse_duration", "parse_input", "parse_slots", "pointer", "read_scxml",
    "rename_in_template", "rename_reference", "same_guard", "start", "start_step", "step",
    "undeclared_moves", "ways_to", "why_not", "write_scxml",
]  # fmt: skip
