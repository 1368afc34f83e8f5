"""Limits and measurements that this system supports, recorded in every manifest."""

from __future__ import annotations

from typing import Any

from sudoku_bench.bench.machine import sandbox
from sudoku_bench.bench.plan.suite import Suite
from sudoku_bench.bench.process import memory_group
from sudoku_bench.bench.process.watch import TICK_S
from sudoku_bench.bench.worker import confine, process_tree


def facts(suite: Suite) -> dict[str, Any]:
    """Return how each limit and clock is implemented here; ``best_effort`` lists what can be missed."""
    best_effort = []
    memory = "not limited"
    if suite.memory_mib and memory_group.parent():
        memory = "a control group (version 2) for each worker"
    elif suite.memory_mib:
        memory = f"RLIMIT_DATA per process, and memory of the tree with files in it every {TICK_S * 1000:.0f} ms"
        best_effort.append(f"memory allocated and freed within {TICK_S * 1000:.0f} ms is not seen")
        best_effort.append("files in memory that no process holds open or mapped are not counted")
    if not confine.can_spare_limits():
        best_effort.append("a strategy can lower limits of the runner and so end it")
    if not confine.can_reset_peak():
        best_effort.append("peak_rss_mib is the peak of the process so far, not of the solve")
    if not process_tree.has_exact_cpu_clock():
        best_effort.append("CPU time of living child processes is counted in ticks")
        best_effort.append("reported times are not checked against what the system charged")
    if suite.sandbox:
        best_effort += [f"the sandbox does not shut off {what}" for what in sandbox.stays_open()]
    return {
        "time_limit": f"CPU seconds of the process tree, every {TICK_S * 1000:.0f} ms",
        "memory_limit": memory,
        "best_effort": best_effort,
    }
