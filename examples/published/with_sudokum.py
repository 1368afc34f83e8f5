"""sudokum: wave function collapse, ten random tries; where they fail it says False, also of valid puzzles."""

import sudokum
from lines import flat, rows, serve


def solve(puzzle: str) -> object:
    is_solved, grid = sudokum.solve(rows(puzzle))
    return flat(grid) if is_solved else "gave up"


serve(solve)
