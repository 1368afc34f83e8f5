"""The clocks, compared with naive readings, which are wrong."""

from __future__ import annotations

import os
import resource
import signal
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from sudoku_bench.bench.folder.store import read_manifest
from sudoku_bench.bench.plan import strategies
from sudoku_bench.bench.process.solve_request import SolveRequest
from sudoku_bench.bench.process.worker_process import Worker
from sudoku_bench.bench.worker import clocks, process_tree
from sudoku_bench.datasets.reading.reader import parse
from sudoku_bench.solvers.strategy import FIRST
from tests.bench.conftest import FOURS

BURNT_S = 0.1


def burn(seconds: float) -> None:
    start = time.thread_time()
    while time.thread_time() - start < seconds:
        pass


@pytest.fixture
def adopting() -> Iterator[None]:
    """Adopt orphans, like a worker."""
    process_tree.adopt_orphans()
    yield
    process_tree.adopt_orphans(False)


@pytest.fixture
def burner() -> Iterator[Callable[..., int]]:
    """Processes that use CPU time and then wait or end: a child, or a grandchild with a separate session."""
    alive: list[int] = []

    def start(detached: bool = False, ends: bool = False) -> int:
        reading, writing = os.pipe()
        pid = os.fork()
        if pid == 0:
            if detached:
                if os.fork():
                    os._exit(0)
                os.setsid()
            burn(BURNT_S)
            os.write(writing, os.getpid().to_bytes(8, "little"))
            while not ends:
                time.sleep(600)
            os._exit(0)
        if detached:
            os.waitpid(pid, 0)
        burnt_by = int.from_bytes(os.read(reading, 8), "little")
        os.close(reading)
        os.close(writing)
        alive.append(burnt_by)
        return burnt_by

    yield start
    for pid in alive:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


def children_by_rusage() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def test_a_thread_counts() -> None:
    before, naive = clocks.cpu_s(), time.thread_time()
    thread = threading.Thread(target=burn, args=(BURNT_S,))
    thread.start()
    thread.join()
    assert time.thread_time() - naive < 0.5 * BURNT_S
    assert clocks.cpu_end_s() - before >= BURNT_S


@pytest.mark.parametrize("detached", [False, True])
def test_a_living_child_counts(adopting, burner, detached: bool) -> None:
    before, naive = clocks.cpu_s(), children_by_rusage()
    pid = burner(detached)
    assert not process_tree.is_zombie(pid)
    if not detached:  # the process between the two has ended, and its start takes as long as the machine likes
        assert children_by_rusage() - naive < 0.5 * BURNT_S
    assert clocks.cpu_end_s() - before >= BURNT_S
    assert process_tree.cpu_s(pid) >= BURNT_S


def test_an_unreaped_child_counts(burner) -> None:
    before, naive = clocks.cpu_s(), children_by_rusage()
    pid = burner(ends=True)
    while not process_tree.is_zombie(pid):
        time.sleep(0.001)
    assert children_by_rusage() - naive < 0.5 * BURNT_S
    assert clocks.cpu_end_s() - before >= BURNT_S - 2 * process_tree.TICK_S  # a zombie is counted in ticks


MEASURED = """
    import gc
    import subprocess
    import sys

    @register
    class Hog(Backtracker):
        name = "test:hog"

        def search(self, puzzle, task):
            import resource

            self.naive = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            if puzzle.cells.count(0) == 9:
                hog = bytearray(b"x") * (200 << 20)
                del hog
            return super().search(puzzle, task)

        def counters(self):
            return {"naive": self.naive}

    @register
    class Employer(Backtracker):
        name = "test:employer"

        def encode(self, puzzle):
            self.child = None
            if puzzle.cells.count(0) == 9:
                lines = ["import time", "end = time.process_time() + 0.1", "while time.process_time() < end: pass"]
                source = chr(10).join([*lines, "print(flush=True)", "time.sleep(600)"])
                self.child = subprocess.Popen([sys.executable, "-c", source], stdout=subprocess.PIPE)
            return puzzle

        def search(self, puzzle, task):
            if self.child:
                self.child.stdout.readline()  # it has worked, and is still there
            return super().search(puzzle, task)

        def release(self):
            if self.child:
                self.child.kill()
                self.child.communicate()

    @register
    class Collector(Backtracker):
        name = "test:collector"

        def prepare(self, shape):
            self.kept = [[n] for n in range(100_000)]

        def search(self, puzzle, task):
            self.frozen = gc.get_freeze_count()
            self.looked_at = len(gc.get_objects())
            return super().search(puzzle, task)

        def counters(self):
            enabled = gc.isenabled()
            return {"enabled": enabled, "frozen": self.frozen, "looked_at": self.looked_at}
"""


@pytest.fixture
def worker(plugin) -> Iterator[Callable[[str], Worker]]:
    workers: list[Worker] = []

    def start(name: str) -> Worker:
        [info] = strategies.select([name], [str(plugin(MEASURED))])
        workers.append(Worker(info, 1))
        workers[-1].start()
        workers[-1].prepare(parse(FOURS[0]).shape)
        return workers[-1]

    yield start
    for each in workers:
        each.close()


def test_the_peak_is_that_of_the_measurement(worker) -> None:
    ballast = bytearray(b"x") * (200 << 20)  # ru_maxrss of a worker starts at the memory of its parent
    running = worker("test:hog")
    del ballast
    before, hog, after = (running.solve(SolveRequest([parse(FOURS[n])], FIRST, 10)) for n in (1, 0, 2))
    assert hog.peak_rss_mib > 200
    assert after.counters["naive"] > 200
    assert after.peak_rss_mib < 100
    assert before.peak_rss_mib < 100


def test_a_phase_in_which_a_child_works_has_its_time(worker) -> None:
    reply = worker("test:employer").solve(SolveRequest([parse(FOURS[0])], FIRST, 10))
    assert reply.cpu_s >= reply.phases_cpu_s["search_cpu_s"] >= BURNT_S / 2


@pytest.mark.parametrize("switch", ["on", "off"])
def test_the_collector_has_the_requested_setting_and_visits_only_objects_of_the_solve(
    measure, plugin, puzzles, switch: str
) -> None:
    arguments = ("--repetitions", 2, *(() if switch == "on" else ("--gc", "off")))
    result = measure("-s", "test:collector", "--plugin", plugin(MEASURED), "-d", puzzles(*FOURS[:3]), *arguments)
    for counted in result.rows["other_counters"]:
        counters = dict(pair.split("=") for pair in counted.split("; "))
        assert counters["enabled"] == ("1" if switch == "on" else "0")
        assert float(counters["frozen"]) > 100_000  # the objects that `prepare` created
        assert float(counters["looked_at"]) < 5_000
    assert read_manifest(result.folder)["suite"]["gc"] == switch
