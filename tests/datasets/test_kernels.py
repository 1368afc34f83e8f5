"""Kernels are compiled once per machine, from the code as it is."""

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


MODULES = {  # outer calls middle, which calls inner
    "inner": "NUMBER = 1\n@njit()\ndef inner(n):\n    return n + NUMBER",
    "middle": "from inner import inner\n@njit()\ndef middle(n):\n    return inner(n)",
    "outer": "from middle import middle\n@njit()\ndef outer(n):\n    return middle(n)",
}
CALL = (
    "import outer; print(outer.outer(1), outer.outer.__name__, outer.outer.__qualname__, outer.outer.stats.cache_hits)"
)


def called(folder: Path) -> str:
    environ = {**os.environ, "PYTHONPATH": str(TOP), "NUMBA_CACHE_DIR": ""}  # beside the code
    command = [sys.executable, "-c", CALL]
    return subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True, check=True).stdout.strip()


def test_a_kernel_is_compiled_again_when_a_module_that_it_calls_changes(tmp_path: Path) -> None:
    for name, text in MODULES.items():
        program = f"from sudoku_bench.datasets.kernels import njit\n{text}\n"
        (tmp_path / f"{name}.py").write_text(program, encoding="utf-8")
    inner, folder = tmp_path / "inner.py", tmp_path / "__pycache__"
    assert called(tmp_path).startswith("2 outer outer ")
    earlier = {path.name for path in folder.glob("*.nb[ic]")}
    assert len(earlier) == 2 * len(MODULES)
    assert called(tmp_path).endswith(" Counter({(int64,): 1})")
    inner.write_text(inner.read_text(encoding="utf-8").replace("NUMBER = 1", "NUMBER = 10"), encoding="utf-8")
    assert called(tmp_path).startswith("11 ")
    later = {path.name for path in folder.glob("*.nb[ic]")}
    assert len(later) == len(earlier)
    assert not later & earlier  # what nobody will use is gone


LOADS = """
import sys
import numpy as np
from sudoku_bench.datasets.kernels import njit

@njit()
def total(values):
    return np.cumsum(values)[-1]

print(total(np.arange(4)), "numba.np.npyimpl" in sys.modules)
for kind in sys.argv[1:]:
    print(total(np.arange(4, dtype=kind)))
"""


def test_a_process_that_has_only_loaded_a_kernel_can_compile_later(tmp_path: Path) -> None:
    (tmp_path / "loads.py").write_text(LOADS, encoding="utf-8")
    environ, lines = {**os.environ, "PYTHONPATH": str(TOP), "NUMBA_CACHE_DIR": ""}, []
    for kinds in ((), (), ("f8",), ("f8", "u2")):
        command = [sys.executable, tmp_path / "loads.py", *kinds]
        lines.append(subprocess.run(command, env=environ, capture_output=True, text=True, check=True).stdout.split())
    assert lines == [["6", "True"], ["6", "False"], ["6", "False", "6.0"], ["6", "False", "6.0", "6"]]
