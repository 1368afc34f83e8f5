"""The check of reported times: what the kernel charged to a strategy's processes is what its rows may cost.

From one answer to the next, the kernel charges for a measurement with everything around it: reading the request,
collecting garbage, the lead-in, counters, writing the answer, and what a thread does between requests. Less the cost of
an empty request, all of it must be in what the worker reports, from its lead-in to the last reading of its clock. What
is missing is bounded in each row, generously, because the system may charge a process for memory that it takes from it;
and over a launch, in which no row counts for much.
"""

from __future__ import annotations

from typing import NamedTuple

from sudoku_bench.bench.process.replies import Reply
from sudoku_bench.bench.process.solve_request import SolveRequest
from sudoku_bench.bench.process.strategy_info import StrategyInfo
from sudoku_bench.bench.process.watch import WorkerDied
from sudoku_bench.bench.process.worker_process import Confinement, Worker
from sudoku_bench.bench.worker import process_tree
from sudoku_bench.bench.worker.clocks import own_cpu_s
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.strategy import FIRST

ROW_S = 1.0  # that a row may lack, in addition to as much as it reports
ONCE_S, ROWS = 0.005, 5  # the most that counts of a row; a launch may lack that of so many rows, in addition to
SHARE = 0.02  # of what it reports, and
EMPTY_REQUESTS = 12  # for each row: after a solve, the caches hold other code and data
SCANS = 6  # of all processes, outside of what it reports, by a worker with children
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


class Account(NamedTuple):
    """A row, or all rows of a launch: CPU seconds that were reported, charged beyond that, and allowed beyond that."""

    reported_s: float = 0.0
    missing_s: float = 0.0
    allowed_s: float = ONCE_S * ROWS

    @property
    def text(self) -> str:
        return f"{_time(self.reported_s)} reported, {_time(self.reported_s + self.missing_s)} charged by the system"


class ClockCheck:
    """Checks the solved rows of one entry in one launch.

    Args:
        empty: what a request costs.
    """

    def __init__(self, empty: EmptyRequest) -> None:
        self._empty = empty
        self._launch = Account()
        self._fault: str | None = None

    def fault(self, request: SolveRequest, reply: Reply) -> str | None:
        """Describe what is missing from the time of a solved row, or of the launch so far; None if nothing is.

        Once there is a fault, it is that of all later rows.
        """
        row = account_of(request, reply, self._empty)
        launch = self._launch = added(self._launch, row)
        if self._fault is None and row.missing_s > ROW_S + row.reported_s:
            self._fault = row.text
        if self._fault is None and launch.missing_s > launch.allowed_s:
            self._fault = f"in this launch: {launch.text}"
        return self._fault


def account_of(request: SolveRequest, reply: Reply, empty: EmptyRequest) -> Account:
    """Return the account of a row."""
    boards = len(request.forms) + sum(map(len, reply.answers))
    empty_s = empty.cpu_s(boards * request.shape.n_cells, request.candidates)
    scans_s = SCANS * empty.scan_s if reply.has_kept or reply.left else 0.0
    missing_s = reply.charged_s - empty_s - scans_s - reply.busy_cpu_s
    return Account(reply.busy_cpu_s, missing_s, SHARE * reply.busy_cpu_s + EMPTY_REQUESTS * empty_s + scans_s)


def added(launch: Account, row: Account) -> Account:
    """Return the account of a launch with a row: noise of the system in one row must not count for much."""
    missing_s = max(-ONCE_S, min(ONCE_S, row.missing_s))
    return Account(launch.reported_s + row.reported_s, launch.missing_s + missing_s, launch.allowed_s + row.allowed_s)


def _time(seconds: float) -> str:
    return f"{seconds * 1e3:.3g} ms"
