"""A lane executes one measurement at a time: it holds the seats of all contestants and yields one row each.

Consecutive measurements of one contestant are a *turn*: their samples are sent together, and the runner deals with the
answers when all have arrived. With several strategies, each turn is one measurement, because they solve each puzzle in
direct succession.
"""

from __future__ import annotations

import hashlib
import itertools
import platform
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from typing import Any

from bench.folder.rows import Row, made
from bench.plan.plan import FLOOR, PIPE, Contestant, Measurement, Plan
from bench.plan.suite import BATCH, COLD_FIRST, WARM
from bench.process.sample import Sample
from bench.process.seat import ColdSeat, Outcome, Seat, SeatSettings, WarmSeat, WarmUp
from bench.process.watch import WorkerDied
from bench.process.worker_process import Confinement
from bench.run.forms import form_of, solution_of, untimed_form, warm_up_forms
from bench.run.inspection import Inspection
from bench.run.judge import TIMED, Form, outcome_of, without_times
from bench.run.seats import Seats, memory_is_short
from bench.run.timeouts import Timeouts
from bench.worker.clocks import wall_s
from bench.worker.stopwatch import PHASES
from datasets.isomorphs import form

CLOCK_SHARE = 0.01  # largest share of a sample spent on reading clocks
OF_WORKER = ("worker", "stream_position", "prepare_cpu_s", "run_in", "clock_cost_s")  # columns of a reply
TOGETHER, TURN_S = 32, 0.1  # the most measurements of a turn, and how long it should take
PHASES_APART = 200  # measurements of a strategy in a collection, after which phases are no longer timed on other forms
AGAIN = "measured again: the worker had sent an invalid reply in one of several solves"
AHEAD, AHEAD_FORMS = 64, 16  # measurements whose forms are made together; the most forms of a sample that are


def seat_for(
    plan: Plan, contestant: Contestant, confined: Confinement, numbers: Iterator[int], warm_up: WarmUp
) -> Seat:
    """Return the kind of seat that the mode of the plan requires."""
    suite = plan.suite
    if plan.calibration and contestant.info.name in plan.calibration.parallel:
        confined = replace(confined, cores=confined.usable)
    settings = SeatSettings(contestant.info, plan.task, suite.timeout_s, confined, numbers, warm_up)
    return ColdSeat(settings, empty_caches=suite.mode == COLD_FIRST) if suite.cold else WarmSeat(settings)


