"""exact-cover: dancing links in C; the matrix of the rules is made here."""

import exact_cover
import numpy as np
from exact_cover.error import NoSolution
from lines import serve

CELL, VALUE = np.divmod(np.arange(729), 9)
ROW, COLUMN = np.divmod(CELL, 9)
BOX = ROW // 3 * 3 + COLUMN // 3
MATRIX = np.zeros((729, 324), dtype=bool)
for part, unit in enumerate((CELL, 9 * ROW + VALUE, 9 * COLUMN + VALUE, 9 * BOX + VALUE)):
    MATRIX[np.arange(729), 81 * part + unit] = True


def solve(puzzle: str) -> list[int] | None:
    given = np.array([int(value) for value in puzzle])[CELL]
    allowed = np.flatnonzero((given == 0) | (given == VALUE + 1))
    try:
        chosen = allowed[np.asarray(exact_cover.get_exact_cover(MATRIX[allowed]), dtype=int)]
    except NoSolution:
        return None
    return [int(value) + 1 for value in VALUE[np.sort(chosen)]] or None


serve(solve)
