"""lib-sudoku: search in Rust."""

import lib_sudoku
from lines import serve


def solve(puzzle: str) -> list[int] | None:
    cells = bytearray(map(int, puzzle))
    try:
        answer = lib_sudoku.solve(cells)
    except ValueError:
        return None
    return list(answer if answer is not None else cells)


serve(solve)
