"""A lane executes one measurement at a time: it holds the seats of all contestants and yields one row each."""

from __future__ import annotations

import hashlib
import itertools
import platform
import random
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from bench.folder.rows import Row, made
from bench.plan.plan import FLOOR, PIPE, Contestant, Measurement, Plan, Subject
from bench.plan.suite import BATCH, COLD_FIRST, WARM
from bench.process.sample import Sample
from bench.process.seat import ColdSeat, Seat, SeatSettings, WarmSeat, WarmUp
from bench.process.watch import WorkerDied
from bench.process.worker_process import Confinement
from bench.run.inspection import Inspection
from bench.run.judge import TIMED, Form, outcome_of, without_times
from bench.run.seats import Seats, memory_is_short
from bench.run.timeouts import Timeouts
from bench.worker.clocks import wall_s
from bench.worker.stopwatch import PHASES
from datasets.isomorphs import Isomorph, form, isomorph, random_isomorph
from datasets.puzzle import Puzzle
from datasets.shape import Shape

WARM_UP_FORMS = (-1, -2, -3)
CLOCK_SHARE = 0.01  # largest share of a sample spent on reading clocks
OF_WORKER = ("worker", "stream_position", "prepare_cpu_s", "run_in", "clock_cost_s")  # columns of a reply
FORMS_KEPT = 4096  # more than one puzzle of all strategies needs, unless samples are very long
AHEAD, AHEAD_FORMS = 32, 16  # measurements whose forms are made together; the most forms of a sample that are
SYMMETRIES = 1019  # for run-ins; a prime, so that copies of a grid, whose form numbers are far apart, have others


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
    ) -> None:
        self.plan = plan
        self._confined, self._clock_cost_s, self._numbers = confined, clock_cost_s, numbers
        self._timeouts, self._clock, self._inspects = timeouts, clock, inspects
        self._in_all_rows = {
            "task": str(plan.task),
            "mode": plan.suite.mode,
            "limit_s": plan.suite.timeout_s,
            "limit_clock": "cpu",
            "host": "host-" + hashlib.sha256(platform.node().encode()).hexdigest()[:8],
        }
        self._warm_up = warm_up_forms(plan)
        self._inspections: dict[str, Inspection] = {}  # of this launch, by label
        self._apart: set[tuple[str, Shape]] = set()  # labels with boards on which their phases are timed apart

    def rows(self, measurements: Iterator[Measurement]) -> Generator[Row, None, None]:
        """Measure in the given order. Closing the generator stops it and leaves no worker behind.

        Each round uses fresh processes: the memory layout of a process changes its times by about a percent, which
        repetitions within one process would never show.
        """
        for _, launch in itertools.groupby(measurements, key=lambda m: m.launch):
            seats = Seats(lambda contestant: self._seat(contestant, self._numbers), memory_is_short)
            self._inspections.clear()
            try:
                for _, turns in itertools.groupby(launch, key=lambda m: m.round):
                    seats.renew()
                    for measurement in turns:
                        yield self._row(seats.of(measurement.contestant), measurement)
            finally:
                seats.close()

    def ahead(self, measurements: Iterator[Measurement]) -> Iterator[Measurement]:
        """Yield the measurements, and make the forms of some of them at a time.

        After each solve the caches are full of other code. Made together, forms take a third less.
        """
        while some := list(itertools.islice(measurements, AHEAD)):
            for measurement in some:
                puzzle = measurement.subject.puzzle
                numbers = list(self.plan.forms(measurement))
                if (measurement.contestant.label, puzzle.shape) in self._apart:
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

    def _row(self, seat: Seat, measurement: Measurement) -> Row:
        subject, contestant = measurement.subject, measurement.contestant
        numbers = self.plan.forms(measurement)
        row: dict[str, Any] = {
            **self._in_all_rows,
            "strategy": contestant.label,
            "collection": subject.collection,
            "puzzle": subject.name,
            "isomorph": numbers[0],
            "launch": measurement.launch,
            "repetition": measurement.repetition,
            "loops": len(numbers),
            "round": measurement.round,
            "position": measurement.position,
            "decoy": subject.decoy,
            "placebo": contestant.role,
        }
        if reason := self._timeouts.reason((contestant.label, subject.collection, subject.name, measurement.launch)):
            return made(row | {"status": "timeout", "reason": reason, "started_s": self._now_s()})
        row |= self._measured(seat, measurement, numbers)
        finished = made(row)
        self._timeouts.add(finished)
        if finished.status != "solved":
            self._inspection(contestant).failed()
        return finished

    def _measured(self, seat: Seat, measurement: Measurement, numbers: Sequence[int]) -> dict[str, Any]:
        """Measure the forms with these numbers; return what follows for the row."""
        subject, suite = measurement.subject, self.plan.suite
        obstacle = seat.ready(subject.puzzle.shape)
        row: dict[str, Any] = {"started_s": self._now_s()}
        if obstacle:
            status, reason = obstacle
            return row | {"status": status, "reason": reason}
        sample, forms = self._sample(seat, measurement, numbers)
        try:
            reply = seat.solve(sample)
        except WorkerDied as death:
            limit_s = death.limit_s if death.clock == "wall" and death.limit_s else suite.timeout_s
            limit = {"limit_clock": death.clock, "limit_s": limit_s}
            return row | {"status": death.status, "reason": death.reason} | limit
        for key in OF_WORKER:
            if key in reply:
                row[key] = reply[key]
        if sample.phase_forms and "search_cpu_s" in reply:
            row["phases"] = "apart"
        else:
            forms = forms[: len(sample.forms)]
        row |= outcome_of(self.plan, subject.reference, forms, len(sample.forms), reply)
        if "charge" not in reply or not self._inspects:
            return row
        solutions = min(self.plan.task.limit, subject.reference.solutions)
        fault = self._inspection(measurement.contestant).fault(sample, reply, solutions)
        return without_times(row, fault) if fault and row["status"] in TIMED else row

    def _now_s(self) -> float:
        return round(self._clock(), 6)

    def _sample(self, seat: Seat, measurement: Measurement, timed: Sequence[int]) -> tuple[Sample, list[Form]]:
        """Return the sample for the worker, with the forms that have these numbers, and all its forms with their
        symmetries.
        """
        suite, puzzle = self.plan.suite, measurement.subject.puzzle
        how = BATCH if suite.batch else WARM
        # Phases are timed separately if reading the clock between them would take a noticeable part of a solve.
        too_short = seat.cost_s(puzzle.shape) * CLOCK_SHARE < (len(PHASES) + 1) * self._clock_cost_s
        phases_timed = not measurement.contestant.info.streams
        separate = phases_timed and too_short and how == WARM and not suite.cold
        if measurement.contestant.info.persistent:
            separate = False  # further solves would change its history
        phase_forms = self.plan.forms(measurement, for_phases=True) if separate else ()
        if separate:
            self._apart.add((measurement.contestant.label, puzzle.shape))
        forms = [form_of(suite.seed, puzzle, number) for number in (*timed, *phase_forms)]
        run_in = [untimed_form(suite.seed, puzzle, number) for number in self.plan.run_in_forms(measurement)]
        if measurement.contestant.role in (FLOOR, PIPE):
            puzzle = solution_of(measurement.subject)
            forms = [(form(puzzle, symmetry), symmetry) for _, symmetry in forms]
        puzzles = [puzzle for puzzle, _ in forms]
        phases = phases_timed and (suite.cold or (how == WARM and not too_short))
        solved, apart = puzzles[: len(timed)], puzzles[len(timed) :]
        return Sample(solved, self.plan.task, suite.timeout_s, how, phases, apart, run_in), forms


