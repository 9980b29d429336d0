"""The public suites of SCXML, run on our engine.

The chart is read by `interchange`, compiled with its Widening, and stepped by `stepping`; this
room adds what a host adds: the two event queues' outer half, a clock, and a verdict.
"""

from interpreter.conformance.host import Host
from interpreter.conformance.report import Tally, table_of
from interpreter.conformance.suite import Case, Verdict, judge

__all__ = ["Case", "Host", "Tally", "Verdict", "judge", "table_of"]
