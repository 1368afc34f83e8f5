"""The stopwatch: solve forms once each and time them. No other package times a solve."""

from __future__ import annotations

import contextlib
import mmap
import random
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeVar

from sudoku_bench.bench.worker.boards import digits
from sudoku_bench.bench.worker.clocks import cpu_end_s, cpu_s, wall_s
from sudoku_bench.bench.worker.messages import Message
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.solvers.strategy import Strategy, Task

PHASES = ("encode", "load", "search", "decode", "release")
PHASE_COLUMNS = tuple(f"{phase}_cpu_s" for phase in PHASES)
PROGRESS_BYTES = 8  # for the number of forms solved so far, which the runner reads while the worker solves
ANSWERED = b"\xff" * PROGRESS_BYTES  # in its place when all forms are solved
RUN_IN_S = 0.002  # wall time after which a run-in ends, even if not all its forms are solved
DEPTHS = 32  # of the stack, of which each measurement has a random one
PLAIN = {int}
CLOCK_READINGS = 9  # an odd number of measurements of nothing, of which the median is the cost of reading the clocks

Answer = list[list[Any]]
Solver = Callable[[Strategy, Puzzle, Task], Answer]
T = TypeVar("T")

_depths = random.Random()  # of its own: strategies may use, and seed, the common one


class RunIn(NamedTuple):
    """What a run-in solved: the number of forms, their CPU seconds, and those of a form that failed and ended it."""

    solved: int
    cpu_s: float
    failed_cpu_s: float = 0.0


def timed(
    strategy: Strategy, puzzles: Sequence[Puzzle], task: Task, how: Solver, progress: mmap.mmap, solved: int = 0
) -> tuple[Message, list[Answer]]:
    """Solve each form once; return mean times and the answers.

    Args:
        how: ``solve``, ``marked`` (phases are timed too) or ``nothing``.
        solved: forms already completed.
    """
    answers = []
    cpu_start, wall_start = cpu_s(), wall_s()
    longest_s, before = 0.0, wall_start
    for number, puzzle in enumerate(puzzles, solved):
        progress[:] = number.to_bytes(PROGRESS_BYTES, "little")
        answers.append(how(strategy, puzzle, task))
        after = wall_s()  # much cheaper than the CPU clock
        longest_s, before = max(longest_s, after - before), after
    wall_end, cpu_end = wall_s(), cpu_end_s()
    times = means(wall_end - wall_start, cpu_end - cpu_start, len(puzzles))
    return times | {"longest_wall_s": longest_s}, answers


def timed_after_run_in(
    strategy: Strategy,
    puzzles: Sequence[Puzzle],
    task: Task,
    how: Solver,
    progress: mmap.mmap,
    run_in_puzzles: Sequence[Puzzle],
) -> tuple[Message, list[Answer]]:
    """Like ``timed``; after a run-in, the cost of reading the clocks is subtracted.

    The reply then has ``aside_cpu_s`` too, CPU seconds of the run-in and of reading the clocks, and ``failed_cpu_s``,
    those of a form that ended the run-in because it failed.

    Args:
        run_in_puzzles: forms of the run-in; without any there is none, and nothing is subtracted.
    """
    if not run_in_puzzles:
        return at_random_depth(lambda: timed(strategy, puzzles, task, how, progress))
    done, start = run_in(strategy, run_in_puzzles, task, progress), len(run_in_puzzles)
    reply, answers = at_random_depth(lambda: timed(strategy, puzzles, task, how, progress, start))
    cost = clock_cost(strategy, puzzles, task, progress, start)
    net = {key: reply[key] - cost[key] for key in cost}
    aside_s = done.cpu_s + CLOCK_READINGS * cost["cpu_s"] * len(puzzles)
    aside = {"clock_cost_s": cost["cpu_s"], "aside_cpu_s": aside_s, "failed_cpu_s": done.failed_cpu_s}
    return reply | net | {"run_in": done.solved} | aside, answers


def at_random_depth(call: Callable[[], T]) -> T:
    """Return what a call returns that is made at a random depth of the stacks.

    Where stack and heap happen to collide in the caches, a process is slower throughout (Mytkowicz et al. 2009). At
    another depth in each measurement, this is noise between them instead (Curtsinger & Berger 2013).
    """
    return _deeper(_depths.randrange(DEPTHS), call)


def _deeper(levels: int, call: Callable[[], T]) -> T:
    # Through `partial`, because a call from Python to Python leaves the stack of C where it is.
    return call() if levels == 0 else partial(_deeper, levels - 1, call)()


