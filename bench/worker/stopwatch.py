"""The stopwatch: solve forms once each and time them. No other package times a solve.

Before each measurement the strategy is led in: it works for ``LEAD_IN_S`` of CPU time, and at least one solve, on
puzzles that the run does not time. Other processes have used the core since its last measurement, and the lead-in fills
caches and branch predictors again, as in a program that has just solved other puzzles. It is the same for every
strategy, and its answers are checked.
"""

from __future__ import annotations

import contextlib
import mmap
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, TypeVar

from sudoku_bench.bench.worker.boards import digits, puzzle_of
from sudoku_bench.bench.worker.clocks import cpu_end_s, cpu_s, has_children, wall_s
from sudoku_bench.bench.worker.messages import error_line
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.datasets.verify import answer_fault, in_short
from sudoku_bench.solvers.strategy import GaveUp, Strategy, Task

PHASES = ("encode", "load", "search", "decode", "release")
PHASE_COLUMNS = tuple(f"{phase}_cpu_s" for phase in PHASES)
LEAD_IN_S = 0.002  # CPU seconds after which a lead-in ends
LEAD_IN_WALL_S = 0.02  # wall seconds that end it too, for a strategy that waits
PROGRESS_BYTES = 8  # for the number of forms solved so far, which the runner reads while the worker solves
LEADING_IN = 1 << 32  # is added to it during the lead-in
ANSWERED = b"\xff" * PROGRESS_BYTES  # in its place when all forms are solved
DEPTHS = 32  # of the stack, of which each measurement has a random one
PLAIN = {int}
CLOCK_READINGS = 9  # an odd number of measurements of nothing, of which the median is the cost of reading the clocks

Answer = list[list[Any]]
Marks = tuple[float, float, float, float, float, float]  # wall clock at the start of a solve and after each phase
T = TypeVar("T")

_depths = random.Random()  # of its own: strategies may use, and seed, the common one


class Times(NamedTuple):
    """Mean seconds per solve.

    Attributes:
        longest_wall_s: wall time of the longest solve.
        phases_cpu_s: CPU time by phase: that of the solve, in proportion to the wall times of its phases.
    """

    wall_s: float
    cpu_s: float
    longest_wall_s: float = 0.0
    phases_cpu_s: tuple[float, ...] = ()

    def less(self, cost: Times) -> Times:
        """Return the times without the cost of reading the clocks, in the same proportion for each phase."""
        cpu = self.cpu_s - cost.cpu_s
        of_phases = tuple(phase * cpu / self.cpu_s for phase in self.phases_cpu_s) if self.cpu_s else ()
        return Times(self.wall_s - cost.wall_s, cpu, self.longest_wall_s, of_phases)


class LeadInFault(Exception):
    """An answer of the lead-in is wrong."""


@dataclass
class LeadIn:
    """Puzzles with one solution each, solved in turn.

    Attributes:
        boards: the cells of each puzzle; solutions: of its solution.
        at: the number of solves so far.
    """

    shape: Shape
    boards: Sequence[bytes]
    solutions: Sequence[list[int]]
    at: int = 0

    def solve(self, strategy: Strategy, task: Task, how: Solver, progress: mmap.mmap) -> int:
        """Work on the puzzles until the lead-in has taken its time; return the number of solves.

        The stopwatch runs as well, because its code is part of the program. A strategy may give up: that is no fault.

        Raises:
            LeadInFault: an answer is wrong.
            Exception: any that the strategy raises.
        """
        cpu_end, wall_end, before = cpu_s() + LEAD_IN_S, wall_s() + LEAD_IN_WALL_S, self.at
        while True:
            place = self.at % len(self.boards)
            self.at += 1
            puzzle = puzzle_of(self.shape, self.boards[place])  # a new object, like that of a measurement
            try:
                _, [answer] = timed(strategy, [puzzle], task, progress, how, LEADING_IN + self.at)
            except GaveUp:
                with contextlib.suppress(Exception):  # there may be nothing to release yet
                    strategy.release()
            else:
                if answer != [self.solutions[place]]:
                    require_right(puzzle, answer)
            if cpu_s() >= cpu_end or wall_s() >= wall_end:
                return self.at - before


