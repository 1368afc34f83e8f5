"""A slot executes one measurement at a time: it holds the workers of all entries and yields one row each."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace

import psutil

from sudoku_bench.bench.folder.rows import Row, counter_columns
from sudoku_bench.bench.plan.plan import Entry, Measurement, Plan
from sudoku_bench.bench.plan.suite import BATCH, WARM
from sudoku_bench.bench.process.replies import Reply
from sudoku_bench.bench.process.solve_request import Solved, SolveRequest
from sudoku_bench.bench.process.watch import WorkerDied
from sudoku_bench.bench.process.worker_process import Confinement
from sudoku_bench.bench.process.workers import ColdWorkers, WarmWorkers, Workers, WorkerSettings
from sudoku_bench.bench.run import clock_check
from sudoku_bench.bench.run.clock_check import ClockCheck, EmptyRequest
from sudoku_bench.bench.run.forms import forms_of, lead_in_of
from sudoku_bench.bench.run.outcome import TIMED, Outcome, outcome_of
from sudoku_bench.bench.run.timeouts import Timeouts, attempt_of
from sudoku_bench.bench.worker.clocks import wall_s
from sudoku_bench.datasets.shape import Shape

SHORT_SHARE, SHORT_MIB = 0.1, 1024  # memory is short if less than both is available: of the machine's, and in MiB


def workers_for(
    plan: Plan, entry: Entry, confined: Confinement, numbers: Iterator[int], number: Callable[[], int]
) -> Workers:
    """Return the kind of workers that the mode of the plan requires.

    Args:
        numbers: numbers the workers of the run.
        number: returns that of the present round.
    """
    suite = plan.suite
    if plan.calibration and entry.info.name in plan.calibration.parallel:
        confined = replace(confined, cores=confined.usable)

    def lead_in(shape: Shape) -> Sequence[Solved]:
        return lead_in_of(plan, entry, shape, number())

    settings = WorkerSettings(entry.info, plan.task, suite.timeout_s, confined, numbers, lead_in)
    return ColdWorkers(settings) if suite.cold else WarmWorkers(settings)


class Slot:
    """Measures for a plan.

    Args:
        numbers: numbers the workers of the run.
        timeouts: of the run so far, in all slots.
        clock: monotonic seconds since the run began.
        checks: whether reported times are checked.
    """

    def __init__(
        self,
        plan: Plan,
        confined: Confinement,
        numbers: Iterator[int],
        timeouts: Timeouts,
        clock: Callable[[], float] = wall_s,
        checks: bool = True,
    ) -> None:
        self.plan = plan
        self._confined, self._timeouts, self._clock = confined, timeouts, clock
        self._has_checks = checks
        self._empty: EmptyRequest | None = None
        name = platform.node()
        self._host = name if plan.suite.host_names else f"host-{hashlib.sha256(name.encode()).hexdigest()[:8]}"
        self._workers = LaunchWorkers(
            lambda entry: workers_for(plan, entry, confined, numbers, self._number), memory_is_short
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
        if reason := self._timeouts.reason(attempt_of(measurement)):
            return self._row_of(measurement, Outcome("timeout", reason), self._now_s())
        workers = self._workers.of(measurement.entry)
        forms = forms_of(self.plan, measurement)
        obstacle = workers.ready(forms[0][0].shape)
        started_s = self._now_s()
        if obstacle:
            outcome = Outcome(*obstacle)
        else:
            how = BATCH if self.plan.suite.batch else WARM
            request = SolveRequest([form for form, _ in forms], self.plan.task, self.plan.suite.timeout_s, how)
            try:
                reply = workers.solve(request)
            except WorkerDied as death:
                outcome = Outcome.of_death(death)
            else:
                outcome = outcome_of(self.plan, measurement.planned.reference, forms, reply)
                fault = self._fault(measurement.entry.label, request, reply)
                outcome = outcome.mistimed(fault) if fault and outcome.status in TIMED else outcome
        row = self._row_of(measurement, outcome, started_s)
        self._timeouts.add(row)
        return row

    def _number(self) -> int:
        """The number of the present round, in all launches."""
        return (self._launch - 1) * self.plan.rounds + self._round

    def _fault(self, label: str, request: SolveRequest, reply: Reply) -> str | None:
        """Describe what is false about the times of a row or of those before it; None if nothing is.

        The system itself times a cold solve.
        """
        if reply.status != "ok" or self.plan.suite.cold or not self._has_checks:
            return None
        self._empty = self._empty or clock_check.measured(self._confined)
        if self._empty is None:
            return None
        if label not in self._checks:
            self._checks[label] = ClockCheck(self._empty)
        return self._checks[label].fault(request, reply)

    def _row_of(self, measurement: Measurement, outcome: Outcome, started_s: float) -> Row:
        planned, suite = measurement.planned, self.plan.suite
        reply = outcome.reply or Reply(outcome.status)
        times = reply if outcome.has_times else None
        measured = {**times.phases_cpu_s, **counter_columns(times.counters)} if times else {}
        return Row(
            strategy=measurement.entry.label,
            collection=planned.collection,
            puzzle=planned.name,
            isomorph=measurement.forms[0],
            task=str(self.plan.task),
            mode=suite.mode,
            launch=measurement.launch,
            repetition=measurement.repetition,
            loops=len(measurement.forms),
            status=outcome.status,
            reason=outcome.reason,
            limit_s=outcome.limit_s or suite.timeout_s,
            limit_clock=outcome.limit_clock,
            wall_s=times.wall_s if times else None,
            cpu_s=times.cpu_s if times else None,
            prepare_cpu_s=times.prepare_cpu_s if times else None,
            peak_rss_mib=times.peak_rss_mib if times else None,
            solutions=outcome.solutions,
            round=measurement.round,
            position=measurement.position,
            started_s=started_s,
            host=self._host,
            worker=reply.worker,
            decoy=planned.decoy,
            placebo=measurement.entry.role,
            stream_position=reply.stream_position,
            lead_in=reply.lead_in if reply.status in ("ok", "gave_up") else None,
            clock_cost_s=times.clock_cost_s if times else None,
            **measured,
        )

    def _now_s(self) -> float:
        return round(self._clock(), 6)


class LaunchWorkers:
    """Makes workers when they are first needed; ``close`` ends all of them.

    Args:
        new_workers: makes those of an entry.
        is_short: is memory short now?
    """

    def __init__(self, new_workers: Callable[[Entry], Workers], is_short: Callable[[], bool]) -> None:
        self._new_workers, self._is_short = new_workers, is_short
        self._by_label: dict[str, Workers] = {}  # those used last at the end

    def of(self, entry: Entry) -> Workers:
        """Return the workers of an entry.

        If none is alive yet and memory is short, those that have been idle for longest are closed first; their
        strategies get fresh ones when they are needed again. Strategies that keep state keep their worker.
        """
        workers = self._by_label.pop(entry.label, None) or self._new_workers(entry)
        if not workers.alive:
            idle = [each for each in self._by_label.values() if each.alive and not each.info.persistent]
            while idle and self._is_short():
                idle.pop(0).close()
        self._by_label[entry.label] = workers
        return workers

    def renew(self) -> None:
        for workers in self._by_label.values():
            workers.renew()

    def close(self) -> None:
        for workers in self._by_label.values():
            workers.close()


def memory_is_short() -> bool:
    """Is little memory available, so that another worker may push others out?"""
    memory = psutil.virtual_memory()
    return bool(memory.available < min(SHORT_SHARE * memory.total, SHORT_MIB << 20))
