"""What the system charges to a worker, read from outside."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import pytest

from sudoku_bench.bench.process.charge import Meter
from sudoku_bench.bench.worker import process_tree

BURNT_S = 0.1

# Does what a line asks for, and answers with a line.
PROGRAM = f"""
import os, sys, threading, time

def burn(seconds={BURNT_S}):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass

def thread():
    other = threading.Thread(target=burn)
    other.start()
    other.join()

def child():
    if os.fork() == 0:
        burn()
        os._exit(0)
    os.wait()

for line in sys.stdin:
    exec(line)
    print(flush=True)
"""


@pytest.fixture
def charged() -> Iterator[Callable[[str], float]]:
    """Let a process do something, and return the CPU seconds that the system charged for it."""
    command = [sys.executable, "-c", PROGRAM]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        meter = Meter(process.pid)

        def call(work: str) -> float:
            meter.start()
            print(work, file=process.stdin, flush=True)
            process.stdout.readline()
            return meter.stop()

        call("None")  # the interpreter has started
        yield call
        process.stdin.close()
        meter.close()


@pytest.mark.parametrize("work", ["burn()", "thread()", "child()"])
def test_cpu_time_is_charged_with_that_of_threads_and_children(charged, work: str) -> None:
    assert charged(work) >= BURNT_S - 0.02  # that of children is counted in ticks
    assert charged("None") < BURNT_S / 2


def test_what_is_computed_between_requests_is_charged_to_the_next(charged) -> None:
    before_s = charged("other = threading.Thread(target=burn); other.start()")
    assert before_s + charged("other.join()") >= BURNT_S


def test_kept_processes_are_charged_from_request_to_answer() -> None:
    meter = Meter(1 << 22)  # no such process
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as busy:
        meter.kept = [busy.pid]
        let_burn(busy.pid)
        start_s = meter.start()
        let_burn(busy.pid)
        charged_s = meter.stop()
        assert BURNT_S <= charged_s <= process_tree.cpu_s(busy.pid) - start_s
        let_burn(busy.pid)
        meter.start()
        assert meter.stop() < BURNT_S
        busy.kill()
    assert meter.stop() == 0.0  # what has ended took its time with it
    meter.close()


def let_burn(pid: int) -> None:
    """Wait until a process has used more CPU time."""
    end_s = process_tree.cpu_s(pid) + BURNT_S
    while process_tree.cpu_s(pid) < end_s:
        time.sleep(0.01)
