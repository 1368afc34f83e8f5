"""Run a module of the project in a process of its own: ``python -P bench/worker/start.py MODULE ARGUMENT...``.

The folder that holds ``bench``, ``datasets`` and ``solvers`` goes first on the path of that process. It therefore runs
the code of this checkout or installation, whatever else the environment calls ``datasets``.
"""

from __future__ import annotations

import os
import runpy
import sys
from pathlib import Path

FILE = Path(__file__).resolve()
ALONE = "SUDOKU_BENCH_ALONE"  # environment variable of a process in a sandbox


def command(module: str, *arguments: str) -> list[str]:
    """Return the command that runs a module with these arguments."""
    return [sys.executable, "-P", str(FILE), module, *arguments]


if __name__ == "__main__":
    sys.path.insert(0, str(FILE.parents[2]))
    if ALONE in os.environ:
        from bench.worker import confine

        confine.leave_key_ring()
    runpy.run_module(sys.argv.pop(1), run_name="__main__", alter_sys=True)