@lru_cache(maxsize=FORMS_KEPT)
def form_of(seed: int, puzzle: Puzzle, number: int) -> Form:
    """Return a form of a puzzle, cached for all strategies that solve it."""
    symmetry = isomorph(seed, puzzle, number)
    return form(puzzle, symmetry), symmetry


@lru_cache(maxsize=FORMS_KEPT)
def untimed_form(seed: int, puzzle: Puzzle, number: int) -> Puzzle:
    """Return a form of a puzzle for a run-in, which takes a fourth of the time: puzzles share a set of symmetries."""
    return form(puzzle, _symmetry(seed, puzzle.shape, number % SYMMETRIES))


@lru_cache(maxsize=SYMMETRIES)
def _symmetry(seed: int, shape: Shape, number: int) -> Isomorph:
    return random_isomorph(shape, random.Random(f"{seed}/run-in/{shape.box_rows}x{shape.box_cols}/{number}"))


def solution_of(subject: Subject) -> Puzzle:
    """Return the solution of a subject as a puzzle without empty cells."""
    assert subject.reference.solution is not None
    return Puzzle(subject.puzzle.shape, subject.reference.solution)


def easiest_puzzles(plan: Plan) -> Mapping[Shape, Puzzle]:
    """Return the puzzle with the most clues of each shape of the plan (often an easy one)."""
    easiest: dict[Shape, Puzzle] = {}
    for subject in plan.subjects:
        shape = subject.puzzle.shape
        if shape not in easiest or subject.puzzle.clues > easiest[shape].clues:
            easiest[shape] = subject.puzzle
    return easiest


def warm_up_forms(plan: Plan) -> Mapping[Shape, list[Puzzle]]:
    """Return untimed forms of the easiest puzzle of each shape of the plan."""
    return {
        shape: [form(puzzle, isomorph(plan.suite.seed, puzzle, number)) for number in WARM_UP_FORMS]
        for shape, puzzle in easiest_puzzles(plan).items()
    }
