"""A run measures in the process of its script or notebook, which is then as it was, however the run ends."""

from __future__ import annotations

import gc
import logging
import os
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

import sudoku_bench as sb
from sudoku_bench.bench.worker import process_tree
from tests.bench.conftest import trace  # noqa: F401  a fixture
from tests.conftest import TOP

ASKED = {"strategies": "seed:norvig", "datasets": "size4", "limit": 1, "repetitions": 1, "loops": 1}


def open_file(descriptor: str) -> str:
    """What a descriptor is of; empty for a font, which matplotlib keeps open for each thread, or one closed since."""
    try:
        name = str(Path(f"/proc/self/fd/{descriptor}").readlink())
    except OSError:
        return ""
    return "" if name.endswith(".ttf") else name


def state() -> dict[str, object]:
    """What a run could change in a process."""
    return {
        "signals": [signal.getsignal(number) for number in signal.valid_signals()],
        "blocked": signal.pthread_sigmask(signal.SIG_BLOCK, ()),
        "cores": os.sched_getaffinity(0),
        "path": list(sys.path),
        "folder": Path.cwd(),
        "mask": [os.umask(0o22), os.umask(0o22)][1],
        "environment": dict(os.environ),
        "filters": list(warnings.filters),
        "loggers": [logging.root.level, *logging.root.handlers],
        "recursion": sys.getrecursionlimit(),
        "frozen": gc.get_freeze_count(),
        "streams": (sys.stdout, sys.stderr),
        "children": process_tree.children(os.getpid()),
        "files": sorted(filter(None, map(open_file, os.listdir("/proc/self/fd")))),  # noqa: PTH208
        "threads": [thread for thread in threading.enumerate() if thread.is_alive()],
    }


def run_here(folder: Path) -> sb.Run:
    return sb.run(out=folder, progress=False, **ASKED)


def run_in_a_thread(folder: Path) -> sb.Run:
    """Signal handlers can be set in the main thread only."""
    runs = []
    thread = threading.Thread(target=lambda: runs.append(run_here(folder)))
    thread.start()
    thread.join()
    return runs[0]


@pytest.mark.parametrize("how", [run_here, run_in_a_thread])
def test_a_run_leaves_its_process_as_it_was(tmp_path: Path, capfd: pytest.CaptureFixture[str], how) -> None:
    run_here(tmp_path / "first")  # which imports packages
    before = state()
    run = how(tmp_path / "run")
    assert state() == before
    assert set(run.measurements["status"]) == {"solved"}
    assert (run.manifest["complete"], capfd.readouterr()) == (True, ("", ""))


def test_two_threads_do_not_measure_at_the_same_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from sudoku_bench.bench.run import measuring

    with measuring.alone(), pytest.raises(sb.InputError, match="another thread of this process measures a run"):
        run_here(tmp_path / "run")
    assert not (tmp_path / "run").exists()


SCRIPT = """
import os, signal, sys
from pathlib import Path
import psutil
import sudoku_bench as sb
from sudoku_bench.bench.folder import state


@sb.register
class Waits(sb.Strategy):
    "Waits from the second row on, until it may go on; it computes meanwhile."
    name = "mine:waits"

    def search(self, puzzle, task):
        rows = Path("run/measurements.csv")
        while rows.exists() and rows.read_bytes().count(b"\\n") > 2 and not Path("go").exists():
            pass
        from sudoku_bench.datasets.search import solve
        return solve(puzzle, limit=task.limit).solutions


cores = os.sched_getaffinity(0)
asked = {"repetitions": 1, "loops": 1, "timeout_s": 1e4, "out": "run", "resume": True, "progress": False}
grids = ["1.....3..4....2.", ".24....234......", "..42....1....2.1"]
try:
    sb.run(strategies=[Waits], datasets=grids, **asked)
except KeyboardInterrupt as interrupt:
    print("interrupted:", interrupt)
    print(signal.getsignal(signal.SIGINT) is signal.default_int_handler, os.sched_getaffinity(0) == cores)
    alive = [child for child in psutil.Process().children(recursive=True) if child.status() != psutil.STATUS_ZOMBIE]
    print(alive, sb.load("run").manifest["complete"])
    print(state.of_run(Path("run")).resume)
    Path("go").touch()
    run = sb.run(strategies=[Waits], datasets=grids, **asked)
    print(run.manifest["complete"], set(run.measurements["status"]), len(run.manifest["resumed"]))
"""


@pytest.fixture
def script(tmp_path: Path, trace) -> Callable[[], subprocess.Popen[str]]:  # noqa: F811
    """Start the script; what it starts can be found by its trace."""
    (tmp_path / "script.py").write_text(SCRIPT, encoding="utf-8")

    def start() -> subprocess.Popen[str]:
        command, environ = [sys.executable, "script.py"], os.environ | {"PYTHONPATH": str(TOP)}
        before = signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background it would be ignored
        try:
            return subprocess.Popen(command, cwd=tmp_path, env=environ, stdout=subprocess.PIPE, encoding="utf-8")
        finally:
            signal.signal(signal.SIGINT, before)

    return start


def waits(process: subprocess.Popen[str], rows: Path) -> None:
    """Wait until the strategy does."""
    while not (rows.exists() and rows.read_bytes().count(b"\n") > 2):
        assert process.poll() is None
        time.sleep(0.05)


def test_an_interrupt_leaves_no_worker_and_a_run_that_can_be_resumed(script, tmp_path: Path, trace) -> None:  # noqa: F811
    with script() as process:
        waits(process, tmp_path / "run" / "measurements.csv")
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate()
    first, *others, resume, last = out.splitlines()
    assert first == "interrupted: finished rows are in run; resume with the same arguments and out='run', resume=True"
    assert others == ["True True", "[] False"]
    assert resume.startswith("sudoku_bench.run(strategies=[Waits], datasets=['1.....3..4....2.', '.24....234......',")
    assert resume.endswith(", out='run', resume=True)")
    assert last == "True {'solved'} 1"
    assert trace.gone()
