"""py-sudoku: backtracking, in Python."""

from lines import flat, rows, serve
from sudoku import Sudoku

serve(lambda puzzle: flat(Sudoku(3, 3, board=rows(puzzle)).solve().board))
