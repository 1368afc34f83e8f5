"""The clocks of the stopwatch.

CPU time decides, because on a shared machine it varies far less than wall time. ``cpu_s`` covers this process with all
its threads and all its descendants: those that it has waited for, those that ended without being waited for, and those
that are still alive. (``time.thread_time`` misses threads; ``RUSAGE_CHILDREN`` misses living children.)
"""

from __future__ import annotations

import os
import resource
import time
from collections.abc import Callable

from sudoku_bench.bench.worker import process_tree

# Bound before a strategy is imported: replacing a function of these modules does not stop the stopwatch.
_process_time, _perf_counter, _getrusage, _waitid = time.process_time, time.perf_counter, resource.getrusage, os.waitid

RESOLUTION_S = max(time.get_clock_info(clock).resolution for clock in ("process_time", "perf_counter"))


def cpu_s() -> float:
    """Return the CPU seconds of this process and its descendants so far.

    Detached descendants are included if this process adopts orphans (``process_tree.adopt_orphans``). With living
    children, a reading scans all processes of the machine, which takes about a millisecond; without, it takes 2 µs.
    """
    return living_descendants_cpu_s() + own_cpu_s()


def cpu_end_s() -> float:
    """Return the same as ``cpu_s``, for the end of a solve: reading the clocks of children is not charged to it."""
    own_s = _process_time()
    return own_s + waited_for_cpu_s() + living_descendants_cpu_s()


def own_cpu_s() -> float:
    """Return the CPU seconds of this process, its threads and the children that it has waited for."""
    return waited_for_cpu_s() + _process_time()


def waited_for_cpu_s() -> float:
    """Return the CPU seconds of the children that this process has waited for."""
    children = _getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


def living_descendants_cpu_s() -> float:
    """Return the CPU seconds of descendants that no parent has waited for yet, and of the children they waited for."""
    return sum(map(process_tree.cpu_s, process_tree.descendants(os.getpid()))) if has_children() else 0.0


def has_children() -> bool:
    """Is there a child, alive or not waited for? One system call, which reaps no child."""
    try:
        _waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def wall_s() -> float:
    """Return monotonic seconds."""
    return _perf_counter()


def cost_s(clock: Callable[[], object], reads: int = 200, rounds: int = 7) -> float:
    """Return the cost of one reading of a clock on this machine, in seconds: the median over rounds of many reads."""
    means = []
    for _ in range(rounds):
        start = _perf_counter()
        for _ in range(reads):
            clock()
        means.append((_perf_counter() - start) / reads)
    return sorted(means)[rounds // 2]


def costs_s() -> dict[str, float]:
    """Return the cost of one reading of each clock on this machine, in seconds."""
    return {"cpu": cost_s(own_cpu_s) + cost_s(has_children), "wall": cost_s(wall_s)}