def require_right(puzzle: Puzzle, answer: Answer) -> None:
    """Require that the answer to a puzzle of the lead-in is right, although it is not equal to the known one.

    Raises:
        LeadInFault: it is wrong.
        MemoryError: reading it took too much.
    """
    try:
        require_grids([answer], len(answer), puzzle.shape)
        solutions = [digits(cells) for cells in answer]
        fault = answer_fault(puzzle, solutions, expected=1)
        fault = fault and f"{fault}{in_short(solutions)}"
    except MemoryError:
        raise
    except Exception as error:
        fault = f"malformed answer: {error_line(error)}"
    if fault:
        raise LeadInFault(fault)


def require_grids(answers: Sequence[Answer], limit: int, shape: Shape) -> None:
    """Refuse solutions of another size, and more of them than were requested.

    Raises:
        ValueError: there are such.
    """
    for answer in answers:
        if len(answer) > limit:
            raise ValueError(f"{len(answer)} solutions where {limit} were requested")
        for cells in answer:
            if len(cells) != shape.n_cells:
                hint = "; give the cells of a grid one after the other, not in rows" * (len(cells) == shape.size)
                raise ValueError(f"{len(cells)} cells where {shape.n_cells} were requested{hint}")


def at_random_depth(call: Callable[[], T]) -> T:
    """Return what a call returns that is made at a random depth of the stacks.

    Where stack and heap happen to collide in the caches, a process is slower throughout (Mytkowicz et al. 2009). At
    another depth in each measurement, this is noise between them instead (Curtsinger & Berger 2013).
    """
    return _deeper(_depths.randrange(DEPTHS), call)


def _deeper(levels: int, call: Callable[[], T]) -> T:
    # Through `partial`, because a call from Python to Python leaves the stack of C where it is.
    return call() if levels == 0 else partial(_deeper, levels - 1, call)()


def timed(
    strategy: Strategy, puzzles: Sequence[Puzzle], task: Task, progress: mmap.mmap, how: Solver, first: int = 0
) -> tuple[Times, list[Answer]]:
    """Solve each form once; return mean times and the answers.

    Args:
        how: ``solve``, ``at_once`` or ``nothing``.
        first: the number of solves before.
    """
    answers, marks = [], list[Marks]()
    cpu_start, wall_start = cpu_s(), wall_s()
    for number, puzzle in enumerate(puzzles, first):
        progress[:] = number.to_bytes(PROGRESS_BYTES, "little")
        answer, of_form = how(strategy, puzzle, task)
        answers.append(answer)
        marks.append(of_form)
    wall_end, cpu_end = wall_s(), cpu_end_s()
    wall, cpu = (wall_end - wall_start) / len(puzzles), (cpu_end - cpu_start) / len(puzzles)
    longest = max(each[-1] - each[0] for each in marks)
    return Times(wall, cpu, longest, phases(marks, cpu)), answers


def busy_from_now() -> Callable[[], float]:
    """Return what returns the CPU seconds since now, by the clock of the solves: what is done to it shows here, too."""
    start = cpu_s()
    return lambda: cpu_end_s() - start


