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
from interpreter.checking import CODES, check, check_agent, check_workflow
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
from interpreter.workflow import (
    CompiledWorkflow,
    Evaluation,
    WorkflowDoc,
    compile_workflow,
    dump_workflow,
    evaluate_node,
    parse_workflow,
    workflow_schema,
)

SlotSpec = SlotDoc

__all__ = [
    "CODES", "FORMATS", "AgentDoc", "AnalysisReport", "Answer", "Change", "Comparison",
    "CompiledWorkflow", "Coverage", "Difference", "DocumentError", "Evaluation", "Finding",
    "GuardOutcome", "History", "Hooks", "Imported", "Input", "InputError", "InterchangeError",
    "InterpreterError", "Loss", "Machine", "MachineDoc", "Move", "Problem", "Record", "Refusal",
    "Report", "Result", "Session", "SlotDoc", "SlotSpec", "Snapshot", "SnapshotError", "Step",
    "StepReport", "Thrashing", "Timer", "Ways", "WorkflowDoc", "Written", "analyse", "check",
    "check_agent", "check_workflow", "compare_agents", "compare_behaviour", "compile_agent",
    "compile_machine", "compile_workflow", "cover", "coverage", "diagram_mermaid", "digest_of",
    "dry_run", "due", "dump_document", "dump_workflow", "evaluate_node", "json_schema",
    "keyword_detector", "keyword_scores", "matches", "parse_agent", "parse_document",
    "parse_duration", "parse_input", "parse_slots", "parse_workflow", "pointer", "read_scxml",
    "rename_in_template", "rename_reference", "same_guard", "start", "start_step", "step",
    "undeclared_moves", "ways_to", "why_not", "workflow_schema", "write_scxml",
]  # fmt: skip
