"""Descendants are found whoever started them, and a process without children does not cost a scan of all processes."""

from __future__ import annotations

import subprocess
import sys

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
