"""Medians of conflicts by collection, and the first collection against the last."""

from __future__ import annotations

import pandas as pd

from bench.studies import conflicts_table
from bench.verdicts.run_data import RunData

CONFLICTS = {"ours": (20.0, 30.0, 40.0), "none": (0.0, 0.0, 0.0), "theirs": (60.0, 60.0, 60.0)}


def run(*collections: str) -> RunData:
    """One strategy on three puzzles of each collection; the forms of a puzzle differ, and their means are given."""
    puzzles = [(name, f"p{number}") for name in collections for number in range(3)]
    rows = [
        {"strategy": "sat:x", "collection": name, "puzzle": puzzle, "status": "solved", "placebo": None, "conflicts": c}
        for name, puzzle in puzzles
        for c in (CONFLICTS[name][int(puzzle[1])] + by for by in (-1.0, 1.0))
    ]
    return RunData({}, pd.DataFrame(rows), pd.DataFrame(puzzles, columns=["collection", "puzzle"]))


def test_the_first_collection_is_compared_with_the_last() -> None:
    [line] = conflicts_table.table(run("ours", "none", "theirs")).to_dict("records")
    assert line == {"strategy": "sat:x", "ours": "30.0", "none": "0.0", "theirs": "60.0", "ratio": "50% [33%, 67%]"}


def test_a_share_of_nothing_is_not_known() -> None:
    [line] = conflicts_table.table(run("ours", "none")).to_dict("records")
    assert line["ratio"] == conflicts_table.UNKNOWN
