"""The mined collections: their tables list the origin of each puzzle, and they are hard."""

from __future__ import annotations

import csv
from collections import Counter
from statistics import median

from sudoku_bench.datasets.collections.catalogue import DATA, load
from sudoku_bench.datasets.difficulty.conflicts import conflicts

CDCL = "hardest-cdcl"


def test_the_table_of_the_mined_collection_lists_the_origin_of_each_puzzle() -> None:
    rows = list(csv.DictReader((DATA / "hardest.csv").read_text(encoding="utf-8").splitlines()))
    assert [row["puzzle"] for row in rows] == [item.name for item in load("hardest").items]
    counts = Counter(row["objective"] for row in rows)
    assert set(counts) == {"guesses", "te_rounds", "conflicts"}
    assert len(set(counts.values())) == 1
    assert max(Counter(row["lineage"] for row in rows).values()) <= 3
    assert max(Counter(row["grid"] for row in rows).values()) <= 3
    by_name = {row["puzzle"]: row for row in rows}
    for row in rows:
        assert row["place"] != "0" or row["parent"] == ""
        if row["parent"]:
            assert by_name[row["parent"]]["lineage"] == row["lineage"]
            assert by_name[row["parent"]]["place"] == "0"


def test_the_table_lists_the_lineage_of_each_puzzle() -> None:
    items = load(CDCL).items
    with (DATA / f"{CDCL}.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["puzzle"] for row in rows] == [item.name for item in items]
    assert {row["start"] for row in rows} == {"001"}  # of the collection `classics`
    assert max(Counter(row["lineage"] for row in rows).values()) <= 5


def test_the_collection_is_much_harder_than_hardest_for_a_solver_that_learns() -> None:
    """On isomorphs that selected nothing."""
    ours, others = (
        median(conflicts(item.puzzle, 2026, 4).mean or 0 for item in load(name).items[:51])
        for name in (CDCL, "hardest")
    )
    assert ours > 4 * others
