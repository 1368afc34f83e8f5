"""What the system charges to a worker, read from outside."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest

from bench.process.charge import Charge, Meter

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
def asked() -> Iterator[Callable[..., list[Charge]]]:
    """Ask a process to do some things, all at once; return what the system charged for each."""
    command = [sys.executable, "-c", PROGRAM]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        meter = Meter(process.pid)

        def call(
            work: list[str], accounted_s: list[float] | None = None, left: bool = False, at_once: int = 1
        ) -> list[Charge]:
            """``at_once``: how many answers are taken before the accounts are read for the first time."""
            meter.start()
            print("\n".join(work), file=process.stdin, flush=True)
            for number in range(1, len(work) + 1):
                process.stdout.readline()
                if number == at_once:
                    meter.answered()
                    for _ in range(at_once - 1):
                        meter.answered(together=True)
                elif number > at_once:
                    meter.answered()
            return meter.charges(accounted_s or [0.0] * len(work), left=left)

        call(["None"])  # the interpreter has started
        yield call
        process.stdin.close()
        meter.close()


@pytest.fixture
def charged(asked) -> Callable[..., Charge]:
    """Let a process do something, and return what the system charged for it."""
    return lambda work, left=False: asked([work], left=left)[0]


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


def test_requests_that_are_sent_together_are_charged_one_by_one(asked) -> None:
    burnt, nothing, slept, again = asked(["burn()", "None", "time.sleep(0.1)", "burn()"])
    assert min(burnt.cpu_s, again.cpu_s) >= 0.9 * BURNT_S  # the next request begins when an answer is noticed
    assert max(nothing.cpu_s, slept.cpu_s) < BURNT_S / 2
    assert sum(charge.blocked_s for charge in (burnt, nothing, slept, again)) > 0.05
    assert slept.wall_s >= 0.1 > nothing.wall_s
    assert {burnt.idle_s, slept.idle_s} == {nothing.idle_s}


def test_what_is_missing_is_shared_by_answers_that_are_there_at_once(asked) -> None:
    first, second, last = asked(["burn()", "None", "None"], accounted_s=[0.0, BURNT_S, 0.0], at_once=2)
    assert first.cpu_s + second.cpu_s >= BURNT_S
    assert first.cpu_s - second.cpu_s == pytest.approx(-BURNT_S)
    assert last.cpu_s < BURNT_S / 2


def test_the_end_of_a_process_is_no_error(charged) -> None:
    meter = Meter(1 << 22)  # above the largest process number
    meter.start()
    meter.answered()
    [charge] = meter.charges([0.0])
    assert charge.cpu_s == 0.0
    assert not charge.children
    meter.close()
