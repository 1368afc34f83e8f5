"""What the system charges to a worker, read from outside."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest

from bench.process.charge import Charge, Meter, shared

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

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

def late():
    if os.fork() == 0:
        os._exit(0)
    burn()
    os.wait()

for line in sys.stdin:
    eval(line)
    print(flush=True)
"""


@pytest.fixture
def charged() -> Iterator[Callable[..., Charge]]:
    """Let a process do something, and return what the system charged for it."""
    command = [sys.executable, "-c", PROGRAM]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        meter = Meter(process.pid)

        def call(work: str, left: bool = False) -> Charge:
            meter.start()
            print(work, file=process.stdin, flush=True)
            process.stdout.readline()
            return meter.stop(left=left)

        call("None")  # the interpreter has started
        yield call
        process.stdin.close()
        meter.close()


@pytest.mark.parametrize("work", ["burn()", "thread()"])
def test_cpu_time_is_charged_with_that_of_threads(charged, work: str) -> None:
    charge = charged(work)
    assert charge.cpu_s >= BURNT_S
    assert charge.children == (work == "thread()")  # which may have waited for a core meanwhile
    assert charge.children or charge.blocked_s < BURNT_S / 2


def test_children_that_have_ended_are_charged_and_seen(charged) -> None:
    charge = charged("child()")
    assert charge.children
    assert charge.cpu_s >= BURNT_S - 0.02  # counted in ticks
    assert not charged("None").children


def test_what_a_worker_says_about_processes_it_left_is_looked_up(charged) -> None:
    """Solves with other processes are allowed more: the word of the worker is not enough."""
    assert charged("late()", left=True).children
    assert not charged("burn()", left=True).children


def test_waiting_is_seen_and_is_no_cpu_time(charged) -> None:
    charge = charged("time.sleep(0.1)")
    assert charge.cpu_s < 0.05
    assert charge.blocked_s > 0.05


def test_what_is_computed_between_requests_is_not_charged_to_the_next(charged) -> None:
    charged("threading.Thread(target=burn, daemon=True).start()")
    charged("time.sleep(0.2)")  # the thread ends
    charge = charged("None")
    assert charge.cpu_s < BURNT_S / 2


def test_requests_that_are_sent_together_share_what_is_missing(charged) -> None:
    charge = charged("burn()")
    accounted_s = [0.01, 0.02, 0.0]
    parts = shared(charge, accounted_s, [0.0, 0.1, 1.0])
    assert sum(part.cpu_s for part in parts) == pytest.approx(charge.cpu_s)
    missing_s = [part.cpu_s - each_s for part, each_s in zip(parts, accounted_s, strict=True)]
    assert missing_s[2] < missing_s[0] < missing_s[1]  # more of it where more was accounted for
    assert sum(part.blocked_s for part in parts) == pytest.approx(charge.blocked_s)
    assert parts[0].blocked_s <= parts[1].blocked_s <= parts[2].blocked_s
    assert {part.number for part in parts} == {charge.number} != {charged("None").number}
    assert shared(charge, [0.01], [0.01])[0] == pytest.approx(charge)


def test_only_requests_that_are_sent_together_have_the_same_number(charged) -> None:
    """Also of processes that never had a request before, as when each solve has its own."""
    numbers = [charged("None").number for _ in range(3)]
    for _ in range(3):
        meter = Meter(1 << 22)
        numbers.append(meter.stop().number)
        meter.close()
    assert len(set(numbers)) == len(numbers)


def test_the_end_of_a_process_is_no_error(charged) -> None:
    meter = Meter(1 << 22)  # above the largest process number
    meter.start()
    charge = meter.stop()
    assert charge.cpu_s == 0.0
    assert not charge.children
    meter.close()
