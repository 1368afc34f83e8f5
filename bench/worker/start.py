"""Run a module of the project in a process of its own: ``python -P bench/worker/start.py MODULE ARGUMENT...``.

That process runs the code of this checkout or installation, whatever else its path has: the package is loaded from this
file's place, and the folder of a checkout that is not installed comes last on the path.
"""

from __future__ import annotations

import importlib.util
import os
import runpy
import sys
from pathlib import Path

FILE = Path(__file__).absolute()
PACKAGE = FILE.parents[2]  # the folder of sudoku_bench
ALONE = "SUDOKU_BENCH_ALONE"  # environment variable of a process in a sandbox


def command(module: str, *arguments: str) -> list[str]:
    """Return the command that runs a module with these arguments."""
    return [sys.executable, "-P", str(FILE), module, *arguments]


def load_package() -> None:
    """Import ``sudoku_bench`` from this file's place, where processes that a strategy starts must find it, too."""
    found = importlib.util.find_spec("sudoku_bench")
    spec = importlib.util.spec_from_file_location("sudoku_bench", PACKAGE / "__init__.py")
    assert spec is not None
    assert spec.loader is not None
    package = sys.modules["sudoku_bench"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(package)
    if found is None or found.origin != spec.origin:
        sys.path.append(str(PACKAGE.parent))


def link_kernels() -> None:
    """Let numba find what was compiled outside of a sandbox: links in its folder, which it may replace."""
    import hashlib  # takes a twentieth of the start of a worker, which has no sandbox

    for file in (each for top in ("datasets", "solvers") for each in (PACKAGE / top).rglob("__pycache__/*.nb[ic]")):
        code = str(file.parents[1])
        name = f"{file.parents[1].name}_{hashlib.sha1(code.encode(), usedforsecurity=False).hexdigest()}"
        folder = Path(os.environ["NUMBA_CACHE_DIR"], name)
        folder.mkdir(exist_ok=True)
        (folder / file.name).symlink_to(file)


if __name__ == "__main__":
    load_package()
    if ALONE in os.environ:
        from sudoku_bench.bench.worker import confine

        link_kernels()
        confine.leave_key_ring()
    runpy.run_module(sys.argv.pop(1), run_name="__main__", alter_sys=True)
