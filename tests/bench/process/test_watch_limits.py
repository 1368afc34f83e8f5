"""Limits hold for all kinds of solvers and do not affect solves below them."""

from __future__ import annotations

import pytest

from sudoku_bench.bench.plan import strategies
from sudoku_bench.bench.process.solve_request import SolveRequest
from sudoku_bench.bench.process.watch import WorkerDied
from sudoku_bench.bench.process.worker_process import Confinement, Worker
from sudoku_bench.bench.worker import process_tree
from sudoku_bench.datasets.reading.reader import parse
from sudoku_bench.solvers.strategy import FIRST
from tests.bench.conftest import FOURS

pytestmark = pytest.mark.thorough

NINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def test_solvers_that_reserve_much_and_use_little_memory_are_not_limited(measure, puzzles) -> None:
    """Choco's runtime reserves tens of GiB of address space; CP-SAT starts threads, each with a stack and an arena."""
    names = [name for name in ("cp-sat:alldifferent", "cp:choco") if strategies.select([name])[0].available]
    arguments = ("--memory", 1024, "--repetitions", 1, "--timeout", 60)
    asked = [argument for name in names for argument in ("-s", name)]
    rows = measure(*asked, "-d", puzzles(NINE), *arguments).rows
    assert set(rows["strategy"]) == set(names)
    assert set(rows["status"]) == {"solved"}, set(rows["reason"])
    assert (rows["peak_rss_mib"] < 1024).all()


FIFTH = """
    import hashlib

    class Fifth(Backtracker):
        solves = 0

        def search(self, puzzle, task):
            self.solves += 1
            if self.solves == 5:
                self.fault()
            return super().search(puzzle, task)

        def fault(self):
            pass

    @register
    class Hangs(Fifth):
        name = "test:hangs"

        def fault(self):
            hashlib.pbkdf2_hmac("sha512", b"", b"", 2**31 - 1)

    @register
    class Burns(Backtracker):
        name = "test:burns"

        def search(self, puzzle, task):
            start = time.process_time()
            while time.process_time() - start < 0.1:
                pass
            return super().search(puzzle, task)
"""

LIMIT_S = 0.3


def died_at(name: str, file: object, monkeypatch) -> tuple[WorkerDied | None, float]:
    """Return the outcome of 20 forms with a limit for each, and the CPU seconds used until then."""
    [info] = strategies.select([name], [str(file)])
    worker = Worker(info, 1, Confinement())
    puzzle = parse(FOURS[0])
    try:
        worker.start()
        worker.prepare(puzzle.shape)
        before = process_tree.cpu_s(worker._process.pid)
        looks: list[float] = []
        kill = worker.close

        def close() -> None:
            looks.append(process_tree.cpu_s(worker._process.pid))
            kill()

        monkeypatch.setattr(worker, "close", close)
        try:
            worker.solve(SolveRequest([puzzle] * 20, FIRST, LIMIT_S))
        except WorkerDied as death:
            return death, looks[0] - before
        return None, process_tree.cpu_s(worker._process.pid) - before
    finally:
        worker.close()


def test_the_limit_applies_to_each_form(plugin, monkeypatch) -> None:
    """20 forms may use 20 limits together, but no form more than one; all together have no limit."""
    file = plugin(FIFTH)
    death, used_s = died_at("test:hangs", file, monkeypatch)
    assert death is not None
    assert (death.status, death.clock, death.limit_s) == ("timeout", "cpu", LIMIT_S)
    assert used_s < 5 * LIMIT_S  # about one, after four forms that take no time
    death, used_s = died_at("test:burns", file, monkeypatch)
    assert death is None
    assert used_s > 5 * LIMIT_S
