"""The check of reported times: what the kernel charged to a strategy's processes is what its rows may cost.

From one answer to the next, the kernel charges for a measurement with everything around it: reading the request,
collecting garbage, solving other forms, counters, writing the answer, and what a thread does between requests. Less
the cost of an empty request, all of it must be reported: as the time of the row, or as that of forms beside it. What is
missing is bounded in each row, generously, because the system may charge a process for memory that it takes from it;
and over a launch, in which no row counts for much. Forms beside a row may take a hundred times as long as its own, as
isomorphs of a puzzle do, but not beside row after row: then work has been moved to them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from sudoku_bench.bench.process.empty_request import EmptyRequest
from sudoku_bench.bench.process.solve_request import SolveRequest
from sudoku_bench.bench.worker.stopwatch import CLOCK_READINGS

ROW_S = 1.0  # that a row may lack, in addition to as much as it reports
ONCE_S, ROWS = 0.005, 5  # the most that counts of a row; a launch may lack that of so many rows, in addition to
SHARE = 0.02  # of what it reports, and
EMPTY_REQUESTS = 12  # for each row: after a solve, the caches hold other code and data
LONGER = 3  # times the mean solve: what forms beside a row may take on average, except beside
LONG_ROWS = 20  # rows more than others, counted from any row on: times of isomorphs vary widely


class Account(NamedTuple):
    """A row, or all rows of a launch: CPU seconds that were reported, charged beyond that, and allowed beyond that."""

    reported_s: float = 0.0
    missing_s: float = 0.0
    allowed_s: float = ONCE_S * ROWS

    @property
    def text(self) -> str:
        return f"{_time(self.reported_s)} reported, {_time(self.reported_s + self.missing_s)} charged by the system"


class ClockCheck:
    """Checks the solved rows of one contestant in one launch.

    Args:
        empty: what a request costs.
    """

    def __init__(self, empty: EmptyRequest) -> None:
        self._empty = empty
        self._launch, self._solves, self._solves_s, self._long_rows = Account(), 0, 0.0, 0
        self._fault: str | None = None

    def fault(self, request: SolveRequest, reply: Mapping[str, Any]) -> str | None:
        """Describe what is missing from the time of a solved row, or of the launch so far; None if nothing is.

        Once there is a fault, it is that of all later rows.
        """
        self._solves += len(request.forms)
        self._solves_s += reply["cpu_s"] * len(request.forms)
        row = account_of(request, reply, self._empty)
        launch = self._launch = added(self._launch, row)
        if beside(request, reply):
            is_long = takes_longer(request, reply, self._solves_s / self._solves, row.allowed_s)
            self._long_rows = max(0, self._long_rows + (1 if is_long else -1))
        if self._fault is None and row.missing_s > ROW_S + row.reported_s:
            self._fault = row.text
        if self._fault is None and launch.missing_s > launch.allowed_s:
            self._fault = f"in this launch: {launch.text}"
        if self._fault is None and self._long_rows > LONG_ROWS:
            self._fault = f"in this launch: forms beside most rows took more than {LONGER} times as long as theirs"
        return self._fault


def account_of(request: SolveRequest, reply: Mapping[str, Any], empty: EmptyRequest) -> Account:
    """Return the account of a row."""
    empty_s = empty.cpu_s(request.boards(reply) * request.shape.n_cells, request.candidates)
    has_children = reply.get("has_kept") or reply.get("left")
    scans_s = scans(request, reply) * empty.scan_s if has_children else 0.0
    aside_s = reply["aside_cpu_s"] if beside(request, reply) else 0.0
    reported_s = solve_s(reply) * len(request.forms) + aside_s + reply.get("failed_cpu_s", 0.0)
    missing_s = reply["charged_s"] - empty_s - scans_s - reported_s
    return Account(reported_s, missing_s, SHARE * reported_s + EMPTY_REQUESTS * empty_s + scans_s)


def takes_longer(request: SolveRequest, reply: Mapping[str, Any], mean_s: float, allowed_s: float) -> bool:
    """Did the forms beside a row take ``LONGER`` times as long as its own, and as the mean solve of ``mean_s``?

    Args:
        allowed_s: CPU seconds that they may take beyond that.
    """
    clocks_s = CLOCK_READINGS * reply.get("clock_cost_s", 0.0) * len(request.forms)
    forms_s = beside(request, reply) * LONGER * max(solve_s(reply), mean_s)
    return bool(reply["aside_cpu_s"] > forms_s + clocks_s + allowed_s)


def solve_s(reply: Mapping[str, Any]) -> float:
    """Return the mean CPU seconds of the solves of a row and of reading the clocks around them."""
    return float(reply["cpu_s"] + reply.get("clock_cost_s", 0.0))


def beside(request: SolveRequest, reply: Mapping[str, Any]) -> int:
    """Return how many forms were solved beside those of the row."""
    run_in: int = min(reply.get("run_in", 0), len(request.run_in))
    return run_in + (len(request.phase_forms) if "search_cpu_s" in reply else 0)


def scans(request: SolveRequest, reply: Mapping[str, Any]) -> int:
    """Return how often a worker with children looks for them: before and after all that it times, and at the end."""
    run_in = reply.get("run_in", 0) + CLOCK_READINGS + 1 if request.run_in else 0
    return 2 * (1 + run_in + bool(request.phase_forms)) + 1


def added(launch: Account, row: Account) -> Account:
    """Return the account of a launch with a row: noise of the system in one row must not count for much."""
    missing_s = max(-ONCE_S, min(ONCE_S, row.missing_s))
    return Account(launch.reported_s + row.reported_s, launch.missing_s + missing_s, launch.allowed_s + row.allowed_s)


def _time(seconds: float) -> str:
    return f"{seconds * 1e3:.3g} ms"
