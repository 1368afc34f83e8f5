"""A lane executes one measurement at a time: it holds the workers of all contestants and yields one row each."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sudoku_bench.bench.folder.rows import Row
from sudoku_bench.bench.plan.plan import FLOOR, PIPE, Contestant, Measurement, Plan
from sudoku_bench.bench.plan.suite import BATCH, WARM
from sudoku_bench.bench.process import empty_request
from sudoku_bench.bench.process.empty_request import EmptyRequest
from sudoku_bench.bench.process.replies import Reply
from sudoku_bench.bench.process.solve_request import SolveRequest
from sudoku_bench.bench.process.watch import WorkerDied
from sudoku_bench.bench.process.worker_process import Confinement
from sudoku_bench.bench.process.workers import ColdWorkers, WarmUp, WarmWorkers, Workers, WorkerSettings
from sudoku_bench.bench.run.clock_check import ClockCheck
from sudoku_bench.bench.run.forms import form_of, solution_of, untimed_form, warm_up_forms
from sudoku_bench.bench.run.judge import TIMED, Form, outcome_of, without_times
from sudoku_bench.bench.run.launch_workers import LaunchWorkers, memory_is_short
from sudoku_bench.bench.run.timeouts import Timeouts, attempt_of
from sudoku_bench.bench.worker.clocks import wall_s
from sudoku_bench.bench.worker.stopwatch import PHASES
from sudoku_bench.datasets.isomorphs import form

CLOCK_SHARE = 0.01  # largest share of a measurement spent on reading clocks
OF_WORKER = ("worker", "stream_position", "prepare_cpu_s", "run_in", "clock_cost_s")  # columns of a reply


def workers_for(
    plan: Plan, contestant: Contestant, confined: Confinement, numbers: Iterator[int], warm_up: WarmUp
) -> Workers:
    """Return the kind of workers that the mode of the plan requires."""
    suite = plan.suite
    if plan.calibration and contestant.info.name in plan.calibration.parallel:
        confined = replace(confined, cores=confined.usable)
    settings = WorkerSettings(contestant.info, plan.task, suite.timeout_s, confined, numbers, warm_up)
    return ColdWorkers(settings) if suite.cold else WarmWorkers(settings)


@dataclass(frozen=True)
class Asked:
    """A solve request, and its forms with their symmetries: those of the row, then those that only time phases."""

    request: SolveRequest
    forms: list[Form]


class Lane:
    """Measures for a plan.

    Args:
        clock_cost_s: cost of one reading of the CPU clock, in seconds.
        numbers: numbers the workers of the run.
        timeouts: of the run so far, in all lanes.
        clock: monotonic seconds since the run began.
        checks: whether reported times are checked.
    """

    def __init__(
        self,
        plan: Plan,
        confined: Confinement,
        clock_cost_s: float,
        numbers: Iterator[int],
        timeouts: Timeouts,
        clock: Callable[[], float] = wall_s,
        checks: bool = True,
    ) -> None:
        self.plan = plan
        self._confined, self._clock_cost_s, self._timeouts, self._clock = confined, clock_cost_s, timeouts, clock
        self._has_checks = checks
        self._empty: EmptyRequest | None = None
        self._in_all_rows = {
            "task": str(plan.task),
            "mode": plan.suite.mode,
            "limit_s": plan.suite.timeout_s,
            "limit_clock": "cpu",
            "host": "host-" + hashlib.sha256(platform.node().encode()).hexdigest()[:8],
        }
        warm_up = warm_up_forms(plan)
        self._workers = LaunchWorkers(
            lambda contestant: workers_for(plan, contestant, confined, numbers, warm_up), memory_is_short
        )
        self._checks: dict[str, ClockCheck] = {}  # of this launch, by label
        self._launch = self._round = 0

    def rows(self, measurements: Iterator[Measurement]) -> Generator[Row, None, None]:
        """Measure in the given order. Closing the generator stops it and leaves no worker behind."""
        try:
            yield from self.more_rows(measurements)
        finally:
            self.close()

    def more_rows(self, measurements: Iterator[Measurement]) -> Generator[Row, None, None]:
        """Like ``rows``, but leave the workers to further measurements of the round, until ``close``.

        Each round uses fresh processes: the memory layout of a process changes its times by about a percent, which
        repetitions within one process would never show.
        """
        for measurement in measurements:
            self._begin(measurement.launch, measurement.round)
            yield self._row(measurement)

    def close(self) -> None:
        """End all workers."""
        self._launch = self._round = 0
        self._workers.close()

    def _begin(self, launch: int, number: int) -> None:
        """Begin a round, unless it has begun already."""
        if launch != self._launch:
            self._workers.close()
            self._checks.clear()
        elif number != self._round:
            self._workers.renew()
        self._launch, self._round = launch, number

    def _row(self, measurement: Measurement) -> Row:
        planned, contestant = measurement.planned, measurement.contestant
        timed = self.plan.forms(measurement)
        row: dict[str, Any] = {
            **self._in_all_rows,
            "strategy": contestant.label,
            "collection": planned.collection,
            "puzzle": planned.name,
            "isomorph": timed[0],
            "launch": measurement.launch,
            "repetition": measurement.repetition,
            "loops": len(timed),
            "round": measurement.round,
            "position": measurement.position,
            "decoy": planned.decoy,
            "placebo": contestant.role,
        }
        if reason := self._timeouts.reason(attempt_of(measurement)):
            return Row(**row | {"status": "timeout", "reason": reason, "started_s": self._now_s()})
        finished = Row(**row | self._measured(measurement, timed))
        self._timeouts.add(finished)
        return finished

    def _measured(self, measurement: Measurement, timed: Sequence[int]) -> dict[str, Any]:
        """Return the columns of a row that its measurement, of forms with these numbers, determines."""
        workers = self._workers.of(measurement.contestant)
        obstacle = workers.ready(measurement.planned.puzzle.shape)
        row: dict[str, Any] = {"started_s": self._now_s()}
        if obstacle:
            return row | obstacle._asdict()
        asked = self._asked(workers, measurement, timed)
        try:
            reply = workers.solve(asked.request)
        except WorkerDied as death:
            limit_s = death.limit_s if death.clock == "wall" and death.limit_s else self.plan.suite.timeout_s
            limit = {"limit_clock": death.clock, "limit_s": limit_s}
            return row | {"status": death.status, "reason": death.reason} | limit
        return row | self._judged(measurement, asked, reply)

    def _judged(self, measurement: Measurement, asked: Asked, reply: Reply) -> dict[str, Any]:
        row = {key: reply[key] for key in OF_WORKER if key in reply}
        solved = len(asked.request.forms)
        apart = bool(asked.request.phase_forms) and "search_cpu_s" in reply
        if apart:
            row["phases"] = "apart"
        forms = asked.forms if apart else asked.forms[:solved]
        row |= outcome_of(self.plan, measurement.planned.reference, forms, solved, reply)
        fault = self._fault(measurement.contestant.label, asked.request, reply)
        return without_times(row, fault) if fault and row["status"] in TIMED else row

    def _fault(self, label: str, request: SolveRequest, reply: Reply) -> str | None:
        """Describe what is false about the times of a row or of those before it; None if nothing is.

        The system itself times a cold solve.
        """
        if reply["status"] != "ok" or self.plan.suite.cold or not self._has_checks:
            return None
        self._empty = self._empty or empty_request.measured(self._confined)
        if self._empty is None:
            return None
        if label not in self._checks:
            self._checks[label] = ClockCheck(self._empty)
        return self._checks[label].fault(request, reply)

    def _now_s(self) -> float:
        return round(self._clock(), 6)

    def _asked(self, workers: Workers, measurement: Measurement, timed: Sequence[int]) -> Asked:
        suite, puzzle, contestant = self.plan.suite, measurement.planned.puzzle, measurement.contestant
        how = BATCH if suite.batch else WARM
        # Phases are timed on other forms if reading the clock between them would take a noticeable part of a solve.
        too_short = workers.warmed_up(puzzle.shape).cost_s * CLOCK_SHARE < (len(PHASES) + 1) * self._clock_cost_s
        phases_timed = not contestant.info.streams and (suite.cold or how == WARM)
        # Further solves would change the history of a persistent strategy.
        apart = phases_timed and too_short and not suite.cold and not contestant.info.persistent
        phase_forms = self.plan.forms(measurement, for_phases=True) if apart else ()
        forms = [form_of(suite.seed, puzzle, number) for number in (*timed, *phase_forms)]
        run_in = [untimed_form(suite.seed, puzzle, number) for number in self.plan.run_in_forms(measurement)]
        if contestant.role in (FLOOR, PIPE):
            solution = solution_of(measurement.planned)
            forms = [(form(solution, symmetry), symmetry) for _, symmetry in forms]
        puzzles = [puzzle for puzzle, _ in forms]
        solved, others = puzzles[: len(timed)], puzzles[len(timed) :]
        phases = phases_timed and (suite.cold or not too_short)
        return Asked(SolveRequest(solved, self.plan.task, suite.timeout_s, how, phases, others, run_in), forms)
