"""dokusan: candidates and backtracking, in Python."""

from dokusan import boards, exceptions, solvers
from lines import rows, serve

SIZE = boards.BoxSize(3, 3)


def solve(puzzle: str) -> str | None:
    try:
        return str(solvers.backtrack(boards.Sudoku.from_list(rows(puzzle), box_size=SIZE)))
    except exceptions.DokusanError:
        return None


serve(solve)
