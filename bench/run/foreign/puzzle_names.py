"""The puzzles of imported timings: which board a grid, a file or a name stands for."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from sudoku_bench.datasets.collections import catalogue
from sudoku_bench.datasets.collections.catalogue import Item
from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.reading import reader

CHECKSUM = 8  # digits of it in a name


class PuzzleNames:
    """Finds puzzles; a grid that no collection names is named by its checksum, so that it has that name in every file.

    Args:
        folder: that paths in the file are relative to.
        given: a file or collection whose puzzles have names, if the user gives one.
    """

    def __init__(self, folder: Path, given: str | None) -> None:
        self._folder = folder
        self._given = catalogue.load(given).items if given else ()

    def find(self, collection: str, text: str) -> tuple[str, Puzzle]:
        """Return the name of a puzzle within its collection, and the puzzle.

        Raises:
            InputError: the text stands for no puzzle.
        """
        items = self._given or self._of_catalogue(collection)
        named = self._named(items, text) or self._in_file(text)
        if named:
            return named
        try:
            puzzle = reader.parse(text)
        except InputError as error:
            raise InputError(
                f"puzzle {text!r} is no grid ({error}), no file in {self._folder}, and no name of a puzzle in"
                f" {collection}; name the file of the puzzles with --puzzles"
            ) from None
        known = next((item.name for item in items if item.puzzle == puzzle), None)
        checksum = hashlib.sha256(puzzle.text.encode()).hexdigest()
        return known or f"{collection}-{checksum[:CHECKSUM]}", puzzle

    def _of_catalogue(self, collection: str) -> tuple[Item, ...]:
        try:
            return catalogue.load(collection).items if collection in catalogue.entries() else ()
        except InputError:  # not fetched: its puzzles may still be given as grids
            return ()

    @staticmethod
    def _named(items: Iterable[Item], text: str) -> tuple[str, Puzzle] | None:
        """Return the puzzle that a name or the last part of a path without its suffix stands for."""
        wanted = {text, Path(text).stem} if len(text) < 200 else {text}
        return next(((i.name, i.puzzle) for i in items if i.name in wanted or (i.label and i.label in wanted)), None)

    def _in_file(self, text: str) -> tuple[str, Puzzle] | None:
        path = self._folder / text
        try:
            if not path.is_file():
                return None
        except OSError:  # a grid is too long for the name of a file
            return None
        [entry, *more] = reader.load_file(path)
        if more:
            raise InputError(f"{path}: holds {1 + len(more)} puzzles; a solve is of one, so give each its own file")
        return path.stem, entry.puzzle
