"""The sample of the data set that the repository holds."""

from __future__ import annotations

import csv
import random
from collections import Counter
from itertools import islice

import pytest

from datasets.collections.catalogue import DATA
from datasets.making.dataset.build import SAMPLE, SAMPLE_SIZE
from datasets.making.dataset.recipes import RECIPES
from datasets.making.dataset.rows import COLUMNS, chunk_rows, er_stratum, identifier, split
from datasets.reading.reader import load_file, parse
from datasets.search import solve

PATH = DATA / SAMPLE
with PATH.open(encoding="utf-8", newline="") as stream:
    ROWS = list(csv.DictReader(stream))
NEAR_HARDEST = "9x9-near-hardest"  # its chunk takes a minute


def test_it_has_the_columns_of_the_data_set_and_no_isomorphs() -> None:
    assert tuple(ROWS[0]) == COLUMNS
    assert len({row["id"] for row in ROWS}) == len(ROWS) == SAMPLE_SIZE
    assert {row["recipe"] for row in ROWS} == set(RECIPES)


def test_identifiers_splits_and_solutions_are_those_of_the_puzzles() -> None:
    for row in ROWS[::20]:
        puzzle = parse(row["puzzle"])
        assert identifier(puzzle) == row["id"]
        assert solve(puzzle).solutions == (parse(row["solution"]).cells,)
    assert all(split(row["lineage"]) == row["split"] for row in ROWS)


def test_it_spreads_over_the_explainer_scale() -> None:
    strata = Counter(er_stratum(row) for row in ROWS if row["er"])
    assert {"1.0", "1.5", "2.0", "7.0", "8.0", "8.5", "9.0", "9.5"} <= strata.keys()
    assert max(strata.values()) < len(ROWS) / 5


@pytest.mark.thorough
@pytest.mark.parametrize("recipe", sorted(RECIPES.keys() - {NEAR_HARDEST}))
def test_a_chunk_can_be_made_again(recipe: str) -> None:
    first = next(row for row in ROWS if row["recipe"] == recipe)
    rows = {row["id"]: row for row in chunk_rows(recipe, int(first["lineage"].split("-")[-2]))}
    stored = [row for row in ROWS if row["id"] in rows]
    assert first in stored
    assert all(rows[row["id"]] == row for row in stored)


@pytest.mark.thorough
def test_puzzles_near_the_hardest_can_be_made_again() -> None:
    name = f"{NEAR_HARDEST}-0"
    made = RECIPES[NEAR_HARDEST].make(name, random.Random(f"sudoku-bench/dataset/{name}"))
    first = [puzzle.text for puzzle, _ in islice(made, 5)]
    stored = [row["puzzle"] for row in ROWS if row["recipe"] == NEAR_HARDEST]
    assert stored[:2] == [text for text in first if text in stored][:2]


def test_it_is_read_like_any_table() -> None:
    entries = load_file(PATH)
    assert len(entries) == SAMPLE_SIZE
    assert all(entry.rating is not None for entry in entries if entry.puzzle.shape.size == 9)
