"""The stopwatch: solve forms once each and time them. No other package times a solve."""

from __future__ import annotations

import contextlib
import mmap
import random
import statistics
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

from bench.worker.clocks import cpu_end_s, cpu_s, wall_s
from bench.worker.messages import Message
from datasets.puzzle import Puzzle
from solvers.strategy import Strategy, Task

PHASES = ("encode", "load", "search", "decode", "release")
PHASE_COLUMNS = tuple(f"{phase}_cpu_s" for phase in PHASES)
# What the runner reads while the worker solves: the number of forms solved so far, and the place in the turn.
PROGRESS_BYTES, SOLVED, PLACE = 16, slice(0, 8), slice(8, 16)
RUN_IN_S = 0.002  # wall time after which a run-in ends, even if not all its forms are solved
DEPTHS = 32  # of the stack, of which each sample has a random one
PLAIN = {int}
CLOCK_SAMPLES = 9  # empty samples, of which the median is the cost of reading the clocks

Answer = list[list[Any]]
Solver = Callable[[Strategy, Puzzle, Task], Answer]
Clock = Callable[[], float]  # CPU seconds so far
T = TypeVar("T")

_depths = random.Random()  # of its own: strategies may use, and seed, the common one


def timed(
    strategy: Strategy,
    puzzles: Sequence[Puzzle],
    task: Task,
    how: Solver,
    progress: mmap.mmap,
    solved: int = 0,
    clock: Clock = cpu_s,
) -> tuple[Message, list[Answer]]:
    """Solve the forms of a sample; return mean times and the answers.

    Args:
        how: ``solve``, ``marked`` (phases are timed too) or ``nothing``.
        solved: forms already completed.
        clock: read at the beginning, ``own_cpu_s`` if no child is alive then.
    """
    answers = []
    cpu_start, wall_start = clock(), wall_s()
    longest_s, before = 0.0, wall_start
    for number, puzzle in enumerate(puzzles, solved):
        progress[SOLVED] = number.to_bytes(8, "little")
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
    clock: Clock = cpu_s,
) -> tuple[Message, list[Answer]]:
    """Like ``timed``; after a run-in, the cost of reading the clocks is subtracted.

    The reply then has ``aside_cpu_s`` too, CPU seconds of the run-in and of the samples without a solve, and
    ``failed_cpu_s``, those of a form that ended the run-in because it failed.

    Args:
        run_in_puzzles: forms of the run-in; without any there is none, and nothing is subtracted.
    """
    if not run_in_puzzles:
        return at_random_depth(lambda: timed(strategy, puzzles, task, how, progress, 0, clock))
    (number, run_in_s, failed_s), start = run_in(strategy, run_in_puzzles, task, progress), len(run_in_puzzles)
    reply, answers = at_random_depth(lambda: timed(strategy, puzzles, task, how, progress, start, clock))
    cost = clock_cost(strategy, puzzles, task, progress, start, clock)
    net = {key: reply[key] - cost[key] for key in cost}
    aside_s = run_in_s + CLOCK_SAMPLES * cost["cpu_s"] * len(puzzles)
    aside = {"clock_cost_s": cost["cpu_s"], "aside_cpu_s": aside_s, "failed_cpu_s": failed_s}
    return reply | net | {"run_in": number} | aside, answers


def at_random_depth(call: Callable[[], T]) -> T:
    """Return what a call returns that is made at a random depth of the stacks.

    Where stack and heap happen to collide in the caches, a process is slower throughout (Mytkowicz et al. 2009). At
    another depth in each sample, this is noise between samples instead (Curtsinger & Berger 2013).
    """
    return _deeper(_depths.randrange(DEPTHS), call)


def _deeper(levels: int, call: Callable[[], T]) -> T:
    # Through `partial`, because a call from Python to Python leaves the stack of C where it is.
    return call() if levels == 0 else partial(_deeper, levels - 1, call)()


def run_in(strategy: Strategy, puzzles: Sequence[Puzzle], task: Task, progress: mmap.mmap) -> tuple[int, float, float]:
    """Solve forms whose times are discarded; return how many, their CPU seconds, and those of one that failed.

    Other processes have used the core since the last sample. The first solves fill caches and branch predictors again,
    and the stopwatch around each of them does the same for the code of the clocks. A solve that fails ends the run-in.
    """
    start, used_s, end_s = cpu_s(), 0.0, wall_s() + RUN_IN_S
    for number, puzzle in enumerate(puzzles):
        if wall_s() > end_s:
            return number, used_s, 0.0
        try:
            used_s += timed(strategy, [puzzle], task, solve, progress, number)[0]["cpu_s"]
        except Exception:  # the timed form shows whether the strategy works
            with contextlib.suppress(Exception):  # there may be nothing to release yet
                strategy.release()
            return number, used_s, cpu_end_s() - start - used_s
    return len(puzzles), used_s, 0.0


def clock_cost(
    strategy: Strategy, puzzles: Sequence[Puzzle], task: Task, progress: mmap.mmap, solved: int, clock: Clock = cpu_s
) -> Message:
    """Return the times of a sample in which nothing is solved."""
    samples = [timed(strategy, puzzles, task, nothing, progress, solved, clock)[0] for _ in range(CLOCK_SAMPLES)]
    return {key: statistics.median(sample[key] for sample in samples) for key in ("wall_s", "cpu_s")}


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


def made_plain(
    answers: Sequence[Answer], make: Callable[[Answer], list[list[int]]]
) -> tuple[Message, list[list[list[int]]]]:
    """Convert answers to Python's own integers; return ``reading``, the times per solve, and the converted answers.

    Integers of other types may compute their value when it is read, so reading them is part of the solve.
    """
    cpu_start, wall_start = cpu_s(), wall_s()
    converted = [make(answer) for answer in answers]
    wall_end, cpu_end = wall_s(), cpu_end_s()
    times = {"wall_s": (wall_end - wall_start) / len(answers), "cpu_s": (cpu_end - cpu_start) / len(answers)}
    return {"reading": times}, converted


def are_plain(answers: Sequence[Answer]) -> bool:
    """Do answers hold nothing but Python's own integers? Reading these runs no code of the strategy."""
    return all(set(map(type, cells)) <= PLAIN for answer in answers for cells in answer)


def means(wall: float, cpu: float, solves: int) -> Message:
    return {"status": "ok", "wall_s": wall / solves, "cpu_s": cpu / solves}


def solve(strategy: Strategy, puzzle: Puzzle, task: Task) -> Answer:
    answer = strategy.search(strategy.load(strategy.encode(puzzle)), task)
    solutions = [list(cells) for cells in strategy.decode(answer)]
    strategy.release()
    return solutions


def marked(marks: list[float], clock: Clock = cpu_s) -> Solver:
    """Return ``solve`` with phases timed; ``marks`` receives 6 clock readings per form."""
    return lambda strategy, puzzle, task: solve_marked(strategy, puzzle, task, marks, clock)


def solve_marked(strategy: Strategy, puzzle: Puzzle, task: Task, marks: list[float], clock: Clock) -> Answer:
    """Like ``solve``, and record the CPU clock at the start and after each phase (6 marks)."""
    marks.append(clock())
    model = strategy.encode(puzzle)
    marks.append(clock())
    model = strategy.load(model)
    marks.append(clock())
    answer = strategy.search(model, task)
    marks.append(clock())
    solutions = [list(cells) for cells in strategy.decode(answer)]
    marks.append(clock())
    strategy.release()
    del model, answer  # freeing them (such as a list of 12,000 clauses) is part of the cost
    marks.append(clock())
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
