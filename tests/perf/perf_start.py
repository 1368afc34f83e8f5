"""Speed of starting commands, relative to a Python process that does nothing: ``make perf``."""

from __future__ import annotations

import gc
import resource
import subprocess
import sys
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from tests.conftest import TOP

ROUNDS = 5
STARTS = {
    "--help": ("--help",),
    "list datasets": ("list", "datasets"),
    "list strategies": ("list", "strategies"),
    "status": ("status", "results/reference"),
    "solve": ("solve", "1.....3..4....2."),
}


def cpu_s(run: Callable[[], Any]) -> float:
    """Return the CPU seconds of a call, with those of processes that it waits for, not in ticks of 10 ms.

    As before a measurement of a run, the garbage collector forgets what is older than the call.
    """
    gc.collect()
    gc.freeze()
    start = used_s()
    run()
    return used_s() - start


def used_s() -> float:
    """Return the CPU seconds so far of this process and those that it has waited for."""
    used = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in used)


def interleaved(ways: Mapping[str, Callable[[], Any]], rounds: int = ROUNDS) -> dict[str, float]:
    """Return the median CPU seconds of each way over rounds, after one that is a warm-up."""
    times = [{way: cpu_s(run) for way, run in ways.items()} for _ in range(rounds + 1)][1:]
    return {way: float(np.median([round_s[way] for round_s in times])) for way in ways}


def test_start(benchmark: Any) -> None:
    """CPU seconds of short commands, relative to a Python process that does nothing."""
    ways = {"python": lambda: subprocess.run([sys.executable, "-c", ""], check=True)}
    for name, arguments in STARTS.items():
        command = [sys.executable, "-m", "sudoku_bench", *arguments]
        ways[name] = lambda command=command: subprocess.run(command, stdout=subprocess.DEVNULL, cwd=TOP, check=True)
    times = benchmark.pedantic(interleaved, args=(ways,), rounds=1)
    for way, spent in times.items():
        benchmark.extra_info[way] = spent
        print(f"\n{way}: {spent:.2f} CPU s, {spent / times['python']:.1f} of an empty Python process")
