"""Kernels are compiled once per machine."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.conftest import TOP

KERNEL = """
import logging
from sudoku_bench.datasets.kernels import njit

@njit()
def inner(n):
    return n + 1

@njit()
def outer(n):
    return inner(n) * 2

if __name__ == "__main__":
    input()
    import own_kernels
    heard = logging.getLogger("sudoku_bench.datasets.kernels")
    heard.setLevel(logging.INFO)
    heard.addFilter(lambda record: print(record.getMessage(), end=", "))
    print(own_kernels.outer(20), sum(own_kernels.outer.stats.cache_misses.values()), sep=", ")
"""


def test_processes_that_need_a_kernel_at_once_compile_it_once(tmp_path: Path) -> None:
    program = tmp_path / "own_kernels.py"
    program.write_text(KERNEL, encoding="utf-8")
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join((str(TOP), str(tmp_path)))}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    processes = [subprocess.Popen([sys.executable, program], env=environ, **pipes) for _ in range(3)]
    for process in processes:  # all have imported numba by then, or soon will
        assert process.stdin
        process.stdin.write("\n")
        process.stdin.flush()
    lines = sorted(process.communicate()[0].strip() for process in processes)
    assert lines == ["42, 0", "42, 0", "compiling outer, compiling inner, 42, 1"]  # what is compiled is logged
