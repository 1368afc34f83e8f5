"""dlxsudoku: logic, then brute force. It raises if there is no solution, or more than one."""

from dlxsudoku import Sudoku
from dlxsudoku.exceptions import SudokuException
from lines import serve


def solve(puzzle: str) -> str | None:
    sudoku = Sudoku(puzzle)
    try:
        sudoku.solve()
    except SudokuException:
        return None
    return sudoku.to_oneliner()


serve(solve)
