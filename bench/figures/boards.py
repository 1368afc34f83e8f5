"""Boards of one size: most figures show no others beside them, since boards of different size are not comparable."""

from __future__ import annotations

import pandas as pd


def most_frequent(rows: pd.DataFrame) -> tuple[int, int]:
    """The size that the most puzzles have (the smaller of two), and the number of puzzles of other sizes.

    Args:
        rows: not empty, with collection, puzzle and size (rows of the board).
    """
    numbers = rows.drop_duplicates(["collection", "puzzle"]).groupby("size").size()
    return int(str(numbers.idxmax())), int(numbers.sum() - numbers.max())


def others(number: int) -> str:
    """What is said of puzzles that are left out; with a space before it."""
    if number == 1:
        return " 1 puzzle of another size is not shown."
    return f" {number} puzzles of other sizes are not shown." if number else ""
