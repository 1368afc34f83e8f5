"""Puzzles: boards, file formats, collections, isomorphs and difficulty. Imports neither ``solvers`` nor ``bench``."""

from datasets.errors import InputError
from datasets.puzzle import Puzzle
from datasets.shape import Shape

__all__ = ["InputError", "Puzzle", "Shape"]
