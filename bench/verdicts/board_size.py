"""The most common board size: results on boards of different sizes are not comparable, so most show one size only."""

from __future__ import annotations

import pandas as pd

from sudoku_bench.datasets.shape import size_of_text

CUSTOMARY = 9


def most_common(puzzles: pd.DataFrame) -> tuple[int, int]:
    """Return the board size that most puzzles have, and the number of puzzles of other sizes; (0, 0) without puzzles.

    If several sizes have the same number of puzzles, 9×9 wins if it is among them, otherwise the smallest board.
    Decoys are not counted.

    Args:
        puzzles: one or more rows per puzzle, with collection, puzzle, and size (rows of the board) or grid.
    """
    if "decoy" in puzzles:
        puzzles = puzzles[puzzles["decoy"].isna()]
    rows = puzzles.drop_duplicates(["collection", "puzzle"])
    sizes = rows["size"] if "size" in rows else rows["grid"].dropna().map(size_of_text)
    counts = sizes.value_counts()
    by_size = {int(str(size)): int(number) for size, number in counts.items()}
    if not by_size:
        return 0, 0
    size = min(by_size, key=lambda size: (-by_size[size], size != CUSTOMARY, size))
    return size, sum(by_size.values()) - by_size[size]
