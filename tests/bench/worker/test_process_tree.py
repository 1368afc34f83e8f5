"""Descendants are found whoever started them, and a process without children does not cost a scan of all processes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from sudoku_bench.bench.worker import process_tree

SLEEP = (sys.executable, "-c", "import time; time.sleep(600)")
# Its child is started by a thread that ends when it reads a line; then another thread has the child.
OF_A_THREAD = f"""
import subprocess, sys, threading, time
started = threading.Event()
def work():
    subprocess.Popen({SLEEP!r})
    started.set()
    sys.stdin.readline()
thread = threading.Thread(target=work)
thread.start()
started.wait()
print(flush=True)
thread.join()
print(flush=True)
time.sleep(600)
"""


def test_a_child_is_found_whichever_thread_has_it() -> None:
    with subprocess.Popen((sys.executable, "-c", OF_A_THREAD), stdin=-1, stdout=-1) as process:
        assert process.stdin
        assert process.stdout
        try:
            for _ in range(2):  # while the thread lives, and after it has ended
                process.stdout.readline()
                assert len(process_tree.descendants(process.pid)) == 1
                process.stdin.write(b"\n")
                process.stdin.flush()
        finally:
            process_tree.kill_descendants(process.pid)
            process.kill()


def test_descendants_are_found_where_the_kernel_does_not_list_children(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for pid, parent in ((10, 1), (11, 10), (12, 11), (13, 1)):
        (tmp_path / f"{pid}/task/{pid}").mkdir(parents=True)
        (tmp_path / f"{pid}/stat").write_text(f"{pid} (a) name) S {parent} 0 0")
    monkeypatch.setattr(process_tree, "PROC", str(tmp_path))
    assert process_tree.descendants(10) == [11, 12]
    for pid in (10, 11, 12):
        (tmp_path / f"{pid}/task/{pid}/children").write_text({10: "11 ", 11: "12 "}.get(pid, ""))
    assert process_tree.descendants(10) == [11, 12]
    assert process_tree.descendants(12) == []
