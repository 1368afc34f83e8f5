"""sudokutools: exact cover by dancing links, in Python."""

from lines import serve
from sudokutools import solve
from sudokutools.sudoku import Sudoku

serve(lambda puzzle: next((solution.encode() for solution in solve.dlx(Sudoku.decode(puzzle))), None))
