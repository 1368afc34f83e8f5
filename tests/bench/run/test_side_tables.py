"""Exact sizes of encodings in the table of a run and in the documentation."""

from __future__ import annotations

import csv
import re

from sudoku_bench.bench.run import side_tables
from sudoku_bench.solvers.sat.encodings import DEFAULTS, sizes
from tests.bench.conftest import FOURS
from tests.conftest import TOP


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


def test_the_documentation_lists_the_exact_sizes() -> None:
    page = (TOP / "docs" / "encodings.md").read_text(encoding="utf-8")
    documented = {
        name: tuple(map(int, numbers))
        for name, *numbers in re.findall(
            r"^\| `([\w+-]+)` \|[^|]+\| (\d+) \| (\d+)(?: \+ \d+ at-most)? \|", page, flags=re.MULTILINE
        )
    }
    expected = {
        row["encoding"]: (row["variables"], row["clauses"])
        for row in sizes([*DEFAULTS, "complete+pairwise"], [side_tables.shape_of("9x9")])
    }
    assert documented == expected