class Lane:
    """Measures for a plan.

    Args:
        clock_cost_s: cost of one reading of the CPU clock, in seconds.
        numbers: numbers the workers of the run.
        timeouts: of the run so far, in all lanes.
        clock: monotonic seconds since the run began.
        inspects: whether reported times are checked.
        together: the most measurements of a turn. The rows of a turn are there all at once.
    """

    def __init__(
        self,
        plan: Plan,
        confined: Confinement,
        clock_cost_s: float,
        numbers: Iterator[int],
        timeouts: Timeouts,
        clock: Callable[[], float] = wall_s,
        inspects: bool = True,
        together: int = TOGETHER,
    ) -> None:
        self.plan = plan
        self._confined, self._clock_cost_s, self._numbers = confined, clock_cost_s, numbers
        self._timeouts, self._clock, self._inspects, self._together = timeouts, clock, inspects, together
        self._in_all_rows = {
            "task": str(plan.task),
            "mode": plan.suite.mode,
            "limit_s": plan.suite.timeout_s,
            "limit_clock": "cpu",
            "host": "host-" + hashlib.sha256(platform.node().encode()).hexdigest()[:8],
        }
        self._warm_up = warm_up_forms(plan)
        self._seats = Seats(lambda contestant: self._seat(contestant, self._numbers), memory_is_short)
        self._inspections: dict[str, Inspection] = {}  # of this launch, by label
        self._launch = self._round = 0
        self._apart: Counter[tuple[str, str]] = Counter()  # rows with phases timed apart, by label and collection
        self._each_s: dict[str, float] = {}  # wall time of a measurement of the last turn, by label
        self._alone: Counter[str] = Counter()  # measurements that are made again outside of turns, by label

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
        for (launch, number, label), same in itertools.groupby(measurements, _round_and_label):
            self._begin(launch, number)
            turn: list[Measurement] = []
            for measurement in same:
                turn.append(measurement)
                while len(turn) >= self._length(label):
                    yield from self._turn(turn)
            while turn:
                yield from self._turn(turn)

    def close(self) -> None:
        """End all workers."""
        self._launch = self._round = 0
        self._seats.close()

    def _begin(self, launch: int, number: int) -> None:
        """Begin a round, unless it has begun already."""
        if launch != self._launch:
            self._seats.close()
            self._inspections.clear()
        elif number != self._round:
            self._seats.renew()
        self._launch, self._round = launch, number

    def _length(self, label: str) -> int:
        """Return the number of measurements of a contestant's next turn."""
        if self.plan.suite.cold or self.plan.suite.batch or label not in self._each_s or self._alone[label]:
            return 1
        return max(1, min(self._together, int(TURN_S / self._each_s[label])))

    def ahead(self, measurements: Iterator[Measurement]) -> Iterator[Measurement]:
        """Yield the measurements, and make the forms of some of them at a time.

        After each solve the caches are full of other code. Made together, forms take a third less.
        """
        while some := list(itertools.islice(measurements, AHEAD)):
            for measurement in some:
                puzzle = measurement.subject.puzzle
                numbers = list(self.plan.forms(measurement))
                if 0 < self._apart[_place(measurement)] < PHASES_APART:
                    numbers += self.plan.forms(measurement, for_phases=True)
                for number in numbers if len(numbers) <= AHEAD_FORMS else ():
                    form_of(self.plan.suite.seed, puzzle, number)
            yield from some

    def _seat(self, contestant: Contestant, numbers: Iterator[int]) -> Seat:
        return seat_for(self.plan, contestant, self._confined, numbers, self._warm_up)

    def _inspection(self, contestant: Contestant) -> Inspection:
        if contestant.label not in self._inspections:
            numbers = itertools.count(-1, -1)  # its workers have no rows
            self._inspections[contestant.label] = Inspection(
                contestant, self.plan.suite, self._clock_cost_s, lambda: self._seat(contestant, numbers)
            )
        return self._inspections[contestant.label]

    def _turn(self, turn: list[Measurement]) -> list[Row]:
        """Measure in one turn; return the rows. Their measurements are removed from ``turn``.

        There is none if a turn was for nothing, because nobody knows which solve wrote an invalid reply. Then each is
        made again alone.
        """
        first, shape = turn[0], turn[0].subject.puzzle.shape
        seat = self._seats.of(first.contestant)
        if reason := self._untried(first):
            row = self._begun(turn.pop(0), self._clock())
            return [made(row | {"status": "timeout", "reason": reason})]
        if obstacle := seat.ready(shape):
            status, reason = obstacle
            row = self._begun(turn.pop(0), self._clock())
            return [self._finished(first, row | {"status": status, "reason": reason})]
        fit = itertools.takewhile(lambda m: m.subject.puzzle.shape == shape and not self._untried(m), turn)
        some = itertools.islice(fit, self._length(first.contestant.label))
        requests = [(m, *self._sample(seat, m)) for m in some]
        began_s = self._clock()
        outcomes = seat.solve_in_turn([sample for _, sample, _ in requests])
        took_s = self._clock() - began_s
        self._each_s[first.contestant.label] = took_s / len(outcomes)
        rows, again = [], []
        starts_s = begins(began_s, took_s, [sample for _, sample, _ in requests], outcomes)
        for (measurement, sample, forms), outcome, start_s in zip(requests, outcomes, starts_s, strict=False):
            if outcome is None:
                again.append((measurement, sample, forms))
                continue
            row = self._begun(measurement, start_s) | self._outcome(measurement, sample, forms, outcome)
            rows.append(self._finished(measurement, self._as_again(row)))
        if outcomes[-1] is None:
            self._alone[first.contestant.label] = len(again)
        again += requests[len(outcomes) :]
        for measurement, sample, _ in again:
            self._apart[_place(measurement)] -= bool(sample.phase_forms)
        turn[: len(requests)] = [measurement for measurement, _, _ in again]
        return rows

    def _untried(self, measurement: Measurement) -> str | None:
        """Return why a measurement is not tried; None if it is."""
        subject = measurement.subject
        attempt = (measurement.contestant.label, subject.collection, subject.name, measurement.launch)
        return self._timeouts.reason(attempt)

    def _begun(self, measurement: Measurement, start_s: float) -> dict[str, Any]:
        """Return what is known of a row when its measurement begins."""
        subject, numbers = measurement.subject, self.plan.forms(measurement)
        return {
            **self._in_all_rows,
            "strategy": measurement.contestant.label,
            "collection": subject.collection,
            "puzzle": subject.name,
            "isomorph": numbers[0],
            "launch": measurement.launch,
            "repetition": measurement.repetition,
            "loops": len(numbers),
            "round": measurement.round,
            "position": measurement.position,
            "started_s": round(start_s, 6),
            "decoy": subject.decoy,
            "placebo": measurement.contestant.role,
        }

    def _outcome(
        self, measurement: Measurement, sample: Sample, forms: Sequence[Form], outcome: Outcome
    ) -> dict[str, Any]:
        """Return what the outcome of a sample says about its row."""
        if isinstance(outcome, WorkerDied):
            limit_s = outcome.limit_s if outcome.clock == "wall" and outcome.limit_s else self.plan.suite.timeout_s
            limit = {"limit_clock": outcome.clock, "limit_s": limit_s}
            return {"status": outcome.status, "reason": outcome.reason} | limit
        row = {key: outcome[key] for key in OF_WORKER if key in outcome}
        if sample.phase_forms and "search_cpu_s" in outcome:
            row["phases"] = "apart"
        else:
            forms = forms[: len(sample.forms)]
        reference = measurement.subject.reference
        row |= outcome_of(self.plan, reference, forms, len(sample.forms), outcome)
        if "charge" not in outcome or not self._inspects:
            return row
        solutions = min(self.plan.task.limit, reference.solutions)
        fault = self._inspection(measurement.contestant).fault(sample, outcome, solutions)
        return without_times(row, fault) if fault and row["status"] in TIMED else row

    def _as_again(self, row: dict[str, Any]) -> dict[str, Any]:
        """Return a row with a note if its measurement is made again outside of a turn."""
        if not self._alone[row["strategy"]]:
            return row
        self._alone[row["strategy"]] -= 1
        return row | {"reason": "; ".join(note for note in (row.get("reason"), AGAIN) if note)}

    def _finished(self, measurement: Measurement, row: dict[str, Any]) -> Row:
        finished = made(row)
        self._timeouts.add(finished)
        if finished.status != "solved":
            self._inspection(measurement.contestant).failed()
        return finished

    def _sample(self, seat: Seat, measurement: Measurement) -> tuple[Sample, list[Form]]:
        """Return the sample for the worker, and all its forms with their symmetries."""
        suite, puzzle = self.plan.suite, measurement.subject.puzzle
        how = BATCH if suite.batch else WARM
        # Phases are timed separately if reading the clock between them would take a noticeable part of a solve.
        too_short = seat.cost_s(puzzle.shape) * CLOCK_SHARE < (len(PHASES) + 1) * self._clock_cost_s
        phases_timed = not measurement.contestant.info.streams
        separate = phases_timed and too_short and how == WARM and not suite.cold
        if measurement.contestant.info.persistent:
            separate = False  # further solves would change its history
        separate = separate and self._apart[_place(measurement)] < PHASES_APART
        self._apart[_place(measurement)] += separate
        phase_forms = self.plan.forms(measurement, for_phases=True) if separate else ()
        timed = self.plan.forms(measurement)
        forms = [form_of(suite.seed, puzzle, number) for number in (*timed, *phase_forms)]
        run_in = [untimed_form(suite.seed, puzzle, number) for number in self.plan.run_in_forms(measurement)]
        if measurement.contestant.role in (FLOOR, PIPE):
            puzzle = solution_of(measurement.subject)
            forms = [(form(puzzle, symmetry), symmetry) for _, symmetry in forms]
        puzzles = [puzzle for puzzle, _ in forms]
        phases = phases_timed and (suite.cold or (how == WARM and not too_short))
        solved, apart = puzzles[: len(timed)], puzzles[len(timed) :]
        return Sample(solved, self.plan.task, suite.timeout_s, how, phases, apart, run_in), forms


def begins(
    began_s: float, took_s: float, samples: Sequence[Sample], outcomes: Sequence[Outcome | None]
) -> Iterator[float]:
    """Yield when each sample of a turn began: what the turn took beside the solves is divided among all of them.

    If the worker died in the last one, it is not known how long that took, and nothing is.
    """
    solves_s = [
        outcome["wall_s"] * len(sample.forms) if isinstance(outcome, dict) and "charge" in outcome else 0.0
        for sample, outcome in zip(samples, outcomes, strict=False)
    ]
    rest_s = 0.0 if isinstance(outcomes[-1], WorkerDied) else max(0.0, took_s - sum(solves_s))
    for solve_s in solves_s:
        yield began_s
        began_s += solve_s + rest_s / len(outcomes)


def _place(measurement: Measurement) -> tuple[str, str]:
    return measurement.contestant.label, measurement.subject.collection


def _round_and_label(measurement: Measurement) -> tuple[int, int, str]:
    return measurement.launch, measurement.round, measurement.contestant.label
