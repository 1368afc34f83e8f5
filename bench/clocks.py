"""The clocks of the stopwatch.

CPU time decides, because on a shared machine it moves far less than wall time. ``cpu_s`` is the clock of this
process with all its threads, plus the children that it has waited for.
"""

from __future__ import annotations

import resource
import statistics
import time
from collections.abc import Callable


def cpu_s() -> float:
    """CPU seconds of this process, its threads and its reaped children."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def wall_s() -> float:
    """Monotonic seconds."""
    return time.perf_counter()


def cost_s(clock: Callable[[], float], reads: int = 200, rounds: int = 7) -> float:
    """What one reading of a clock costs on this machine, in seconds: the median over rounds of many reads."""
    samples = []
    for _ in range(rounds):
        start = time.perf_counter()
        for _ in range(reads):
            clock()
        samples.append((time.perf_counter() - start) / reads)
    return statistics.median(samples)
