"""What a request costs a worker without a solve, as the kernel charges for it."""

from __future__ import annotations

from typing import NamedTuple

from sudoku_bench.bench.process.solve_request import SolveRequest
from sudoku_bench.bench.process.strategy_info import StrategyInfo
from sudoku_bench.bench.process.watch import WorkerDied
from sudoku_bench.bench.process.worker_process import Confinement, Worker
from sudoku_bench.bench.worker import process_tree
from sudoku_bench.bench.worker.clocks import own_cpu_s
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.strategy import FIRST

BOARDS, TIMES, LIMIT_S = (1, 16), 15, 10.0  # of the requests that are measured, how often, and their time limit
SOLUTION = Puzzle(Shape(3, 3), tuple((3 * row + row // 3 + column) % 9 + 1 for row in range(9) for column in range(9)))
PENCILMARKS = Puzzle.of_candidates(Shape(3, 3), [0b101010101] * SOLUTION.shape.n_cells)


class EmptyRequest(NamedTuple):
    """CPU seconds of requests without a solve.

    Attributes:
        least_s: of a request without boards; cell_s: of each cell of a board, in the request or in the reply.
        candidate_s: of each candidate of a board with pencilmarks in the request, in addition.
        scan_s: of a scan of all processes of the machine, which a worker with children needs to read its CPU clock.
    """

    least_s: float
    cell_s: float
    scan_s: float = 0.0
    candidate_s: float = 0.0

    def cpu_s(self, cells: int, candidates: int = 0) -> float:
        return self.least_s + cells * self.cell_s + candidates * self.candidate_s


def measured(confined: Confinement) -> EmptyRequest | None:
    """Measure the cost with a worker that imports no strategy; None if none can be started."""
    asked = [[SOLUTION] * boards for boards in BOARDS] + [[PENCILMARKS] * BOARDS[-1]]
    requests = [SolveRequest(boards, FIRST, LIMIT_S, "empty") for boards in asked]
    try:
        worker = Worker(StrategyInfo("(empty)", ()), 0, confined)
        try:
            times = [min(worker.solve(each).charged_s for _ in range(TIMES)) for each in requests]
        finally:
            worker.close()
    except WorkerDied:
        return None
    few_s, many_s, marked_s = times
    fitting = fitted(few_s, many_s, *(2 * boards * SOLUTION.shape.n_cells for boards in BOARDS))
    candidate_s = max(0.0, (marked_s - many_s) / requests[-1].candidates)
    return fitting._replace(scan_s=min(_scan_s() for _ in range(TIMES)), candidate_s=candidate_s)


def _scan_s() -> float:
    start_s = own_cpu_s()
    process_tree.parents()
    return own_cpu_s() - start_s


def fitted(few_s: float, many_s: float, few_cells: int, many_cells: int) -> EmptyRequest:
    """Return the cost that explains those of two requests, by the number of their cells."""
    cell_s = max(0.0, (many_s - few_s) / (many_cells - few_cells))
    return EmptyRequest(max(0.0, few_s - few_cells * cell_s), cell_s)
