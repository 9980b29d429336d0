"""Stepping: selection, microstep, macrostep, Snapshots, timers, limits."""

from interpreter.stepping.inputs import Input, parse_input
from interpreter.stepping.machine import Machine, compile_agent, compile_machine
from interpreter.stepping.outcome import Answer, GuardOutcome, Refusal, Step
from interpreter.stepping.snapshot import Snapshot, Timer
from interpreter.stepping.step import due, refuse_line, start, start_step, step

__all__ = [
    "Answer", "GuardOutcome", "Input", "Machine", "Refusal", "Snapshot", "Step", "Timer",
    "compile_agent", "compile_machine", "due", "parse_input", "refuse_line", "start",
    "start_step", "step",
]  # fmt: skip
