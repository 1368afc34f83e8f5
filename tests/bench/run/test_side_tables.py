"""Exact sizes of encodings in the table of a run."""

from __future__ import annotations

import csv

from sudoku_bench.bench.run import side_tables
from tests.bench.conftest import FOURS


def test_a_run_lists_the_sizes_of_its_encodings(measure, puzzles) -> None:
    names = ["sat:complete+product@glucose4", "sat:order+substituted@glucose4", "sat:order@glucose4", "seed:norvig"]
    arguments = [argument for name in names for argument in ("-s", name)]
    result = measure(*arguments, "-d", puzzles(FOURS[0]), "--repetitions", 1)
    with (result.folder / "encodings.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert tuple(rows[0]) == side_tables.ENCODING_COLUMNS
    boards = ["4x4", "6x6", "9x9", "12x12", "16x16", "25x25", "36x36"]
    assert [(row["encoding"], row["shape"]) for row in rows] == [
        (encoding, board) for encoding in ("complete+product", "order") for board in boards
    ]
    at_9 = {row["encoding"]: (row["variables"], row["clauses"]) for row in rows if row["shape"] == "9x9"}
    assert at_9 == {"complete+product": ("2673", "8100"), "order": ("648", "7857")}
