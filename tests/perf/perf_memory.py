"""Memory growth of strategies over 1,000 puzzles each: ``make perf``. Takes a few minutes."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from sudoku_bench.bench.plan.strategies import known
from tests.conftest import TOP

PUZZLES = 1000
MOST_MIB = 16.0
# Choco is compiled from Java: its heap grows until it is collected (80 MiB after 1,000 puzzles, 260 MiB after 6,000).
MOST_MIB_OF = {"cp:choco": 512.0, "cp:choco+bounds": 512.0}


@pytest.mark.parametrize("name", [info.name for info in known().values() if info.available])
def test_a_thousand_puzzles(benchmark, name: str) -> None:
    command = [sys.executable, "-W", "ignore", "-m", "tests.solvers.memory", name, str(PUZZLES)]
    options = {"cwd": TOP, "env": {**os.environ, **known()[name].environ}, "capture_output": True, "check": True}
    growth_mib = float(benchmark.pedantic(subprocess.run, (command,), options, rounds=1).stdout)
    print(f"{name}: {growth_mib:.1f} MiB more after {PUZZLES} puzzles")
    assert growth_mib < MOST_MIB_OF.get(name, MOST_MIB)
