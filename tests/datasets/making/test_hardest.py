"""Making the mined collection: a lineage can be mined again alone, and only hard and new puzzles are collected."""

from __future__ import annotations

import csv
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median

import pytest

from datasets.collections.catalogue import DATA, load
from datasets.difficulty.conflicts import mean_conflicts
from datasets.isomorphs import form, isomorph
from datasets.making import hardest
from datasets.making.climb import residual
from datasets.making.hardest import (
    CDCL,
    CDCL_START,
    OBJECTIVES,
    OF_EACH,
    Mined,
    cdcl_start,
    collect,
    collect_cdcl,
    mine_lineage,
)
from datasets.making.vicinity import LEAST_LEFT, HardPuzzle
from tests.datasets.rules import PRINTED

pytestmark = pytest.mark.slow

HARDEST = DATA / "hardest.csv"


@pytest.mark.thorough
def test_a_lineage_mined_again_alone_is_the_stored_one() -> None:
    rows = list(csv.DictReader(HARDEST.read_text(encoding="utf-8").splitlines()))
    stored = {item.name: item.puzzle.text for item in load("hardest").items}
    number = min(int(row["lineage"].split("-")[1]) for row in rows if row["objective"] == "guesses")
    lineage = mine_lineage("guesses", number)
    lineage_rows = [row for row in rows if row["lineage"] == f"guesses-{number}"]
    assert lineage_rows
    for row in lineage_rows:
        [again] = [mined for mined in lineage if mined.place == int(row["place"])]
        assert (again.puzzle, again.grid) == (stored[row["puzzle"]], row["grid"])


def test_the_table_of_the_mined_collection_lists_the_origin_of_each_puzzle() -> None:
    rows = list(csv.DictReader(HARDEST.read_text(encoding="utf-8").splitlines()))
    assert [row["puzzle"] for row in rows] == [item.name for item in load("hardest").items]
    counts = Counter(row["objective"] for row in rows)
    assert set(counts) == set(OBJECTIVES)
    assert len(set(counts.values())) == 1
    assert max(Counter(row["lineage"] for row in rows).values()) <= 3
    assert max(Counter(row["grid"] for row in rows).values()) <= 3
    by_name = {row["puzzle"]: row for row in rows}
    for row in rows:
        assert row["place"] != "0" or row["parent"] == ""
        if row["parent"]:
            assert by_name[row["parent"]]["lineage"] == row["lineage"]
            assert by_name[row["parent"]]["place"] == "0"


def test_only_hard_and_new_puzzles_are_collected_and_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hardest, "LEAST", 20.0)
    hard, easy = PRINTED["001"][0], PRINTED["000a"][0]
    other, third = (item.puzzle.text for item in load("expert").items[:2])

    def collected(*texts: str) -> list[Mined]:
        pairs = zip(OBJECTIVES, texts, strict=True)
        return collect([[[Mined(objective, 2, "grid", 0, text)] for objective, text in pairs]])

    assert collected(hard, other, easy) == collected(hard, hard, third) == []
    puzzles = collected(hard, other, third)
    hardest.write_mined([*puzzles, Mined("guesses", 2, "grid", 1, easy)], tmp_path)
    assert (tmp_path / "hardest.txt").read_text(encoding="utf-8").split() == [hard, other, third, easy]
    assert (tmp_path / "hardest.csv").read_text(encoding="utf-8").splitlines() == [
        "puzzle,objective,lineage,place,parent,grid",
        *(f"hardest-{number:03d},{name},{name}-2,0,,grid" for number, name in enumerate(OBJECTIVES, start=1)),
        "hardest-004,guesses,guesses-2,1,hardest-001,grid",
    ]


def test_lineages_that_are_skipped_are_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    def mine(objective: str, number: int) -> list[Mined]:
        return [Mined(objective, number, "grid", 0, "")] if number % 5 == 0 else []

    monkeypatch.setattr(hardest, "mine_lineage", mine)
    with ThreadPoolExecutor(2) as pool:
        numbers = [mined.lineage for [mined] in hardest.mined_lineages(pool, "guesses", 3)]
    assert numbers == [5, 10, 15]


# The collection for solvers that learn


def test_the_start_is_the_puzzle_that_a_document_prints() -> None:
    assert cdcl_start().text == PRINTED["001"][0]


def test_the_table_lists_the_lineage_of_each_puzzle() -> None:
    items = load(CDCL).items
    with (DATA / f"{CDCL}.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["puzzle"] for row in rows] == [item.name for item in items]
    assert {row["start"] for row in rows} == {CDCL_START}
    assert max(Counter(row["lineage"] for row in rows).values()) <= OF_EACH


@pytest.mark.thorough
def test_look_ahead_solves_no_puzzle_of_the_collection() -> None:
    assert all(residual(item.puzzle) >= LEAST_LEFT for item in load(CDCL).items)


def test_the_collection_is_much_harder_than_hardest_for_a_solver_that_learns() -> None:
    """On isomorphs that selected nothing."""
    ours, others = (
        median(mean_conflicts(item.puzzle, 2026, 4) for item in load(name).items[:51]) for name in (CDCL, "hardest")
    )
    assert ours > 4 * others


def hard(puzzle, conflicts: float) -> HardPuzzle:
    return HardPuzzle(puzzle, (), cdcl_start(), 9.0, conflicts)


def test_isomorphs_are_taken_once_and_the_start_never() -> None:
    puzzles = [item.puzzle for item in load("expert").items[:3]]
    again = [form(puzzle, isomorph(1, puzzle, 5)) for puzzle in (*puzzles, cdcl_start())]
    found = [
        [hard(puzzles[0], 9.0), hard(again[3], 8.0), hard(puzzles[1], 7.0)],
        [hard(again[0], 9.0), hard(puzzles[2], 8.0)],
    ]
    assert [[each.puzzle for each in taken] for taken in collect_cdcl(found)] == [puzzles[:2], puzzles[2:]]


def test_the_files_list_the_puzzles_by_lineage(tmp_path: Path) -> None:
    puzzles = [item.puzzle for item in load("expert").items[:2]]
    hardest.write_cdcl([[hard(puzzles[0], 30.03125)], [], [hard(puzzles[1], 20.0)]], tmp_path)
    assert (tmp_path / f"{CDCL}.txt").read_text(encoding="utf-8").split() == [puzzle.text for puzzle in puzzles]
    assert (tmp_path / f"{CDCL}.csv").read_text(encoding="utf-8").splitlines()[1:] == [
        "hardest-cdcl-001,conflicts,near-001-1,001,30.03",
        "hardest-cdcl-002,conflicts,near-001-3,001,20",
    ]


@pytest.mark.thorough
def test_lineages_depend_on_their_number_and_are_hard_for_a_solver_that_learns() -> None:
    first, again, other = (hardest.cdcl_lineage(number, steps=60) for number in (1, 1, 2))
    assert first == again
    assert [each.puzzle for each in first] != [each.puzzle for each in other]
    assert all(residual(each.puzzle) >= LEAST_LEFT and each.start == cdcl_start() for each in first)
    assert first[0].conflicts > 20