def clock_cost(strategy: Strategy, puzzles: Sequence[Puzzle], task: Task, progress: mmap.mmap) -> Times:
    """Return the times of a measurement in which nothing is solved: the medians of several.

    With children, the clocks are read outside what they time.
    """
    if has_children():
        return Times(0.0, 0.0)
    readings = [timed(strategy, puzzles, task, progress, nothing)[0] for _ in range(CLOCK_READINGS)]
    # Without `statistics`, which takes a tenth of the start of a worker.
    wall, cpu = (sorted(clock)[CLOCK_READINGS // 2] for clock in zip(*(each[:2] for each in readings), strict=True))
    return Times(wall, cpu)


def timed_batch(strategy: Strategy, puzzles: Sequence[Puzzle], task: Task) -> tuple[Times, list[Answer]]:
    """Like ``timed``, with all puzzles in one call."""
    cpu_start, wall_start = cpu_s(), wall_s()
    answers = solved_at_once(strategy, puzzles, task)
    wall_end, cpu_end = wall_s(), cpu_end_s()
    return Times((wall_end - wall_start) / len(puzzles), (cpu_end - cpu_start) / len(puzzles)), answers


def solved_at_once(strategy: Strategy, puzzles: Sequence[Puzzle], task: Task) -> list[Answer]:
    """Return the answers to puzzles that are solved in one call.

    Raises:
        ValueError: there are more or fewer answers.
        Exception: any that the strategy raises.
    """
    answers = [[list(cells) for cells in answer] for answer in strategy.solve_many(puzzles, task)]
    if len(answers) != len(puzzles):
        raise ValueError(f"{len(answers)} answers to {len(puzzles)} puzzles")
    return answers


def read(answers: Sequence[Answer], times: Times) -> tuple[Sequence[Answer], Times]:
    """Return answers as Python's own integers, and the times with the time that reading others takes.

    Integers of other types may compute their value when it is read, so reading them is part of the solve: of decoding.

    Raises:
        Exception: any that reading them raises.
    """
    if all(set(map(type, cells)) <= PLAIN for answer in answers for cells in answer):
        return answers, times
    cpu_start, wall_start = cpu_s(), wall_s()
    plain = [[digits(cells) for cells in answer] for answer in answers]
    wall_end, cpu_end = wall_s(), cpu_end_s()
    wall, cpu = (wall_end - wall_start) / len(answers), (cpu_end - cpu_start) / len(answers)
    of_phases = tuple(s + cpu * (name == "decode") for name, s in zip(PHASES, times.phases_cpu_s, strict=False))
    return plain, Times(times.wall_s + wall, times.cpu_s + cpu, times.longest_wall_s, of_phases)


Solver = Callable[[Strategy, Puzzle, Task], tuple[Answer, Marks]]


def solve(strategy: Strategy, puzzle: Puzzle, task: Task) -> tuple[Answer, Marks]:
    """Return the answer to a puzzle, and the wall clock before and after each phase, which costs 50 ns to read."""
    start = wall_s()
    model = strategy.encode(puzzle)
    encoded = wall_s()
    model = strategy.load(model)
    loaded = wall_s()
    found = strategy.search(model, task)
    searched = wall_s()
    answer = [list(cells) for cells in strategy.decode(found)]
    decoded = wall_s()
    strategy.release()
    del model, found  # freeing them (such as a list of 12,000 clauses) is part of the cost
    return answer, (start, encoded, loaded, searched, decoded, wall_s())


def at_once(strategy: Strategy, puzzle: Puzzle, task: Task) -> tuple[Answer, Marks]:
    """Like ``solve``, by the strategy's own way to solve many puzzles; there are no phases."""
    start = wall_s()
    answer = solved_at_once(strategy, [puzzle], task)[0]
    end = wall_s()
    return answer, (start, end, end, end, end, end)


def nothing(_strategy: Strategy, _puzzle: Puzzle, _task: Task) -> tuple[Answer, Marks]:
    """Read the clocks like ``solve``."""
    return [], (wall_s(), wall_s(), wall_s(), wall_s(), wall_s(), wall_s())


def phases(marks: Sequence[Marks], cpu: float) -> tuple[float, ...]:
    """Return the mean CPU seconds of each phase, from those of a whole solve and the marks of each."""
    total = sum(each[-1] - each[0] for each in marks)
    of_phases = [sum(each[place + 1] - each[place] for each in marks) for place in range(len(PHASES))]
    return tuple(cpu * phase / total for phase in of_phases) if total > 0 else ()
