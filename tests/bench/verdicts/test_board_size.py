"""The most common board size: one rule for all figures and tables."""

from __future__ import annotations

import pandas as pd
import pytest

from sudoku_bench.bench.verdicts.board_size import most_common


def puzzles(*board_sizes: int) -> pd.DataFrame:
    names = [f"p{number}" for number in range(len(board_sizes))]
    return pd.DataFrame({"collection": "own", "puzzle": names, "size": board_sizes})


@pytest.mark.parametrize(
    ("board_sizes", "expected"),
    [
        ((4, 4, 9), (4, 1)),
        ((16, 16, 16, 9, 9, 4), (16, 3)),
        (([16] * 5 + [9] * 5 + [4] * 5), (9, 10)),
        ((16, 4), (4, 1)),
        ((9,), (9, 0)),
        ((), (0, 0)),
    ],
)
def test_the_size_with_most_puzzles_wins_then_nine_then_the_smallest(board_sizes, expected: tuple[int, int]) -> None:
    assert most_common(puzzles(*board_sizes)) == expected


def test_sizes_come_from_the_grids_where_there_is_no_column_of_sizes() -> None:
    grids = puzzles(9, 4, 4).assign(grid=["." * 81, "." * 16, "." * 16]).drop(columns="size")
    assert most_common(grids) == (4, 1)
    assert most_common(grids.assign(grid=["." * 81, None, "." * 16])) == (9, 1)
