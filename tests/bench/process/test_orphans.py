"""Orphans of workers end; children of a notebook do not."""

from __future__ import annotations

import subprocess

import pytest

from sudoku_bench.bench.process import orphans
from sudoku_bench.bench.worker import confine


@pytest.mark.skipif(not confine.can_spare_limits(), reason="the system has no filters of system calls")
def test_a_child_that_another_thread_starts_is_no_orphan() -> None:
    with orphans.adopted():
        with orphans.adopted():  # of another thread
            own = subprocess.Popen(["sleep", "60"], start_new_session=True)
            assert orphans.end() == orphans.Found()
        assert own.poll() is None
        worker = orphans.start(["sleep", "60"], start_new_session=True)
        orphans.end()
        assert worker.poll() is None
    assert own.poll() is worker.poll() is None
    for process in (own, worker):
        process.kill()
        process.wait()
