"""Groups of puzzles that are not independent observations: isomorphs of each other, and puzzles of one lineage.

Isomorphs are recognised by ``datasets/making/duplicates``. On boards with a layout, only puzzles that differ in the
names of values are, and with pencilmarks only equal ones. A lineage is known only where the source
of the puzzles names it, so puzzles derived from each other in other ways are not found.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sudoku_bench.datasets.puzzle import Puzzle


def groups(puzzles: Sequence[Puzzle], lineages: Sequence[str], embedded: bool = False) -> list[int]:
    """Return the number of each puzzle's group, from 1 in order of first appearance.

    Two puzzles on boards of the same shape are in one group if they are isomorphs, if they have the same lineage, or if
    a chain of such puzzles connects them.

    Args:
        lineages: of each puzzle, empty if it has none; the text of a puzzle names the lineage that it started.
        embedded: are all puzzles of embedded collections? No two of these are isomorphs.
    """
    earlier = list(range(len(puzzles)))  # each puzzle, or an earlier one of its group

    def first(place: int) -> int:
        while earlier[place] != place:
            place = earlier[place]
        return place

    def join(one: int, other: int) -> None:
        low, high = sorted((first(one), first(other)))
        earlier[high] = low

    for shape in dict.fromkeys(puzzle.shape for puzzle in puzzles):
        places = [place for place, puzzle in enumerate(puzzles) if puzzle.shape == shape]
        if shape.is_ordinary and not embedded:
            from sudoku_bench.datasets.making.duplicates import Duplicates  # imports numba, and compiles

            cells = b"".join(puzzles[place].cell_bytes for place in places)
            with Duplicates(shape) as duplicates:
                duplicates.add(np.frombuffer(cells, dtype=np.uint8).reshape(len(places), -1), places)
                for duplicate in duplicates.find():
                    join(duplicate.first, duplicate.line)
        named: dict[str, int] = {}
        for place in places:
            for name in filter(None, (lineages[place], puzzles[place].text, relabelled(puzzles[place]))):
                join(named.setdefault(name, place), place)
    numbers: dict[int, int] = {}
    return [numbers.setdefault(first(place), len(numbers) + 1) for place in range(len(puzzles))]


def relabelled(puzzle: Puzzle) -> str:
    """Return the cells, in hexadecimal, with values in order of appearance; empty if clues are pencilmarks."""
    if puzzle.shape.pencilmarks:
        return ""
    labels = {0: 0}
    return bytes(labels.setdefault(value, len(labels)) for value in puzzle.cells).hex()
