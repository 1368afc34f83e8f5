"""Puzzles: boards, file formats, collections, isomorphs and difficulty. Imports neither ``solvers`` nor ``bench``."""

from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape

__all__ = ["InputError", "Puzzle", "Shape"]

if __name__ == "datasets":  # the folder of a checkout that is on the path
    raise ModuleNotFoundError("No module named 'datasets'", name=__name__)
