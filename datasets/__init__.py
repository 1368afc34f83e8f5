"""WHAT is solved: boards, puzzles, files, collections, isomorphs, difficulty. Knows no strategy and no clock."""

from datasets.errors import InputError
from datasets.puzzle import Puzzle
from datasets.shape import Shape

__all__ = ["InputError", "Puzzle", "Shape"]