def run_in(strategy: Strategy, puzzles: Sequence[Puzzle], task: Task, progress: mmap.mmap) -> RunIn:
    """Solve forms whose times are discarded.

    Other processes have used the core since the last measurement. The first solves fill caches and branch predictors
    again, and the stopwatch around each of them does the same for the code of the clocks. A solve that fails ends the
    run-in.
    """
    start, used_s, end_s = cpu_s(), 0.0, wall_s() + RUN_IN_S
    for number, puzzle in enumerate(puzzles):
        if wall_s() > end_s:
            return RunIn(number, used_s)
        try:
            used_s += timed(strategy, [puzzle], task, solve, progress, number)[0]["cpu_s"]
        except Exception:  # the timed form shows whether the strategy works
            with contextlib.suppress(Exception):  # there may be nothing to release yet
                strategy.release()
            return RunIn(number, used_s, cpu_end_s() - start - used_s)
    return RunIn(len(puzzles), used_s)


def clock_cost(strategy: Strategy, puzzles: Sequence[Puzzle], task: Task, progress: mmap.mmap, solved: int) -> Message:
    """Return the times of a measurement in which nothing is solved."""
    readings = [timed(strategy, puzzles, task, nothing, progress, solved)[0] for _ in range(CLOCK_READINGS)]
    # Without `statistics`, which takes a tenth of the start of a worker.
    return {key: sorted(reading[key] for reading in readings)[CLOCK_READINGS // 2] for key in ("wall_s", "cpu_s")}


def nothing(_strategy: Strategy, _puzzle: Puzzle, _task: Task) -> Answer:
    return []


def timed_batch(strategy: Strategy, puzzles: Sequence[Puzzle], task: Task) -> tuple[Message, list[Answer]]:
    """Like ``timed``, with all puzzles in one call."""
    cpu_start, wall_start = cpu_s(), wall_s()
    answers = [[list(cells) for cells in answer] for answer in strategy.solve_many(puzzles, task)]
    wall_end, cpu_end = wall_s(), cpu_end_s()
    if len(answers) != len(puzzles):
        raise ValueError(f"{len(answers)} answers to {len(puzzles)} puzzles")
    return means(wall_end - wall_start, cpu_end - cpu_start, len(puzzles)), answers


def read(answers: Sequence[Answer], reply: Message) -> Sequence[Answer]:
    """Return answers as Python's own integers; add the time that reading others takes to the times of the reply.

    Integers of other types may compute their value when it is read, so reading them is part of the solve.

    Raises:
        Exception: any that reading them raises.
    """
    if all(set(map(type, cells)) <= PLAIN for answer in answers for cells in answer):
        return answers
    cpu_start, wall_start = cpu_s(), wall_s()
    plain = [[digits(cells) for cells in answer] for answer in answers]
    wall_end, cpu_end = wall_s(), cpu_end_s()
    reply["wall_s"] += (wall_end - wall_start) / len(answers)
    reply["cpu_s"] += (cpu_end - cpu_start) / len(answers)
    return plain


def means(wall: float, cpu: float, solves: int) -> Message:
    return {"status": "ok", "wall_s": wall / solves, "cpu_s": cpu / solves}


def solve(strategy: Strategy, puzzle: Puzzle, task: Task) -> Answer:
    answer = strategy.search(strategy.load(strategy.encode(puzzle)), task)
    solutions = [list(cells) for cells in strategy.decode(answer)]
    strategy.release()
    return solutions


def marked(marks: list[float]) -> Solver:
    """Return ``solve`` with phases timed; ``marks`` receives 6 clock readings per form."""
    return lambda strategy, puzzle, task: solve_marked(strategy, puzzle, task, marks)


def solve_marked(strategy: Strategy, puzzle: Puzzle, task: Task, marks: list[float]) -> Answer:
    """Like ``solve``, and record the CPU clock at the start and after each phase (6 marks)."""
    marks.append(cpu_s())
    model = strategy.encode(puzzle)
    marks.append(cpu_s())
    model = strategy.load(model)
    marks.append(cpu_s())
    answer = strategy.search(model, task)
    marks.append(cpu_s())
    solutions = [list(cells) for cells in strategy.decode(answer)]
    marks.append(cpu_s())
    strategy.release()
    del model, answer  # freeing them (such as a list of 12,000 clauses) is part of the cost
    marks.append(cpu_s())
    return solutions


def phase_means(marks: Sequence[float], loops: int) -> dict[str, float]:
    """Return the mean CPU seconds of each phase from the marks of ``solve_marked``; empty without marks."""
    if not marks:
        return {}
    sums = [0.0] * len(PHASES)
    for start in range(0, len(marks), len(PHASES) + 1):
        of_form = marks[start : start + len(PHASES) + 1]
        sums = [total + after - before for total, before, after in zip(sums, of_form, of_form[1:], strict=False)]
    return {name: total / loops for name, total in zip(PHASE_COLUMNS, sums, strict=True)}
