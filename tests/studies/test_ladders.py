"""Collections on other boards: maps of regions, and ladders that are what their tables say."""

from __future__ import annotations

import csv
import random

import pytest

from studies import ladders
from sudoku_bench.datasets import Puzzle, Shape
from sudoku_bench.datasets.collections.catalogue import DATA, load


def rows(name: str) -> list[tuple[Puzzle, dict[str, str]]]:
    """The puzzles of a collection with the rows of its table."""
    items, table = load(name).items, list(csv.DictReader((DATA / f"{name}.csv").read_text("utf-8").splitlines()))
    assert [item.name for item in items] == [row["puzzle"] for row in table]
    return [(item.puzzle, row) for item, row in zip(items, table, strict=True)]


def test_regions_are_connected_and_none_is_a_box() -> None:
    shape, rng = Shape(3, 3), random.Random(1)
    regions = ladders.random_regions(shape, rng)
    units = [{cell for cell in range(81) if regions[cell] == region} for region in range(9)]
    assert sorted(map(len, units)) == [9] * 9
    assert not {frozenset(unit) for unit in units} & {frozenset(box) for box in shape.boxes}
    for unit in units:
        reached = {min(unit)}
        for _ in range(9):
            reached |= {c for c in unit for r in reached if abs(c // 9 - r // 9) + abs(c % 9 - r % 9) == 1}
        assert reached == unit


@pytest.mark.parametrize(("name", "maps"), [("x", 1), ("windoku", 1), ("jigsaw", ladders.MAPS)])
def test_the_puzzles_of_a_layout_are_of_as_many_maps_and_of_rising_pools(name: str, maps: int) -> None:
    made = rows(name)
    assert len(made) == 60
    assert len({puzzle.shape.name for puzzle, _ in made}) == maps
    assert [int(row["pool"]) for _, row in made] == sorted(int(row["pool"]) for _, row in made)


def test_surplus_pencilmarks_are_as_many_as_the_table_says() -> None:
    made = rows("pencilmark")
    least = [puzzle.clues - int(row["surplus"]) for puzzle, row in made]
    assert min(least) > 100
    assert max(least) < 250
    assert [int(row["surplus"]) for _, row in made] == [s for s in ladders.SURPLUS for _ in range(ladders.EACH)]


@pytest.mark.parametrize("order", [30, 35, 40])
def test_latin_squares_have_the_holes_that_the_table_says(order: int) -> None:
    made = rows(f"latin{order}")
    for puzzle, row in made:
        assert puzzle.shape == Shape.of_size(order, "latin")
        assert not list(puzzle.clashes())
        numbers = [sum(not puzzle.cells[cell] for cell in line) for line in puzzle.shape.rows]
        assert sum(numbers) == round(float(row["ratio"]) * order**1.55)
        assert (max(numbers) - min(numbers) <= 1) == (row["holes"] == "balanced")
