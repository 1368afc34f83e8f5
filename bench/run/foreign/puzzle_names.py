"""The puzzles of imported timings: which board a grid, a file or a name stands for."""

from __future__ import annotations

import hashlib
from pathlib import Path

from sudoku_bench.datasets.collections import catalogue
from sudoku_bench.datasets.collections.catalogue import Item
from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.reading import reader

CHECKSUM = 8  # digits of it in a name
LONGEST = 200  # characters of a name, or of a part of a path


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
        """Return the name of a puzzle within its collection, and the puzzle; an InputError if the text is none."""
        items = self._given or _of_catalogue(collection)
        is_name = max(map(len, text.split("/"))) < LONGEST
        wanted = {text, Path(text).stem} if is_name else {text}
        if named := next((item for item in items if wanted & {item.name, item.label or item.name}), None):
            return named.name, named.puzzle
        path = self._folder / text
        if is_name and path.is_file():
            [entry, *more] = reader.load_file(path)
            if more:
                raise InputError(f"{path}: holds {1 + len(more)} puzzles; a solve is of one, so give each its own file")
            return path.stem, entry.puzzle
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


def _of_catalogue(collection: str) -> tuple[Item, ...]:
    try:
        return catalogue.load(collection).items if collection in catalogue.entries() else ()
    except InputError:  # not fetched: its puzzles may still be given as grids
        return ()
