"""Solve a list of puzzles in one call; no puzzle is timed by itself."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

from bench.worker.boards import boards_of
from bench.worker.clocks import cpu_end_s, cpu_s
from datasets.puzzle import Puzzle
from datasets.shape import Shape
from solvers.strategy import Strategy, Task

Answers = Sequence[Sequence[Sequence[Any]]]


def solved(strategy: Strategy, puzzles: Sequence[Puzzle], task: Task) -> tuple[Answers, float]:
    """Return the answers to a list, and the CPU seconds of the call.

    Raises:
        Exception: any that the strategy raises.
    """
    start = cpu_s()
    answers = strategy.solve_many(puzzles, task)
    return answers, cpu_end_s() - start


def puzzles_of(shape: Shape, text: str) -> list[Puzzle]:
    """Return the puzzles whose cells a request contains."""
    return [Puzzle(shape, cells) for cells in boards_of(shape, text)]


def packed(answers: Answers, number: int, limit: int, shape: Shape) -> dict[str, Any]:
    """Return the answers for a reply: the number of solutions of each puzzle, and the cells of all solutions.

    Args:
        number: of puzzles.
        limit: the maximum number of solutions of each.

    Raises:
        ValueError, TypeError: these are not answers to so many puzzles, or a solution is not made of integers.
    """
    if len(answers) != number:
        raise ValueError(f"{len(answers)} answers to {number} puzzles")
    counts = [*map(len, answers)]
    if max(counts) > limit:
        raise ValueError(f"{max(counts)} solutions where {limit} were requested")
    solutions = b"".join([cell_bytes(solution, shape) for answer in answers for solution in answer])
    return {"counts": counts, "solutions": solutions.hex()}


def unpacked(reply: dict[str, Any], number: int, shape: Shape) -> list[list[bytes]]:
    """Return the solutions of each puzzle from a reply.

    Raises:
        KeyError, ValueError, TypeError: these are not answers to so many puzzles.
    """
    counts, solutions = reply["counts"], boards_of(shape, reply["solutions"])
    if len(counts) != number or min(counts) < 0 or sum(counts) != len(solutions):
        raise ValueError(f"{len(solutions)} solutions in {len(counts)} answers to {number} puzzles")
    following = iter(solutions)
    return [[next(following) for _ in range(count)] for count in counts]


def cell_bytes(solution: Sequence[Any], shape: Shape) -> bytes:
    """Return a solution with one byte for each cell.

    Raises:
        ValueError, TypeError: it has another number of cells, or a cell is not an integer from 0 to 255.
    """
    if len(solution) != shape.n_cells:
        raise ValueError(f"{len(solution)} cells where {shape.n_cells} were requested")
    return solution if isinstance(solution, bytes) else bytes(map(operator.index, solution))
