"""The steps by which a person who always takes the easiest one solves a puzzle."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from datasets.difficulty.explainer import scale
from datasets.difficulty.explainer.ladder import NOTE
from datasets.difficulty.explainer.words import NAMES, cell_name, reasons
from datasets.puzzle import Puzzle
from datasets.search import solve


@dataclass(frozen=True)
class Step:
    """A step of a solution. Cells are numbered 0 .. 80 row by row, digits from 1.

    Attributes:
        rating: rating on the explainer scale.
        technique: its name.
        placed: the cell that it fills, and the digit; None if it only eliminates.
        eliminated: the candidates that it eliminates in open cells, as cells and digits; those that only a placement
            excludes are left out.
        reasons: sentences that explain it.
    """

    rating: float
    technique: str
    placed: tuple[int, int] | None
    eliminated: tuple[tuple[int, int], ...]
    reasons: tuple[str, ...]

    @property
    def text(self) -> str:
        """The step in one paragraph."""
        if self.placed:
            result = f"{cell_name(self.placed[0])} is {self.placed[1]}"
        else:
            result = ", ".join(f"{cell_name(cell)} is not {digit}" for cell, digit in self.eliminated)
        return f"{self.rating:.1f} {self.technique}: {result}. {' '.join(self.reasons)}"


def steps(puzzle: Puzzle, work: int = scale.NO_LIMIT) -> tuple[Step, ...]:
    """Return the steps that solve a puzzle; fewer if the limit of work is spent before (see ``scale.explain``).

    Raises:
        ValueError: the board is not 9×9 with 3×3 boxes, or the puzzle does not have exactly one solution.
    """
    board, note = scale.start(puzzle), np.zeros(NOTE, dtype=np.int64)
    solutions = solve(puzzle, limit=2).solutions
    if len(solutions) != 1:
        raise ValueError("only a puzzle with exactly one solution can be explained")
    result = []
    before = board.cand.copy()
    for technique, rating, is_placement in scale.climb(board, work, note):
        if technique < 0:
            break
        placed = None
        if is_placement:
            cell = int(np.flatnonzero((before != 0) & (board.cand == 0))[0])
            placed = (cell, solutions[0][cell])
        gone = [int(mask) for mask in before & ~board.cand]
        eliminated = () if placed else tuple((c, d + 1) for c in range(81) for d in range(9) if gone[c] >> d & 1)
        why = reasons(technique, note, scale.room(), placed)
        result.append(Step(rating / 10, NAMES[technique], placed, eliminated, why))
        before = board.cand.copy()
    return tuple(result)
