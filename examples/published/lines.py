"""The protocol of ``sudoku-bench run --command``: a line with a puzzle in, a line with its solution out."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable


def serve(solve: Callable[[str], Iterable[object] | None]) -> None:
    """Answer each puzzle that standard input has.

    Args:
        solve: takes 81 characters with ``0`` for empty cells; returns the 81 values in order, or None if there is no
            solution.
    """
    for line in sys.stdin:
        values = solve(line.strip().replace(".", "0"))
        sys.stdout.write("".join(map(str, values or ())) + "\n")
        sys.stdout.flush()


def rows(puzzle: str) -> list[list[int]]:
    """The puzzle as nine lists of nine numbers."""
    return [[int(value) for value in puzzle[at : at + 9]] for at in range(0, 81, 9)]


def flat(grid: Iterable[Iterable[object]]) -> list[object] | None:
    """The values of rows in order; None if one is empty: so some solvers say that there is no solution."""
    values = [value for row in grid for value in row]
    return values if all(values) else None
