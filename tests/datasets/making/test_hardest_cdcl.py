"""The maker of puzzles that are hard for solvers that learn."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path
from statistics import median

import pytest

from datasets.collections.catalogue import DATA, load
from datasets.difficulty.conflicts import mean_conflicts
from datasets.isomorphs import form, isomorph
from datasets.making import hardest_cdcl
from datasets.making.climb import residual
from datasets.making.hardest_cdcl import NAME, OF_EACH, START, collect, start
from datasets.making.vicinity import LEAST_LEFT, HardPuzzle
from tests.datasets.rules import PRINTED

pytestmark = pytest.mark.slow


def test_the_start_is_the_puzzle_that_a_document_prints() -> None:
    assert start().text == PRINTED["001"][0]


def test_the_table_lists_the_lineage_of_each_puzzle() -> None:
    items = load(NAME).items
    with (DATA / f"{NAME}.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["puzzle"] for row in rows] == [item.name for item in items]
    assert {row["start"] for row in rows} == {START}
    assert max(Counter(row["lineage"] for row in rows).values()) <= OF_EACH


@pytest.mark.thorough
def test_look_ahead_solves_no_puzzle_of_the_collection() -> None:
    assert all(residual(item.puzzle) >= LEAST_LEFT for item in load(NAME).items)


def test_the_collection_is_much_harder_than_hardest_for_a_solver_that_learns() -> None:
    """On isomorphs that selected nothing."""
    ours, others = (
        median(mean_conflicts(item.puzzle, 2026, 4) for item in load(name).items[:51]) for name in (NAME, "hardest")
    )
    assert ours > 4 * others


def hard(puzzle, conflicts: float) -> HardPuzzle:
    return HardPuzzle(puzzle, (), start(), 9.0, conflicts)


def test_isomorphs_are_taken_once_and_the_start_never() -> None:
    puzzles = [item.puzzle for item in load("expert").items[:3]]
    again = [form(puzzle, isomorph(1, puzzle, 5)) for puzzle in (*puzzles, start())]
    found = [
        [hard(puzzles[0], 9.0), hard(again[3], 8.0), hard(puzzles[1], 7.0)],
        [hard(again[0], 9.0), hard(puzzles[2], 8.0)],
    ]
    assert [[each.puzzle for each in taken] for taken in collect(found)] == [puzzles[:2], puzzles[2:]]


def test_the_files_list_the_puzzles_by_lineage(tmp_path: Path) -> None:
    puzzles = [item.puzzle for item in load("expert").items[:2]]
    assert hardest_cdcl.write([[hard(puzzles[0], 30.03125)], [], [hard(puzzles[1], 20.0)]], tmp_path) == 2
    assert (tmp_path / f"{NAME}.txt").read_text(encoding="utf-8").split() == [puzzle.text for puzzle in puzzles]
    assert (tmp_path / f"{NAME}.csv").read_text(encoding="utf-8").splitlines()[1:] == [
        "hardest-cdcl-001,conflicts,near-001-1,001,30.03",
        "hardest-cdcl-002,conflicts,near-001-3,001,20",
    ]


@pytest.mark.thorough
def test_lineages_depend_on_their_number_and_are_hard_for_a_solver_that_learns() -> None:
    first, again, other = (hardest_cdcl.lineage(number, steps=60) for number in (1, 1, 2))
    assert first == again
    assert [each.puzzle for each in first] != [each.puzzle for each in other]
    assert all(residual(each.puzzle) >= LEAST_LEFT and each.start == start() for each in first)
    assert first[0].conflicts > 20
