"""Threads that compute: nobody waits for them after an interrupt, and no process is left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from sudoku_bench.bench.process import computing
from tests.bench.commands.test_cli import CLASSIC
from tests.conftest import TOP


def test_an_interrupt_does_not_wait_for_what_computes() -> None:
    may_end = threading.Event()

    def interrupted() -> None:
        with computing.computing() as pool:
            pool.submit(may_end.wait)
            raise KeyboardInterrupt

    try:
        with pytest.raises(KeyboardInterrupt):
            interrupted()
    finally:
        may_end.set()


RATE = ("rate", "--csv")
GENERATE = ("generate", "--number", "2", "--jobs", "2", "--out")  # processes compute in place of threads
RUN = ("run", "-s", "seed:norvig", "--repetitions", "1", "--loops", "1", "--pin", "off", "--out", "run", "-d")
LAST = "scale."  # a module of the explainer, which is compiled after all others
UNKNOWN = CLASSIC.translate(str.maketrans("123456789", "234567891"))  # its rating is not shipped


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("arguments", "stop", "compiled"),
    [
        pytest.param((*RATE, "--jobs", "1"), signal.SIGINT, "sudoku_bench.datasets.", id="rate-1-SIGINT"),
        pytest.param(GENERATE, signal.SIGTERM, "sudoku_bench.datasets.", id="generate-SIGTERM"),
        pytest.param(RUN, signal.SIGINT, "sudoku_bench.datasets.search.", id="reference-SIGINT"),
        pytest.param(RUN, signal.SIGTERM, "sudoku_bench.datasets.difficulty.explainer.", id="run-SIGTERM"),
    ],
)
def test_a_command_that_compiles_ends_at_once(
    puzzles, tmp_path: Path, trace, arguments: tuple[str, ...], stop: signal.Signals, compiled: str
) -> None:
    """What waits for a puzzle to be rated has compiled everything by then."""
    cache = tmp_path / "compiled"
    environ = {**os.environ, "NUMBA_CACHE_DIR": str(cache), "SUDOKU_BENCH_DATA": str(tmp_path / "data")}
    environ["PYTHONPATH"] = str(TOP)
    command = [sys.executable, "-m", "sudoku_bench", *arguments, str(puzzles(UNKNOWN))]
    # Where the tests run in the background of a script, Ctrl-C is ignored, and what they start would ignore it too.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, cwd=tmp_path, env=environ, **pipes) as process:
        signal.signal(signal.SIGINT, before)
        while process.poll() is None and not list(cache.rglob(f"{compiled}*.lock")):
            time.sleep(0.02)
        process.send_signal(stop)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, err.splitlines()[-1]) == (130, b"sudoku-bench: interrupted")
    assert UNKNOWN.encode() not in out
    assert list(cache.rglob("*.lock"))
    assert not list(cache.rglob(f"{LAST}*.nbi"))
    assert trace.gone()
