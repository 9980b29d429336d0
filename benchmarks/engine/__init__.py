"""Engines beside each other on five workloads, in one interleaved run; how our costs grow.

What is measured, and how: README, "Figures". Writes `build/bench/engine.json`.
"""

from benchmarks.engine.run import main

__all__ = ["main"]
