"""The stopwatch: solve forms once each and time them. No other package times a solve."""

from __future__ import annotations

import mmap
from collections.abc import Sequence
from typing import Any

from bench.worker.clocks import cpu_end_s, cpu_s, wall_s
from datasets.puzzle import Puzzle
from solvers.strategy import Strategy, Task

PHASES = ("encode", "load", "search", "decode", "release")
PROGRESS_BYTES = 8  # for the number of forms solved so far, which the runner reads while the worker solves

Message = dict[str, Any]


def timed(
    strategy: Strategy,
    puzzles: Sequence[Puzzle],
    task: Task,
    marks: list[float] | None,
    progress: mmap.mmap,
    solved: int = 0,
) -> tuple[Message, list[list[list[Any]]]]:
    """Solve the forms of a sample; return mean times and the answers.

    Args:
        marks: receives the clock readings between phases (None: phases are not timed).
        solved: forms already completed.
    """
    answers = []
    cpu_start, wall_start = cpu_s(), wall_s()
    longest_s, before = 0.0, wall_start
    for number, puzzle in enumerate(puzzles, solved):
        progress[:PROGRESS_BYTES] = number.to_bytes(PROGRESS_BYTES, "little")
        answers.append(solve(strategy, puzzle, task) if marks is None else solve_marked(strategy, puzzle, task, marks))
        after = wall_s()  # much cheaper than the CPU clock
        longest_s, before = max(longest_s, after - before), after
    wall_end, cpu_end = wall_s(), cpu_end_s()
    times = means(wall_end - wall_start, cpu_end - cpu_start, len(puzzles))
    return times | {"longest_wall_s": longest_s}, answers


def timed_batch(strategy: Strategy, puzzles: Sequence[Puzzle], task: Task) -> tuple[Message, list[list[list[Any]]]]:
    """Like ``timed``, with all puzzles in one call."""
    cpu_start, wall_start = cpu_s(), wall_s()
    answers = [[list(cells) for cells in answer] for answer in strategy.solve_many(puzzles, task)]
    wall_end, cpu_end = wall_s(), cpu_end_s()
    if len(answers) != len(puzzles):
        raise ValueError(f"{len(answers)} answers to {len(puzzles)} puzzles")
    return means(wall_end - wall_start, cpu_end - cpu_start, len(puzzles)), answers


def means(wall: float, cpu: float, solves: int) -> Message:
    return {"status": "ok", "wall_s": wall / solves, "cpu_s": cpu / solves}


def solve(strategy: Strategy, puzzle: Puzzle, task: Task) -> list[list[Any]]:
    answer = strategy.search(strategy.load(strategy.encode(puzzle)), task)
    solutions = [list(cells) for cells in strategy.decode(answer)]
    strategy.release()
    return solutions


def solve_marked(strategy: Strategy, puzzle: Puzzle, task: Task, marks: list[float]) -> list[list[Any]]:
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
        for phase in range(len(PHASES)):
            sums[phase] += marks[start + phase + 1] - marks[start + phase]
    return {f"{phase}_cpu_s": total / loops for phase, total in zip(PHASES, sums, strict=True)}
